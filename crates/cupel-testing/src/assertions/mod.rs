//! What a report should say.
//!
//! [`should`](SelectionReportAssertions::should) is for tests: the first assertion that does not
//! hold panics with a message that names the assertion, what was expected and what was found, at the
//! line of the test. [`try_should`](SelectionReportAssertions::try_should) asks the same questions
//! and returns the same messages as errors.

mod beyond;
mod check;
mod error;
mod other_names;
mod reason_kind;
mod vocabulary;

pub use error::SelectionReportAssertionError;
pub use reason_kind::ReasonKind;

use cupel::SelectionReport;

/// Where assertions over a [`SelectionReport`] begin.
///
/// ```
/// use cupel::{
///     ChronologicalPlacer, ContextBudget, ContextItem, ContextKind, GreedySlice, Pipeline,
///     ReflexiveScorer,
/// };
/// use cupel_testing::{ReasonKind, SelectionReportAssertions};
///
/// let pipeline = Pipeline::builder()
///     .scorer(ReflexiveScorer)
///     .slicer(GreedySlice)
///     .placer(ChronologicalPlacer)
///     .build()?;
/// let items = [
///     ContextItem::builder("a short note", 10).future_relevance_hint(0.9).build()?,
///     ContextItem::builder("a whole book", 90_000).future_relevance_hint(0.2).build()?,
/// ];
/// let report = pipeline.dry_run(&items, &ContextBudget::builder(1_000).build()?)?;
///
/// report
///     .should()
///     .include_item_with_kind(ContextKind::message())
///     .exclude_item_with_reason(ReasonKind::BudgetExceeded);
///
/// let error = report.try_should().include_item_with_kind(ContextKind::memory()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "IncludeItemWithKind(Memory) failed: Included contained 0 items with Kind=Memory. \
///      Included had 1 items with kinds: [Message]."
/// );
/// # Ok::<(), cupel::CupelError>(())
/// ```
pub trait SelectionReportAssertions {
    /// Assertions that panic when they do not hold.
    #[must_use = "nothing is asserted until a method of the chain is called"]
    fn should(&self) -> SelectionReportAssertionChain<'_>;

    /// The same assertions, returning an error when they do not hold.
    #[must_use = "nothing is asserted until a method is called"]
    fn try_should(&self) -> SelectionReportChecks<'_>;
}

impl SelectionReportAssertions for SelectionReport {
    fn should(&self) -> SelectionReportAssertionChain<'_> {
        SelectionReportAssertionChain { checks: self.try_should() }
    }

    fn try_should(&self) -> SelectionReportChecks<'_> {
        SelectionReportChecks { report: self }
    }
}

/// Assertions over one report that panic when they do not hold; every method returns the chain.
#[derive(Debug)]
pub struct SelectionReportAssertionChain<'r> {
    checks: SelectionReportChecks<'r>,
}

/// Assertions over one report that return an error when they do not hold, to be chained with `?`.
///
/// ```
/// use cupel::{ContextBudget, ContextKind, SelectionReport};
/// use cupel_testing::{SelectionReportAssertionError, SelectionReportAssertions};
///
/// /// What we ask of every window, for a monitor rather than a test.
/// fn is_healthy(
///     report: &SelectionReport,
///     budget: &ContextBudget,
/// ) -> Result<(), SelectionReportAssertionError> {
///     report
///         .try_should()
///         .have_no_exclusions_for_kind(ContextKind::system_prompt())?
///         .have_budget_utilization_above(0.5, budget)?;
///     Ok(())
/// }
/// # assert!(is_healthy(&SelectionReport::default(), &ContextBudget::builder(9)
/// #     .build().unwrap()).is_err());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SelectionReportChecks<'r> {
    report: &'r SelectionReport,
}

/// Declares assertions, each once, on both types: the check of the same name decides, and the chain
/// turns its error into a panic.
macro_rules! assertions {
    (
        $(#[$about:meta])*
        impl {$(
            $(#[$doc:meta])*
            fn $name:ident($($argument:ident: $type:ty),*);
        )+}
    ) => {
        $(#[$about])*
        impl SelectionReportAssertionChain<'_> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&mut self, $($argument: $type),*) -> &mut Self {
                match self.checks.$name($($argument),*) {
                    Ok(_) => self,
                    Err(error) => panic!("{error}"),
                }
            }
        )+}

        $(#[$about])*
        impl SelectionReportChecks<'_> {$(
            $(#[$doc])*
            pub fn $name(
                self,
                $($argument: $type),*
            ) -> Result<Self, SelectionReportAssertionError> {
                check::$name(self.report, $($argument),*)?;
                Ok(self)
            }
        )+}
    };
}

use assertions;
