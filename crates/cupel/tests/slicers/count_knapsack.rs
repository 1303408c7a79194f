//! CountConstrainedKnapsackSlice: counts as in CountQuotaSlice, a knapsack for the rest.

use cupel::{
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountRequirementShortfall, CupelError,
    KnapsackSlice, OverflowStrategy, ScarcityBehavior, Slicer,
};

use crate::fixtures::{
    assert_slicer_config, budget, excluded, hinted_kind, included, kind, max_and_target,
    over_budget, over_cap, plain, scored_kinds, sliced,
};

fn entry(of: &str, require: usize, cap: usize) -> CountQuotaEntry {
    CountQuotaEntry::new(kind(of), require, cap).unwrap()
}

fn with(
    entries: Vec<CountQuotaEntry>,
    scarcity: ScarcityBehavior,
) -> CountConstrainedKnapsackSlice {
    CountConstrainedKnapsackSlice::new(entries, KnapsackSlice::default(), scarcity).unwrap()
}

fn hundreds(entries: Vec<CountQuotaEntry>) -> CountConstrainedKnapsackSlice {
    with(entries, ScarcityBehavior::Degrade)
}

/// Rule [CountConstrainedKnapsackSlice]: no candidates or a target of 0: an empty list, no error, no shortfall
#[test]
fn no_candidates_or_no_target_give_an_empty_list_and_raise_nothing() {
    let slicer = with(vec![entry("Tool", 2, 5)], ScarcityBehavior::Throw);
    assert!(sliced(&slicer, &[], 1000).is_empty());
    let candidates = scored_kinds(&[("Tool", "t", 10, 0.9), ("Tool", "free", 0, 0.9)]);
    assert!(sliced(&slicer, &candidates, 0).is_empty());
}

/// Rule [CountConstrainedKnapsackSlice]: no candidates or a target of 0: an empty list, no error, no shortfall
#[test]
fn no_candidates_or_no_target_record_no_shortfall() {
    let pipeline = plain().slicer(hundreds(vec![entry("Tool", 2, 5)])).build().unwrap();
    let item = [hinted_kind("Tool", "t", 10, 0.9)];
    for (items, budget) in [(&item[..0], budget(100)), (&item[..], max_and_target(100, 0))] {
        let report = pipeline.dry_run(items, &budget).unwrap();
        assert!(report.count_requirement_shortfalls.is_empty() && report.included.is_empty());
    }
}

/// Rule [CountConstrainedKnapsackSlice]: no entries: the knapsack unconstrained, and no guard against it
#[test]
fn without_entries_the_knapsack_decides_alone() {
    let candidates =
        scored_kinds(&[("A", "a", 300, 0.6), ("B", "b", 200, 0.45), ("A", "c", 200, 0.4)]);
    // b and c together are worth more than a; the answer is best first.
    assert_eq!(sliced(&hundreds(Vec::new()), &candidates, 400), ["b", "c"]);
}

/// Rule [CountConstrainedKnapsackSlice]: requireCount = capCount: exactly so many
#[test]
fn a_requirement_equal_to_its_cap_is_exactly_what_there_is() {
    let slicer = hundreds(vec![entry("tool", 1, 1)]);
    let pipeline = plain().slicer(slicer).build().unwrap();
    let items = [hinted_kind("Tool", "a", 100, 0.9), hinted_kind("TOOL", "b", 100, 0.8)];
    let report = pipeline.dry_run(&items, &budget(1000)).unwrap();
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("b", over_cap("TOOL", 1, 1))]);
}

/// Rule [CountConstrainedKnapsackSlice]: requireCount = 0: nothing is committed, the output is capped
#[test]
fn a_cap_without_a_requirement_limits_what_the_knapsack_chose() {
    let candidates = scored_kinds(&[
        ("Tool", "a", 100, 0.9),
        ("Tool", "b", 100, 0.8),
        ("Message", "m", 100, 0.7),
    ]);
    assert_eq!(sliced(&hundreds(vec![entry("Tool", 0, 1)]), &candidates, 300), ["a", "m"]);
}

/// Rule [CountConstrainedKnapsackSlice]: the knapsack's answer is re-sorted by score before the caps
#[test]
fn caps_keep_the_best_although_the_knapsack_answers_last_first() {
    let candidates =
        scored_kinds(&[("Tool", "a", 100, 0.9), ("Tool", "b", 100, 0.8), ("Tool", "c", 100, 0.7)]);
    let slicer = hundreds(vec![entry("Tool", 0, 2)]);
    assert_eq!(sliced(&slicer, &candidates, 300), ["a", "b"]);
}

