//! One candidate for the window.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use chrono::{DateTime, Utc};

use super::fingerprint::fingerprint;
use super::{ContextKind, ContextSource, instants, levels};
use crate::CupelError;

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
pub struct ContextItem(Arc<Fields>);

// What runs read stands first and has a cache line of its own: with a hundred thousand candidates, waiting
// for such lines is a good part of a run (`cargo bench -p cupel --bench pipelines`).
#[repr(C, align(64))]
#[derive(Clone, PartialEq)]
struct Fields {
    tokens: i64,
    instant: u64,
    fingerprint: u64,
    future_relevance_hint: f64,
    priority: i64,
    original_tokens: i64,
    given: Given,
    pinned: bool,
    /// The kind's place among the well-known ones, or [`OTHER_KIND`]: as good as the kind, and nearer.
    kind_place: u8,
    /// The [`level`](levels::level) of the priority: all that scoring needs of most.
    level: u8,
    /// Neither pinned nor invalid.
    is_plain: bool,
    kind: ContextKind,
    content: String,
    timestamp: Option<DateTime<Utc>>,
    tags: Vec<String>,
    /// Never an empty map.
    #[expect(
        clippy::box_collection,
        reason = "a map takes a cache line, and most items need none"
    )]
    metadata: Option<Box<HashMap<String, String>>>,
    source: ContextSource,
}

const _: () = assert!(std::mem::offset_of!(Fields, kind) <= align_of::<Fields>());

/// Which numbers the caller gave; the others are 0. As options they would not fit into that cache line.
#[derive(Clone, Copy, Default, PartialEq)]
struct Given {
    future_relevance_hint: bool,
    priority: bool,
    original_tokens: bool,
}

/// The metadata of items without any.
static NO_METADATA: LazyLock<HashMap<String, String>> = LazyLock::new(HashMap::new);

/// Stands for the place of a kind that is not well known.
const OTHER_KIND: u8 = u8::MAX;

impl ContextItem {
    /// Starts an item with its content and its token count.
    pub fn builder(content: impl Into<String>, tokens: i64) -> ContextItemBuilder {
        ContextItemBuilder::new(content, tokens)
    }

    /// The text.
    pub fn content(&self) -> &str {
        &self.0.content
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
        self.0.given.priority.then_some(self.0.priority)
    }

    /// Descriptive tags, in the caller's order.
    pub fn tags(&self) -> &[String] {
        &self.0.tags
    }

    /// Data of the caller's own. No stage reads it; the metadata scorers do.
    pub fn metadata(&self) -> &HashMap<String, String> {
        self.0.metadata.as_deref().unwrap_or_else(|| &NO_METADATA)
    }

    /// When it was created or observed.
    pub fn timestamp(&self) -> Option<DateTime<Utc>> {
        self.0.timestamp
    }

    /// The caller's guess at how relevant it will be, conventionally in `[0, 1]`.
    pub fn future_relevance_hint(&self) -> Option<f64> {
        self.0.given.future_relevance_hint.then_some(self.0.future_relevance_hint)
    }

    /// Whether it is always in the window, whatever its score.
    pub fn pinned(&self) -> bool {
        self.0.pinned
    }

    /// Token count before the caller shortened the text, if it did.
    pub fn original_tokens(&self) -> Option<i64> {
        self.0.given.original_tokens.then_some(self.0.original_tokens)
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
    pub(crate) fn may_occur_again(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// [`timestamp`](Self::timestamp) as an integer to sort by; 0 without one. See
    /// [`Instants`](super::Instants).
    pub(crate) fn instant(&self) -> u64 {
        self.0.instant
    }

    /// The content behind its fingerprint: compares fast, and takes no longer for texts that were
    /// made to share one.
    pub(crate) fn content_key(&self) -> (u64, &str) {
        (self.fingerprint(), self.content())
    }

    /// The [`place`](ContextKind::place) of its kind, where most runs look anyway, or one beyond the
    /// last.
    #[inline]
    pub(crate) fn kind_place(&self) -> usize {
        usize::from(self.0.kind_place)
    }

    /// Whether it is neither pinned nor invalid.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.0.is_plain
    }

    /// The [`level`](levels::level) of its priority.
    #[inline]
    pub(crate) fn level(&self) -> u8 {
        self.0.level
    }

    /// Equal for equal contents; see [`fingerprint`].
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
            .finish()
    }
}

/// Builds a [`ContextItem`]; everything but content and tokens has a default.
#[derive(Clone)]
pub struct ContextItemBuilder(Fields);

impl ContextItemBuilder {
    /// Starts an item with its content and its token count.
    pub fn new(content: impl Into<String>, tokens: i64) -> Self {
        Self(Fields {
            tokens,
            instant: 0,
            fingerprint: 0,
            future_relevance_hint: 0.0,
            priority: 0,
            original_tokens: 0,
            given: Given::default(),
            pinned: false,
            kind_place: OTHER_KIND,
            level: levels::NONE,
            is_plain: false,
            kind: ContextKind::default(),
            content: content.into(),
            timestamp: None,
            tags: Vec::new(),
            metadata: None,
            source: ContextSource::default(),
        })
    }

    /// What sort of thing it is; a message unless set.
    pub fn kind(mut self, kind: ContextKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Where it came from; the chat unless set.
    pub fn source(mut self, source: ContextSource) -> Self {
        self.0.source = source;
        self
    }

    /// Importance; higher is more important.
    pub fn priority(mut self, priority: i64) -> Self {
        self.0.priority = priority;
        self.0.given.priority = true;
        self.0.level = levels::level(priority);
        self
    }

    /// All tags at once, replacing those set before.
    pub fn tags(mut self, tags: Vec<String>) -> Self {
        self.0.tags = tags;
        self
    }

    /// One more tag.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.0.tags.push(tag.into());
        self
    }

    /// All metadata at once, replacing what was set before.
    pub fn metadata(mut self, metadata: HashMap<String, String>) -> Self {
        self.0.metadata = (!metadata.is_empty()).then(|| Box::new(metadata));
        self
    }

    /// One more metadata entry.
    pub fn metadata_entry(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.metadata.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    /// When it was created or observed.
    pub fn timestamp(mut self, timestamp: DateTime<Utc>) -> Self {
        self.0.timestamp = Some(timestamp);
        self.0.instant = instants::instant(timestamp);
        self
    }

    /// How relevant it is expected to be, conventionally in `[0, 1]`.
    pub fn future_relevance_hint(mut self, hint: f64) -> Self {
        self.0.future_relevance_hint = hint;
        self.0.given.future_relevance_hint = true;
        self
    }

    /// Whether it is always in the window.
    pub fn pinned(mut self, pinned: bool) -> Self {
        self.0.pinned = pinned;
        self
    }

    /// Token count before the text was shortened.
    pub fn original_tokens(mut self, tokens: i64) -> Self {
        self.0.original_tokens = tokens;
        self.0.given.original_tokens = true;
        self
    }

    /// The item, unless its content is empty.
    pub fn build(mut self) -> Result<ContextItem, CupelError> {
        if self.0.content.is_empty() {
            return Err(CupelError::EmptyContent);
        }
        self.0.fingerprint = fingerprint(&self.0.content);
        self.0.is_plain = self.0.tokens >= 0 && !self.0.pinned;
        self.0.kind_place = self.0.kind.place().map_or(OTHER_KIND, |place| place as u8);
        Ok(ContextItem(Arc::new(self.0)))
    }
}

impl fmt::Debug for ContextItemBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextItemBuilder")
            .field("content", &self.0.content)
            .field("tokens", &self.0.tokens)
            .finish_non_exhaustive()
    }
}
