//! `should()` and `try_should()` are one thing in two forms.

use std::error::Error;

use cupel::{ContextBudget, ContextKind};
use cupel_testing::{
    ReasonKind, SelectionReportAssertionChain as Chain, SelectionReportAssertionError,
    SelectionReportAssertions, SelectionReportChecks as Checks,
};

use crate::support::{excluding, failure, including, over_budget};

/// Holds if both forms fail with one message, which begins with the name and names the error.
#[track_caller]
fn agree(
    assertion: &str,
    panicking: impl for<'c, 'r> FnOnce(&'c mut Chain<'r>) -> &'c mut Chain<'r>,
    returning: impl for<'r> FnOnce(Checks<'r>) -> Result<Checks<'r>, SelectionReportAssertionError>,
) {
    let mut report = including(&[("Message", 0.1), ("Message", 0.9), ("Message", 0.2)]);
    let rising = [0.1, 0.2].map(|score| ("Message", score, over_budget(9, 1)));
    report.excluded = excluding(&rising).excluded;

    let error = returning(report.try_should()).unwrap_err();
    assert_eq!(error.assertion(), assertion);
    assert!(!error.expectation().is_empty());
    let message = error.to_string();
    assert_eq!(format!("{error:?}"), message, "what unwrap shows");
    assert!(message.starts_with(assertion) && message.ends_with(error.finding()), "{message}");
    assert_eq!(failure(&report, panicking), message);
}

macro_rules! agree {
    ($name:literal, $method:ident($($argument:expr),*)) => {
        agree($name, |it| it.$method($($argument),*), |it| it.$method($($argument),*))
    };
}

/// Rule [Testing vocabulary]: a failure names the assertion, what was expected and what was found; a panic, or an error of a type of its own
#[test]
fn every_assertion_fails_with_the_same_message_in_both_forms() {
    let budget = || ContextBudget::builder(10).build().unwrap();
    let memory = ContextKind::memory;

    agree!("IncludeItemWithKind", include_item_with_kind(memory()));
    agree!("IncludeItemMatching", include_item_matching(|_| false));
    agree!("IncludeExactlyNItemsWithKind", include_exactly_n_items_with_kind(memory(), 7));
    agree!("ExcludeItemWithReason", exclude_item_with_reason(ReasonKind::Filtered));
    agree!(
        "ExcludeItemMatchingWithReason",
        exclude_item_matching_with_reason(|_| true, ReasonKind::Filtered)
    );
    agree!("ExcludeItemWithBudgetDetails", exclude_item_with_budget_details(|_| true, 9, 2));
    agree!("HaveNoExclusionsForKind", have_no_exclusions_for_kind(ContextKind::message()));
    agree!("HaveAtLeastNExclusions", have_at_least_n_exclusions(3));
    agree!(
        "ExcludedItemsAreSortedByScoreDescending",
        excluded_items_are_sorted_by_score_descending()
    );
    agree!("HaveBudgetUtilizationAbove", have_budget_utilization_above(3.5, budget()));
    agree!("HaveKindCoverageCount", have_kind_coverage_count(2));
    agree!("PlaceItemAtEdge", place_item_at_edge(|entry| entry.score == 0.9));
    agree!("PlaceTopNScoredAtEdges", place_top_n_scored_at_edges(1));

    agree!("IncludeExactlyNItemsWithKind", include_exact_n_items_with_kind(memory(), 7));
    agree!("ExcludeItemWithBudgetDetails", have_excluded_item_with_budget_details(|_| true, 9, 2));

    agree!("HaveNoExclusions", have_no_exclusions());
    agree!("ShortenItemMatching", shorten_item_matching(|_| true));
    agree!(
        "HaveAtLeastNExclusionsWithReason",
        have_at_least_n_exclusions_with_reason(3, ReasonKind::BudgetExceeded)
    );
    agree!("HaveIncludedTokensWithinBudget", have_included_tokens_within_budget(budget()));
    agree!("PlaceItemsBefore", place_items_before(|_| true, |_| true));
}

#[test]
fn other_names_hold_where_those_of_the_vocabulary_do() {
    let mut report = including(&[("Message", 0.5), ("Memory", 0.5)]);
    report.excluded = excluding(&[("Message", 0.1, over_budget(9, 1))]).excluded;
    report
        .should()
        .include_exact_n_items_with_kind(ContextKind::message(), 1)
        .have_excluded_item_with_budget_details(|entry| entry.score == 0.1, 9, 1);
}

/// Rule [Testing vocabulary]: assertions chain, and the first that fails ends the chain
#[test]
fn checks_chain_until_the_first_that_fails() {
    let report = including(&[("Message", 0.5)]);
    let chained = || -> Result<(), Box<dyn Error>> {
        report
            .try_should()
            .include_item_with_kind(ContextKind::message())?
            .have_kind_coverage_count(2)?
            .have_no_exclusions()?;
        Ok(())
    };
    let error = chained().unwrap_err();
    let error = error.downcast_ref::<SelectionReportAssertionError>().unwrap();
    assert_eq!(error.assertion(), "HaveKindCoverageCount");
    assert_eq!(error.expectation(), "at least 2 distinct ContextKind values in Included");
    assert_eq!(error.finding(), "found 1: [Message].");
}

/// Rule [Testing vocabulary]: assertions chain, and the first that fails ends the chain
#[test]
fn a_chain_that_holds_can_be_continued() {
    let report = including(&[("Message", 0.5)]);
    let mut chain = report.should();
    chain.have_no_exclusions();
    chain.have_kind_coverage_count(1).include_item_matching(|entry| entry.score > 0.4);
}
