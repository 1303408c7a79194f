//! What came of a replay, for text, JSON and page.

use cupel_session::Price;
use cupel_session::replay::Outcomes;

/// A conversation under several strategies.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) name: String,
    pub(crate) model: String,
    pub(crate) budget: i64,
    pub(crate) turns: usize,
    pub(crate) price: Price,
    /// When the table was made that the price is from; nothing if the caller gave it.
    pub(crate) prices_as_of: Option<String>,
    pub(crate) runs: Vec<Run>,
}

/// One strategy.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) label: String,
    pub(crate) outcomes: Outcomes,
}

impl Replayed {
    /// How many times as much the first strategy costs as this one, where both came to the end.
    pub(crate) fn cheaper(&self, run: &Run) -> Option<f64> {
        let first = &self.runs.first()?.outcomes;
        let both = first.stopped.is_none() && run.outcomes.stopped.is_none();
        (both && run.outcomes.cost() > 0.0).then(|| first.cost() / run.outcomes.cost())
    }
}
