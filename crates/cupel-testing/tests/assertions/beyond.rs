//! Beyond the vocabulary.

use cupel::{
    ContextBudget, ContextItem, ContextKind, ExcludedItem, IncludedItem, InclusionReason,
    SelectionReport, Shortened,
};
use cupel_testing::{ReasonKind, SelectionReportAssertions};

use crate::support::{duplicate, excluding, failure, including, nothing, over_budget};

#[test]
fn have_no_exclusions_holds_when_everything_fits() {
    nothing().should().have_no_exclusions();
    including(&[("Message", 0.5)]).should().have_no_exclusions();
}

#[test]
fn have_no_exclusions_lists_what_is_out() {
    let entry = |score| ("Message", score, over_budget(9, 1));
    let report = excluding(&[0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map(entry));
    assert_eq!(
        failure(&report, |it| it.have_no_exclusions()),
        r#"HaveNoExclusions failed: expected no excluded items, but Excluded had 6.
  [0] kind=Message, score=0.9, reason=BudgetExceeded: "item 0"
  [1] kind=Message, score=0.8, reason=BudgetExceeded: "item 1"
  [2] kind=Message, score=0.7, reason=BudgetExceeded: "item 2"
  [3] kind=Message, score=0.6, reason=BudgetExceeded: "item 3"
  [4] kind=Message, score=0.5, reason=BudgetExceeded: "item 4"
  ... and 1 more"#
    );
}

#[test]
fn have_at_least_n_exclusions_with_reason_counts_that_reason_only() {
    let report = excluding(&[
        ("Message", 0.9, duplicate()),
        ("Message", 0.8, over_budget(9, 1)),
        ("Message", 0.7, duplicate()),
    ]);
    report
        .should()
        .have_at_least_n_exclusions_with_reason(0, ReasonKind::Filtered)
        .have_at_least_n_exclusions_with_reason(2, duplicate())
        .have_at_least_n_exclusions_with_reason(1, ReasonKind::BudgetExceeded);
    assert_eq!(
        failure(&report, |it| it
            .have_at_least_n_exclusions_with_reason(2, ReasonKind::BudgetExceeded)),
        "HaveAtLeastNExclusionsWithReason(2, BudgetExceeded) failed: expected at least 2 excluded \
         items with reason BudgetExceeded, but found 1. Excluded had 3 items with reasons: \
         [Deduplicated, BudgetExceeded]."
    );
}

#[test]
fn have_included_tokens_within_budget_measures_against_the_target() {
    let report = including(&[("Message", 0.9), ("Message", 0.8)]); // 20 tokens
    let exact = ContextBudget::builder(100).target_tokens(20).build().unwrap();
    report.should().have_included_tokens_within_budget(&exact);

    let tight = ContextBudget::builder(100).target_tokens(19).build().unwrap();
    assert_eq!(
        failure(&report, |it| it.have_included_tokens_within_budget(&tight)),
        "HaveIncludedTokensWithinBudget failed: expected at most 19 included tokens, but Included \
         had 20 (budget.MaxTokens=100, budget.TargetTokens=19, budget.OutputReserve=0)."
    );
}

#[test]
fn have_included_tokens_within_budget_leaves_room_for_the_output() {
    let report = including(&[("Message", 0.9), ("Message", 0.8)]);
    let reserving =
        ContextBudget::builder(30).target_tokens(25).output_reserve(15).build().unwrap();
    assert_eq!(
        failure(&report, |it| it.have_included_tokens_within_budget(reserving)),
        "HaveIncludedTokensWithinBudget failed: expected at most 15 included tokens, but Included \
         had 20 (budget.MaxTokens=30, budget.TargetTokens=25, budget.OutputReserve=15)."
    );
}

#[test]
fn place_items_before_compares_all_matches_of_both() {
    let report = including(&[("SystemPrompt", 0.0), ("Message", 0.5), ("Message", 0.4)]);
    let is = |kind: ContextKind| move |entry: &cupel::IncludedItem| *entry.item.kind() == kind;
    report
        .should()
        .place_items_before(is(ContextKind::system_prompt()), is(ContextKind::message()))
        .place_items_before(|entry| entry.score == 0.5, |entry| entry.score == 0.4);
    assert_eq!(
        failure(&report, |it| it
            .place_items_before(is(ContextKind::message()), |entry| entry.score == 0.4)),
        r#"PlaceItemsBefore failed: expected every item matching the first predicate before every item matching the second, but the first predicate matched the item at index 2 and the second the item at index 2. Included had 3 items.
  [0] kind=SystemPrompt, score=0, reason=Scored: "item 0"
  [1] kind=Message, score=0.5, reason=Scored: "item 1"
  [2] kind=Message, score=0.4, reason=Scored: "item 2""#
    );
}

#[test]
fn place_items_before_needs_an_item_for_each_predicate() {
    let report = including(&[("Message", 0.5)]);
    assert_eq!(
        failure(&report, |it| it.place_items_before(|_| false, |_| true)),
        r#"PlaceItemsBefore failed: expected every item matching the first predicate before every item matching the second, but the first predicate matched no item in Included. Included had 1 items.
  [0] kind=Message, score=0.5, reason=Scored: "item 0""#
    );
    assert_eq!(
        failure(&report, |it| it.place_items_before(|_| true, |_| false)),
        r#"PlaceItemsBefore failed: expected every item matching the first predicate before every item matching the second, but the second predicate matched no item in Included. Included had 1 items.
  [0] kind=Message, score=0.5, reason=Scored: "item 0""#
    );
}

fn grouped(content: &str, group: &str) -> ContextItem {
    ContextItem::builder(content, 10).group(group).build().unwrap()
}

/// These included, those left out.
fn report_of(included: Vec<IncludedItem>, excluded: Vec<ContextItem>) -> SelectionReport {
    let out = |item| ExcludedItem::new(item, 0.5, over_budget(20, 5));
    SelectionReport::new(Vec::new(), included, excluded.into_iter().map(out).collect(), Vec::new())
}

fn scored(item: ContextItem) -> IncludedItem {
    IncludedItem::new(item, 0.5, InclusionReason::Scored)
}

#[test]
fn keep_groups_whole_holds_unless_a_group_is_on_both_sides() {
    nothing().should().keep_groups_whole();
    let pair = || [grouped("call", "a"), grouped("result", "a")];
    let whole = report_of(pair().map(scored).to_vec(), vec![grouped("other", "b")]);
    whole.should().keep_groups_whole();

    let split = report_of(vec![scored(grouped("call", "a"))], vec![grouped("result", "a")]);
    assert_eq!(
        failure(&split, |it| it.keep_groups_whole()),
        r#"KeepGroupsWhole failed: expected every group to be included or excluded whole, but Included had 1 and Excluded 1 of the items of group "a".
  [0] kind=Message, score=0.5, reason=BudgetExceeded: "result""#
    );
}

#[test]
fn shortened_items_are_told_from_whole_ones() {
    let mut short = scored(grouped("in short", "a"));
    short.shortened = Some(Shortened::new(1, 2, 90));
    let report = report_of(vec![scored(grouped("whole", "b")), short], Vec::new());
    report.should().shorten_item_matching(|it| it.item.group() == Some("a"));
    assert_eq!(
        failure(&report, |it| it.include_items_whole()),
        r#"IncludeItemsWhole failed: expected no shortened items, but Included had 1.
  [0] kind=Message, score=0.5, reason=Scored: "in short""#
    );
    assert_eq!(
        failure(&report, |it| it.shorten_item_matching(|it| it.item.group() == Some("b"))),
        r#"ShortenItemMatching failed: expected a shortened item matching the predicate, but the predicate matched 1 of 2 items in Included, all whole.
  [0] kind=Message, score=0.5, reason=Scored: "whole""#
    );
    including(&[("Message", 0.5)]).should().include_items_whole();
}
