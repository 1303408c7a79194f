//! One candidate for the window.

mod builder;

pub use builder::ContextItemBuilder;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::fingerprint::fingerprint;
use super::passage::Passage;
use super::unit::Joined;
use super::variant::{Form, ItemVariant};
use super::{ContextKind, ContextSource};

/// One candidate for the window: immutable text with its token count and the hints strategies use.
///
/// An item is a handle. Cloning copies a pointer, never text, and all clones are the same
/// *instance*, which is what "the same item" means inside the pipeline. An item rebuilt from equal
/// fields compares equal with `==` but is another instance.
///
/// ```
/// use cupel::ContextItemBuilder;
///
/// let one = ContextItemBuilder::new("hello", 1).build()?;
/// let other = ContextItemBuilder::new("hello", 1).build()?;
/// assert!(one.clone().is_same_instance(&one));
/// assert!(one == other && !one.is_same_instance(&other));
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Clone)]
pub struct ContextItem(pub(super) Arc<Fields>);

// What every run reads stands first, together.
#[repr(C)]
#[derive(Clone, PartialEq)]
pub(super) struct Fields {
    pub(super) tokens: i64,
    /// What follows from content and timestamp, made once: every run compares by them.
    pub(super) fingerprint: u64,
    pub(super) instant: u64,
    pub(super) future_relevance_hint: Option<f64>,
    pub(super) pinned: bool,
    /// Whether `group` and `forms` are worth a look, which most often they are not.
    pub(super) has_group: bool,
    pub(super) has_forms: bool,
    pub(super) kind: ContextKind,
    pub(super) priority: Option<i64>,
    pub(super) content: String,
    /// Of a unit's stand-in, what it stands for, and has its content from.
    pub(super) joined: Option<Joined>,
    pub(super) timestamp: Option<DateTime<Utc>>,
    pub(super) tags: Vec<String>,
    pub(super) metadata: HashMap<String, String>,
    pub(super) source: ContextSource,
    pub(super) original_tokens: Option<i64>,
    pub(super) group: Option<String>,
    pub(super) variants: Vec<ItemVariant>,
    /// What the variants cost and are worth.
    pub(super) forms: Vec<Form>,
    pub(super) passage: Option<Box<Passage>>,
    pub(super) origin: Origin,
}

/// Of a shorter form, the whole item and the form's number. Items are equal without regard to it.
#[derive(Clone, Default)]
pub(super) struct Origin(Option<Box<(ContextItem, usize)>>);

impl PartialEq for Origin {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl ContextItem {
    /// Starts an item with its content and its token count.
    pub fn builder(content: impl Into<String>, tokens: i64) -> ContextItemBuilder {
        ContextItemBuilder::new(content, tokens)
    }

    /// The text.
    pub fn content(&self) -> &str {
        match &self.0.joined {
            None => &self.0.content,
            Some(joined) => joined.text(),
        }
    }

    /// The caller's token count. Items with a negative one are never selected.
    pub fn tokens(&self) -> i64 {
        self.0.tokens
    }

    /// What sort of thing this is.
    pub fn kind(&self) -> &ContextKind {
        &self.0.kind
    }

    /// Where it came from.
    pub fn source(&self) -> &ContextSource {
        &self.0.source
    }

    /// Importance set by the caller; higher is more important.
    pub fn priority(&self) -> Option<i64> {
        self.0.priority
    }

    /// Descriptive tags, in the caller's order.
    pub fn tags(&self) -> &[String] {
        &self.0.tags
    }

    /// Data of the caller's own. No stage reads it; the metadata scorers do.
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.0.metadata
    }

    /// When it was created or observed.
    pub fn timestamp(&self) -> Option<DateTime<Utc>> {
        self.0.timestamp
    }

    /// The caller's guess at how relevant it will be, conventionally in `[0, 1]`.
    pub fn future_relevance_hint(&self) -> Option<f64> {
        self.0.future_relevance_hint
    }

    /// Whether it is always in the window, whatever its score.
    pub fn pinned(&self) -> bool {
        self.0.pinned
    }

    /// Token count before the text was shortened, by the caller or by a run that chose one of its
    /// [variants](Self::variants).
    pub fn original_tokens(&self) -> Option<i64> {
        self.0.original_tokens
    }

    /// What it must stay together with.
    ///
    /// Candidates of one run that share a group, to the byte, are one *unit*: in the window or out of it whole, as
    /// a tool call and its result must be. Strategies see a unit as one item:
    ///
    /// - its tokens are those of all its members, its score is the best of theirs;
    /// - its kind, for quotas, is that of the member with most tokens, the earlier of equals;
    /// - its time is that of its earliest member, its index that of its first;
    /// - its document and its position there are those of its first member;
    /// - a pinned member pins it, and one with negative tokens takes it out;
    /// - it repeats another unit only if all its contents do, in order;
    /// - its members stand next to each other in the window, in input order;
    ///   [`InputOrderPlacer`](crate::InputOrderPlacer) leaves them where the input had them.
    ///
    /// Reports list every member on its own.
    pub fn group(&self) -> Option<&str> {
        match self.members() {
            [first, ..] => first.group(),
            [] => self.0.group.as_deref(),
        }
    }

    /// Shorter forms of it, richest first. At most one form of an item is in a window; the longest that fits
    /// is preferred.
    pub fn variants(&self) -> &[ItemVariant] {
        &self.0.variants
    }

    /// The text that it is a part of: a file, a page, a meeting, a conversation. Parts of one document that also have a
    /// [position](Self::position) are neighbours.
    pub fn document(&self) -> Option<&str> {
        self.0.passage.as_ref()?.document.as_deref()
    }

