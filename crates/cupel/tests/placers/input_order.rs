//! As in the input.

use cupel::{
    ContextBudget, ContextItem, GreedySlice, InputOrderPlacer, OverflowStrategy, Pipeline, Placer,
    ReflexiveScorer, ScoredItem,
};

fn item(content: &str, hint: f64) -> cupel::ContextItemBuilder {
    ContextItem::builder(content, 1).future_relevance_hint(hint)
}

fn window(items: &[ContextItem], tokens: i64) -> Vec<String> {
    let pipeline = Pipeline::builder()
        .scorer(ReflexiveScorer)
        .slicer(GreedySlice)
        .placer(InputOrderPlacer)
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let budget = ContextBudget::builder(tokens).build().unwrap();
    let window = pipeline.run(items, &budget).unwrap();
    window.iter().map(|item| item.content().to_owned()).collect()
}

#[test]
fn neither_scores_nor_times_nor_pins_move_anything() {
    let later = "2025-06-01T10:00:00Z".parse().unwrap();
    let earlier = "2025-06-01T09:00:00Z".parse().unwrap();
    let items = [
        item("a", 0.1).timestamp(later).build().unwrap(),
        item("b", 0.9).build().unwrap(),
        item("c", 0.5).timestamp(earlier).build().unwrap(),
        item("d", 0.0).pinned(true).build().unwrap(),
    ];
    assert_eq!(window(&items, 9), ["a", "b", "c", "d"]);
    assert_eq!(window(&items, 3), ["b", "c", "d"]);
}

#[test]
fn members_of_a_unit_stand_where_the_input_had_them() {
    let items = [
        item("call", 0.9).group("g").build().unwrap(),
        item("between", 0.5).build().unwrap(),
        item("result", 0.1).group("g").build().unwrap(),
        item("after", 0.4).build().unwrap(),
    ];
    assert_eq!(window(&items, 9), ["call", "between", "result", "after"]);
    assert_eq!(window(&items, 2), ["between", "after"]);
}

#[test]
fn by_hand_it_returns_what_it_is_given() {
    let scored: Vec<ScoredItem> = [("a", 0.1), ("b", 0.9)]
        .map(|(content, score)| ScoredItem { item: item(content, score).build().unwrap(), score })
        .into();
    let placed = InputOrderPlacer.place(&scored);
    assert!(placed.iter().zip(&scored).all(|(placed, it)| placed.is_same_instance(&it.item)));
    assert!(InputOrderPlacer.keeps_input_order());
}
