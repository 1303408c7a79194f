//! A failure is reported at the line of the test, not somewhere in this crate.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

use cupel::{
    ContextBudget, ContextItem, ContextKind, CupelError, ExcludedItem, ExclusionReason,
    IncludedItem, InclusionReason, Placer, RunContext, ScoredItem, Scorer, SelectionReport, Slicer,
};
use cupel_testing::laws::{BudgetCompliance, assert_placer, assert_scorer, assert_slicer};
use cupel_testing::{ReasonKind, ReportSnapshot, SelectionReportAssertions};

/// Breaks the law of every family.
struct Lawless;

impl Scorer for Lawless {
    fn score(&self, _item: &ContextItem, _all: &[ContextItem]) -> f64 {
        0.5
    }

    fn score_batch(
        &self,
        _items: &[ContextItem],
        _context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        Ok(Vec::new())
    }
}

impl Slicer for Lawless {
    fn slice(
        &self,
        _sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        Ok(vec![item()])
    }
}

impl Placer for Lawless {
    fn place(&self, _items: &[ScoredItem]) -> Vec<ContextItem> {
        Vec::new()
    }
}

fn item() -> ContextItem {
    ContextItem::builder("text", 10).build().unwrap()
}

/// Where `failing` panics.
fn place_of_panic(failing: impl FnOnce()) -> (String, u32) {
    let place = Arc::new(Mutex::new(None));
    let hook = take_hook();
    let seen = Arc::clone(&place);
    set_hook(Box::new(move |info| {
        *seen.lock().unwrap() = info.location().map(|at| (at.file().to_owned(), at.line()));
    }));
    let outcome = catch_unwind(AssertUnwindSafe(failing));
    set_hook(hook);
    assert!(outcome.is_err(), "the assertion holds");
    let place = place.lock().unwrap().take();
    place.expect("a panic has a place")
}

/// Holds if `failing`, written on the line of the call, panics there.
#[track_caller]
fn points_here(failing: impl FnOnce()) {
    let here = Location::caller();
    assert_eq!(place_of_panic(failing), (here.file().to_owned(), here.line()));
}

/// One test for all, because the panic hook belongs to the whole process.
#[test]
#[rustfmt::skip] // the failing call has to be on the line of `points_here`
fn every_failure_points_at_the_line_that_asked() {
    let scored = |score| IncludedItem::new(item(), score, InclusionReason::Scored);
    let excluded = |score| ExcludedItem::new(item(), score, ExclusionReason::NegativeTokens { tokens: -1 });
    let report = SelectionReport::new(
        Vec::new(),
        vec![scored(0.1), scored(0.9), scored(0.1)],
        vec![excluded(0.1), excluded(0.2)],
        Vec::new(),
    );
    let memory = ContextKind::memory;
    let budget = ContextBudget::builder(5).build().unwrap();
    let one_scored = [ScoredItem { item: item(), score: 0.5 }];

    points_here(|| { report.should().include_item_with_kind(memory()); });
    points_here(|| { report.should().include_item_matching(|_| false); });
    points_here(|| { report.should().include_exactly_n_items_with_kind(memory(), 1); });
    points_here(|| { report.should().exclude_item_with_reason(ReasonKind::Filtered); });
    points_here(|| { report.should().exclude_item_matching_with_reason(|_| true, ReasonKind::Filtered); });
    points_here(|| { report.should().exclude_item_with_budget_details(|_| true, 1, 1); });
    points_here(|| { report.should().have_no_exclusions_for_kind(ContextKind::message()); });
    points_here(|| { report.should().have_at_least_n_exclusions(3); });
    points_here(|| { report.should().excluded_items_are_sorted_by_score_descending(); });
    points_here(|| { report.should().have_budget_utilization_above(9.0, &budget); });
    points_here(|| { report.should().have_kind_coverage_count(2); });
    points_here(|| { report.should().place_item_at_edge(|entry| entry.score == 0.9); });
    points_here(|| { report.should().place_top_n_scored_at_edges(1); });

    points_here(|| { report.should().include_exact_n_items_with_kind(memory(), 1); });
    points_here(|| { report.should().have_excluded_item_with_budget_details(|_| true, 1, 1); });

    points_here(|| { report.should().have_no_exclusions(); });
    points_here(|| { report.should().have_at_least_n_exclusions_with_reason(3, ReasonKind::Filtered); });
    points_here(|| { report.should().have_included_tokens_within_budget(&budget); });
    points_here(|| { report.should().place_items_before(|_| true, |_| true); });

    points_here(|| ReportSnapshot::of(&report).assert_matches_file("no/such/file"));
    points_here(|| assert_scorer(&Lawless, &[item()]));
    points_here(|| assert_slicer(&Lawless, &one_scored, &budget, BudgetCompliance::Required));
    points_here(|| assert_placer(&Lawless, &one_scored));
}
