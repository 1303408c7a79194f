//! Lines in the margin of a table that join rows.

use std::collections::{HashMap, HashSet};

/// More units that cross each other than this are not told apart; those beyond are not drawn.
const MOST_LANES: usize = 3;

/// What stands before each row, and below it where a row takes several lines.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Margin {
    pub(super) beside: String,
    pub(super) below: String,
}

/// The margins of rows that each belong to a unit, or to none. Rows of one unit are joined by a line, past other rows
/// if need be. Without units there is no margin.
pub(super) fn margins(units: &[Option<usize>]) -> Vec<Margin> {
    let spans = spans(units);
    let lanes = spans.iter().map(|span| span.lane + 1).max().unwrap_or(0);
    let margin = |row: usize| {
        let mut beside = vec![' '; lanes];
        let mut below = vec![' '; lanes];
        for span in spans.iter().filter(|span| (span.first..=span.last).contains(&row)) {
            let is_member = units[row] == Some(span.unit);
            beside[span.lane] = match row {
                row if row == span.first => '┌',
                row if row == span.last => '└',
                _ if is_member => '├',
                _ => '│',
            };
            below[span.lane] = if row == span.last { ' ' } else { '│' };
        }
        Margin { beside: beside.into_iter().collect(), below: below.into_iter().collect() }
    };
    (0..units.len()).map(margin).collect()
}

/// From where to where a unit reaches, and in which lane its line is drawn.
struct Span {
    unit: usize,
    first: usize,
    last: usize,
    lane: usize,
}

/// The units that have at least two rows, in the order of their first.
fn spans(units: &[Option<usize>]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    // Where the line in each lane ends.
    let mut until: [Option<usize>; MOST_LANES] = [None; MOST_LANES];
    let mut last_of = HashMap::new();
    for (row, unit) in units.iter().enumerate() {
        last_of.insert(*unit, row);
    }
    let mut seen = HashSet::new();
    for (first, unit) in units.iter().enumerate() {
        let Some(unit) = *unit else { continue };
        let last = last_of[&Some(unit)];
        if !seen.insert(unit) || last == first {
            continue;
        }
        let free = until.iter().position(|end| end.is_none_or(|end| end < first));
        let Some(lane) = free else { continue };
        until[lane] = Some(last);
        spans.push(Span { unit, first, last, lane });
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(units: &[Option<usize>]) -> Vec<String> {
        margins(units).into_iter().map(|margin| margin.beside).collect()
    }

    #[test]
    fn rows_of_a_unit_are_joined_past_others() {
        let units = [None, Some(4), Some(4), None, Some(4), Some(7)];
        assert_eq!(drawn(&units), [" ", "┌", "├", "│", "└", " "]);
        let below: Vec<_> = margins(&units).into_iter().map(|margin| margin.below).collect();
        assert_eq!(below, [" ", "│", "│", "│", " ", " "]);
    }

    #[test]
    fn units_that_cross_have_lanes_of_their_own() {
        let units = [Some(1), Some(2), Some(1), Some(2), Some(3), Some(3)];
        assert_eq!(drawn(&units), ["┌ ", "│┌", "└│", " └", "┌ ", "└ "]);
        let many = [1, 2, 3, 4, 1, 2, 3, 4].map(Some);
        assert_eq!(drawn(&many)[3], "│││", "the fourth is not drawn");
    }

    #[test]
    fn without_units_there_is_no_margin() {
        assert_eq!(drawn(&[None, Some(1), Some(2)]), ["", "", ""]);
    }
}
