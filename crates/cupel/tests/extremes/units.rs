//! A hundred thousand members, a hundred thousand groups, a thousand variants each, units beyond `i64`.

use cupel::{
    ContextBudget, ContextItem, ContextItemBuilder, CupelError, GreedySlice, InputOrderPlacer,
    ItemVariant, KnapsackSlice, OverflowStrategy, Pipeline, RankSlice, ReflexiveScorer, Slicer,
};

use crate::{budget, check, every_pipeline, tokens};

const MANY: usize = 100_000;

fn item(at: usize) -> ContextItemBuilder {
    let hint = (at * 77_773 % MANY) as f64 / MANY as f64;
    ContextItem::builder(format!("{at}"), 1 + (at % 7) as i64).future_relevance_hint(hint)
}

fn items(group: impl Fn(usize) -> String) -> Vec<ContextItem> {
    (0..MANY).map(|at| item(at).group(group(at)).build().unwrap()).collect()
}

fn pipeline(slicer: impl Slicer + 'static) -> Pipeline {
    let builder = Pipeline::builder().scorer(ReflexiveScorer).slicer(slicer);
    builder.placer(InputOrderPlacer).build().unwrap()
}

/// Half of what they need.
fn half_of(items: &[ContextItem]) -> ContextBudget {
    budget(i64::try_from(tokens(items) / 2).unwrap())
}

fn check_all(name: &str, items: &[ContextItem], budget: &ContextBudget) -> Vec<usize> {
    let slicers: [Pipeline; 3] = [
        pipeline(GreedySlice),
        pipeline(RankSlice::default()),
        pipeline(KnapsackSlice::adaptive()),
    ];
    let throw = OverflowStrategy::Throw;
    let included = |pipeline: &Pipeline| check(name, pipeline, throw, items, budget).unwrap();
    slicers.iter().map(|pipeline| included(pipeline).included.len()).collect()
}

#[test]
fn a_hundred_thousand_items_in_one_group_are_in_or_out() {
    let items = items(|_| "all".to_owned());
    assert_eq!(check_all("one group", &items, &half_of(&items)), [0; 3]);
    let all = budget(i64::try_from(tokens(&items)).unwrap());
    assert_eq!(check_all("one group", &items, &all), [MANY; 3]);
}

#[test]
fn a_hundred_thousand_groups_of_one_are_as_many_items() {
    let grouped = items(|at| format!("{at}"));
    let plain: Vec<_> = (0..MANY).map(|at| item(at).build().unwrap()).collect();
    let half = half_of(&plain);
    let counts = check_all("groups of one", &grouped, &half);
    assert_eq!(counts, check_all("no groups", &plain, &half));
    assert!(counts.iter().all(|count| *count > MANY / 3));
}

#[test]
fn fifty_thousand_pairs_whose_halves_lie_far_apart_are_kept_whole() {
    let items = items(|at| format!("{}", at % (MANY / 2)));
    for count in check_all("pairs", &items, &half_of(&items)) {
        assert!(count % 2 == 0 && count > MANY / 3, "{count}");
    }
}

#[test]
fn groups_named_alike_in_other_unicode_forms_are_other_groups() {
    // One name, composed and decomposed at each of sixteen letters: 65,536 spellings.
    let spelling = |at: usize| -> String {
        (0..16).map(|bit| if at >> bit & 1 == 0 { "\u{e9}" } else { "e\u{301}" }).collect()
    };
    let items = items(|at| spelling(at % 65_536));
    let report = pipeline(RankSlice::default()).dry_run(&items, &half_of(&items)).unwrap();
    // Those of the second round share a group with one of the first.
    let pairs = report.included.iter().filter(|entry| {
        let index = entry.index.unwrap();
        !(MANY - 65_536..65_536).contains(&index)
    });
    assert_eq!(pairs.count() % 2, 0);
    assert!(report.included.len() > MANY / 3);
}

#[test]
fn a_thousand_variants_on_each_of_a_thousand_items_are_chosen_among() {
    let with_forms = |at: usize| {
        let variants = (0..1_000).rev().map(|tokens| ItemVariant::new("in short", tokens));
        ContextItem::builder(format!("{at}"), 1_000 + at as i64)
            .future_relevance_hint(at as f64 / 1_000.0)
            .variants(variants)
            .build()
            .unwrap()
    };
    let items: Vec<_> = (0..1_000).map(with_forms).collect();
    let half = half_of(&items);
    for count in check_all("variants", &items, &half) {
        // A form of nothing is always had.
        assert_eq!(count, 1_000);
    }
    let guarded = pipeline(KnapsackSlice::new(1).unwrap()).run(&items, &half);
    assert!(matches!(guarded, Err(CupelError::TableTooLarge { candidates: 1_001_000, .. })));

    let group: Vec<_> = items
        .iter()
        .map(|item| {
            let builder = ContextItem::builder(item.content(), item.tokens()).group("all");
            builder.variants(item.variants().iter().cloned()).build().unwrap()
        })
        .collect();
    for count in check_all("variants in a group", &group, &half) {
        assert_eq!(count, 1_000);
    }
}

#[test]
fn units_of_more_tokens_than_an_integer_holds_are_in_no_window() {
    let member = |content: &str, pinned: bool| {
        let builder = ContextItem::builder(content, i64::MAX).group("beyond").pinned(pinned);
        builder.future_relevance_hint(1.0).build().unwrap()
    };
    let small = ContextItem::builder("small", 5).future_relevance_hint(0.1).build().unwrap();
    let items = [member("a", false), small.clone(), member("b", false)];
    let pinned = [member("a", false), small, member("b", true)];
    for budget in [budget(i64::MAX), budget(10)] {
        every_pipeline(|name, pipeline, overflow| {
            let holds = |result: Result<cupel::SelectionReport, CupelError>| match result {
                Ok(report) if overflow != OverflowStrategy::Proceed => {
                    let is_small = |it: &cupel::IncludedItem| it.item.content() == "small";
                    assert!(report.included.iter().all(is_small), "{name}");
                }
                Ok(_) | Err(CupelError::TableTooLarge { .. } | CupelError::Overflow { .. }) => {}
                Err(other) => panic!("{name}: {other}"),
            };
            holds(check(name, pipeline, overflow, &items, &budget));
            let refused = check(name, pipeline, overflow, &pinned, &budget).unwrap_err();
            let available = budget.max_tokens();
            let expected = CupelError::PinnedExceedsBudget { pinned_tokens: i64::MAX, available };
            assert_eq!(refused, expected, "{name}");
        });
    }
}

#[test]
fn pinned_units_beyond_an_integer_shrink_no_further_than_needed() {
    let member = |content: &str| {
        let builder = ContextItem::builder(content, i64::MAX).group("beyond").pinned(true);
        let variant = |tokens| ItemVariant::new(format!("{content} {tokens}"), tokens);
        builder.variants([i64::MAX - 1, 10, 5].map(variant)).build().unwrap()
    };
    let items = [member("a"), member("b")];
    let window = |tokens| {
        let window = pipeline(GreedySlice).run(&items, &budget(tokens)).unwrap();
        window.iter().map(|item| item.content().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(window(i64::MAX), ["a 10", "b 10"]);
    assert_eq!(window(20), ["a 10", "b 10"]);
    assert_eq!(window(19), ["a 5", "b 5"]);
}
