//! What is out, and why.

use cupel::{ContextKind, ExclusionReason};
use cupel_testing::{ReasonKind, SelectionReportAssertions};

use crate::support::{
    duplicate, excluding, failure, including, kind, negative, nothing, over_budget,
};

/// One reason of every variant, with the name it has in messages.
fn every_reason() -> Vec<(ExclusionReason, ReasonKind, &'static str)> {
    let text = || "x".to_owned();
    vec![
        (over_budget(1, 2), ReasonKind::BudgetExceeded, "BudgetExceeded"),
        (
            ExclusionReason::ScoredTooLow { score: 0.1, threshold: 0.2 },
            ReasonKind::ScoredTooLow,
            "ScoredTooLow",
        ),
        (duplicate(), ReasonKind::Deduplicated, "Deduplicated"),
        (
            ExclusionReason::QuotaCapExceeded { kind: text(), cap: 1, actual: 2 },
            ReasonKind::QuotaCapExceeded,
            "QuotaCapExceeded",
        ),
        (
            ExclusionReason::QuotaRequireDisplaced { displaced_by_kind: text() },
            ReasonKind::QuotaRequireDisplaced,
            "QuotaRequireDisplaced",
        ),
        (negative(), ReasonKind::NegativeTokens, "NegativeTokens"),
        (
            ExclusionReason::PinnedOverride { displaced_by: text() },
            ReasonKind::PinnedOverride,
            "PinnedOverride",
        ),
        (ExclusionReason::Filtered { filter_name: text() }, ReasonKind::Filtered, "Filtered"),
        (
            ExclusionReason::CountCapExceeded { kind: text(), cap: 1, count: 1 },
            ReasonKind::CountCapExceeded,
            "CountCapExceeded",
        ),
        (
            ExclusionReason::NearDuplicate { near_duplicate_of: text(), overlap: 0.9 },
            ReasonKind::NearDuplicate,
            "NearDuplicate",
        ),
        (ExclusionReason::Unknown, ReasonKind::Unknown, "Unknown"),
    ]
}

/// Rule [Testing vocabulary]: ExcludeItemWithReason: at least one exclusion for the reason, compared by variant
#[test]
fn exclude_item_with_reason_finds_every_variant_and_no_other() {
    for (reason, kind, name) in every_reason() {
        let report = excluding(&[("Message", 0.5, reason.clone())]);
        report.should().exclude_item_with_reason(kind).exclude_item_with_reason(&reason);
        for (other, ..) in every_reason() {
            let holds = report.try_should().exclude_item_with_reason(other.clone()).is_ok();
            assert_eq!(holds, other.name() == name, "{name} taken for {other:?}");
        }
    }
}

#[test]
fn reasons_are_named_as_the_engine_names_them() {
    for (reason, kind, name) in every_reason() {
        assert_eq!((reason.name(), kind.to_string().as_str()), (name, name));
    }
}

/// Rule [Testing vocabulary]: ExcludeItemWithReason: at least one exclusion for the reason, compared by variant
#[test]
fn exclude_item_with_reason_ignores_the_data_of_a_reason() {
    let report = excluding(&[("Message", 0.5, over_budget(700, 12))]);
    report.should().exclude_item_with_reason(over_budget(1, 1));
}

#[test]
fn exclude_item_with_reason_fails_when_nothing_was_excluded() {
    assert_eq!(
        failure(&nothing(), |it| it.exclude_item_with_reason(ReasonKind::Filtered)),
        "ExcludeItemWithReason(Filtered) failed: no excluded item had reason Filtered. Excluded \
         had 0 items with reasons: []."
    );
}

#[test]
fn exclude_item_with_reason_names_the_reasons_there_are_in_order_of_appearance() {
    let report = excluding(&[
        ("Message", 0.9, duplicate()),
        ("Message", 0.5, over_budget(9, 1)),
        ("Message", 0.4, duplicate()),
        ("Message", 0.0, negative()),
    ]);
    assert_eq!(
        failure(&report, |it| it.exclude_item_with_reason(ReasonKind::PinnedOverride)),
        "ExcludeItemWithReason(PinnedOverride) failed: no excluded item had reason PinnedOverride. \
         Excluded had 4 items with reasons: [Deduplicated, BudgetExceeded, NegativeTokens]."
    );
}

/// Rule [Testing vocabulary]: ExcludeItemMatchingWithReason: predicate and reason on one exclusion
#[test]
fn exclude_item_matching_with_reason_needs_both_on_one_item() {
    let report = excluding(&[("Message", 0.9, duplicate()), ("Document", 0.5, over_budget(9, 1))]);
    report
        .should()
        .exclude_item_matching_with_reason(
            |entry| *entry.item.kind() == ContextKind::document(),
            ReasonKind::BudgetExceeded,
        )
        .exclude_item_matching_with_reason(|entry| entry.score > 0.6, duplicate());
}

/// Rule [Testing vocabulary]: ExcludeItemMatchingWithReason: any match will do, not only the first (ours)
#[test]
fn exclude_item_matching_with_reason_looks_at_every_match() {
    let report = excluding(&[("Message", 0.9, duplicate()), ("Message", 0.5, over_budget(9, 1))]);
    report.should().exclude_item_matching_with_reason(|_| true, ReasonKind::BudgetExceeded);
}

#[test]
fn exclude_item_matching_with_reason_fails_when_nothing_was_excluded() {
    assert_eq!(
        failure(&nothing(), |it| it
            .exclude_item_matching_with_reason(|_| true, ReasonKind::Deduplicated)),
        "ExcludeItemMatchingWithReason(reason=Deduplicated) failed: predicate matched 0 excluded \
         item(s) but none had reason Deduplicated. Matched items had reasons: []."
    );
}

