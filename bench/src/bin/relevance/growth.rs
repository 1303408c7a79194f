//! How time grows with passages and with text.

use crate::ours;
use crate::passages::{Texts, items};
use crate::timing::Quartiles;
use crate::turn::seconds_of_second;

/// Ten times the passages, again, and ten times the words.
const STEPS: [(&str, Amount, Amount); 3] = [
    ("1,000 to 10,000 passages", amount(1_000, 100), amount(10_000, 100)),
    ("10,000 to 100,000 passages", amount(10_000, 100), amount(100_000, 100)),
    ("10,000 passages of 100 to 1,000 words", amount(10_000, 100), amount(10_000, 1_000)),
];

#[derive(Clone, Copy)]
struct Amount {
    passages: usize,
    words: usize,
}

const fn amount(passages: usize, words: usize) -> Amount {
    Amount { passages, words }
}

pub(crate) fn print(texts: &Texts, turns: u64) {
    println!("\n| growth exponent, median of {turns} turns | cold | kept | documents, cold |");
    println!("|---|---|---|---|");
    for (name, less, more) in STEPS {
        let (less, more) = (measured(texts, less, turns), measured(texts, more, turns));
        let exponent = |of: usize| {
            let exponents =
                less.iter().zip(&more).map(|(less, more)| (more[of] / less[of]).log10());
            let Quartiles { lower, median, upper } = Quartiles::of(exponents);
            format!("{median:.2} ({lower:.2} to {upper:.2})")
        };
        println!("| {name} | {} | {} | {} |", exponent(0), exponent(1), exponent(2));
    }
}

/// Seconds cold, kept, and cold with documents, turn by turn.
fn measured(texts: &Texts, amount: Amount, turns: u64) -> Vec<[f64; 3]> {
    let passages = texts.passages(amount.passages, amount.words);
    let (alone, in_documents) = (items(&passages, false), items(&passages, true));
    let scorer = ours::indexed(&alone);
    let turn = |seed| {
        let questions = texts.questions(crate::QUESTIONS, seed);
        let all = || questions.iter().map(|it| ours::top(&scorer, &alone, it)).collect::<Vec<_>>();
        [
            seconds_of_second(|| ours::cold(&alone, &questions[0])),
            seconds_of_second(all),
            seconds_of_second(|| ours::cold(&in_documents, &questions[0])),
        ]
    };
    (0..turns).map(turn).collect()
}
