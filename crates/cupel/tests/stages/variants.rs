//! What is too long is taken in a shorter form: at most one, the richest that fits.

use cupel::{
    ContextBudget, ContextItem, CountQuotaEntry, CountQuotaSlice, CupelError, GreedySlice,
    InclusionReason, ItemVariant, KnapsackSlice, OverflowStrategy, RankSlice, ScarcityBehavior,
    ScoredItem, SelectionReport, Shortened, Slicer,
};

use crate::fixtures::custom::{SliceBy, TakeAll};
use crate::fixtures::{
    budget, contents, excluded, hinted, hinted_builder, hinted_kind, included, kind,
    max_and_target, over_budget, plain, variants, with_forms,
};

fn dry_run(slicer: impl Slicer + 'static, items: &[ContextItem], tokens: i64) -> SelectionReport {
    plain().slicer(slicer).build().unwrap().dry_run(items, &budget(tokens)).unwrap()
}

fn pinned_with_forms(content: &str, tokens: i64, shorter: &[i64]) -> ContextItem {
    let builder = ContextItem::builder(content, tokens).pinned(true);
    builder.variants(variants(content, shorter)).build().unwrap()
}

#[test]
fn greedy_and_rank_take_the_richest_form_that_fits_at_its_turn() {
    let items = [hinted("first", 10, 0.9), with_forms("long", 50, 0.5, &[30, 12, 3])];
    for (tokens, form) in [(60, "long"), (59, "long 30"), (39, "long 12"), (21, "long 3")] {
        let expected = ["first", form];
        assert_eq!(included(&dry_run(GreedySlice, &items, tokens)), expected);
        assert_eq!(included(&dry_run(RankSlice::default(), &items, tokens)), expected);
    }
    assert_eq!(included(&dry_run(GreedySlice, &items, 12)), ["first"]);
}

#[test]
fn the_order_of_trial_is_by_the_whole_not_by_the_form() {
    // Per token of its short form "long" would be first.
    let items = [with_forms("long", 50, 0.5, &[1]), hinted("short", 10, 0.4)];
    assert_eq!(included(&dry_run(GreedySlice, &items, 10)), ["short"]);
    assert_eq!(included(&dry_run(RankSlice::default(), &items, 10)), ["long 1"]);
}

#[test]
fn what_is_placed_is_the_form_and_it_knows_the_whole() {
    let long = hinted_builder("long", 50, 0.5)
        .kind(kind("Tool"))
        .priority(3)
        .metadata_entry("id", "7")
        .variants(variants("long", &[30, 12]))
        .build()
        .unwrap();
    let report = dry_run(GreedySlice, std::slice::from_ref(&long), 20);
    let entry = &report.included[0];
    assert_eq!((entry.item.content(), entry.item.tokens()), ("long 12", 12));
    assert_eq!(entry.item.original_tokens(), Some(50));
    assert!(entry.item.variants().is_empty());
    assert_eq!(entry.item.kind(), &kind("Tool"));
    assert_eq!((entry.item.priority(), entry.item.metadata()["id"].as_str()), (Some(3), "7"));
    assert_eq!(entry.shortened, Some(Shortened::new(2, 2, 38)));
    assert_eq!((entry.score, entry.whole_tokens()), (0.5, 50));
    assert_eq!(report.total_tokens_considered, 50);
    assert!(!entry.item.is_same_instance(&long) && entry.item.whole().is_same_instance(&long));
    assert!(long.whole().is_same_instance(&long));
}

#[test]
fn an_item_that_fits_is_whole_and_the_same_instance() {
    let items = [with_forms("long", 50, 0.5, &[30])];
    let report = dry_run(GreedySlice, &items, 50);
    assert!(report.included[0].item.is_same_instance(&items[0]));
    assert_eq!(report.included[0].shortened, None);
}

#[test]
fn what_fits_in_no_form_is_out_with_the_tokens_of_the_whole() {
    let items = [with_forms("long", 50, 0.5, &[30, 20])];
    let report = dry_run(GreedySlice, &items, 15);
    assert_eq!(excluded(&report), [("long", over_budget(50, 15))]);
    assert!(report.excluded[0].item.is_same_instance(&items[0]));
}

#[test]
fn a_form_that_costs_nothing_is_scored_not_free() {
    let items = [hinted("first", 10, 0.9), with_forms("long", 50, 0.5, &[0])];
    for slicer in [KnapsackSlice::new(1).unwrap(), KnapsackSlice::adaptive()] {
        let report = dry_run(slicer, &items, 10);
        assert_eq!(included(&report), ["first", "long 0"]);
        assert_eq!(report.included[1].reason, InclusionReason::Scored);
    }
    // Worth nothing, but nothing is what it costs.
    let worthless = [hinted("first", 10, 0.9), with_forms("long", 50, 0.0, &[0])];
    assert_eq!(included(&dry_run(KnapsackSlice::new(1).unwrap(), &worthless, 10))[1], "long 0");
    // Of no target nothing is taken.
    assert!(included(&dry_run(GreedySlice, &items, 0)).is_empty());
}

