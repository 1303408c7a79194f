//! A weight per tag.

use std::collections::HashMap;

use super::{Scorer, weight};
use crate::{ContextItem, CupelError};

/// Scores an item by the weights of its tags over the sum of all weights, at most 1.
///
/// A tag that stands twice on an item counts twice. Tags are compared to the byte, as their keys
/// are spelled; [`case_insensitive`](Self::case_insensitive) ignores ASCII case.
///
/// ```
/// use std::collections::HashMap;
/// use cupel::{ContextItem, Scorer, TagScorer};
///
/// let weights = HashMap::from([("urgent".to_owned(), 3.0), ("todo".to_owned(), 1.0)]);
/// let item = ContextItem::builder("call back", 2).tag("Urgent").build()?;
/// assert_eq!(TagScorer::new(weights.clone())?.score(&item, &[]), 0.0);
/// assert_eq!(TagScorer::case_insensitive(weights)?.score(&item, &[]), 0.75);
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TagScorer {
    weights: HashMap<String, f64>,
    total: f64,
    ignore_case: bool,
}

impl TagScorer {
    /// Weights by exact tag, each at most once: finite and at least 0.
    pub fn new(weights: impl IntoIterator<Item = (String, f64)>) -> Result<Self, CupelError> {
        Self::by_key(weights, false)
    }

    /// Weights by tag without regard to ASCII case; two spellings of one tag are refused.
    pub fn case_insensitive(
        weights: impl IntoIterator<Item = (String, f64)>,
    ) -> Result<Self, CupelError> {
        Self::by_key(weights, true)
    }

    fn by_key(
        weights: impl IntoIterator<Item = (String, f64)>,
        ignore_case: bool,
    ) -> Result<Self, CupelError> {
        let mut ordered: Vec<_> = weights.into_iter().collect();
        // The sum is taken in key order, so that its rounding does not depend on hashing.
        ordered.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut total = 0.0;
        for (tag, of_tag) in &ordered {
            weight::non_negative(*of_tag, &format!("tag {tag:?}"))?;
            total += of_tag;
        }
        let total = weight::finite_total(total, "tag weights")?;
        let mut weights = HashMap::with_capacity(ordered.len());
        for (tag, of_tag) in ordered {
            let key = if ignore_case { tag.to_ascii_lowercase() } else { tag.clone() };
            if weights.insert(key, of_tag).is_some() {
                let how = if ignore_case { " in different spellings" } else { "" };
                return Err(CupelError::ScorerConfig(format!(
                    "the tag {tag:?} is weighted twice{how}; keep one"
                )));
            }
        }
        Ok(Self { weights, total, ignore_case })
    }

    fn weight(&self, tag: &str) -> Option<f64> {
        if self.ignore_case && tag.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.weights.get(&tag.to_ascii_lowercase()).copied()
        } else {
            self.weights.get(tag).copied()
        }
    }
}

impl Scorer for TagScorer {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        if self.total == 0.0 || item.tags().is_empty() {
            return 0.0;
        }
        let mut matched = 0.0;
        for of_tag in item.tags().iter().filter_map(|tag| self.weight(tag)) {
            matched += of_tag;
        }
        (matched / self.total).min(1.0)
    }

    fn name(&self) -> &str {
        "tag"
    }
}
