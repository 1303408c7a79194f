//! The six stages, in order.
//!
//! ```text
//! candidates ─▶ Classify ─▶ Score ─▶ Deduplicate ─▶ Sort ─▶ Slice ─▶ Place ─▶ window
//!                  └───────────────── pinned ──────────────────────────┘
//! ```

mod builder;
mod policy;
pub(crate) mod run;
pub(crate) mod stage;
mod trace;

pub use builder::PipelineBuilder;
pub use policy::{Policy, PolicyBuilder};

use run::Run;
use stage::Classified;

use crate::{
    ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, NullTraceCollector, Scratch,
    SelectionReport, TraceCollector, TraceDetailLevel,
};

/// Selects a window from candidates: classify, score, deduplicate, sort, slice, place.
///
/// A pipeline holds no state of its runs: share one among threads and run it as often as you like.
///
/// ```
/// use cupel::{ChronologicalPlacer, ContextBudget, ContextItem, GreedySlice, Pipeline, ReflexiveScorer};
///
/// let pipeline = Pipeline::builder()
///     .scorer(Box::new(ReflexiveScorer))
///     .slicer(Box::new(GreedySlice))
///     .placer(Box::new(ChronologicalPlacer))
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
        self.run_into(items, budget, collector)
    }

    /// What [`run`](Self::run) would decide about every candidate.
    pub fn dry_run(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
    ) -> Result<SelectionReport, CupelError> {
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        self.run_into::<_, NoWindow>(items, budget, &mut collector)?;
        Ok(collector.into_report())
    }

    /// What a pipeline with another policy would decide about every candidate.
    pub fn dry_run_with_policy(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        policy: &Policy,
    ) -> Result<SelectionReport, CupelError> {
        Self::from(policy.clone()).dry_run(items, budget)
    }

    fn run_into<C: TraceCollector, W: FromIterator<ContextItem>>(
        &self,
        items: &[ContextItem],
        budget: &ContextBudget,
        collector: &mut C,
    ) -> Result<W, CupelError> {
        Scratch::lend(items.len(), |scratch| {
            let mut run = Run::new(&self.policy, items, budget, collector, scratch);
            // Taken apart, so that a window is not copied in the room that an error would need.
            match run.stages(items) {
                Ok(window) => {
                    run.trace.complete(budget);
                    Ok(window)
                }
                Err(error) => {
                    run.trace.fail(&error);
                    Err(error)
                }
            }
        })
    }
}

/// In place of a window that nobody looks at.
pub(crate) struct NoWindow;

impl FromIterator<ContextItem> for NoWindow {
    fn from_iter<I: IntoIterator<Item = ContextItem>>(_: I) -> Self {
        Self
    }
}

impl<C: TraceCollector> Run<'_, C> {
    fn stages<W: FromIterator<ContextItem>>(
        &mut self,
        items: &[ContextItem],
    ) -> Result<W, CupelError> {
        let mut classified = Classified::all(items);
        self.classify(items, &mut classified)?;
        let scores = self.score(&classified.scoreable)?;
        let repeated = self.deduplicate(&classified.scoreable, &scores);
        let chosen = self.choose(&classified, scores, repeated)?;
        self.place(chosen, &classified)
    }
}

impl From<Policy> for Pipeline {
    fn from(policy: Policy) -> Self {
        Self { policy }
    }
}
