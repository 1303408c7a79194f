//! What a strategy may know of the run it works in.

use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};

use crate::Query;

/// What a strategy may know of the run it works in, besides what it is given to judge.
///
/// A run has one, passes it to each of its strategies, and a strategy that wraps another passes it
/// on. The default is a run that happens now.
///
/// ```
/// use cupel::RunContext;
///
/// let context = RunContext::at("2025-01-01T12:00:00Z".parse().expect("a valid time"));
/// assert_eq!(context.now().to_rfc3339(), "2025-01-01T12:00:00+00:00");
/// ```
#[derive(Debug, Clone, Default)]
pub struct RunContext {
    now: OnceLock<DateTime<Utc>>,
    query: Option<Arc<Query>>,
    wants_reasons: bool,
    wants_trial: bool,
}

impl RunContext {
    /// A run that happens now.
    pub fn new() -> Self {
        Self::default()
    }

    /// A run that happens at `now`, whatever the clock shows.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self { now: now.into(), ..Self::default() }
    }

    /// When the run happens: the same for all who ask. The clock is read when the first one does.
    pub fn now(&self) -> DateTime<Utc> {
        *self.now.get_or_init(Utc::now)
    }

    /// What the window is to answer, if the run was told.
    pub fn query(&self) -> Option<&Query> {
        self.query.as_deref()
    }

    /// The same run with something to answer, in words or with an embedding as well.
    #[must_use]
    pub fn with_query(mut self, query: impl Into<Query>) -> Self {
        self.query = Some(Arc::new(query.into()));
        self
    }

    /// Whether anybody will ask why something was not chosen. Where nobody does, a slicer may save
    /// itself its [refusals](crate::Selection::refused).
    pub fn wants_reasons(&self) -> bool {
        self.wants_reasons
    }

    /// The same run, with or without somebody who asks for reasons.
    #[must_use]
    pub fn with_reasons(mut self, wants_reasons: bool) -> Self {
        self.wants_reasons = wants_reasons;
        self
    }

    /// Whether a slicer is asked for its [order of trial](crate::Selection::trial), as simulations do.
    pub fn wants_trial(&self) -> bool {
        self.wants_trial
    }

    /// The same run, with or without somebody who asks for the order of trial.
    #[must_use]
    pub fn with_trial(mut self, wants_trial: bool) -> Self {
        self.wants_trial = wants_trial;
        self
    }
}
