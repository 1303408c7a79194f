//! What stands where.

use cupel::{
    ContextBudget, ContextItem, ContextKind, GreedySlice, Pipeline, ReflexiveScorer, UShapedPlacer,
};
use cupel_testing::SelectionReportAssertions;

use crate::support::{failure, including, including_scores, nothing};

/// Rule [Testing vocabulary]: PlaceItemAtEdge: the first or the last item of the window satisfies the predicate
#[test]
fn place_item_at_edge_holds_at_both_ends() {
    let report = including(&[("SystemPrompt", 0.0), ("Document", 0.5), ("Message", 0.9)]);
    report
        .should()
        .place_item_at_edge(|entry| *entry.item.kind() == ContextKind::system_prompt())
        .place_item_at_edge(|entry| *entry.item.kind() == ContextKind::message());
}

#[test]
fn the_only_item_is_at_the_edge() {
    including_scores(&[0.5]).should().place_item_at_edge(|entry| entry.score == 0.5);
}

/// Rule [Testing vocabulary]: PlaceItemAtEdge: any match will do, not only the first (ours)
#[test]
fn place_item_at_edge_holds_when_only_a_later_match_is_at_the_edge() {
    including_scores(&[0.1, 0.9, 0.2, 0.9]).should().place_item_at_edge(|entry| entry.score == 0.9);
}

#[test]
fn place_item_at_edge_fails_on_an_empty_window() {
    assert_eq!(
        failure(&nothing(), |it| it.place_item_at_edge(|_| true)),
        "PlaceItemAtEdge failed: no item in Included matched the predicate."
    );
}

#[test]
fn place_item_at_edge_fails_when_the_predicate_matches_nothing() {
    assert_eq!(
        failure(&including_scores(&[0.5, 0.4]), |it| it.place_item_at_edge(|_| false)),
        "PlaceItemAtEdge failed: no item in Included matched the predicate."
    );
}

/// Rule [Testing vocabulary]: PlaceItemAtEdge: the first or the last item of the window satisfies the predicate
#[test]
fn place_item_at_edge_names_the_first_match_elsewhere() {
    assert_eq!(
        failure(&including_scores(&[0.1, 0.2, 0.9, 0.9, 0.3]), |it| it
            .place_item_at_edge(|entry| entry.score == 0.9)),
        "PlaceItemAtEdge failed: item matching predicate was at index 2 (not at edge). Edge \
         positions: 0 and 4. Included had 5 items."
    );
}

#[test]
fn an_equal_score_at_the_edge_does_not_make_up_for_the_position() {
    assert_eq!(
        failure(&including_scores(&[0.9, 0.9, 0.9]), |it| it
            .place_item_at_edge(|entry| entry.item.content() == "item 1")),
        "PlaceItemAtEdge failed: item matching predicate was at index 1 (not at edge). Edge \
         positions: 0 and 2. Included had 3 items."
    );
}

/// Rule [Testing vocabulary]: PlaceTopNScoredAtEdges: the n best at the n outermost positions
#[test]
fn place_top_n_scored_at_edges_holds_for_a_u_shape() {
    let report = including_scores(&[0.9, 0.7, 0.5, 0.4, 0.6, 0.8]);
    for n in 0..=6 {
        report.should().place_top_n_scored_at_edges(n);
    }
}

#[test]
fn place_top_n_scored_at_edges_holds_for_windows_of_the_u_shaped_placer() {
    let items = [0.3, 0.8, 0.1, 0.8, 0.5, 0.9, 0.2].map(|hint| {
        ContextItem::builder(format!("{hint}"), 1).future_relevance_hint(hint).build().unwrap()
    });
    let pipeline = Pipeline::builder()
        .scorer(Box::new(ReflexiveScorer))
        .slicer(Box::new(GreedySlice))
        .placer(Box::new(UShapedPlacer))
        .deduplication(false)
        .build()
        .unwrap();
    let report = pipeline.dry_run(&items, &ContextBudget::builder(7).build().unwrap()).unwrap();
    for n in 0..=7 {
        report.should().place_top_n_scored_at_edges(n);
    }
}

#[test]
fn the_order_among_the_edges_is_not_looked_at() {
    including_scores(&[0.8, 0.1, 0.2, 0.9]).should().place_top_n_scored_at_edges(2);
}

