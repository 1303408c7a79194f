//! A budget as a bar.

use std::fmt::Write;

use anstyle::Style;
use cupel::{ContextBudget, SelectionReport};

use super::Palette;

/// The whole of `max_tokens` as a bar: the window by kind, what is free, what is kept for the
/// answer.
pub(crate) fn budget_bar(
    report: &SelectionReport,
    budget: &ContextBudget,
    columns: usize,
) -> String {
    let dim = Palette::PEOPLE.dim;
    let items = report.included.iter().map(|it| (Palette::kind(it.item.kind()), it.item.tokens()));
    let used: i128 = items.clone().map(|(_, tokens)| i128::from(tokens)).sum();
    let max = i128::from(budget.max_tokens()).max(used).max(1);
    let answer_from = i128::from(budget.max_tokens() - budget.output_reserve());

    let mut bar = String::new();
    let (mut items, mut until, mut style) = (items, 0_i128, Style::new());
    for cell in 0..columns as i128 {
        // The cell stands for the token in its middle.
        let token = (2 * cell + 1) * max / (2 * columns as i128);
        while until <= token {
            let Some((next, tokens)) = items.next() else { break };
            (style, until) = (next, until + i128::from(tokens));
        }
        let _ = if token < used {
            write!(bar, "{style}█{style:#}")
        } else if token < answer_from {
            write!(bar, "{dim}░{dim:#}")
        } else {
            write!(bar, "{dim}▒{dim:#}")
        };
    }
    bar
}

#[cfg(test)]
mod tests {
    use cupel::{ContextItem, IncludedItem, InclusionReason};

    use super::*;

    fn bar(used: i64, max: i64, reserve: i64) -> String {
        let item = ContextItem::builder("x", used).build().unwrap();
        let included = vec![IncludedItem::new(item, 1.0, InclusionReason::Scored)];
        let report = SelectionReport::new(vec![], included, vec![], vec![]);
        let budget = ContextBudget::builder(max).output_reserve(reserve).build().unwrap();
        anstream::adapter::strip_str(&budget_bar(&report, &budget, 10)).to_string()
    }

    #[test]
    fn a_bar_shows_what_is_used_free_and_kept() {
        assert_eq!(bar(50, 100, 20), "█████░░░▒▒");
        assert_eq!(bar(0, 100, 0), "░░░░░░░░░░");
        assert_eq!(bar(100, 100, 0), "██████████");
    }

    #[test]
    fn no_budget_breaks_it() {
        assert_eq!(bar(0, 0, 0), "▒▒▒▒▒▒▒▒▒▒");
        assert_eq!(bar(i64::MAX, i64::MAX, 0), "██████████");
        assert_eq!(bar(40, 10, 10), "██████████");
    }
}