/// Rule [CountConstrainedKnapsackSlice]: the knapsack's answer is re-sorted by score before the caps
#[test]
fn caps_keep_a_better_item_over_one_that_costs_nothing() {
    // The knapsack names items that cost nothing first.
    let candidates = scored_kinds(&[("Tool", "a", 100, 0.9), ("Tool", "free", 0, 0.8)]);
    assert_eq!(sliced(&hundreds(vec![entry("Tool", 0, 1)]), &candidates, 300), ["a"]);
}

/// Rule [CountConstrainedKnapsackSlice]: the re-sort leaves equal scores in input order (ours)
#[test]
fn of_equally_good_items_caps_keep_the_earlier() {
    let candidates = scored_kinds(&[
        ("Tool", "first", 100, 0.5),
        ("Tool", "second", 100, 0.5),
        ("Tool", "third", 100, 0.5),
    ]);
    assert_eq!(sliced(&hundreds(vec![entry("Tool", 0, 2)]), &candidates, 300), ["first", "second"]);
    // Also where candidates arrive unsorted.
    let unsorted = scored_kinds(&[
        ("Tool", "low", 100, 0.4),
        ("Tool", "zero", 0, 0.0),
        ("Tool", "negative zero", 0, -0.0),
        ("Tool", "high", 100, 0.9),
    ]);
    let order = sliced(&hundreds(Vec::new()), &unsorted, 300);
    assert_eq!(order, ["high", "low", "zero", "negative zero"]);
}

/// Rule [CountConstrainedKnapsackSlice]: kinds compare without ASCII case; committed items seed the counts
#[test]
fn required_items_count_towards_the_cap() {
    let candidates =
        scored_kinds(&[("TOOL", "a", 100, 0.9), ("tool", "b", 100, 0.8), ("Tool", "c", 100, 0.7)]);
    assert_eq!(sliced(&hundreds(vec![entry("Tool", 1, 2)]), &candidates, 300), ["a", "b"]);
}

/// Rule [CountConstrainedKnapsackSlice]: committed items are always included, even beyond the budget
#[test]
fn required_items_are_included_even_beyond_the_budget() {
    let pipeline = plain()
        .slicer(hundreds(vec![entry("Tool", 2, 2)]))
        .overflow_strategy(OverflowStrategy::Proceed)
        .build()
        .unwrap();
    let items = [
        hinted_kind("Tool", "a", 300, 0.9),
        hinted_kind("Tool", "b", 300, 0.8),
        hinted_kind("Message", "free", 0, 0.7),
    ];
    let report = pipeline.dry_run(&items, &budget(500)).unwrap();
    assert_eq!(included(&report), ["a", "b"]);
    assert_eq!(excluded(&report), [("free", over_budget(0, -100))]);
}

/// Rule [CountConstrainedKnapsackSlice]: committed items use up the budget: nothing is added
#[test]
fn when_the_required_items_use_up_the_budget_nothing_is_added() {
    let candidates = scored_kinds(&[
        ("Tool", "a", 500, 0.9),
        ("Message", "m", 1, 0.8),
        ("Message", "free", 0, 0.7),
    ]);
    assert_eq!(sliced(&hundreds(vec![entry("Tool", 1, 1)]), &candidates, 500), ["a"]);
}

/// Rule [CountConstrainedKnapsackSlice]: the knapsack packs what committed items leave, however little that is worth
#[test]
fn the_knapsack_packs_what_the_required_items_leave() {
    // 500 - 150 leave 350 tokens, three whole buckets.
    let candidates = scored_kinds(&[
        ("Tool", "a", 150, 0.9),
        ("Message", "four", 400, 0.8),
        ("Message", "two", 200, 0.5),
        ("Message", "one", 100, 0.4),
    ]);
    let slicer = hundreds(vec![entry("Tool", 1, 1)]);
    assert_eq!(sliced(&slicer, &candidates, 500), ["a", "two", "one"]);
}

/// Rule [CountConstrainedKnapsackSlice]: the knapsack packs what committed items leave, however little that is worth
#[test]
fn a_costly_requirement_may_spoil_the_best_packing() {
    let candidates = scored_kinds(&[
        ("Message", "m1", 200, 0.9),
        ("Message", "m2", 200, 0.8),
        ("Tool", "costly", 300, 0.1),
    ]);
    assert_eq!(sliced(&hundreds(vec![entry("Tool", 1, 1)]), &candidates, 400), ["costly"]);
}

