//! A replay in a table.

use std::fmt::Write;

use super::eval::{Cells, table};
use super::{Palette, excerpt, grouped, plural, wrapped};
use crate::replayed::{Replayed, Run};

/// A replay for the terminal.
pub(crate) fn replay_text(replayed: &Replayed, width: usize) -> String {
    let mut text = String::new();
    let _ = write_text(&mut text, replayed, width);
    text
}

fn write_text(text: &mut String, replayed: &Replayed, width: usize) -> std::fmt::Result {
    let Palette { strong, dim, .. } = Palette::PEOPLE;
    let name = excerpt(&replayed.name, width.min(60));
    let line = format!("{strong}{name}{strong:#} {}", replay_about(replayed));
    writeln!(text, "{}", wrapped(&line, width, 2))?;
    let line = format!("{dim}{}{dim:#}", replay_prices(replayed));
    writeln!(text, "{}\n", wrapped(&line, width, 2))?;
    table(text, &cells(replayed), width)?;
    for run in &replayed.runs {
        if let Some(why) = &run.outcomes.stopped {
            writeln!(text, "{}", wrapped(&format!("{} stopped at {why}", run.label), width, 2))?;
        }
    }
    Ok(())
}

/// What was replayed, in a line.
pub(crate) fn replay_about(replayed: &Replayed) -> String {
    format!(
        "for {}: {}, {} tokens a turn at most",
        replayed.model,
        plural(replayed.turns, "turn"),
        grouped(replayed.budget)
    )
}

/// What costs are counted in.
pub(crate) fn replay_prices(replayed: &Replayed) -> String {
    let multiple = |thousandths: i64| format!("{}", thousandths as f64 / 1_000.0);
    let source = match &replayed.prices_as_of {
        Some(date) => format!("as of {date}"),
        None => "as given".to_owned(),
    };
    format!(
        "cost in plain input tokens: {} times as much when read from the cache, {} when written to it ({source})",
        multiple(replayed.price.read),
        multiple(replayed.price.write)
    )
}

/// What stands under each heading, strategy by strategy.
pub(crate) fn replay_cells(replayed: &Replayed, run: &Run) -> Vec<String> {
    let outcomes = &run.outcomes;
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    let none = || "-".to_owned();
    vec![
        if outcomes.stopped.is_some() { none() } else { grouped(outcomes.cost().round() as i64) },
        replayed.cheaper(run).map_or_else(none, |times| format!("{times:.1}x")),
        percent(outcomes.share_read()),
        outcomes.cuts().to_string(),
        outcomes.evidence_kept().map_or_else(none, percent),
    ]
}

/// The headings over them.
pub(crate) const REPLAY_HEADINGS: [&str; 5] =
    ["cost", "cheaper", "read from cache", "cuts", "evidence kept"];

fn cells(replayed: &Replayed) -> Cells {
    let head = std::iter::once(String::new()).chain(REPLAY_HEADINGS.map(str::to_owned)).collect();
    let rows = replayed.runs.iter().map(|run| {
        std::iter::once(excerpt(&run.label, 40)).chain(replay_cells(replayed, run)).collect()
    });
    std::iter::once(head).chain(rows).collect()
}
