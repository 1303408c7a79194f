//! What strategies see of items that stay together.

use std::sync::{Arc, OnceLock};

use super::item::Fields;
use super::variant::Form;
use super::{ContextItem, ContextItemBuilder, clamp_tokens, sum_tokens};

/// What a stand-in stands for.
#[derive(Clone)]
pub(super) struct Joined {
    members: Vec<ContextItem>,
    /// Their texts, joined when a strategy first reads them: none of ours does.
    text: OnceLock<String>,
}

impl PartialEq for Joined {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

impl Joined {
    pub(super) fn members(&self) -> &[ContextItem] {
        &self.members
    }

    pub(super) fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let texts: Vec<_> = self.members.iter().map(ContextItem::content).collect();
            texts.join("\n")
        })
    }
}

impl ContextItem {
    /// One item in place of two or more, none of which has negative tokens; see [`ContextItem::group`].
    pub(crate) fn standing_for(members: Vec<ContextItem>) -> Self {
        // The first of those with most tokens.
        let largest = members.iter().rev().max_by_key(|it| it.tokens());
        let largest = largest.expect("a unit has members");
        let builder = ContextItemBuilder::new(String::new(), clamp_tokens(sum_tokens(&members)))
            .kind(largest.kind().clone())
            .source(largest.source().clone())
            .pinned(members.iter().any(ContextItem::pinned));
        let earliest =
            members.iter().filter(|it| it.instant() != 0).min_by_key(|it| it.timestamp());
        let forms = levels(&members);
        Self(Arc::new(Fields {
            priority: members.iter().filter_map(ContextItem::priority).max(),
            timestamp: earliest.and_then(ContextItem::timestamp),
            instant: earliest.map_or(0, ContextItem::instant),
            group: members[0].group().map(str::to_owned),
            has_group: true,
            has_forms: !forms.is_empty(),
            forms,
            // Other units with the same contents have the same; what differs is found by comparing contents.
            fingerprint: members.iter().fold(0, |sum, it| sum.rotate_left(5) ^ it.fingerprint()),
            joined: Some(Box::new(Joined { members, text: OnceLock::new() })),
            ..builder.into_fields()
        }))
    }
}

/// The levels of a unit: at level k every member is in its k-th form, or its last.
///
/// A level is worth what its members' forms are, each counted by the tokens of the whole member.
fn levels(members: &[ContextItem]) -> Vec<Form> {
    let deepest = members.iter().map(|it| it.forms().len()).max().unwrap_or_default();
    let whole = sum_tokens(members) as f64;
    let level = |level: usize| {
        let at_level = |it: &ContextItem| match it.forms().len().min(level) {
            0 => Form::new(it.tokens(), 1.0),
            form => it.forms()[form - 1],
        };
        let tokens = members.iter().map(|it| i128::from(at_level(it).tokens)).sum();
        let worth: f64 = members.iter().map(|it| it.tokens() as f64 * at_level(it).worth).sum();
        Form::new(clamp_tokens(tokens), (worth / whole).clamp(0.0, 1.0))
    };
    (1..=deepest).map(level).collect()
}