/// Rule [CountConstrainedKnapsackSlice]: what a cap removes is not replaced
#[test]
fn room_that_a_cap_frees_stays_unused() {
    let slicer = hundreds(vec![entry("Tool", 0, 1)]);
    let pipeline = plain().slicer(slicer).build().unwrap();
    let items = [
        hinted_kind("Tool", "a", 100, 0.9),
        hinted_kind("Tool", "b", 100, 0.8),
        hinted_kind("Message", "m", 100, 0.7),
    ];
    let report = pipeline.dry_run(&items, &budget(200)).unwrap();
    assert_eq!(included(&report), ["a"]);
    assert_eq!(excluded(&report), [("b", over_cap("Tool", 1, 1)), ("m", over_budget(100, 100))]);
}

/// Rule [CountConstrainedKnapsackSlice]: kinds without an entry are free
#[test]
fn kinds_without_an_entry_are_neither_required_nor_capped() {
    let candidates = scored_kinds(&[
        ("Message", "m1", 100, 0.9),
        ("Message", "m2", 100, 0.8),
        ("Tool", "t", 100, 0.1),
    ]);
    let slicer = hundreds(vec![entry("Tool", 1, 1)]);
    assert_eq!(sliced(&slicer, &candidates, 300), ["t", "m1", "m2"]);
}

/// Rule [CountConstrainedKnapsackSlice]: fewer candidates than required, Degrade: a shortfall
#[test]
fn too_few_candidates_under_degrade_are_recorded_in_order_of_the_entries() {
    let slicer = hundreds(vec![entry("tool", 3, 5), entry("Memory", 1, 1)]);
    let pipeline = plain().slicer(slicer).build().unwrap();
    let report = pipeline.dry_run(&[hinted_kind("Tool", "t", 100, 0.9)], &budget(1000)).unwrap();
    let short =
        |kind: &str, required, satisfied| CountRequirementShortfall::new(kind, required, satisfied);
    let expected = [short("tool", 3, 1), short("Memory", 1, 0)];
    assert_eq!(report.count_requirement_shortfalls, expected);
}

/// Rule [CountConstrainedKnapsackSlice]: fewer candidates than required, Throw: the prescribed message
#[test]
fn too_few_candidates_under_throw_are_an_error_in_the_prescribed_words() {
    let slicer = with(vec![entry("tool", 3, 5)], ScarcityBehavior::Throw);
    let candidates = scored_kinds(&[("Tool", "t", 100, 0.9)]);
    assert_eq!(
        slicer.slice(&candidates, &budget(1000)).unwrap_err(),
        CupelError::SlicerConfig(
            "CountConstrainedKnapsackSlice: candidate pool for kind 'tool' has 1 items but \
             RequireCount is 3."
                .to_owned()
        )
    );
}

/// Rule [CountConstrainedKnapsackSlice]: a table that is too large is the knapsack's error
#[test]
fn a_table_that_is_too_large_is_refused() {
    // The required item is no candidate of the knapsack; 60,000,000 - 10 tokens are left.
    let slicer = CountConstrainedKnapsackSlice::new(
        vec![entry("Tool", 1, 1)],
        KnapsackSlice::new(1).unwrap(),
        ScarcityBehavior::Degrade,
    )
    .unwrap();
    let candidates = scored_kinds(&[("Tool", "t", 10, 0.9), ("Message", "m", 10, 0.8)]);
    assert_eq!(
        slicer.slice(&candidates, &budget(60_000_000)).unwrap_err(),
        CupelError::TableTooLarge { candidates: 1, capacity: 59_999_990, cells: 59_999_990 }
    );
    assert_eq!(sliced(&slicer, &candidates, 50_000_010), ["t", "m"]);
}

/// Rule [CountConstrainedKnapsackSlice]: configuration is validated
#[test]
fn configuration_is_checked_as_in_the_other_count_slicer() {
    assert_slicer_config(CountQuotaEntry::new(kind("Tool"), 4, 3), &["Tool", "(4)", "(3)"]);
    assert_slicer_config(CountQuotaEntry::new(kind("Tool"), 1, 0), &["Tool", "(1)", "(0)"]);
    let twice = vec![entry("Tool", 0, 1), entry("tool", 0, 2)];
    let degrade = ScarcityBehavior::Degrade;
    assert_slicer_config(
        CountConstrainedKnapsackSlice::new(twice, KnapsackSlice::default(), degrade),
        &["tool", "two entries"],
    );
    let slicer = hundreds(vec![entry("B", 1, 2), entry("A", 0, 0)]);
    assert_eq!(slicer.entries(), [entry("B", 1, 2), entry("A", 0, 0)]);
    assert_eq!(slicer.scarcity(), degrade);
}

/// Rule [CountConstrainedKnapsackSlice]: it reports itself as a count quota
#[test]
fn it_says_that_it_counts() {
    assert!(hundreds(Vec::new()).is_count_quota());
}
