//! Why is it in, why is it out?
//!
//! A run reports to a [`TraceCollector`] passed at the call, so that every run has its own and runs
//! do not disturb each other. [`NullTraceCollector`] costs nothing; [`DiagnosticTraceCollector`]
//! records everything and gives a [`SelectionReport`].
//!
//! ```
//! use cupel::{
//!     ChronologicalPlacer, ContextBudget, ContextItem, DiagnosticTraceCollector, GreedySlice,
//!     Pipeline, RecencyScorer, TraceDetailLevel,
//! };
//!
//! let pipeline = Pipeline::builder()
//!     .scorer(RecencyScorer)
//!     .slicer(GreedySlice)
//!     .placer(ChronologicalPlacer)
//!     .build()?;
//! let items = [
//!     ContextItem::builder("a short note", 10).build()?,
//!     ContextItem::builder("a whole book", 90_000).build()?,
//! ];
//! let budget = ContextBudget::builder(1_000).build()?;
//!
//! let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
//! let window = pipeline.run_traced(&items, &budget, &mut collector)?;
//! let report = collector.into_report();
//!
//! assert_eq!(window.len(), 1);
//! assert_eq!(
//!     report.excluded[0].reason.to_string(),
//!     "BudgetExceeded: 90000 tokens requested, 990 available"
//! );
//! # Ok::<(), cupel::CupelError>(())
//! ```

mod compose;
mod diagnostic;
mod event;
mod interests;
mod reason;
mod report;
pub mod trace_collector;

pub use diagnostic::DiagnosticTraceCollector;
pub use event::{OverflowEvent, PipelineStage, TraceEvent};
pub use interests::Interests;
pub use reason::{ExclusionReason, InclusionReason};
pub use report::{
    CountRequirementShortfall, ExcludedItem, IncludedItem, SelectionReport, Shortened,
    StageTraceSnapshot,
};
pub use trace_collector::{NullTraceCollector, TraceCollector, TraceDetailLevel};
