//! What was measured: the one source for text, tables, JSON and page.

use cupel::CupelError;
use cupel_eval::{Bootstrap, Contender, Missed, Recalls, Set, Size, Summary, missed};

use crate::tokens::Tokenizer;

/// More pools than these are not told apart.
const MOST_POOLS: usize = 12;
/// More evidence of one question than this is only counted.
const MOST_MISSED: usize = 5;

/// A measurement, ready to be shown.
#[derive(Debug)]
pub(crate) struct Measured<'s> {
    pub(crate) name: String,
    /// What tokens were counted with that items do not say.
    pub(crate) counted: String,
    pub(crate) set: &'s Set,
    pub(crate) bootstrap: Bootstrap,
    pub(crate) summary: Summary,
    /// Each pool with its summary, if there are several but few.
    pub(crate) pools: Vec<(&'s str, Summary)>,
    pub(crate) missed_at: Size,
    pub(crate) missed: Vec<MissedQuestion>,
}

/// A question whose evidence is not all in the first policy's window.
#[derive(Debug)]
pub(crate) struct MissedQuestion {
    /// Its number in the set.
    pub(crate) question: usize,
    pub(crate) recall: f64,
    /// The first of what is missing.
    pub(crate) missed: Vec<MissedItem>,
    /// How many more are missing.
    pub(crate) more: usize,
}

#[derive(Debug)]
pub(crate) struct MissedItem {
    pub(crate) why: Missed,
    /// The other contenders that have it.
    pub(crate) found_by: Vec<String>,
}

impl<'s> Measured<'s> {
    pub(crate) fn new(
        name: String,
        tokenizer: Option<Tokenizer>,
        set: &'s Set,
        recalls: &Recalls,
        bootstrap: Bootstrap,
        missed_at: Size,
        missed: Vec<MissedQuestion>,
    ) -> Self {
        let counted = tokenizer.map_or_else(|| "characters / 4".to_owned(), Tokenizer::name);
        let asked = set.pools().iter().enumerate().map(|(pool, it)| {
            let questions = set.questions().iter().enumerate();
            let of_pool = questions.filter(|(_, question)| question.pool() == pool);
            (it.name(), of_pool.map(|(at, _)| at).collect::<Vec<_>>())
        });
        let asked: Vec<_> = match set.pools().len() {
            2..=MOST_POOLS => asked.filter(|(_, questions)| !questions.is_empty()).collect(),
            _ => Vec::new(),
        };
        let pools = asked.into_iter().map(|(name, it)| (name, recalls.summary_of(&it, &bootstrap)));
        let (summary, pools) = (recalls.summary(&bootstrap), pools.collect());
        Self { name, counted, set, bootstrap, summary, pools, missed_at, missed }
    }

    /// How many items the pools have.
    pub(crate) fn items(&self) -> usize {
        self.set.pools().iter().map(|pool| pool.items().len()).sum()
    }

    /// How many tokens the pools have.
    pub(crate) fn tokens(&self) -> i128 {
        let items = self.set.pools().iter().flat_map(|pool| pool.items());
        items.map(|item| i128::from(item.tokens())).sum()
    }
}

/// The `most` questions that the first contender finds least for, the worst first, and what it missed.
pub(crate) fn missed_questions(
    set: &Set,
    contenders: &[Contender],
    size: Size,
    most: usize,
) -> Result<Vec<MissedQuestion>, CupelError> {
    let mut questions = Vec::new();
    for (at, question) in set.questions().iter().enumerate() {
        let tokens = size.tokens(set.candidates(question));
        let held = contenders[0].window(set, question, tokens)?;
        let recall = question.gold().recall(|item| held.form(item));
        if recall < 1.0 {
            questions.push((at, recall));
        }
    }
    questions.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    questions.truncate(most);
    let missed_question = |(question, recall): (usize, f64)| {
        let asked = &set.questions()[question];
        let mut missing = missed(set, asked, &contenders[0], size)?;
        let more = missing.len().saturating_sub(MOST_MISSED);
        missing.truncate(MOST_MISSED);
        let mut items: Vec<_> =
            missing.into_iter().map(|why| MissedItem { why, found_by: Vec::new() }).collect();
        for other in &contenders[1..] {
            let held = other.window(set, asked, size.tokens(set.candidates(asked)))?;
            let missing = asked.gold().missed(|item| held.form(item));
            for item in items.iter_mut().filter(|it| !missing.contains(&it.why.item)) {
                item.found_by.push(other.label().to_owned());
            }
        }
        Ok(MissedQuestion { question, recall, missed: items, more })
    };
    questions.into_iter().map(missed_question).collect()
}