#[test]
fn zero_at_the_edges_holds_for_any_window() {
    nothing().should().place_top_n_scored_at_edges(0);
    including_scores(&[0.1, 0.9, 0.1]).should().place_top_n_scored_at_edges(0);
}

#[test]
fn all_items_are_at_the_edges_of_their_own_window() {
    including_scores(&[0.1, 0.9, 0.5]).should().place_top_n_scored_at_edges(3);
}

/// Rule [Testing vocabulary]: PlaceTopNScoredAtEdges: among equal scores at the last position any will do
#[test]
fn any_item_with_the_score_of_the_last_place_will_do() {
    // Third best is 0.5, four times over; only two of those can be at the three edges.
    including_scores(&[0.5, 0.5, 0.5, 0.5, 0.9]).should().place_top_n_scored_at_edges(3);
    including_scores(&[0.9, 0.1, 0.5, 0.5]).should().place_top_n_scored_at_edges(2);
}

/// Rule [Testing vocabulary]: PlaceTopNScoredAtEdges: among equal scores at the last position any will do
#[test]
fn a_tie_at_the_last_place_does_not_excuse_a_better_item_elsewhere() {
    assert_eq!(
        failure(&including_scores(&[0.5, 0.9, 0.5, 0.5]), |it| it.place_top_n_scored_at_edges(2)),
        "PlaceTopNScoredAtEdges(2) failed: 1 of the top-2 scored items were not at expected edge \
         positions. Top-2 items (by score): [(kind=Message, score=0.9, idx=1), (kind=Message, \
         score=0.5, idx=0)]. Expected edge positions: [0, 3]."
    );
}

/// Rule [Testing vocabulary]: PlaceTopNScoredAtEdges: the n best at the n outermost positions
#[test]
fn place_top_n_scored_at_edges_names_items_and_positions() {
    let report = including(&[
        ("Message", 0.25),
        ("Document", 0.75),
        ("Memory", 1.0),
        ("Message", 0.5),
        ("ToolOutput", 0.125),
        ("SystemPrompt", 0.875),
    ]);
    assert_eq!(
        failure(&report, |it| it.place_top_n_scored_at_edges(4)),
        "PlaceTopNScoredAtEdges(4) failed: 2 of the top-4 scored items were not at expected edge \
         positions. Top-4 items (by score): [(kind=Memory, score=1, idx=2), (kind=SystemPrompt, \
         score=0.875, idx=5), (kind=Document, score=0.75, idx=1), (kind=Message, score=0.5, \
         idx=3)]. Expected edge positions: [0, 5, 1, 4]."
    );
}

#[test]
fn nan_is_never_among_the_best_while_there_are_numbers() {
    including_scores(&[0.0, f64::NAN, -1.0]).should().place_top_n_scored_at_edges(2);
    assert_eq!(
        failure(&including_scores(&[f64::NAN, 0.5, f64::NAN]), |it| it
            .place_top_n_scored_at_edges(1)),
        "PlaceTopNScoredAtEdges(1) failed: 1 of the top-1 scored items were not at expected edge \
         positions. Top-1 items (by score): [(kind=Message, score=0.5, idx=1)]. Expected edge \
         positions: [0]."
    );
}

#[test]
fn place_top_n_scored_at_edges_fails_on_an_empty_window() {
    assert_eq!(
        failure(&nothing(), |it| it.place_top_n_scored_at_edges(2)),
        "PlaceTopNScoredAtEdges(2) failed: 2 of the top-2 scored items were not at expected edge \
         positions. Top-2 items (by score): []. Expected edge positions: []. Included had 0 items, \
         fewer than 2."
    );
}

#[test]
fn place_top_n_scored_at_edges_fails_when_there_are_fewer_items() {
    assert_eq!(
        failure(&including_scores(&[0.5, 0.75]), |it| it.place_top_n_scored_at_edges(5)),
        "PlaceTopNScoredAtEdges(5) failed: 3 of the top-5 scored items were not at expected edge \
         positions. Top-5 items (by score): [(kind=Message, score=0.75, idx=1), (kind=Message, \
         score=0.5, idx=0)]. Expected edge positions: [0, 1]. Included had 2 items, fewer than 5."
    );
}
