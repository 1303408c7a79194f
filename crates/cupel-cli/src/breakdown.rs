//! What scores are made of, item by item: the one source for text, JSON and page.

use cupel::{ContextItem, CupelError, Pipeline, ScoreDetail, ScorePart};
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
    /// What it found, and what that added to the score it gave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) details: Vec<Detail>,
}

/// Something that a scorer found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Detail {
    what: String,
    /// How often the item has it, if it is a part of the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<usize>,
    added: f64,
    /// The same in a few characters.
    #[serde(skip)]
    shown: String,
}

/// What of the query an item with these parts has, most telling first; if nothing, what else it was scored for.
pub(crate) fn matched(parts: &[Part]) -> String {
    let mut details: Vec<_> = parts.iter().flat_map(|part| &part.details).collect();
    details.sort_by(|a, b| b.added.total_cmp(&a.added));
    let told = |of_query: bool| -> Vec<String> {
        let wanted = details.iter().filter(|it| it.times.is_some() == of_query);
        wanted.map(|it| it.shown.clone()).collect()
    };
    match (told(true).join(", "), told(false).join(", ")) {
        (terms, others) if terms.is_empty() && !others.is_empty() => format!("({others})"),
        (terms, _) => terms,
    }
}

/// Everything that was found, each with what it added to its scorer's score.
pub(crate) fn found(parts: &[Part]) -> String {
    let details = parts.iter().flat_map(|part| &part.details);
    let told = details.map(|it| format!("{} {:.2}", it.shown, it.added));
    told.collect::<Vec<_>>().join(", ")
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
        let ScorePart { scorer, weight, score, contribution, details, .. } = part;
        let details = details.into_iter();
        let detail = |it: ScoreDetail| Detail {
            shown: it.to_string(),
            what: it.what,
            times: it.times,
            added: it.added,
        };
        Self { scorer, weight, score, contribution, details: details.map(detail).collect() }
    }
}
