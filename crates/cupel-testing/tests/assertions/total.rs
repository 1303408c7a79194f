//! The report as a whole.

use cupel::{ContextBudget, IncludedItem, InclusionReason, SelectionReport};
use cupel_testing::SelectionReportAssertions;

use crate::support::{duplicate, excluding, failure, including, item, nothing};

fn excluding_scores(scores: &[f64]) -> SelectionReport {
    let entries: Vec<_> = scores.iter().map(|score| ("Message", *score, duplicate())).collect();
    excluding(&entries)
}

fn budget(max_tokens: i64) -> ContextBudget {
    ContextBudget::builder(max_tokens).build().unwrap()
}

fn including_tokens(tokens: &[i64]) -> SelectionReport {
    let entry = |tokens: &i64| {
        IncludedItem::new(item("text", "Message", *tokens), 0.5, InclusionReason::Scored)
    };
    let included = tokens.iter().map(entry).collect();
    SelectionReport::new(Vec::new(), included, Vec::new(), Vec::new())
}

/// Rule [Testing vocabulary]: HaveAtLeastNExclusions: at least n exclusions
#[test]
fn have_at_least_n_exclusions_holds_for_enough_of_them() {
    excluding_scores(&[0.5, 0.4])
        .should()
        .have_at_least_n_exclusions(0)
        .have_at_least_n_exclusions(1)
        .have_at_least_n_exclusions(2);
}

/// Rule [Testing vocabulary]: HaveAtLeastNExclusions: zero always holds
#[test]
fn at_least_zero_exclusions_holds_when_nothing_was_excluded() {
    nothing().should().have_at_least_n_exclusions(0);
}

#[test]
fn have_at_least_n_exclusions_fails_when_nothing_was_excluded() {
    assert_eq!(
        failure(&nothing(), |it| it.have_at_least_n_exclusions(1)),
        "HaveAtLeastNExclusions(1) failed: expected at least 1 excluded items, but Excluded had 0."
    );
}

/// Rule [Testing vocabulary]: HaveAtLeastNExclusions: at least n exclusions
#[test]
fn have_at_least_n_exclusions_fails_for_one_too_few() {
    assert_eq!(
        failure(&excluding_scores(&[0.5, 0.4]), |it| it.have_at_least_n_exclusions(3)),
        "HaveAtLeastNExclusions(3) failed: expected at least 3 excluded items, but Excluded had 2."
    );
}

#[test]
fn excluded_items_are_sorted_when_there_is_nothing_to_compare() {
    nothing().should().excluded_items_are_sorted_by_score_descending();
    excluding_scores(&[0.5]).should().excluded_items_are_sorted_by_score_descending();
}

/// Rule [Testing vocabulary]: ExcludedItemsAreSortedByScoreDescending: no score above the one before
#[test]
fn excluded_items_are_sorted_when_scores_fall_or_stay() {
    excluding_scores(&[f64::INFINITY, 0.5, 0.5, 0.0, -0.0, 0.0, -1.0, f64::NAN, f64::NAN])
        .should()
        .excluded_items_are_sorted_by_score_descending();
}

/// Rule [Testing vocabulary]: ExcludedItemsAreSortedByScoreDescending: no score above the one before
#[test]
fn excluded_items_are_sorted_fails_at_the_first_rise() {
    assert_eq!(
        failure(&excluding_scores(&[0.9, 0.25, 0.5, 0.1, 0.7]), |it| it
            .excluded_items_are_sorted_by_score_descending()),
        "ExcludedItemsAreSortedByScoreDescending failed: item at index 2 (score=0.5) is higher \
         than item at index 1 (score=0.25). Expected non-increasing scores."
    );
}

#[test]
fn excluded_items_are_sorted_fails_where_a_number_follows_nan() {
    assert_eq!(
        failure(&excluding_scores(&[f64::NAN, -3.0]), |it| it
            .excluded_items_are_sorted_by_score_descending()),
        "ExcludedItemsAreSortedByScoreDescending failed: item at index 1 (score=-3) is higher than \
         item at index 0 (score=NaN). Expected non-increasing scores."
    );
}

/// Rule [Testing vocabulary]: HaveBudgetUtilizationAbove: included tokens over maxTokens, at least the threshold
#[test]
fn have_budget_utilization_above_includes_the_threshold_itself() {
    let report = including_tokens(&[500, 250]);
    report
        .should()
        .have_budget_utilization_above(0.75, budget(1000))
        .have_budget_utilization_above(0.5, budget(1000));
}

