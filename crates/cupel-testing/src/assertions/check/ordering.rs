//! What stands where.

use cupel::{IncludedItem, SelectionReport};

use super::{Outcome, SelectionReportAssertionError, ensure, joined};
use crate::rank::best_first;

pub(in crate::assertions) fn place_item_at_edge(
    report: &SelectionReport,
    predicate: impl Fn(&IncludedItem) -> bool,
) -> Outcome {
    let included = &report.included;
    let at_edge = [included.first(), included.last()].into_iter().flatten().any(&predicate);
    ensure(at_edge, || {
        let finding = match included.iter().position(&predicate) {
            Some(at) => format!(
                "item matching predicate was at index {at} (not at edge). Edge positions: 0 and \
                 {}. Included had {} items.",
                included.len() - 1,
                included.len(),
            ),
            None => "no item in Included matched the predicate.".to_owned(),
        };
        SelectionReportAssertionError::new(
            "PlaceItemAtEdge",
            "an included item matching the predicate at the first or the last position",
            finding,
        )
    })
}

pub(in crate::assertions) fn place_top_n_scored_at_edges(
    report: &SelectionReport,
    n: usize,
) -> Outcome {
    let included = &report.included;
    let edges: Vec<usize> = edge_positions(included.len()).take(n).collect();
    let mut is_inside = vec![true; included.len()];
    for &at in &edges {
        is_inside[at] = false;
    }
    // Of equal scores any may take the last edges, so those already there are counted first.
    let mut top: Vec<usize> = (0..included.len()).collect();
    top.sort_by(|&a, &b| {
        best_first(included[a].score, included[b].score)
            .then_with(|| is_inside[a].cmp(&is_inside[b]))
    });
    top.truncate(n);

    let missing = n - top.len();
    let misplaced = top.iter().filter(|at| is_inside[**at]).count();
    ensure(missing + misplaced == 0, || {
        let top = top.iter().map(|&at| {
            let IncludedItem { item, score, .. } = &included[at];
            format!("(kind={}, score={score}, idx={at})", item.kind())
        });
        let mut finding = format!(
            "{} of the top-{n} scored items were not at expected edge positions. Top-{n} items (by \
             score): [{}]. Expected edge positions: [{}].",
            missing + misplaced,
            joined(top),
            joined(&edges),
        );
        if missing > 0 {
            let count = included.len();
            finding.push_str(&format!(" Included had {count} items, fewer than {n}."));
        }
        SelectionReportAssertionError::new(
            "PlaceTopNScoredAtEdges",
            format!("the top-{n} scored items at the {n} outermost positions"),
            finding,
        )
        .called_with(n)
    })
}

/// First, last, second, second to last, and so on until every position is named.
fn edge_positions(count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |nth| if nth % 2 == 0 { nth / 2 } else { count - 1 - nth / 2 })
}