    /// Where in its [document](Self::document) it stands: parts are read in ascending order, equal ones in input order. Any
    /// numbers do, such as 0, 1, 2 or offsets.
    pub fn position(&self) -> Option<i64> {
        self.0.passage.as_ref()?.position
    }

    /// How close it is to the run's [query](crate::Query), by the caller's own measure: higher is closer, and what counts
    /// is how the items of one run compare.
    pub fn similarity(&self) -> Option<f64> {
        self.0.passage.as_ref()?.similarity
    }

    /// Its embedding, from which its closeness to the query is computed where no [similarity](Self::similarity) is said;
    /// empty without one.
    pub fn vector(&self) -> &[f32] {
        self.0.passage.as_ref().map_or(&[], |passage| &passage.vector)
    }

    /// What a unit is made of, where a strategy is given one in place of an item; of an item nothing.
    pub fn members(&self) -> &[ContextItem] {
        self.0.joined.as_ref().map_or(&[], |joined| joined.members())
    }

    /// What its shorter forms cost and are worth, richest first.
    pub(crate) fn forms(&self) -> &[Form] {
        &self.0.forms
    }

    /// Its token count in its shortest form.
    pub(crate) fn least_tokens(&self) -> i64 {
        self.forms().last().map_or(self.tokens(), |form| form.tokens)
    }

    pub(crate) fn has_forms(&self) -> bool {
        self.0.has_forms
    }

    pub(crate) fn has_group(&self) -> bool {
        self.0.has_group
    }

    /// The item that this is a shorter form of, as a run places it; of any other item, the item itself.
    ///
    /// A shorter form is another instance than the whole, so this is how to find the item that was given.
    pub fn whole(&self) -> &Self {
        self.0.origin.0.as_ref().map_or(self, |origin| &origin.0)
    }

    /// Which form of [`whole`](Self::whole) it is: 0 for the whole itself, 1 for its first variant, and so on.
    pub(crate) fn form(&self) -> usize {
        self.0.origin.0.as_ref().map_or(0, |origin| origin.1)
    }

    /// The item in its variant number `form`, counted from 1, as a run places it; whole for 0, or if it has no such variant.
    ///
    /// ```
    /// use cupel::{ContextItem, ItemVariant};
    ///
    /// let item = ContextItem::builder("a long story", 400).variant(ItemVariant::new("in short", 3)).build()?;
    /// assert_eq!(item.in_form(1).content(), "in short");
    /// assert!(item.in_form(1).whole().is_same_instance(&item));
    /// assert!(item.in_form(0).is_same_instance(&item));
    /// # Ok::<(), cupel::CupelError>(())
    /// ```
    pub fn in_form(&self, form: usize) -> Self {
        let Some(at) = form.checked_sub(1).filter(|at| *at < self.0.forms.len()) else {
            return self.clone();
        };
        let mut fields = Fields {
            tokens: self.0.forms[at].tokens,
            original_tokens: Some(self.tokens()),
            has_forms: false,
            variants: Vec::new(),
            forms: Vec::new(),
            origin: Origin(Some(Box::new((self.clone(), form)))),
            ..Fields::clone(&self.0)
        };
        if let Some(variant) = self.0.variants.get(at) {
            variant.content().clone_into(&mut fields.content);
            fields.fingerprint = fingerprint(variant.content());
        }
        Self(Arc::new(fields))
    }

    /// Whether both handles refer to one item, not merely to equal ones.
    pub fn is_same_instance(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A number shared by exactly the handles of one instance while any of them lives.
    pub(crate) fn instance(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// `false` if there is no other handle to this instance anywhere.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// The key to sort its timestamp by, as far as 64 bits go; 0 without one. See
    /// [`instant`](crate::sort_keys::instant).
    pub(crate) fn instant(&self) -> u64 {
        self.0.instant
    }

    /// The content behind its fingerprint: compares fast, and takes no longer for texts that were
    /// made to share one.
    pub(crate) fn content_key(&self) -> (u64, &str) {
        (self.fingerprint(), self.content())
    }

    /// Its content; of a unit, those of its members.
    pub(crate) fn contents(&self) -> impl Iterator<Item = &str> {
        let own = self.0.joined.is_none().then_some(self.0.content.as_str());
        own.into_iter().chain(self.members().iter().map(ContextItem::content))
    }

    /// Equal for equal [contents](Self::contents); see [`fingerprint`].
    pub(crate) fn fingerprint(&self) -> u64 {
        self.0.fingerprint
    }
}

impl PartialEq for ContextItem {
    /// Compares by value. A handle equals itself even when its hint is NaN.
    fn eq(&self, other: &Self) -> bool {
        self.is_same_instance(other) || self.0 == other.0
    }
}

impl fmt::Debug for ContextItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut metadata: Vec<_> = self.metadata().iter().collect();
        metadata.sort_unstable();
        f.debug_struct("ContextItem")
            .field("content", &self.content())
            .field("tokens", &self.tokens())
            .field("kind", &self.kind().as_str())
            .field("source", &self.source().as_str())
            .field("priority", &self.priority())
            .field("tags", &self.tags())
            .field("metadata", &metadata)
            .field("timestamp", &self.timestamp())
            .field("future_relevance_hint", &self.future_relevance_hint())
            .field("pinned", &self.pinned())
            .field("original_tokens", &self.original_tokens())
            .field("group", &self.group())
            .field("variants", &self.variants())
            .field("document", &self.document())
            .field("position", &self.position())
            .field("similarity", &self.similarity())
            .field("vector", &self.vector())
            .finish()
    }
}
