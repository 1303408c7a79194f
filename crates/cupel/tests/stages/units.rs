//! What shares a group is one unit, from Classify to the report.

use std::sync::{Arc, Mutex};

use cupel::{
    ContextBudget, ContextItem, CountQuotaEntry, CountQuotaSlice, CupelError, ExclusionReason,
    GreedySlice, InclusionReason, InputOrderPlacer, KnapsackSlice, OverflowStrategy, QuotaEntry,
    QuotaSlice, RankSlice, ScarcityBehavior, ScoredItem, Slicer, UShapedPlacer,
};

use crate::fixtures::custom::TakeAll;
use crate::fixtures::{
    budget, contents, displaced_by, excluded, group_broken, grouped, hinted, hinted_builder,
    included, kind, max_and_target, over_budget, over_cap, pinned, plain,
};

fn window(items: &[ContextItem], tokens: i64) -> Vec<String> {
    let window = plain().build().unwrap().run(items, &budget(tokens)).unwrap();
    window.iter().map(|item| item.content().to_owned()).collect()
}

/// Keeps what it is given, and chooses nothing.
#[derive(Default)]
struct Seeing(Mutex<Vec<ScoredItem>>);

impl Slicer for Seeing {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        *self.0.lock().unwrap() = sorted.to_vec();
        Ok(Vec::new())
    }
}

/// What a slicer of one method is given of these items.
fn given(items: &[ContextItem]) -> Vec<ScoredItem> {
    let slicer = Arc::new(Seeing::default());
    let pipeline = plain().slicer(slicer.clone()).build().unwrap();
    pipeline.run(items, &budget(100)).unwrap();
    let given = slicer.0.lock().unwrap();
    given.clone()
}

#[test]
fn a_unit_is_in_whole_or_out_whole_in_every_slicer() {
    let items =
        [grouped("g", "call", 10, 0.9), hinted("other", 10, 0.5), grouped("g", "result", 30, 0.8)];
    let quotas = vec![QuotaEntry::new(kind("Message"), 0.0, 100.0).unwrap()];
    let counts = vec![CountQuotaEntry::new(kind("Note"), 0, 1).unwrap()];
    let slicers: Vec<Arc<dyn Slicer>> = vec![
        Arc::new(GreedySlice),
        Arc::new(RankSlice::default()),
        Arc::new(KnapsackSlice::new(1).unwrap()),
        Arc::new(KnapsackSlice::adaptive()),
        Arc::new(QuotaSlice::new(quotas, GreedySlice).unwrap()),
        Arc::new(CountQuotaSlice::new(counts, GreedySlice, ScarcityBehavior::Degrade).unwrap()),
    ];
    for slicer in slicers {
        let pipeline = plain().slicer(slicer).placer(InputOrderPlacer).build().unwrap();
        let at = |tokens| pipeline.run(&items, &budget(tokens)).unwrap();
        assert_eq!(contents(&at(39)), ["other"]);
        assert_eq!(contents(&at(50)), ["call", "other", "result"]);
    }
}

#[test]
fn a_custom_slicer_of_one_method_sees_a_unit_as_one_item() {
    let items = [
        hinted_builder("small", 5, 0.2).group("g").kind(kind("Call")).build().unwrap(),
        hinted("alone", 7, 0.5),
        hinted_builder("large", 30, 0.9).group("g").kind(kind("Result")).build().unwrap(),
        hinted_builder("as large", 30, 0.1).group("g").kind(kind("Note")).build().unwrap(),
    ];
    let given = given(&items);
    assert_eq!(given.len(), 2);
    let unit = &given[0];
    assert_eq!((unit.item.tokens(), unit.score), (65, 0.9));
    // That of the member with most tokens, the earlier of equals.
    assert_eq!(unit.item.kind(), &kind("Result"));
    assert_eq!(contents(unit.item.members()), ["small", "large", "as large"]);
    assert_eq!(unit.item.group(), Some("g"));
    assert!(given[1].item.is_same_instance(&items[1]) && given[1].item.members().is_empty());
}

#[test]
fn the_score_of_a_unit_is_the_best_of_its_members_and_nan_is_the_lowest() {
    use cupel_testing::generate::RawHintScorer;
    let slicer = Arc::new(Seeing::default());
    let pipeline = plain().scorer(RawHintScorer).slicer(slicer.clone()).build().unwrap();
    let items = [
        grouped("g", "a", 1, f64::NAN),
        grouped("g", "b", 1, -3.0),
        grouped("h", "c", 1, f64::NAN),
        grouped("h", "d", 1, f64::NAN),
    ];
    pipeline.run(&items, &budget(9)).unwrap();
    let given = slicer.0.lock().unwrap();
    assert_eq!(given[0].score, -3.0);
    assert!(given[1].score.is_nan());
}