/// Rule [Testing vocabulary]: HaveBudgetUtilizationAbove: included tokens over maxTokens, at least the threshold
#[test]
fn utilization_is_measured_against_the_maximum_and_not_the_target() {
    let budget = ContextBudget::builder(1000).target_tokens(500).build().unwrap();
    assert_eq!(
        failure(&including_tokens(&[500]), |it| it.have_budget_utilization_above(0.6, &budget)),
        "HaveBudgetUtilizationAbove(0.6) failed: computed utilization was 0.500000 \
         (includedTokens=500, budget.MaxTokens=1000)."
    );
}

#[test]
fn have_budget_utilization_above_shows_six_decimals() {
    assert_eq!(
        failure(&including_tokens(&[1, 1]), |it| it
            .have_budget_utilization_above(0.666_666_7, budget(3))),
        "HaveBudgetUtilizationAbove(0.6666667) failed: computed utilization was 0.666667 \
         (includedTokens=2, budget.MaxTokens=3)."
    );
}

#[test]
fn an_empty_window_has_utilization_zero() {
    nothing().should().have_budget_utilization_above(0.0, budget(1000));
    assert_eq!(
        failure(&nothing(), |it| it.have_budget_utilization_above(0.001, budget(1000))),
        "HaveBudgetUtilizationAbove(0.001) failed: computed utilization was 0.000000 \
         (includedTokens=0, budget.MaxTokens=1000)."
    );
}

#[test]
fn a_threshold_of_zero_holds_for_any_window() {
    including_tokens(&[1]).should().have_budget_utilization_above(0.0, budget(1000));
    including_tokens(&[0]).should().have_budget_utilization_above(0.0, budget(0));
}

#[test]
fn a_threshold_over_one_holds_only_for_a_window_over_its_budget() {
    including_tokens(&[1500]).should().have_budget_utilization_above(1.5, budget(1000));
    assert_eq!(
        failure(&including_tokens(&[1000]), |it| it
            .have_budget_utilization_above(1.5, budget(1000))),
        "HaveBudgetUtilizationAbove(1.5) failed: computed utilization was 1.000000 \
         (includedTokens=1000, budget.MaxTokens=1000)."
    );
}

#[test]
fn no_utilization_is_above_nan() {
    assert_eq!(
        failure(&including_tokens(&[10]), |it| it
            .have_budget_utilization_above(f64::NAN, budget(10))),
        "HaveBudgetUtilizationAbove(NaN) failed: computed utilization was 1.000000 \
         (includedTokens=10, budget.MaxTokens=10)."
    );
}

#[test]
fn token_sums_do_not_wrap() {
    let report = including_tokens(&[i64::MAX, i64::MAX]);
    assert_eq!(
        failure(&report, |it| it.have_budget_utilization_above(2.5, budget(i64::MAX))),
        "HaveBudgetUtilizationAbove(2.5) failed: computed utilization was 2.000000 \
         (includedTokens=18446744073709551614, budget.MaxTokens=9223372036854775807)."
    );
}

/// Rule [Testing vocabulary]: HaveKindCoverageCount: at least n distinct kinds in the window
#[test]
fn have_kind_coverage_count_counts_each_kind_once() {
    including(&[("Message", 0.9), ("message", 0.8), ("Document", 0.1)])
        .should()
        .have_kind_coverage_count(0)
        .have_kind_coverage_count(1)
        .have_kind_coverage_count(2);
}

#[test]
fn a_coverage_of_zero_kinds_holds_for_an_empty_window() {
    nothing().should().have_kind_coverage_count(0);
}

#[test]
fn have_kind_coverage_count_fails_on_an_empty_window() {
    assert_eq!(
        failure(&nothing(), |it| it.have_kind_coverage_count(1)),
        "HaveKindCoverageCount(1) failed: expected at least 1 distinct ContextKind values in \
         Included, but found 0: []."
    );
}

/// Rule [Testing vocabulary]: HaveKindCoverageCount: at least n distinct kinds in the window
#[test]
fn have_kind_coverage_count_fails_when_all_items_are_of_one_kind() {
    assert_eq!(
        failure(&including(&[("Message", 0.9), ("MESSAGE", 0.8)]), |it| it
            .have_kind_coverage_count(2)),
        "HaveKindCoverageCount(2) failed: expected at least 2 distinct ContextKind values in \
         Included, but found 1: [Message]."
    );
}

#[test]
fn have_kind_coverage_count_names_the_kinds_in_order_of_appearance() {
    let report = including(&[("SystemPrompt", 0.0), ("Message", 0.8), ("Document", 0.1)]);
    assert_eq!(
        failure(&report, |it| it.have_kind_coverage_count(5)),
        "HaveKindCoverageCount(5) failed: expected at least 5 distinct ContextKind values in \
         Included, but found 3: [SystemPrompt, Message, Document]."
    );
}
