//! Why an item is out.

use cupel::{
    Candidate, ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice,
    CupelError, ExclusionReason, GreedySlice, KnapsackSlice, OverflowStrategy, QuotaEntry,
    QuotaSlice, Refusal, RunContext, ScarcityBehavior, ScoredItem, Selection, Slicer,
};

use crate::shorthand::{
    budget, choosing_all, contents, greedy, hinted, named, pinned, plain, sized,
};
use crate::tracing::{budget_exceeded, pinned_override, reasons};

fn every_reason() -> [ExclusionReason; 9] {
    let text = || "text".to_owned();
    [
        ExclusionReason::BudgetExceeded { item_tokens: 2_048, available_tokens: 512 },
        ExclusionReason::ScoredTooLow { score: 0.12, threshold: 0.25 },
        ExclusionReason::Deduplicated { deduplicated_against: text() },
        ExclusionReason::QuotaCapExceeded { kind: text(), cap: 3, actual: 4 },
        ExclusionReason::QuotaRequireDisplaced { displaced_by_kind: text() },
        ExclusionReason::NegativeTokens { tokens: -1 },
        ExclusionReason::PinnedOverride { displaced_by: text() },
        ExclusionReason::Filtered { filter_name: text() },
        ExclusionReason::CountCapExceeded { kind: text(), cap: 3, count: 3 },
    ]
}

/// Rule [Exclusion reasons]: all eight reasons exist, and go by their variant names
#[test]
fn the_eight_reasons_and_the_count_cap_are_there_and_go_by_their_names() {
    let names = [
        "BudgetExceeded",
        "ScoredTooLow",
        "Deduplicated",
        "QuotaCapExceeded",
        "QuotaRequireDisplaced",
        "NegativeTokens",
        "PinnedOverride",
        "Filtered",
        "CountCapExceeded",
    ];
    assert_eq!(every_reason().map(|reason| reason.name()), names);
    for (reason, name) in every_reason().iter().zip(names) {
        assert!(reason.to_string().starts_with(&format!("{name}: ")), "{reason}");
    }
}

/// Rule [Exclusion reasons]: unknown reasons have a value
#[test]
fn a_reason_of_another_version_has_a_place() {
    assert_eq!(ExclusionReason::Unknown.name(), "Unknown");
    assert_eq!(ExclusionReason::Unknown.to_string(), "Unknown");
}

#[test]
fn a_near_duplicate_says_how_much_of_it_is_in_what() {
    let near_duplicate_of =
        "The reminder job runs at half past two in the night, every night".to_owned();
    let reason = ExclusionReason::NearDuplicate { near_duplicate_of, overlap: 0.8696 };
    assert_eq!(
        reason.to_string(),
        "NearDuplicate: 87% of it is in \"The reminder job runs at half past two in the night, every n\"…"
    );
}

