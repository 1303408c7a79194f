//! Scores are the same to the bit on every machine and after every change that is to change none.
//!
//! A change that means to change scores, or a new version of what knows stop words and endings, records them anew: the test
//! that fails says what to write here.

use cupel::{ContextItem, RunContext, Scorer};
use cupel_relevance::{Language, RelevanceParameters, RelevanceScorer};

const RECORDED: u64 = 0x95de_140d_601c_b19e;

/// Stems of several languages and scripts, and endings that may follow any of them.
const STEMS: &[&str] = &[
    "loan",
    "reminder",
    "the",
    "Bücher",
    "naïve",
    "être",
    "que",
    "книг",
    "и",
    "βιβλί",
    "كتاب",
    "நூல்",
    "könyv",
    "kirja",
    "bok",
    "istasyon",
    "carte",
    "libro",
    "東京",
    "図書館の",
    "도서관",
    "ห้องสมุด",
    "cafe\u{301}",
    "so\u{ad}lo",
    "ﬁle",
    "send_mail",
    "parseHTTPHeader2",
    "X9",
    "snake_case_name",
    "_",
    "e\u{301}\u{301}",
    "🦀",
    "İ",
    "ß",
    "Ǆ",
    "x\u{200b}y",
];
const ENDINGS: &[&str] =
    &["", "s", "ing", "ed", "en", "ungen", "ами", "ους", "lar", "ité", "2", "_id", "Of", "ção"];
const BETWEEN: &[&str] = &[" ", "\n", ", ", "-", "(", "::", " — ", "\u{a0}", "。"];

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn text(&mut self, words: usize) -> String {
        (0..words)
            .flat_map(|_| {
                // Squared, so that some are common and some rare.
                let stem = self.below(STEMS.len()) * self.below(STEMS.len()) / STEMS.len();
                [STEMS[stem], self.one_of(ENDINGS), self.one_of(BETWEEN)]
            })
            .collect()
    }

    fn item(&mut self, has_documents: bool, has_similarity: bool) -> ContextItem {
        let words = 1 + self.below(120);
        let tokens = self.below(300) as i64;
        let mut item = ContextItem::builder(self.text(words), tokens);
        if has_documents && self.below(5) > 0 {
            item = item.document(format!("document {}", self.below(6)));
        }
        if has_documents && self.below(7) > 0 {
            item = item.position(self.below(40) as i64);
        }
        if has_similarity && self.below(3) > 0 {
            item = item.similarity(self.below(1_000) as f64 / 999.0);
        }
        item.build().expect("a valid item")
    }
}

/// FNV-1a.
struct Digest(u64);

impl Digest {
    fn add(&mut self, value: f64) {
        for byte in value.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[test]
fn scores_and_what_they_are_made_of_are_those_recorded() {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    let mut dice = Dice(7);
    for language in Language::all() {
        for (has_documents, has_similarity) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            let mut parameters = RelevanceParameters::default();
            parameters.language = language;
            let scorer = RelevanceScorer::with(parameters).expect("valid parameters");
            let items: Vec<_> = (0..60).map(|_| dice.item(has_documents, has_similarity)).collect();
            for words in [0, 1, 8, 40] {
                let context = RunContext::new().with_query(dice.text(words));
                for score in scorer.score_batch(&items, &context).expect("a query is given") {
                    digest.add(score);
                }
                for breakdown in scorer.breakdown(&items, &context).expect("a query is given") {
                    for detail in &breakdown.parts[0].details {
                        digest.add(detail.added);
                        detail.what.bytes().for_each(|byte| digest.add(f64::from(byte)));
                    }
                }
            }
        }
    }
    assert_eq!(
        digest.0, RECORDED,
        "scores are others; if they are to be, record {:#018x}",
        digest.0
    );
}
