//! Runs keep groups whole, and the check would notice if they did not.

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, GreedySlice, InputOrderPlacer, ItemVariant,
    Pipeline, Placer, ReflexiveScorer, ScoredItem, UShapedPlacer,
};
use cupel_testing::laws::{assert_run, check_run};

fn pipeline(placer: impl Placer + 'static) -> Pipeline {
    let builder = Pipeline::builder().scorer(ReflexiveScorer).slicer(GreedySlice);
    builder.placer(placer).build().unwrap()
}

fn member(content: &str, group: &str, hint: f64) -> ContextItem {
    let builder = ContextItem::builder(content, 10).group(group).future_relevance_hint(hint);
    builder.variant(ItemVariant::new("in short", 4)).build().unwrap()
}

#[test]
fn runs_with_any_placer_keep_groups_whole() {
    /// Worst first.
    struct Reversed;
    impl Placer for Reversed {
        fn place(&self, items: &[ScoredItem]) -> Vec<ContextItem> {
            items.iter().rev().map(|it| it.item.clone()).collect()
        }
    }
    let items = [
        member("call a", "a", 0.9),
        member("call b", "b", 0.8),
        member("result a", "a", 0.1),
        member("result b", "b", 0.2),
    ];
    let pipelines = [
        pipeline(ChronologicalPlacer),
        pipeline(UShapedPlacer),
        pipeline(InputOrderPlacer),
        pipeline(Reversed),
    ];
    for tokens in [0, 8, 20, 28, 40] {
        let budget = ContextBudget::builder(tokens).build().unwrap();
        for pipeline in &pipelines {
            assert_run(pipeline, &items, &budget);
        }
    }
}

#[test]
fn a_run_that_fails_has_nothing_to_check() {
    let pinned = ContextItem::builder("pinned", 50).pinned(true).build().unwrap();
    let budget = ContextBudget::builder(10).build().unwrap();
    assert_eq!(check_run(&pipeline(UShapedPlacer), &[pinned], &budget), Ok(()));
}