#[test]
fn a_knapsack_that_fills_up_prefers_a_fuller_form_to_an_empty_one() {
    // Neither is worth 0.0001, so nothing is packed, and there is room.
    let items = [with_forms("worthless", 50, 0.0, &[0])];
    assert_eq!(included(&dry_run(KnapsackSlice::adaptive(), &items, 60)), ["worthless"]);
}

#[test]
fn the_knapsack_trades_forms_against_each_other() {
    let long = |content: &str| {
        let half = ItemVariant::new(format!("half {content}"), 5).with_worth(0.8);
        hinted_builder(content, 10, 1.0).variant(half).build().unwrap()
    };
    // One whole is worth 1.0, two halves 1.6.
    let items = [long("a"), long("b")];
    let report = dry_run(KnapsackSlice::new(1).unwrap(), &items, 10);
    assert_eq!(included(&report), ["half a", "half b"]);
    // The default is the root of the share: 5 of 10 tokens keep 0.71.
    let items = [with_forms("a", 10, 1.0, &[5]), with_forms("b", 10, 0.4, &[5])];
    let report = dry_run(KnapsackSlice::new(1).unwrap(), &items, 10);
    assert_eq!(included(&report), ["a"]);
}

#[test]
fn a_unit_has_levels_where_each_member_is_in_its_own_form_or_its_last() {
    let member = |content: &str, tokens, shorter: &[i64]| {
        let builder = hinted_builder(content, tokens, 0.5).group("g");
        builder.variants(variants(content, shorter)).build().unwrap()
    };
    let items = [member("a", 40, &[20, 10]), member("b", 30, &[5]), member("c", 2, &[])];
    for (tokens, expected) in [
        (72, ["a", "b", "c"]),
        (71, ["a 20", "b 5", "c"]),
        (27, ["a 20", "b 5", "c"]),
        (26, ["a 10", "b 5", "c"]),
        (17, ["a 10", "b 5", "c"]),
    ] {
        assert_eq!(included(&dry_run(GreedySlice, &items, tokens)), expected, "{tokens}");
    }
    let report = dry_run(GreedySlice, &items, 16);
    assert_eq!(excluded(&report), ["a", "b", "c"].map(|it| (it, over_budget(72, 16))));
    let shortened: Vec<_> =
        dry_run(GreedySlice, &items, 20).included.iter().map(|it| it.shortened).collect();
    let of = |form, forms, saved| Some(Shortened::new(form, forms, saved));
    assert_eq!(shortened, [of(2, 2, 30), of(1, 1, 25), None]);
}

#[test]
fn the_worth_of_a_level_counts_members_by_their_tokens() {
    // At level 1 the unit is worth (30 * 1 + 10 * 0.2) / 40 = 0.8 of its score, for 32 tokens.
    let shrinking = hinted_builder("b", 10, 1.0)
        .group("g")
        .variant(ItemVariant::new("b short", 2).with_worth(0.2))
        .build()
        .unwrap();
    let steady = hinted_builder("a", 30, 1.0).group("g").build().unwrap();
    let rival = |hint| hinted("rival", 8, hint);
    let window = |rival| {
        let items = [steady.clone(), shrinking.clone(), rival];
        let report = dry_run(KnapsackSlice::new(1).unwrap(), &items, 40);
        included(&report).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    // 0.8 + 0.21 is more than 1, 0.8 + 0.19 is less.
    assert_eq!(window(rival(0.21)), ["a", "b short", "rival"]);
    assert_eq!(window(rival(0.19)), ["a", "b"]);
}

#[test]
fn required_items_are_in_the_richest_form_that_fits_or_the_shortest() {
    let tool = |content: &str, hint| {
        let builder = hinted_builder(content, 40, hint).kind(kind("Tool"));
        builder.variants(variants(content, &[25, 10])).build().unwrap()
    };
    let items = [tool("a", 0.9), tool("b", 0.8), hinted_kind("Note", "note", 4, 0.1)];
    let required = || {
        let entries = vec![CountQuotaEntry::new(kind("Tool"), 2, 2).unwrap()];
        CountQuotaSlice::new(entries, GreedySlice, ScarcityBehavior::Degrade).unwrap()
    };
    assert_eq!(included(&dry_run(required(), &items, 84)), ["a", "b", "note"]);
    assert_eq!(included(&dry_run(required(), &items, 70)), ["a", "b 25", "note"]);
    assert_eq!(included(&dry_run(required(), &items, 36)), ["a 25", "b 10"]);
    // The best is served first, and the next is required in whatever is left.
    let pipeline = plain().slicer(required()).build().unwrap();
    let refused = pipeline.run(&items, &budget(30)).unwrap_err();
    assert_eq!(refused, CupelError::Overflow { merged_tokens: 35, target_tokens: 30 });
}

#[test]
fn a_custom_slicer_leaves_its_rest_to_shorter_forms_best_first() {
    // It takes nothing but what it is told.
    let only = |content: &'static str| {
        SliceBy(move |sorted: &[ScoredItem]| {
            let chosen = sorted.iter().filter(|it| it.item.content() == content);
            chosen.map(|it| it.item.clone()).collect()
        })
    };
    let items = [
        hinted("plain", 10, 0.9),
        with_forms("better", 50, 0.8, &[20, 5]),
        with_forms("worse", 50, 0.7, &[20, 5]),
        with_forms("worst", 50, 0.6, &[20, 1]),
    ];
    let report = dry_run(only("plain"), &items, 36);
    assert_eq!(included(&report), ["plain", "better 20", "worse 5", "worst 1"]);
    // Whole forms are for it to choose.
    assert_eq!(included(&dry_run(only("none"), &items[1..2], 99)), ["better 20"]);
}

