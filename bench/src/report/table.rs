//! For a terminal.

use std::fmt::Write;

use super::Report;
use crate::gates::{self, Verdict};
use crate::measure::{Cell, Operation};

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for operation in Operation::ALL {
        let _ = writeln!(
            out,
            "{}\n{:>10}{:>11}{:>11}{:>11}   {:<28}{:<10}times the floor",
            operation.name(),
            "items",
            "ours",
            "published",
            "floor",
            "times faster [quartiles]",
            "gate"
        );
        let mut cells: Vec<&Cell> =
            report.cells.iter().filter(|cell| cell.operation == operation).collect();
        cells.sort_by_key(|cell| (cell.setup.letter(), cell.size));
        for cell in cells {
            let _ = writeln!(out, "{}", row(cell));
        }
        out.push('\n');
    }
    for growth in report.growth() {
        let most = growth.gate.map(|most| format!("at most {most}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "growth of {} {:<8} exponent {:.2}  {most} {}",
            growth.setup,
            growth.operation.name(),
            growth.exponent,
            mark(growth.verdict())
        );
    }
    for (size, times) in &report.c_of_a {
        let most = gates::C_AGAINST_A;
        let verdict = super::at_most(times.median, most);
        let _ = writeln!(
            out,
            "c at {size} items: {:.1} times our own a  at most {most} {}",
            times.median,
            mark(Some(verdict))
        );
    }
    let _ = write!(out, "\n{} of {} gates missed", report.misses(), report.gates());
    out
}

fn row(cell: &Cell) -> String {
    let mut row = format!("{}{:>9}{:>11}", cell.setup, cell.size, duration(cell.ours));
    let published = cell.published.map_or("-".to_owned(), |peer| duration(peer.seconds));
    let _ = write!(row, "{published:>11}{:>11}   ", duration(cell.floor));
    let faster = cell.published.map_or(String::new(), |peer| {
        let faster = peer.faster;
        format!(
            "{:>8}  [{} .. {}]",
            number(faster.median),
            number(faster.lower),
            number(faster.upper)
        )
    });
    let gate = gates::against_published(cell.setup, cell.size).filter(|_| cell.published.is_some());
    let gate = gate.map(|gate| format!("{gate} {}", mark(cell.verdict()))).unwrap_or_default();
    let _ = write!(row, "{faster:<28}{gate:<10}{:>5.2}", cell.of_floor.median);
    row.truncate(row.trim_end().len());
    row
}

fn mark(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Met) => "✓",
        Some(Verdict::Missed) => "✗",
        None => "",
    }
}

/// Three digits where they matter.
pub(super) fn number(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{} µs", number(seconds * 1e6)),
        seconds if seconds < 1.0 => format!("{} ms", number(seconds * 1e3)),
        seconds => format!("{} s", number(seconds)),
    }
}
