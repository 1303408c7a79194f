//! A report as text that stays the same while the decisions do.
//!
//! Assertions pin down what matters; a snapshot pins down everything and leaves it to a person to
//! judge a change. [`ReportSnapshot`] is made for both ways of keeping one: it displays, so that
//! snapshot tools such as `insta` take it as it is, and it compares itself with a file.
//!
//! ```no_run
//! # let report = cupel::SelectionReport::default();
//! use cupel_testing::ReportSnapshot;
//!
//! // with insta: insta::assert_snapshot!(ReportSnapshot::of(&report));
//! // without:
//! ReportSnapshot::of(&report).assert_matches_file("tests/snapshots/support_bot.txt");
//! ```
//!
//! Run the tests once with [`CUPEL_UPDATE_SNAPSHOTS=1`](UPDATE_VARIABLE) to write the file, and
//! again whenever a change is wanted.

mod file;

pub use file::{SnapshotError, UPDATE_VARIABLE};

use std::cmp::Ordering;
use std::fmt::{self, Write};

use cupel::{ContextItem, SelectionReport};

use crate::describe::{self, joined};
use crate::rank::best_first;

/// A report rendered for comparison.
///
/// It shows every decision and nothing that changes by itself:
///
/// - Durations are left out, and so are item-level events, so that the detail level makes no
///   difference.
/// - Scores have six decimals; platforms may differ in the last bits of a logarithm or a power.
/// - Contents are shortened to 60 characters, on one line.
/// - Included items come in the order of the window.
/// - Excluded items come best score first, by the score as shown. Ties are in order of content,
///   then kind as spelled, tokens and reason, so that it does not matter in which order equally
///   good candidates arrived.
///
/// ```
/// use cupel::{
///     ContextItem, ExcludedItem, ExclusionReason, IncludedItem, InclusionReason, SelectionReport,
/// };
/// use cupel_testing::ReportSnapshot;
///
/// let report = SelectionReport::new(
///     Vec::new(),
///     vec![IncludedItem::new(
///         ContextItem::builder("Can you do Tuesday?", 5).build()?,
///         0.8,
///         InclusionReason::Scored,
///     )],
///     vec![ExcludedItem::new(
///         ContextItem::builder("Hi! Do you repair bikes?", 7).build()?,
///         0.05,
///         ExclusionReason::BudgetExceeded { item_tokens: 7, available_tokens: 2 },
///     )],
///     Vec::new(),
/// );
/// assert_eq!(
///     ReportSnapshot::of(&report).to_string(),
///     r#"candidates: 2 (12 tokens)
///
/// included: 1 (5 tokens)
/// - "Can you do Tuesday?" (Message, 5 tokens) 0.800000 Scored
///
/// excluded: 1 (7 tokens)
/// - "Hi! Do you repair bikes?" (Message, 7 tokens) 0.050000 BudgetExceeded: 7 tokens requested, 2 available
/// "#
/// );
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSnapshot {
    text: String,
}

impl ReportSnapshot {
    /// Renders `report`.
    pub fn of(report: &SelectionReport) -> Self {
        let mut text = String::new();
        render(report, &mut text).expect("writing to a string cannot fail");
        Self { text }
    }

    /// The rendered text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ReportSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn render(report: &SelectionReport, out: &mut String) -> fmt::Result {
    let SelectionReport { total_candidates, total_tokens_considered, .. } = report;
    writeln!(out, "candidates: {total_candidates} ({total_tokens_considered} tokens)")?;
    let stages = report.events.iter().filter(|event| event.message.is_none());
    let stages = joined(stages.map(|event| format!("{} {}", event.stage, event.item_count)));
    if !stages.is_empty() {
        writeln!(out, "stages: {stages}")?;
    }

    let included = report.included.iter().map(|entry| &entry.item);
    writeln!(out, "\nincluded: {}", size(included))?;
    for entry in &report.included {
        Line::new(&entry.item, entry.score, entry.reason.to_string()).write(out)?;
    }

    let excluded = report.excluded.iter().map(|entry| &entry.item);
    writeln!(out, "\nexcluded: {}", size(excluded))?;
    let excluded = report.excluded.iter();
    let mut excluded: Vec<Line<'_>> = excluded
        .map(|entry| Line::new(&entry.item, entry.score, entry.reason.to_string()))
        .collect();
    excluded.sort_by(Line::compare);
    excluded.iter().try_for_each(|line| line.write(out))?;

    if !report.count_requirement_shortfalls.is_empty() {
        writeln!(out, "\nshortfalls:")?;
        for it in &report.count_requirement_shortfalls {
            writeln!(out, "- {}: {} of {}", it.kind, it.satisfied_count, it.required_count)?;
        }
    }
    Ok(())
}

fn size<'a>(items: impl ExactSizeIterator<Item = &'a ContextItem>) -> String {
    let count = items.len();
    let tokens: i128 = items.map(|item| i128::from(item.tokens())).sum();
    format!("{count} ({tokens} tokens)")
}

/// One item's line.
struct Line<'a> {
    item: &'a ContextItem,
    /// As precise as shown, so that the order follows from the text.
    score: f64,
    reason: String,
}

impl<'a> Line<'a> {
    fn new(item: &'a ContextItem, score: f64, reason: String) -> Self {
        let shown = format!("{score:.6}").parse().unwrap_or(score);
        Self { item, score: shown + 0.0, reason } // -0.0 + 0.0 is 0.0
    }

    fn compare(&self, other: &Self) -> Ordering {
        let rest = |line: &Self| (line.item.tokens(), line.reason.clone());
        best_first(self.score, other.score)
            .then_with(|| self.item.content().cmp(other.item.content()))
            .then_with(|| self.item.kind().as_str().cmp(other.item.kind().as_str()))
            .then_with(|| rest(self).cmp(&rest(other)))
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "- {} {:.6} {}", describe::item(self.item), self.score, self.reason)
    }
}
