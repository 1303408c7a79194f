//! Tables of items.

use std::fmt::Write;

use cupel::ContextItem;

use super::margin::{Margin, margins};
use super::{Palette, columns_of, count, excerpt, grouped, left, right, wrapped};
use crate::input::Candidates;

/// One line of a table of items.
pub(super) struct Row<'a> {
    /// Its place in the input, from 1.
    pub(super) number: usize,
    /// What stands between the item's tokens and its kind, one for each heading.
    pub(super) cells: Vec<String>,
    pub(super) item: &'a ContextItem,
    /// The unit it is a member of, if it does not stand alone.
    pub(super) unit: Option<usize>,
}

/// The least room for contents that is worth a column.
const LEAST_CONTENT: usize = 16;
const WIDEST_KIND: usize = 16;

/// A table of items by their place in the input, each with its cells under `headings`.
pub(crate) fn item_table(
    candidates: &Candidates,
    headings: &[&str],
    rows: &[(usize, Vec<String>)],
    width: usize,
) -> String {
    let row = |(position, cells): &(usize, Vec<String>)| Row {
        number: position + 1,
        cells: cells.clone(),
        item: &candidates.items()[*position],
        unit: candidates.units().unit(*position),
    };
    let headings: Vec<_> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    let mut text = String::new();
    let _ = table(&mut text, &headings, &rows.iter().map(row).collect::<Vec<_>>(), width);
    text
}

/// Writes the rows in columns; a column that is empty throughout is left out. Where there is no room
/// for contents beside the other columns, they stand below them. Members of a unit are joined in the margin. No rows
/// are no table.
pub(super) fn table(
    text: &mut String,
    headings: &[String],
    rows: &[Row<'_>],
    width: usize,
) -> std::fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    let columns = columns(headings, rows);
    let margins = margins(&rows.iter().map(|row| row.unit).collect::<Vec<_>>());
    let margin = columns_of(&margins[0].beside);
    let kinds = rows.iter().map(|row| columns_of(&kind(row))).max().unwrap_or(0).max(4);
    let taken: usize = columns.iter().map(|column| column.width + 2).sum();
    let beside = width.saturating_sub(margin + taken + kinds + 4);
    if beside >= LEAST_CONTENT {
        in_columns(text, &columns, rows, &margins, kinds, beside)
    } else {
        stacked(text, &columns, rows, &margins, width - margin)
    }
}

/// A column of numbers and the like, as wide as its widest cell.
struct Column {
    heading: String,
    cells: Vec<String>,
    width: usize,
}

fn columns(headings: &[String], rows: &[Row<'_>]) -> Vec<Column> {
    let column = |heading: &str, cell: &dyn Fn(&Row<'_>) -> String| {
        let cells: Vec<_> = rows.iter().map(cell).collect();
        let filled = cells.iter().map(|cell| columns_of(cell)).max().unwrap_or(0);
        let width = if filled == 0 { 0 } else { filled.max(columns_of(heading)) };
        Column { heading: heading.to_owned(), cells, width }
    };
    let mut columns = vec![
        column("#", &|row| count(row.number)),
        column("tokens", &|row| grouped(row.item.tokens())),
    ];
    for (at, heading) in headings.iter().enumerate() {
        columns.push(column(heading, &|row| row.cells.get(at).cloned().unwrap_or_default()));
    }
    columns.retain(|column| column.width > 0);
    columns
}

fn kind(row: &Row<'_>) -> String {
    excerpt(row.item.kind().as_str(), WIDEST_KIND)
}

fn in_columns(
    text: &mut String,
    columns: &[Column],
    rows: &[Row<'_>],
    margins: &[Margin],
    kinds: usize,
    contents: usize,
) -> std::fmt::Result {
    let dim = Palette::PEOPLE.dim;
    let headings = line(columns, |column| &column.heading);
    let before = " ".repeat(columns_of(&margins[0].beside));
    writeln!(text, "{dim}{before}{headings}  {}  content{dim:#}", left("kind", kinds))?;
    for (at, row) in rows.iter().enumerate() {
        let (number, rest) = columns.split_at(1);
        let style = Palette::kind(row.item.kind());
        writeln!(
            text,
            "{}{dim}{}{dim:#}{}  {style}{}{style:#}  {}",
            margins[at].beside,
            line(number, |column| &column.cells[at]),
            line(rest, |column| &column.cells[at]),
            left(&kind(row), kinds),
            excerpt(row.item.content(), contents),
        )?;
    }
    Ok(())
}

/// The columns as far as there is room for them, and below each row the rest and the content.
fn stacked(
    text: &mut String,
    columns: &[Column],
    rows: &[Row<'_>],
    margins: &[Margin],
    width: usize,
) -> std::fmt::Result {
    const INDENT: &str = "    ";
    let dim = Palette::PEOPLE.dim;
    let mut used = 0;
    let fitting = columns.iter().take_while(|column| {
        used += column.width + 2;
        used <= width
    });
    let (beside, below) = columns.split_at(fitting.count().max(1));
    let before = " ".repeat(columns_of(&margins[0].beside));
    writeln!(text, "{dim}{before}{}{dim:#}", line(beside, |column| &column.heading))?;
    let room = width.saturating_sub(INDENT.len());
    for (at, row) in rows.iter().enumerate() {
        let (number, rest) = beside.split_at(1);
        writeln!(
            text,
            "{}{dim}{}{dim:#}{}",
            margins[at].beside,
            line(number, |column| &column.cells[at]),
            line(rest, |column| &column.cells[at]).trim_end()
        )?;
        let below_it = &margins[at].below;
        let kind = kind(row);
        let style = Palette::kind(row.item.kind());
        let notes = below.iter().filter(|column| !column.cells[at].is_empty());
        let notes = notes.map(|column| format!("{}: {}", column.heading, column.cells[at]));
        // Beside the kind as far as they fit, then on lines of their own.
        let mut beside_kind = room.saturating_sub(columns_of(&kind) + 2);
        let mut lines = vec![String::new()];
        for note in notes {
            let last = lines.last_mut().expect("there is always a line");
            let joined = if last.is_empty() { note.clone() } else { format!("{last}, {note}") };
            if columns_of(&joined) <= beside_kind {
                *last = joined;
            } else {
                lines.extend(wrapped(&note, room, 2).lines().map(str::to_owned));
                beside_kind = room;
            }
        }
        if lines == [""] {
            let content = excerpt(row.item.content(), beside_kind);
            writeln!(text, "{below_it}{INDENT}{style}{kind}{style:#}  {content}")?;
            continue;
        }
        let first = excerpt(&lines[0], room);
        let gap = if first.is_empty() { "" } else { "  " };
        writeln!(text, "{below_it}{INDENT}{style}{kind}{style:#}{gap}{first}")?;
        for line in &lines[1..] {
            writeln!(text, "{below_it}{INDENT}{line}")?;
        }
        writeln!(text, "{below_it}{INDENT}{}", excerpt(row.item.content(), room))?;
    }
    Ok(())
}

fn line<'c>(columns: &'c [Column], cell: impl Fn(&'c Column) -> &'c String) -> String {
    let cells = columns.iter().map(|column| format!("  {}", right(cell(column), column.width)));
    cells.collect()
}
