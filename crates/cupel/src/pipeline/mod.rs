//! The six stages, in order.
//!
//! ```text
//! candidates ─▶ Classify ─▶ Score ─▶ Deduplicate ─▶ Sort ─▶ Slice ─▶ Place ─▶ window
//!                  └───────────────── pinned ──────────────────────────┘
//! ```

mod builder;
pub(crate) mod input;
mod policy;
pub(crate) mod run;
pub(crate) mod stage;
mod strategies;
mod trace;

pub use builder::PipelineBuilder;
pub use policy::{Policy, PolicyBuilder};
pub(crate) use trace::{LeftOut, shortened};

use input::Input;
use run::{Prepared, Run};

use crate::{
    Candidate, ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector,
    NullTraceCollector, RunContext, ScoreBreakdown, SelectionReport, TraceCollector,
    TraceDetailLevel,
};

/// Selects a window from candidates: classify, score, deduplicate, sort, slice, place.
///
/// A pipeline holds no state of its runs: share one among threads and run it as often as you like.
///
/// ```
/// use cupel::{ChronologicalPlacer, ContextBudget, ContextItem, GreedySlice, Pipeline, ReflexiveScorer};
///
/// let pipeline = Pipeline::builder()
///     .scorer(ReflexiveScorer)
///     .slicer(GreedySlice)
///     .placer(ChronologicalPlacer)
///     .build()?;
/// let items = [
///     ContextItem::builder("You are a careful assistant.", 6).pinned(true).build()?,
///     ContextItem::builder("relevant", 50).future_relevance_hint(0.9).build()?,
///     ContextItem::builder("beside the point", 50).future_relevance_hint(0.1).build()?,
/// ];
/// let budget = ContextBudget::builder(60).build()?;
///
/// let window = pipeline.run(&items, &budget)?;
/// let texts: Vec<_> = window.iter().map(|item| item.content()).collect();
/// assert_eq!(texts, ["You are a careful assistant.", "relevant"]);
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pipeline {
    policy: Policy,
    context: RunContext,
}

impl Pipeline {
    /// Starts a pipeline; scorer, slicer and placer are required.
    pub fn builder() -> PipelineBuilder {
        PipelineBuilder::default()
    }

    /// The strategies and switches this pipeline runs with.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The same pipeline, whose runs, reports and simulations all happen in `context`: at its time, for its query.
    ///
    /// ```
    /// use cupel::{Pipeline, Policy, RunContext};
    ///
    /// fn asked(policy: Policy, question: &str) -> Pipeline {
    ///     Pipeline::from(policy).in_context(RunContext::new().with_query(question))
    /// }
    /// ```
    #[must_use]
    pub fn in_context(self, context: RunContext) -> Self {
        Self { context, ..self }
    }

    /// What its runs happen in, unless they are told otherwise.
    pub fn context(&self) -> &RunContext {
        &self.context
    }

    /// Selects a window from `items`.
    ///
    /// # Errors
    /// When the pinned items alone exceed `max_tokens - output_reserve`, when the selection
    /// overflows under [`OverflowStrategy::Throw`](crate::OverflowStrategy::Throw), or when a
    /// strategy refuses or breaks its contract.
    pub fn run(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        self.run_traced(items, budget, &mut NullTraceCollector)
    }

    /// [`run`](Self::run), reporting every decision to `collector`.
    pub fn run_traced<C: TraceCollector>(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        collector: &mut C,
    ) -> Result<Vec<ContextItem>, CupelError> {
        self.run_with(items, budget, &self.context, collector)
    }

    /// [`run_traced`](Self::run_traced) in a context of the caller's own.
    pub fn run_with<C: TraceCollector>(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        context: &RunContext,
        collector: &mut C,
    ) -> Result<Vec<ContextItem>, CupelError> {
        let input = Input::new(items);
        let window = Run::new(&self.policy, budget, context, collector).stages(&input)?;
        Ok(window.into_iter().map(|candidate| candidate.to_item()).collect())
    }

