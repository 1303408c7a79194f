//! What a score is made of.

use std::fmt;

/// The score of one candidate, and what each scorer contributes to it.
///
/// The contributions add up to the score but for rounding: the difference is at most a billionth of
/// the sum of their absolute values, or 1e-300 if that is more. Where the score is not finite, neither is that sum.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScoreBreakdown {
    /// Where the candidate stands in the list that was scored; from a pipeline, in the run's input.
    pub index: usize,
    /// The score that a run gives it, to the bit.
    pub score: f64,
    /// What it is made of, in the order in which the scorers are configured.
    pub parts: Vec<ScorePart>,
}

/// What one scorer contributes to a score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScorePart {
    /// The scorer: `recency`, `kind`, the name that policy files use; of a custom one its
    /// [name](crate::Scorer::name), or its type's without the path.
    pub scorer: String,
    /// What its score is multiplied with in the end, through all scorers around it.
    pub weight: f64,
    /// What it gave.
    pub score: f64,
    /// What that adds to the whole.
    pub contribution: f64,
    /// What the scorer has to say about how it came to its score.
    pub details: Vec<ScoreDetail>,
}

/// Something that a scorer found, such as a word of the query.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScoreDetail {
    /// What it found.
    pub what: String,
    /// How often the item has it, where it is a part of the query.
    pub times: Option<usize>,
    /// What that added to the scorer's score.
    pub added: f64,
}

impl ScoreDetail {
    /// Something that added so much.
    pub fn new(what: impl Into<String>, added: f64) -> Self {
        Self { what: what.into(), times: None, added }
    }

    /// The same, a part of the query that the item has so often.
    #[must_use]
    pub fn matched(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }
}

impl fmt::Display for ScoreDetail {
    /// What it is, and how often if that is more than once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times {
            Some(times) if times > 1 => write!(f, "{} ×{times}", self.what),
            _ => f.write_str(&self.what),
        }
    }
}

impl ScoreBreakdown {
    /// A score made of these parts.
    pub fn new(index: usize, score: f64, parts: Vec<ScorePart>) -> Self {
        Self { index, score, parts }
    }
}

impl ScorePart {
    /// The whole of a score.
    pub fn new(scorer: impl Into<String>, score: f64) -> Self {
        let (scorer, details) = (scorer.into(), Vec::new());
        Self { scorer, weight: 1.0, score, contribution: score, details }
    }

    /// The same with what the scorer found.
    #[must_use]
    pub fn with_details(mut self, details: Vec<ScoreDetail>) -> Self {
        self.details = details;
        self
    }

    /// The same where all of it counts `weight` times.
    #[must_use]
    pub fn weighted(mut self, weight: f64) -> Self {
        self.weight *= weight;
        self.contribution *= weight;
        self
    }
}

/// Scores that one scorer gave alone.
pub(super) fn undivided(scores: Vec<f64>, scorer: &str) -> Vec<ScoreBreakdown> {
    let whole =
        |(index, score)| ScoreBreakdown::new(index, score, vec![ScorePart::new(scorer, score)]);
    scores.into_iter().enumerate().map(whole).collect()
}

/// The last name of a type's path, without what it is generic over.
pub(super) fn without_path(type_name: &str) -> &str {
    let plain = type_name.split('<').next().unwrap_or(type_name);
    plain.rsplit("::").next().unwrap_or(plain)
}