#[test]
fn a_custom_slicer_may_pass_on_what_another_returns() {
    /// Asks the greedy slicer, by its plain method.
    struct Delegating;
    impl Slicer for Delegating {
        fn slice(
            &self,
            sorted: &[ScoredItem],
            budget: &ContextBudget,
        ) -> Result<Vec<ContextItem>, CupelError> {
            GreedySlice.slice(sorted, budget)
        }
    }
    let member = |content: &str| {
        let builder = hinted_builder(content, 20, 0.8).group("g");
        builder.variants(variants(content, &[5])).build().unwrap()
    };
    let items =
        [hinted("first", 10, 0.9), with_forms("long", 50, 0.5, &[30]), member("a"), member("b")];
    for tokens in [10, 20, 49, 50, 80, 100] {
        let [greedy, delegating] =
            [dry_run(GreedySlice, &items, tokens), dry_run(Delegating, &items, tokens)];
        assert_eq!(included(&greedy), included(&delegating), "{tokens}");
    }
}

#[test]
fn truncation_takes_a_shorter_form_that_fits() {
    let items = [hinted("first", 10, 0.9), with_forms("long", 50, 0.5, &[30, 12])];
    let pipeline = plain().slicer(TakeAll).overflow_strategy(OverflowStrategy::Truncate);
    let window = pipeline.build().unwrap().run(&items, &budget(25)).unwrap();
    assert_eq!(contents(&window), ["first", "long 12"]);
}

#[test]
fn pinned_items_shrink_the_one_that_saves_most_first_and_no_further_than_needed() {
    let items = [
        pinned_with_forms("a", 20, &[10]),
        pinned_with_forms("b", 100, &[60, 40, 10]),
        pinned_with_forms("c", 100, &[10, 5]),
    ];
    let pipeline = plain().build().unwrap();
    for (tokens, expected) in [
        (220, ["a", "b", "c"]),
        // c can save 95, b 90.
        (219, ["a", "b", "c 10"]),
        (130, ["a", "b", "c 10"]),
        (129, ["a", "b", "c 5"]),
        (124, ["a", "b 60", "c 5"]),
        (80, ["a", "b 40", "c 5"]),
        (35, ["a", "b 10", "c 5"]),
        (25, ["a 10", "b 10", "c 5"]),
    ] {
        let window = pipeline.run(&items, &budget(tokens)).unwrap();
        assert_eq!(contents(&window), expected, "{tokens}");
    }
    let refused = pipeline.run(&items, &budget(24)).unwrap_err();
    let expected = CupelError::PinnedExceedsBudget { pinned_tokens: 25, available: 24 };
    assert_eq!(refused, expected);
}

#[test]
fn pinned_items_shrink_into_the_target_and_are_refused_beyond_the_maximum_only() {
    let items = [pinned_with_forms("p", 100, &[60])];
    let pipeline = plain().build().unwrap();
    assert_eq!(contents(&pipeline.run(&items, &max_and_target(200, 90)).unwrap()), ["p 60"]);
    // Beyond the target even then: as with any pinned items.
    let beyond = pipeline.run(&items, &max_and_target(200, 50)).unwrap_err();
    assert_eq!(beyond, CupelError::Overflow { merged_tokens: 60, target_tokens: 50 });
}

#[test]
fn of_equal_savings_the_earlier_shrinks() {
    let items = [pinned_with_forms("a", 20, &[10]), pinned_with_forms("b", 20, &[10])];
    let window = plain().build().unwrap().run(&items, &budget(35)).unwrap();
    assert_eq!(contents(&window), ["a 10", "b"]);
}
