//! For `docs/performance.md`.

use std::fmt::Write;

use super::Report;
use super::table::number;
use crate::gates::{self, Verdict};
use crate::measure::{Cell, Operation};
use crate::setup::Setup;

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for operation in Operation::ALL {
        let title = format!("`{}`: times faster than the published crate", operation.name());
        matrix(report, operation, &title, &mut out, |cell| {
            let faster = number(cell.published?.faster.median);
            Some(match gates::against_published(cell.setup, cell.size) {
                Some(gate) => format!("{} ({gate})", emphasis(&faster, cell.verdict())),
                None => faster,
            })
        });
    }
    matrix(report, Operation::Run, "`run`: times the floor", &mut out, |cell| {
        Some(format!("{:.2}", cell.of_floor.median))
    });
    let _ = writeln!(
        out,
        "| growth exponent up to 10,000 | {} |",
        Operation::ALL.map(Operation::name).join(" | ")
    );
    out.push_str("|---|---|---|\n");
    for setup in Setup::ALL {
        let exponents = report.growth().into_iter().filter(|growth| growth.setup == setup);
        let cells: Vec<String> = exponents
            .map(|growth| emphasis(&format!("{:.2}", growth.exponent), growth.verdict()))
            .collect();
        if !cells.is_empty() {
            let _ = writeln!(out, "| {setup} | {} |", cells.join(" | "));
        }
    }
    for (size, times) in &report.c_of_a {
        let most = gates::C_AGAINST_A;
        let times = format!("{:.1}", times.median);
        let _ =
            writeln!(out, "\nc takes {times} times our own a at {size} items (at most {most}).");
    }
    let _ = write!(out, "\n{} of {} gates are missed.", report.misses(), report.gates());
    out
}

/// A row per pipeline and a column per size, as far as anything was measured.
fn matrix(
    report: &Report,
    operation: Operation,
    title: &str,
    out: &mut String,
    text: impl Fn(&Cell) -> Option<String>,
) {
    let mut sizes: Vec<usize> = report.cells.iter().map(|cell| cell.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let names: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let _ =
        writeln!(out, "| {title} | {} |\n|---|{}", names.join(" | "), "---|".repeat(sizes.len()));
    for setup in Setup::ALL {
        let cells: Vec<Option<String>> = sizes
            .iter()
            .map(|size| {
                let wanted = |cell: &&Cell| {
                    (cell.setup, cell.operation, cell.size) == (setup, operation, *size)
                };
                report.cells.iter().find(wanted).and_then(&text)
            })
            .collect();
        if cells.iter().any(Option::is_some) {
            let cells: Vec<String> = cells.into_iter().map(Option::unwrap_or_default).collect();
            let _ = writeln!(out, "| {setup} | {} |", cells.join(" | "));
        }
    }
    out.push('\n');
}

/// Bold where a gate is missed.
fn emphasis(text: &str, verdict: Option<Verdict>) -> String {
    match verdict {
        Some(Verdict::Missed) => format!("**{text}**"),
        _ => text.to_owned(),
    }
}
