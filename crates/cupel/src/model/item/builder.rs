//! How an item is made.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Datelike, Utc};

use super::{ContextItem, Fields, Origin};
use crate::model::fingerprint::fingerprint;
use crate::model::passage::Passage;
use crate::model::variant::{self, ItemVariant};
use crate::{ContextKind, ContextSource, CupelError, sort_keys};

/// Builds a [`ContextItem`]; everything but content and tokens has a default.
#[derive(Clone)]
pub struct ContextItemBuilder(Fields);

impl ContextItemBuilder {
    /// Starts an item with its content and its token count.
    pub fn new(content: impl Into<String>, tokens: i64) -> Self {
        Self(Fields {
            tokens,
            fingerprint: 0,
            instant: 0,
            future_relevance_hint: None,
            priority: None,
            pinned: false,
            kind: ContextKind::default(),
            content: content.into(),
            timestamp: None,
            tags: Vec::new(),
            metadata: HashMap::new(),
            source: ContextSource::default(),
            original_tokens: None,
            has_group: false,
            group: None,
            has_forms: false,
            variants: Vec::new(),
            forms: Vec::new(),
            passage: None,
            joined: None,
            origin: Origin::default(),
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
        self.0.priority = Some(priority);
        self
    }

    /// All tags at once, replacing those set before.
    pub fn tags(mut self, tags: impl IntoIterator<Item = String>) -> Self {
        self.0.tags = tags.into_iter().collect();
        self
    }

    /// One more tag.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.0.tags.push(tag.into());
        self
    }

    /// All metadata at once, replacing what was set before.
    pub fn metadata(mut self, metadata: impl IntoIterator<Item = (String, String)>) -> Self {
        self.0.metadata = metadata.into_iter().collect();
        self
    }

    /// One more metadata entry.
    pub fn metadata_entry(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.metadata.insert(key.into(), value.into());
        self
    }

    /// When it was created or observed.
    pub fn timestamp(mut self, timestamp: DateTime<Utc>) -> Self {
        self.0.timestamp = Some(timestamp);
        self
    }

    /// How relevant it is expected to be, conventionally in `[0, 1]`.
    pub fn future_relevance_hint(mut self, hint: f64) -> Self {
        self.0.future_relevance_hint = Some(hint);
        self
    }

    /// Whether it is always in the window.
    pub fn pinned(mut self, pinned: bool) -> Self {
        self.0.pinned = pinned;
        self
    }

    /// Token count before the text was shortened.
    pub fn original_tokens(mut self, tokens: i64) -> Self {
        self.0.original_tokens = Some(tokens);
        self
    }

    /// What it must stay together with; see [`ContextItem::group`].
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.0.group = Some(group.into());
        self
    }

    /// All shorter forms at once, richest first, replacing those set before.
    pub fn variants(mut self, variants: impl IntoIterator<Item = ItemVariant>) -> Self {
        self.0.variants = variants.into_iter().collect();
        self
    }

    /// One more shorter form, shorter than those before.
    pub fn variant(mut self, variant: ItemVariant) -> Self {
        self.0.variants.push(variant);
        self
    }

    /// The text that it is a part of; see [`ContextItem::document`].
    pub fn document(mut self, document: impl Into<String>) -> Self {
        self.passage().document = Some(document.into());
        self
    }

    /// Where in its document it stands; see [`ContextItem::position`].
    pub fn position(mut self, position: i64) -> Self {
        self.passage().position = Some(position);
        self
    }

    /// How close it is to the query; see [`ContextItem::similarity`].
    pub fn similarity(mut self, similarity: f64) -> Self {
        self.passage().similarity = Some(similarity);
        self
    }

    /// Its embedding; see [`ContextItem::vector`].
    pub fn vector(mut self, vector: impl Into<Vec<f32>>) -> Self {
        self.passage().vector = vector.into();
        self
    }

    fn passage(&mut self) -> &mut Passage {
        self.0.passage.get_or_insert_default()
    }

    /// The item.
    ///
    /// # Errors
    /// [`CupelError::EmptyContent`], [`CupelError::EmptyGroup`] for a blank group, [`CupelError::EmptyDocument`] for a blank
    /// document, [`CupelError::InvalidSimilarity`] and [`CupelError::InvalidVector`] for numbers that are not finite,
    /// [`CupelError::TimestampOutOfRange`] for a year that could not be written, and
    /// [`CupelError::InvalidVariants`] unless variants have content and cost less and less.
    pub fn build(mut self) -> Result<ContextItem, CupelError> {
        if self.0.content.is_empty() {
            return Err(CupelError::EmptyContent);
        }
        if self.0.group.as_ref().is_some_and(|group| group.trim().is_empty()) {
            return Err(CupelError::EmptyGroup);
        }
        self.0.has_group = self.0.group.is_some();
        self.0.forms = variant::forms(&self.0.variants, self.0.tokens)?;
        self.0.has_forms = !self.0.forms.is_empty();
        if let Some(timestamp) = self.0.timestamp
            && !(0..=9999).contains(&timestamp.year())
        {
            return Err(CupelError::TimestampOutOfRange { timestamp });
        }
        if let Some(passage) = &self.0.passage {
            passage.check()?;
        }
        // An empty vector says nothing, and items that say the same are equal.
        self.0.passage.take_if(|passage| **passage == Passage::default());
        self.0.fingerprint = fingerprint(&self.0.content);
        self.0.instant = self.0.timestamp.map_or(0, sort_keys::instant);
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
