//! Tables of items.

use std::fmt::Write;

use cupel::ContextItem;

use super::{Palette, count, excerpt, grouped};
use crate::input::Candidates;

/// One line of a table of items.
pub(super) struct Row<'a> {
    /// Its place in the input, from 1.
    pub(super) number: usize,
    pub(super) score: String,
    pub(super) note: String,
    pub(super) item: &'a ContextItem,
}

/// A table of items by their place in the input, without scores.
pub(crate) fn item_table(candidates: &Candidates, positions: &[usize], width: usize) -> String {
    let row = |position: &usize| {
        let (score, note) = (String::new(), String::new());
        Row { number: position + 1, score, note, item: &candidates.items()[*position] }
    };
    let mut text = String::new();
    let _ = table(&mut text, &positions.iter().map(row).collect::<Vec<_>>(), "", width);
    text
}

/// Writes the rows in columns; a column that is empty throughout is left out.
pub(super) fn table(
    text: &mut String,
    rows: &[Row<'_>],
    note: &str,
    width: usize,
) -> std::fmt::Result {
    let widest = |heading: &str, cell: &dyn Fn(&Row<'_>) -> usize| {
        let filled = rows.iter().map(cell).max().unwrap_or(0);
        if filled == 0 { 0 } else { filled.max(heading.len()) }
    };
    let chars = |text: &str| text.chars().count();
    let numbers = widest("#", &|row| chars(&count(row.number)));
    let tokens = widest("tokens", &|row| chars(&grouped(row.item.tokens())));
    let scores = widest("score", &|row| chars(&row.score));
    let notes = widest(note, &|row| chars(&row.note));
    let kinds = widest("kind", &|row| chars(row.item.kind().as_str()).min(16));
    let columns = [numbers, tokens, scores, notes, kinds];
    let taken: usize = columns.iter().filter(|width| **width > 0).map(|width| width + 2).sum();
    let contents = width.saturating_sub(taken + 2).max(20);

    let dim = Palette::PEOPLE.dim;
    let column = |text: &str, width: usize| match width {
        0 => String::new(),
        width => format!("  {text:>width$}"),
    };
    writeln!(
        text,
        "{dim}{}{}{}{}  {:<kinds$}  content{dim:#}",
        column("#", numbers),
        column("tokens", tokens),
        column("score", scores),
        column(note, notes),
        "kind",
    )?;
    for row in rows {
        let style = Palette::kind(row.item.kind());
        writeln!(
            text,
            "{dim}{}{dim:#}{}{}{}  {style}{:<kinds$}{style:#}  {}",
            column(&count(row.number), numbers),
            column(&grouped(row.item.tokens()), tokens),
            column(&row.score, scores),
            column(&row.note, notes),
            excerpt(row.item.kind().as_str(), 16),
            excerpt(row.item.content(), contents),
        )?;
    }
    Ok(())
}