#[test]
fn a_unit_stands_where_its_earliest_member_does_and_its_members_are_adjacent_in_input_order() {
    let dated = |content: &str, hour: u32| {
        let time = format!("2025-06-01T{hour:02}:00:00Z").parse().unwrap();
        hinted_builder(content, 1, 0.5).timestamp(time)
    };
    let items = [
        dated("result", 12).group("g").build().unwrap(),
        dated("between", 10).build().unwrap(),
        dated("call", 9).group("g").build().unwrap(),
        grouped("g", "undated", 1, 0.5),
    ];
    assert_eq!(window(&items, 100), ["result", "call", "undated", "between"]);
}

#[test]
fn members_stay_adjacent_at_both_ends_of_a_u() {
    let items = [
        grouped("best", "b1", 1, 0.9),
        grouped("second", "s1", 1, 0.8),
        hinted("middle", 1, 0.1),
        grouped("best", "b2", 1, 0.2),
        grouped("second", "s2", 1, 0.2),
    ];
    let pipeline = plain().placer(UShapedPlacer).build().unwrap();
    let window = pipeline.run(&items, &budget(9)).unwrap();
    assert_eq!(contents(&window), ["b1", "b2", "middle", "s1", "s2"]);
}

#[test]
fn a_group_of_one_is_a_plain_item() {
    let alone = grouped("g", "alone", 10, 0.5);
    let given = given(std::slice::from_ref(&alone));
    assert!(given[0].item.is_same_instance(&alone) && given[0].item.members().is_empty());
}

#[test]
fn group_names_are_compared_byte_by_byte() {
    // Composed and decomposed, another case, a space more: five groups of one.
    let names = ["caf\u{e9}", "cafe\u{301}", "Caf\u{e9}", "caf\u{e9} ", "\u{feff}caf\u{e9}"];
    let items: Vec<_> = names.iter().map(|name| grouped(name, name, 10, 0.5)).collect();
    assert_eq!(given(&items).len(), 5);
}

#[test]
fn a_handle_given_twice_is_in_its_unit_twice() {
    let twice = grouped("g", "twice", 10, 0.5);
    let items = [twice.clone(), twice];
    assert_eq!(window(&items, 19), [""; 0]);
    assert_eq!(window(&items, 20), ["twice", "twice"]);
}

#[test]
fn a_pinned_member_pins_its_unit() {
    let pin = hinted_builder("pin", 5, 0.1).group("g").pinned(true).build().unwrap();
    let items = [hinted("best", 10, 0.9), grouped("g", "unpinned", 10, 0.3), pin];
    let report = plain().build().unwrap().dry_run(&items, &budget(20)).unwrap();
    assert_eq!(included(&report), ["unpinned", "pin"]);
    for entry in &report.included {
        assert_eq!((entry.reason, entry.score), (InclusionReason::Pinned, 0.0));
    }
    assert_eq!(excluded(&report), [("best", over_budget(10, 5))]);
}

#[test]
fn pinned_units_that_do_not_fit_are_an_error_of_all_their_tokens() {
    let pin = hinted_builder("pin", 5, 0.1).group("g").pinned(true).build().unwrap();
    let items = [pin, grouped("g", "with it", 10, 0.3)];
    let refused = plain().build().unwrap().run(&items, &budget(14)).unwrap_err();
    let expected = CupelError::PinnedExceedsBudget { pinned_tokens: 15, available: 14 };
    assert_eq!(refused, expected);
}

#[test]
fn a_member_with_negative_tokens_takes_its_unit_out_and_says_so() {
    let pin = hinted_builder("pin", 5, 0.1).group("g").pinned(true).build().unwrap();
    let items = [
        grouped("g", "good", 5, 0.9),
        grouped("g", "bad", -3, 0.9),
        hinted("other", 5, 0.5),
        pin,
        grouped("g", "worse", -4, 0.9),
    ];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["other"]);
    let negative = |tokens| ExclusionReason::NegativeTokens { tokens };
    assert_eq!(
        excluded(&report),
        [
            ("good", group_broken("g", -3)),
            ("bad", negative(-3)),
            ("pin", group_broken("g", -3)),
            ("worse", negative(-4)),
        ]
    );
    assert_eq!(
        group_broken("g", -3).to_string(),
        "GroupBroken: another member of \"g\" has -3 tokens"
    );
}