/// Rule [Exclusion reasons]: BudgetExceeded in Slice, with both numbers
#[test]
fn an_item_that_does_not_fit_says_what_it_costs_and_what_was_left() {
    let items = [hinted("fits", 60, 0.9), hinted("no", 50, 0.5), hinted("neither", 41, 0.1)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    let expected = [("no", &budget_exceeded(50, 40)), ("neither", &budget_exceeded(41, 40))];
    assert_eq!(reasons(&report.excluded), expected);
}

/// Rule [Exclusion reasons]: BudgetExceeded in Slice, with both numbers
#[test]
fn what_was_left_may_be_negative_after_required_items() {
    let two = CountQuotaEntry::new(ContextKind::message(), 2, 2).unwrap();
    let slicer = CountQuotaSlice::new(vec![two], GreedySlice, ScarcityBehavior::Throw).unwrap();
    let pipeline =
        greedy().slicer(slicer).overflow_strategy(OverflowStrategy::Proceed).build().unwrap();
    let other = named("other").kind(ContextKind::memory()).build().unwrap();
    let items = [sized("a", 70), sized("b", 60), other];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(reasons(&report.excluded), [("other", &budget_exceeded(10, -30))]);
}

/// Rule [Exclusion reasons]: BudgetExceeded in Place under Truncate, with both numbers
#[test]
fn an_item_cut_off_by_truncation_says_what_was_left_for_it() {
    let items =
        [hinted("a", 60, 0.9), hinted("b", 50, 0.5), hinted("c", 30, 0.4), hinted("d", 30, 0.1)];
    let pipeline = choosing_all(OverflowStrategy::Truncate);
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    let expected = [("b", &budget_exceeded(50, 40)), ("d", &budget_exceeded(30, 10))];
    assert_eq!(reasons(&report.excluded), expected);
}

/// Rule [Exclusion reasons]: Deduplicated, with the survivor's content
#[test]
fn a_repeated_item_says_what_was_kept() {
    let items = [hinted("same", 10, 0.1), hinted("same", 10, 0.9), hinted("same", 10, 0.5)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert!(report.included[0].item.is_same_instance(&items[1]));
    let kept = ExclusionReason::Deduplicated { deduplicated_against: "same".to_owned() };
    assert_eq!(reasons(&report.excluded), [("same", &kept), ("same", &kept)]);
}

/// Rule [Exclusion reasons]: NegativeTokens, with the count
#[test]
fn an_item_with_negative_tokens_says_how_many() {
    let items = [sized("a", -1), sized("b", i64::MIN)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    let expected = [
        ("a", &ExclusionReason::NegativeTokens { tokens: -1 }),
        ("b", &ExclusionReason::NegativeTokens { tokens: i64::MIN }),
    ];
    assert_eq!(reasons(&report.excluded), expected);
}

/// Rule [Exclusion reasons]: PinnedOverride in Place under Truncate, with the displacing content
#[test]
fn truncation_blames_the_first_pinned_item_for_what_would_fit_without_pinned_items() {
    // Beside 60 pinned and 30 kept, 40 do not fit in 100, but would beside the 30 alone.
    let items = [hinted("a", 30, 0.9), hinted("b", 40, 0.5), pinned("p", 50), pinned("q", 10)];
    let pipeline = choosing_all(OverflowStrategy::Truncate);
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(contents(report.included.iter().map(|it| &it.item)), ["p", "q", "a"]);
    assert_eq!(reasons(&report.excluded), [("b", &pinned_override("p"))]);
}

/// Rule [Exclusion reasons]: PinnedOverride in Place under Truncate, with the displacing content
#[test]
fn truncation_blames_the_budget_for_what_would_not_fit_anyway() {
    let items = [hinted("a", 30, 0.9), hinted("b", 71, 0.5), pinned("p", 60)];
    let pipeline = choosing_all(OverflowStrategy::Truncate);
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(reasons(&report.excluded), [("b", &budget_exceeded(71, 10))]);
}

/// Rule [Exclusion reasons]: PinnedOverride in Slice, under Truncate only (ours)
#[test]
fn a_slicer_truncating_later_blames_pinned_items_for_what_only_they_keep_out() {
    let items = [hinted("b", 50, 0.5), hinted("c", 101, 0.1), pinned("p", 60)];
    let truncating = greedy().overflow_strategy(OverflowStrategy::Truncate).build().unwrap();
    let report = truncating.dry_run(&items, &budget(100)).unwrap();
    let expected = [("b", &pinned_override("p")), ("c", &budget_exceeded(101, 40))];
    assert_eq!(reasons(&report.excluded), expected);
}

/// Rule [Exclusion reasons]: PinnedOverride in Slice, under Truncate only (ours)
#[test]
fn without_truncation_pinned_items_are_never_blamed() {
    let items = [hinted("b", 50, 0.5), pinned("p", 60)];
    for overflow in [OverflowStrategy::Throw, OverflowStrategy::Proceed] {
        let pipeline = greedy().overflow_strategy(overflow).build().unwrap();
        let report = pipeline.dry_run(&items, &budget(100)).unwrap();
        assert_eq!(reasons(&report.excluded), [("b", &budget_exceeded(50, 40))]);
    }
}

/// Rule [Exclusion reasons]: CountCapExceeded, with kind, cap and count (ours)
#[test]
fn an_item_over_its_kinds_number_says_which_kind_and_how_many() {
    let one = CountQuotaEntry::new(ContextKind::memory(), 0, 1).unwrap();
    let slicer = CountQuotaSlice::new(vec![one], GreedySlice, ScarcityBehavior::Throw).unwrap();
    let spelled = |name: &str, kind: &str, hint| {
        let kind = ContextKind::new(kind).unwrap();
        named(name).kind(kind).future_relevance_hint(hint).build().unwrap()
    };
    let items = [spelled("kept", "Memory", 0.9), spelled("capped", "MEMORY", 0.5)];
    let pipeline = greedy().slicer(slicer).build().unwrap();
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    let capped = ExclusionReason::CountCapExceeded { kind: "MEMORY".to_owned(), cap: 1, count: 1 };
    assert_eq!(reasons(&report.excluded), [("capped", &capped)]);
}

/// Rule [Exclusion reasons]: reserved reasons are not given by what is built in
#[test]
fn reserved_reasons_are_never_given_by_what_is_built_in() {
    let memory = |name: &str, hint| {
        named(name).kind(ContextKind::memory()).future_relevance_hint(hint).build().unwrap()
    };
    // A cap that cuts a kind off, a requirement that takes room, a score of nothing.
    let items = [
        memory("capped", 0.9),
        memory("kept", 1.0),
        hinted("displaced", 10, 0.0),
        plain("no score"),
    ];
    let capped = QuotaEntry::new(ContextKind::memory(), 0.0, 50.0).unwrap();
    let required = QuotaEntry::new(ContextKind::memory(), 100.0, 100.0).unwrap();
    let knapsack = || Box::new(KnapsackSlice::new(1).unwrap());
    let slicers: [Box<dyn Slicer>; 6] = [
        Box::new(GreedySlice),
        knapsack(),
        Box::new(QuotaSlice::new(vec![capped.clone()], GreedySlice).unwrap()),
        Box::new(QuotaSlice::new(vec![capped], knapsack()).unwrap()),
        Box::new(QuotaSlice::new(vec![required.clone()], GreedySlice).unwrap()),
        Box::new(QuotaSlice::new(vec![required], knapsack()).unwrap()),
    ];
    for slicer in slicers {
        let pipeline = greedy().slicer(slicer).build().unwrap();
        let report = pipeline.dry_run(&items, &budget(20)).unwrap();
        assert!(report.excluded.len() >= 2, "{report:?}");
        for excluded in &report.excluded {
            assert_eq!(excluded.reason.name(), "BudgetExceeded", "{report:?}");
        }
    }
}

/// Rule [Exclusion reasons]: custom strategies may give them
#[test]
fn a_slicer_of_ones_own_may_give_any_reason() {
    /// Keeps nothing below a score of a half.
    struct Threshold;

    impl Slicer for Threshold {
        fn slice(
            &self,
            sorted: &[ScoredItem],
            _budget: &ContextBudget,
        ) -> Result<Vec<ContextItem>, CupelError> {
            let kept = sorted.iter().filter(|scored| scored.score >= 0.5);
            Ok(kept.map(|scored| scored.item.clone()).collect())
        }

        fn select(
            &self,
            candidates: &[Candidate<'_>],
            _budget: &ContextBudget,
            _context: &RunContext,
        ) -> Result<Selection, CupelError> {
            let (kept, low): (Vec<usize>, Vec<usize>) =
                (0..candidates.len()).partition(|at| candidates[*at].score() >= 0.5);
            let too_low = |at: usize| {
                let score = candidates[at].score();
                Refusal::new(at, ExclusionReason::ScoredTooLow { score, threshold: 0.5 })
            };
            let mut selection = Selection::keeping(kept);
            selection.refused = low.into_iter().map(too_low).collect();
            Ok(selection)
        }
    }

    let items = [hinted("low", 10, 0.25), hinted("high", 10, 0.75)];
    let pipeline = greedy().slicer(Threshold).build().unwrap();
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    let too_low = ExclusionReason::ScoredTooLow { score: 0.25, threshold: 0.5 };
    assert_eq!(reasons(&report.excluded), [("low", &too_low)]);
}