    /// What [`run`](Self::run) would decide about every candidate.
    pub fn dry_run(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
    ) -> Result<SelectionReport, CupelError> {
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        let input = Input::new(items);
        Run::new(&self.policy, budget, &self.context, &mut collector).stages(&input)?;
        Ok(collector.into_report())
    }

    /// What the score of each candidate is made of, in input order. Pinned items and those with
    /// negative tokens are not scored and have no entry; an entry's index says which item it is of.
    ///
    /// ```
    /// use cupel::{
    ///     ChronologicalPlacer, CompositeScorer, ContextItem, GreedySlice, KindScorer, Pipeline,
    ///     RecencyScorer,
    /// };
    ///
    /// let pipeline = Pipeline::builder()
    ///     .scorer(CompositeScorer::new(vec![
    ///         (Box::new(RecencyScorer), 3.0),
    ///         (Box::new(KindScorer::with_default_weights()), 1.0),
    ///     ])?)
    ///     .slicer(GreedySlice)
    ///     .placer(ChronologicalPlacer)
    ///     .build()?;
    /// let message = ContextItem::builder("Is it still raining?", 5)
    ///     .timestamp("2025-06-01T09:00:00Z".parse().expect("a valid time"))
    ///     .build()?;
    /// let breakdown = &pipeline.score_breakdown(&[message])?[0];
    /// let parts: Vec<_> = breakdown.parts.iter().map(|it| (&*it.scorer, it.weight, it.score)).collect();
    /// assert_eq!(parts, [("recency", 0.75, 1.0), ("kind", 0.25, 0.2)]);
    /// # Ok::<(), cupel::CupelError>(())
    /// ```
    ///
    /// # Errors
    /// When there are more items than a run can address, or the scorer refuses or breaks its contract.
    pub fn score_breakdown(
        &self,
        items: &[ContextItem],
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        self.score_breakdown_with(items, &self.context)
    }

    /// [`score_breakdown`](Self::score_breakdown) in a context of the caller's own, such as that of
    /// the run to explain.
    pub fn score_breakdown_with(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        // Nothing before Slice depends on the budget.
        let (budget, mut nobody) = (ContextBudget::plain(0, 0), NullTraceCollector);
        let mut run = Run::new(&self.policy, &budget, context, &mut nobody);
        let input = Input::new(items);
        let prepared = run.classify(&input, None)?;
        run.score_breakdown(items, &prepared)
    }

    /// What a pipeline with another policy would decide about every candidate.
    pub fn dry_run_with_policy(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        policy: &Policy,
    ) -> Result<SelectionReport, CupelError> {
        Self::from(policy.clone()).in_context(self.context.clone()).dry_run(items, budget)
    }
}

impl<C: TraceCollector> Run<'_, C> {
    /// The window, told to the collector.
    fn stages<'a>(mut self, input: &'a Input<'a>) -> Result<Vec<Candidate<'a>>, CupelError> {
        self.trace.started(input.items, self.budget);
        let window = self.prepare(input, Some(self.budget)).and_then(|it| self.select(&it));
        self.trace.finished(self.budget, window.as_ref().err());
        window
    }

    /// Stages 1 to 4: all that does not depend on the budget, except that the pinned items must fit, if
    /// there is one already.
    pub(crate) fn prepare<'a>(
        &mut self,
        input: &'a Input<'a>,
        budget: Option<&ContextBudget>,
    ) -> Result<Prepared<'a>, CupelError> {
        let mut prepared = self.classify(input, budget)?;
        self.score(input.items, &mut prepared)?;
        self.deduplicate(&mut prepared);
        self.sort(&mut prepared);
        Ok(prepared)
    }

    /// Stages 5 and 6.
    pub(crate) fn select<'a>(
        &mut self,
        prepared: &Prepared<'a>,
    ) -> Result<Vec<Candidate<'a>>, CupelError> {
        let pinned = prepared.pinned_within(self.budget)?;
        let chosen = self.slice(prepared, &pinned)?;
        self.place(prepared, &pinned, chosen)
    }
}

impl From<Policy> for Pipeline {
    fn from(policy: Policy) -> Self {
        Self { policy, context: RunContext::default() }
    }
}