#[test]
fn a_unit_repeats_another_only_if_all_contents_do_in_order() {
    let items = [
        grouped("1", "call", 1, 0.5),
        grouped("1", "ok", 1, 0.5),
        grouped("2", "call", 1, 0.5),
        grouped("2", "failed", 1, 0.5),
        grouped("3", "ok", 1, 0.5),
        grouped("3", "call", 1, 0.5),
        hinted("call", 1, 0.5),
        grouped("4", "call", 1, 0.5),
        grouped("4", "ok", 1, 0.6),
    ];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["call", "ok", "call", "failed", "ok", "call", "call"]);
    // The fourth unit has the best member of the two that are equal.
    let out: Vec<_> = report.excluded.iter().map(|it| it.item.group()).collect();
    assert_eq!(out, [Some("1"); 2]);
    let repeats =
        |content: &str| ExclusionReason::Deduplicated { deduplicated_against: content.to_owned() };
    assert_eq!(excluded(&report), [("call", repeats("call")), ("ok", repeats("ok"))]);
}

#[test]
fn a_group_of_one_repeats_a_plain_item() {
    let items = [hinted("same", 1, 0.5), grouped("g", "same", 1, 0.4)];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["same"]);
    assert_eq!(report.excluded[0].item.group(), Some("g"));
}

#[test]
fn exclusions_carry_the_tokens_of_the_unit_and_the_score_of_the_member() {
    let items = [hinted("in", 15, 0.9), grouped("g", "a", 10, 0.8), grouped("g", "b", 20, 0.1)];
    let report = plain().build().unwrap().dry_run(&items, &budget(20)).unwrap();
    assert_eq!(excluded(&report), [("a", over_budget(30, 5)), ("b", over_budget(30, 5))]);
    assert_eq!(report.excluded.iter().map(|it| it.score).collect::<Vec<_>>(), [0.8, 0.1]);
    assert_eq!((report.total_candidates, report.total_tokens_considered), (3, 45));
}

#[test]
fn included_members_have_their_own_scores_and_indices() {
    let items = [grouped("g", "a", 1, 0.8), hinted("b", 1, 0.5), grouped("g", "c", 0, 0.1)];
    let report = plain().build().unwrap().dry_run(&items, &budget(9)).unwrap();
    let entries: Vec<_> =
        report.included.iter().map(|it| (it.index.unwrap(), it.score, it.reason)).collect();
    // A member that costs nothing is in for its unit's score like the others.
    let scored = InclusionReason::Scored;
    assert_eq!(entries, [(0, 0.8, scored), (2, 0.1, scored), (1, 0.5, scored)]);
}

#[test]
fn quotas_count_a_unit_once_for_the_kind_of_its_largest_member() {
    let tool = |group: &str, content: &str, hint| {
        hinted_builder(content, 20, hint).group(group).kind(kind("Tool")).build().unwrap()
    };
    let items = [
        tool("1", "result 1", 0.9),
        grouped("1", "call 1", 1, 0.9),
        tool("2", "result 2", 0.8),
        grouped("2", "call 2", 1, 0.8),
    ];
    let entries = vec![CountQuotaEntry::new(kind("Tool"), 0, 1).unwrap()];
    let slicer = CountQuotaSlice::new(entries, GreedySlice, ScarcityBehavior::Degrade).unwrap();
    let report = plain().slicer(slicer).build().unwrap().dry_run(&items, &budget(99)).unwrap();
    assert_eq!(included(&report), ["result 1", "call 1"]);
    assert_eq!(excluded(&report), ["result 2", "call 2"].map(|it| (it, over_cap("Tool", 1, 1))));
}

#[test]
fn truncation_removes_units() {
    let items = [
        pinned("p", 10),
        grouped("g", "a", 20, 0.9),
        hinted("b", 10, 0.5),
        grouped("g", "c", 25, 0.4),
    ];
    let pipeline = plain().slicer(TakeAll).overflow_strategy(OverflowStrategy::Truncate);
    let report = pipeline.build().unwrap().dry_run(&items, &max_and_target(99, 50)).unwrap();
    assert_eq!(included(&report), ["p", "b"]);
    assert_eq!(excluded(&report), [("a", displaced_by("p")), ("c", displaced_by("p"))]);
}

#[test]
fn a_blank_group_is_refused_and_what_to_do_instead_is_said() {
    for blank in ["", " ", "\t\n", "\u{a0}"] {
        let refused = ContextItem::builder("a", 1).group(blank).build().unwrap_err();
        assert_eq!(refused, CupelError::EmptyGroup);
    }
    let message = CupelError::EmptyGroup.to_string();
    assert!(message.contains("leave the group out"), "{message}");
}
