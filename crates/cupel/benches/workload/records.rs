//! Candidates as plain data, the same in every run and for every engine.

/// One candidate.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) content: String,
    pub(crate) tokens: i64,
    pub(crate) kind: &'static str,
    /// In seconds since 1970.
    pub(crate) timestamp: Option<i64>,
    pub(crate) priority: Option<i64>,
    pub(crate) tags: Vec<String>,
    pub(crate) hint: f64,
}

/// How long the candidates' texts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// 40 bytes: a line of a chat.
    Short,
    /// 300 to 500 bytes: a paragraph.
    Usual,
    /// 4,000 bytes: a page.
    Long,
}

const KINDS: [&str; 5] = ["Message", "Document", "ToolOutput", "Memory", "SystemPrompt"];

const WORDS: [&str; 48] = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "is",
    "that",
    "for",
    "it",
    "as",
    "was",
    "with",
    "on",
    "by",
    "not",
    "are",
    "this",
    "window",
    "budget",
    "token",
    "answer",
    "question",
    "order",
    "invoice",
    "customer",
    "refund",
    "model",
    "context",
    "memory",
    "tool",
    "result",
    "search",
    "passage",
    "section",
    "chapter",
    "error",
    "status",
    "request",
    "response",
    "shipment",
    "machine",
    "espresso",
    "grinder",
    "boiler",
    "pressure",
    "warranty",
    "repair",
    "appointment",
];

/// A sequence that looks random and is the same every time (splitmix64).
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number in `[0, 1)`.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn text(&mut self, texts: Texts) -> String {
        let length = match texts {
            Texts::Short => 40,
            Texts::Usual => 300 + self.below(201),
            Texts::Long => 4_000,
        };
        let mut text = String::with_capacity(length + 16);
        while text.len() < length {
            text.push_str(WORDS[self.below(WORDS.len())]);
            text.push(' ');
        }
        text.truncate(length);
        text
    }
}

/// `count` candidates: one in twenty repeats an earlier text, nine in ten have a timestamp, six in
/// ten a priority, and all have up to four of 64 tags and a token for every four bytes.
pub(crate) fn records(count: usize, texts: Texts) -> Vec<Record> {
    let mut random = Sequence(0x5eed);
    let mut records: Vec<Record> = Vec::with_capacity(count);
    for at in 0..count {
        let repeats = at > 0 && random.chance(5);
        let content = match repeats {
            true => records[random.below(at)].content.clone(),
            false => random.text(texts),
        };
        records.push(Record {
            tokens: content.len() as i64 / 4,
            content,
            kind: KINDS[random.below(KINDS.len())],
            timestamp: random.chance(90).then(|| 1_700_000_000 + random.below(100_000_000) as i64),
            priority: random.chance(60).then(|| random.below(10) as i64),
            tags: (0..random.below(5)).map(|_| format!("tag{}", random.below(64))).collect(),
            hint: random.fraction(),
        });
    }
    records
}

/// The same candidates made different in all that is ranked: no text, timestamp, priority or hint
/// occurs twice, and none is missing.
pub(crate) fn without_ties(mut records: Vec<Record>) -> Vec<Record> {
    let count = records.len();
    for (at, record) in records.iter_mut().enumerate() {
        // A step that shares no factor with the length visits every rank once.
        let rank = |step: usize| (at * step + step / 2) % count;
        record.content = format!("{at} {}", record.content);
        record.timestamp = Some(1_700_000_000 + rank(7_919) as i64);
        record.priority = Some(rank(6_101) as i64);
        record.hint = rank(104_729) as f64 / count as f64;
    }
    records
}

/// What a large model's window holds, in tokens.
pub(crate) const WINDOW: i64 = 128_000;

/// Half of all tokens, as long as a window holds that: about half of the candidates must go.
pub(crate) fn half(records: &[Record]) -> i64 {
    let all: i64 = records.iter().map(|record| record.tokens).sum();
    (all / 2).min(WINDOW)
}
