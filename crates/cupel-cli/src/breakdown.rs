//! What scores are made of, item by item: the one source for text, JSON and page.

use cupel::{ContextItem, CupelError, Pipeline, ScorePart};
use serde::Serialize;

/// What one scorer adds to the score of an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Part {
    pub(crate) scorer: String,
    /// Its part of the whole, from 0 to 1 where it is a weighted average.
    pub(crate) weight: f64,
    /// What it gave.
    pub(crate) score: f64,
    /// What that adds.
    pub(crate) contribution: f64,
}

/// The parts of the score of each item, in the order of the input; none for one without a score.
pub(crate) fn breakdown(
    pipeline: &Pipeline,
    items: &[ContextItem],
) -> Result<Vec<Vec<Part>>, CupelError> {
    let mut parts = vec![Vec::new(); items.len()];
    for it in pipeline.score_breakdown(items)? {
        parts[it.index] = it.parts.into_iter().map(Part::from).collect();
    }
    Ok(parts)
}

impl From<ScorePart> for Part {
    fn from(part: ScorePart) -> Self {
        let ScorePart { scorer, weight, score, contribution, .. } = part;
        Self { scorer, weight, score, contribution }
    }
}
