//! What strategies see of items that stay together.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::item::{Fields, Origin};
use super::variant::Form;
use super::{ContextItem, clamp_tokens, sum_tokens};

/// What a stand-in stands for.
#[derive(Clone)]
pub(super) struct Joined {
    /// The members of all units of a run, one allocation for all of them.
    all: Arc<[ContextItem]>,
    own: Range<usize>,
    /// Their texts, joined when a strategy first reads them: none of ours does.
    text: OnceLock<Box<str>>,
}

impl PartialEq for Joined {
    fn eq(&self, other: &Self) -> bool {
        self.members() == other.members()
    }
}

impl Joined {
    pub(super) fn members(&self) -> &[ContextItem] {
        &self.all[self.own.clone()]
    }

    pub(super) fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let texts: Vec<_> = self.members().iter().map(ContextItem::content).collect();
            texts.join("\n").into()
        })
    }
}

impl ContextItem {
    /// One item in place of two or more, those in a range of `all`, none of which has negative tokens; see
    /// [`ContextItem::group`].
    pub(crate) fn standing_for(all: &Arc<[ContextItem]>, range: Range<usize>) -> Self {
        let members = &all[range.clone()];
        let mut largest = &members[0];
        let mut earliest: Option<&ContextItem> = None;
        let (mut tokens, mut fingerprint, mut pinned, mut deepest) = (0, 0_u64, false, 0);
        for member in members {
            tokens += i128::from(member.tokens());
            pinned |= member.pinned();
            // Other units with the same contents have the same; what differs is found by comparing contents.
            fingerprint = fingerprint.rotate_left(5) ^ member.fingerprint();
            if member.tokens() > largest.tokens() {
                largest = member;
            }
            let is_earlier = |it: &ContextItem| member.timestamp() < it.timestamp();
            if member.instant() != 0 && earliest.is_none_or(is_earlier) {
                earliest = Some(member);
            }
            if member.has_forms() {
                deepest = deepest.max(member.forms().len());
            }
        }
        Self(Arc::new(Fields {
            tokens: clamp_tokens(tokens),
            fingerprint,
            instant: earliest.map_or(0, ContextItem::instant),
            future_relevance_hint: None,
            pinned,
            has_group: true,
            has_forms: deepest > 0,
            kind: largest.kind().clone(),
            priority: members.iter().filter_map(ContextItem::priority).max(),
            content: String::new(),
            timestamp: earliest.and_then(ContextItem::timestamp),
            tags: Vec::new(),
            metadata: HashMap::new(),
            source: largest.source().clone(),
            original_tokens: None,
            group: None,
            variants: Vec::new(),
            forms: (1..=deepest).map(|level| at_level(members, level)).collect(),
            joined: Some(Joined { all: all.clone(), own: range, text: OnceLock::new() }),
            origin: Origin::default(),
        }))
    }
}

/// A level of a unit, at which every member is in its form of that number, or its last.
///
/// It is worth what its members' forms are, each counted by the tokens of the whole member.
fn at_level(members: &[ContextItem], level: usize) -> Form {
    let form = |it: &ContextItem| match it.forms().len().min(level) {
        0 => Form::new(it.tokens(), 1.0),
        form => it.forms()[form - 1],
    };
    let whole = sum_tokens(members) as f64;
    let tokens = members.iter().map(|it| i128::from(form(it).tokens)).sum();
    let worth: f64 = members.iter().map(|it| it.tokens() as f64 * form(it).worth).sum();
    Form::new(clamp_tokens(tokens), (worth / whole).clamp(0.0, 1.0))
}
