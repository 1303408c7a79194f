//! Items that stay together, and what strategies see of them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::item::{Fields, Origin};
use super::variant::Form;
use super::{ContextItem, ContextKind, clamp_tokens};

/// Items of a run that are in the window or out of it together; see [`ContextItem::group`].
pub(crate) struct Unit<'a> {
    /// All items of the run.
    items: &'a [ContextItem],
    /// Which of them are members: two or more, ascending.
    indices: &'a [u32],
    tokens: i64,
    fingerprint: u64,
    pinned: bool,
    /// The member with most tokens, the first of equals.
    largest: &'a ContextItem,
    /// The member with the earliest time, if any has one.
    earliest: Option<&'a ContextItem>,
    forms: Vec<Form>,
    /// Made when a strategy first asks for an item: none of ours does.
    stand_in: OnceLock<ContextItem>,
}

impl<'a> Unit<'a> {
    /// The unit of two or more `items`, those at `indices`, none of which has negative tokens.
    pub(crate) fn new(items: &'a [ContextItem], indices: &'a [u32]) -> Self {
        let members = || indices.iter().map(|&index| &items[index as usize]);
        let mut largest = &items[indices[0] as usize];
        let mut earliest: Option<&ContextItem> = None;
        let (mut tokens, mut fingerprint, mut pinned, mut deepest) = (0, 0_u64, false, 0);
        for member in members() {
            tokens += i128::from(member.tokens());
            pinned |= member.pinned();
            // Other units with the same contents have the same; what differs is found by comparing contents.
            fingerprint = fingerprint.rotate_left(5) ^ member.fingerprint();
            if member.tokens() > largest.tokens() {
                largest = member;
            }
            let is_earlier = |it: &ContextItem| {
                let by_instant = member.instant().cmp(&it.instant());
                by_instant.then_with(|| member.timestamp().cmp(&it.timestamp())).is_lt()
            };
            if member.instant() != 0 && earliest.is_none_or(is_earlier) {
                earliest = Some(member);
            }
            if member.has_forms() {
                deepest = deepest.max(member.forms().len());
            }
        }
        let forms = (1..=deepest).map(|level| at_level(members(), level)).collect();
        let (tokens, stand_in) = (clamp_tokens(tokens), OnceLock::new());
        Self { items, indices, tokens, fingerprint, pinned, largest, earliest, forms, stand_in }
    }

    /// Indices of its members in the run's input, ascending.
    pub(crate) fn indices(&self) -> &'a [u32] {
        self.indices
    }

    /// Its member of that number, in input order.
    pub(crate) fn member(&self, number: usize) -> &'a ContextItem {
        &self.items[self.indices[number] as usize]
    }

    fn members(&self) -> impl Iterator<Item = &'a ContextItem> {
        self.indices.iter().map(|&index| &self.items[index as usize])
    }

    pub(crate) fn tokens(&self) -> i64 {
        self.tokens
    }

    pub(crate) fn pinned(&self) -> bool {
        self.pinned
    }

    pub(crate) fn kind(&self) -> &'a ContextKind {
        self.largest.kind()
    }

    /// The member with the earliest time, if any has one.
    pub(crate) fn earliest(&self) -> Option<&'a ContextItem> {
        self.earliest
    }

    /// Equal for units of equal contents in the same order.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// What its levels cost and are worth; at a level every member is in its form of that number, or its last.
    pub(crate) fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// One item in its place, the same whenever it is asked for.
    pub(crate) fn stand_in(&self) -> &ContextItem {
        self.stand_in.get_or_init(|| {
            ContextItem(Arc::new(Fields {
                tokens: self.tokens,
                fingerprint: self.fingerprint,
                instant: self.earliest.map_or(0, ContextItem::instant),
                future_relevance_hint: None,
                pinned: self.pinned,
                has_group: true,
                has_forms: !self.forms.is_empty(),
                kind: self.kind().clone(),
                priority: self.members().filter_map(ContextItem::priority).max(),
                content: String::new(),
                timestamp: self.earliest.and_then(ContextItem::timestamp),
                tags: Vec::new(),
                metadata: HashMap::new(),
                source: self.largest.source().clone(),
                original_tokens: None,
                group: None,
                variants: Vec::new(),
                forms: self.forms.clone(),
                passage: self.member(0).0.passage.as_ref().map(|it| Box::new(it.place())),
                joined: Some(Joined {
                    members: self.members().cloned().collect(),
                    text: OnceLock::new(),
                }),
                origin: Origin::default(),
            }))
        })
    }
}

impl fmt::Debug for Unit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.members()).finish()
    }
}

/// A level of a unit: what its members cost in their forms there, and what these are worth, each counted by the
/// tokens of the whole member.
fn at_level<'a>(members: impl Iterator<Item = &'a ContextItem>, level: usize) -> Form {
    let (mut whole, mut tokens, mut worth) = (0, 0, 0.0);
    for member in members {
        let form = match member.forms().len().min(level) {
            0 => Form::new(member.tokens(), 1.0),
            form => member.forms()[form - 1],
        };
        whole += i128::from(member.tokens());
        tokens += i128::from(form.tokens);
        worth += member.tokens() as f64 * form.worth;
    }
    Form::new(clamp_tokens(tokens), (worth / whole as f64).clamp(0.0, 1.0))
}

/// What a stand-in stands for.
#[derive(Clone)]
pub(super) struct Joined {
    members: Arc<[ContextItem]>,
    /// Their texts, joined when a strategy first reads them.
    text: OnceLock<Box<str>>,
}

impl PartialEq for Joined {
    fn eq(&self, other: &Self) -> bool {
        self.members() == other.members()
    }
}

impl Joined {
    pub(super) fn members(&self) -> &[ContextItem] {
        &self.members
    }

    pub(super) fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let texts: Vec<_> = self.members().iter().map(ContextItem::content).collect();
            texts.join("\n").into()
        })
    }
}
