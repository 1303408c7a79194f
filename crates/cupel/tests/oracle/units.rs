//! What is chosen from: units of items that stay together, each in several forms.

use chrono::{DateTime, Utc};
use cupel::{ContextItem, ContextKind, ScoredItem};

use super::{outranks, reported};

/// One way to have a candidate in the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Form {
    pub tokens: i128,
    /// How much of the score it keeps.
    pub worth: f64,
}

/// What slicers and placers know of a candidate.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub score: f64,
    pub kind: ContextKind,
    pub timestamp: Option<DateTime<Utc>>,
    /// Of its first member, as is its position there.
    pub document: Option<String>,
    pub position: Option<i64>,
    /// Where in the input its first member is.
    pub first: usize,
    /// The whole, then every shorter form, richest first. Token counts are what an `i64` holds of them.
    pub forms: Vec<Form>,
}

impl Candidate {
    pub fn tokens(&self) -> i128 {
        self.forms[0].tokens
    }

    pub fn shortest(&self) -> i128 {
        self.forms[self.forms.len() - 1].tokens
    }

    /// The richest form of at most so many tokens.
    pub fn richest_within(&self, tokens: i128) -> Option<usize> {
        (0..self.forms.len()).find(|&form| self.forms[form].tokens <= tokens)
    }
}

/// Items as the candidates of a slicer or placer that is called by hand.
pub fn candidates(scored: &[ScoredItem]) -> Vec<Candidate> {
    let items: Vec<ContextItem> = scored.iter().map(|entry| entry.item.clone()).collect();
    let candidate = |position: usize| {
        Unit { members: vec![position] }.candidate(&items, scored[position].score)
    };
    (0..items.len()).map(candidate).collect()
}

/// Positions of items that are in the window together or not at all, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    pub members: Vec<usize>,
}

/// The units of some items: those of one group, and everything else by itself, in order of the first member.
pub fn units(items: &[ContextItem]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for (position, item) in items.iter().enumerate() {
        let same_group =
            |unit: &Unit| item.group().is_some() && items[unit.members[0]].group() == item.group();
        match units.iter().position(same_group) {
            Some(at) => units[at].members.push(position),
            None => units.push(Unit { members: vec![position] }),
        }
    }
    units
}

impl Unit {
    pub fn is_pinned(&self, items: &[ContextItem]) -> bool {
        self.members.iter().any(|&position| items[position].pinned())
    }

    /// The first member with a negative token count.
    pub fn negative(&self, items: &[ContextItem]) -> Option<i64> {
        self.members.iter().map(|&position| items[position].tokens()).find(|tokens| *tokens < 0)
    }

    pub fn contents<'a>(&self, items: &'a [ContextItem]) -> Vec<&'a str> {
        self.members.iter().map(|&position| items[position].content()).collect()
    }

    /// The best of its members' scores, the earlier of equals.
    pub fn score(&self, scores: &[f64]) -> f64 {
        let mut best = scores[self.members[0]];
        for &position in &self.members {
            if outranks(scores[position], best) {
                best = scores[position];
            }
        }
        best
    }

    /// How many forms it has beside the whole: at level k every member is in its k-th form, or its last.
    pub fn levels(&self, items: &[ContextItem]) -> usize {
        self.members.iter().map(|&position| items[position].variants().len()).max().unwrap_or(0)
    }

    /// What it costs at a level, however much that is.
    pub fn tokens(&self, items: &[ContextItem], level: usize) -> i128 {
        let member = |&position: &usize| form(&items[position], level).tokens;
        self.members.iter().map(member).sum()
    }

    pub fn candidate(&self, items: &[ContextItem], score: f64) -> Candidate {
        let mut largest = self.members[0];
        for &position in &self.members {
            if items[position].tokens() > items[largest].tokens() {
                largest = position;
            }
        }
        let forms = (0..=self.levels(items)).map(|level| Form {
            tokens: reported(self.tokens(items, level)).into(),
            worth: self.worth(items, level),
        });
        Candidate {
            score,
            kind: items[largest].kind().clone(),
            timestamp: self.members.iter().filter_map(|&at| items[at].timestamp()).min(),
            document: items[self.members[0]].document().map(str::to_owned),
            position: items[self.members[0]].position(),
            first: self.members[0],
            forms: forms.collect(),
        }
    }

    /// The mean of what the members' forms are worth, each as often as the whole member has tokens.
    fn worth(&self, items: &[ContextItem], level: usize) -> f64 {
        if let [alone] = self.members[..] {
            return form(&items[alone], level).worth;
        }
        if level == 0 {
            return 1.0;
        }
        let whole = self.tokens(items, 0) as f64;
        let mut kept = 0.0;
        for &position in &self.members {
            kept += items[position].tokens() as f64 * form(&items[position], level).worth;
        }
        (kept / whole).clamp(0.0, 1.0)
    }
}

/// An item's form at a level: its own form of that number, or its last.
fn form(item: &ContextItem, level: usize) -> Form {
    let whole = Form { tokens: item.tokens().into(), worth: 1.0 };
    let Some(variant) = item.variants().iter().take(level).next_back() else { return whole };
    let by_size = || (variant.tokens() as f64 / item.tokens() as f64).sqrt();
    let worth = variant.worth().unwrap_or_else(by_size);
    Form { tokens: variant.tokens().into(), worth }
}