#[test]
fn exclude_item_matching_with_reason_fails_when_the_predicate_matches_nothing() {
    let report = excluding(&[("Message", 0.9, duplicate())]);
    assert_eq!(
        failure(&report, |it| it
            .exclude_item_matching_with_reason(|_| false, ReasonKind::Deduplicated)),
        "ExcludeItemMatchingWithReason(reason=Deduplicated) failed: predicate matched 0 excluded \
         item(s) but none had reason Deduplicated. Matched items had reasons: []."
    );
}

#[test]
fn exclude_item_matching_with_reason_names_the_reasons_of_the_matches_only() {
    let report = excluding(&[
        ("Document", 0.9, over_budget(9, 1)),
        ("Message", 0.8, duplicate()),
        ("Message", 0.7, duplicate()),
        ("Message", 0.0, negative()),
    ]);
    assert_eq!(
        failure(&report, |it| it.exclude_item_matching_with_reason(
            |entry| *entry.item.kind() == ContextKind::message(),
            over_budget(0, 0),
        )),
        "ExcludeItemMatchingWithReason(reason=BudgetExceeded) failed: predicate matched 3 excluded \
         item(s) but none had reason BudgetExceeded. Matched items had reasons: [Deduplicated, \
         NegativeTokens]."
    );
}

/// Rule [Testing vocabulary]: ExcludeItemWithBudgetDetails: a match over budget by exactly these numbers
#[test]
fn exclude_item_with_budget_details_holds_for_exact_numbers() {
    let report = excluding(&[("Document", 0.9, over_budget(2048, -512))]);
    report.should().exclude_item_with_budget_details(|entry| entry.score == 0.9, 2048, -512);
}

/// Rule [Testing vocabulary]: ExcludeItemWithBudgetDetails: any match will do, not only the first (ours)
#[test]
fn exclude_item_with_budget_details_looks_at_every_match() {
    let report = excluding(&[
        ("Document", 0.9, duplicate()),
        ("Document", 0.8, over_budget(100, 7)),
        ("Document", 0.7, over_budget(200, 7)),
    ]);
    report.should().exclude_item_with_budget_details(|_| true, 200, 7);
}

#[test]
fn exclude_item_with_budget_details_fails_when_the_predicate_matches_nothing() {
    let report = excluding(&[("Document", 0.9, over_budget(100, 7))]);
    assert_eq!(
        failure(&report, |it| it.exclude_item_with_budget_details(|_| false, 100, 7)),
        "ExcludeItemWithBudgetDetails failed: expected BudgetExceeded with item_tokens=100, \
         available_tokens=7, but no matching item had reason BudgetExceeded. Predicate matched 0 \
         excluded item(s) with reasons: []."
    );
}

#[test]
fn exclude_item_with_budget_details_shows_the_reason_when_it_is_another() {
    let report =
        excluding(&[("Document", 0.9, duplicate()), ("Message", 0.5, over_budget(100, 7))]);
    assert_eq!(
        failure(&report, |it| it.exclude_item_with_budget_details(
            |entry| *entry.item.kind() == ContextKind::document(),
            100,
            7
        )),
        "ExcludeItemWithBudgetDetails failed: expected BudgetExceeded with item_tokens=100, \
         available_tokens=7, but no matching item had reason BudgetExceeded. Predicate matched 1 \
         excluded item(s) with reasons: [Deduplicated]."
    );
}

#[test]
fn exclude_item_with_budget_details_shows_the_numbers_of_the_first_match_over_budget() {
    let report = excluding(&[
        ("Message", 0.9, over_budget(1, 1)),
        ("Document", 0.8, duplicate()),
        ("Document", 0.7, over_budget(200, 6)),
        ("Document", 0.6, over_budget(300, 6)),
    ]);
    assert_eq!(
        failure(&report, |it| it.exclude_item_with_budget_details(
            |entry| *entry.item.kind() == ContextKind::document(),
            200,
            7
        )),
        "ExcludeItemWithBudgetDetails failed: expected BudgetExceeded with item_tokens=200, \
         available_tokens=7, but found item_tokens=200, available_tokens=6."
    );
}

/// Rule [Testing vocabulary]: HaveNoExclusionsForKind: no exclusion of the kind
#[test]
fn have_no_exclusions_for_kind_holds_when_the_kind_is_not_among_them() {
    nothing().should().have_no_exclusions_for_kind(ContextKind::message());
    excluding(&[("Document", 0.5, duplicate())])
        .should()
        .have_no_exclusions_for_kind(ContextKind::message());
}

/// Rule [Testing vocabulary]: HaveNoExclusionsForKind: no exclusion of the kind
#[test]
fn have_no_exclusions_for_kind_says_nothing_about_what_is_included() {
    including(&[("Message", 0.5)]).should().have_no_exclusions_for_kind(ContextKind::message());
}

#[test]
fn have_no_exclusions_for_kind_counts_them_and_shows_the_first() {
    let report = excluding(&[
        ("Document", 0.9, duplicate()),
        ("toolOutput", 0.75, over_budget(9, 1)),
        ("ToolOutput", 0.5, duplicate()),
    ]);
    assert_eq!(
        failure(&report, |it| it.have_no_exclusions_for_kind(kind("TOOLOUTPUT"))),
        "HaveNoExclusionsForKind(TOOLOUTPUT) failed: found 2 excluded item(s) with \
         Kind=TOOLOUTPUT. First: score=0.75, reason=BudgetExceeded."
    );
}
