//! A text of many values: the elements of one array, or JSON Lines.

use super::parse::{Parser, start};
use super::{Dialect, Node, SyntaxError};

/// A value, and the offset of its end.
pub(crate) type Read<'t> = Result<(Node<'t>, usize), SyntaxError>;

/// The values of `text`, one at a time: no more of the tree is there than the one that is looked at.
/// It is an array if it begins like one. After an error, lines go on with the next one.
pub(crate) fn values(text: &str, dialect: Dialect) -> Box<dyn Iterator<Item = Read<'_>> + '_> {
    let start = start(text);
    if text[start..].trim_ascii_start().starts_with('[') {
        Box::new(elements(text, start, dialect))
    } else {
        Box::new(lines_from(text, start, dialect))
    }
}

/// The value that was found at `range` of `text`, with its positions in all of it.
pub(crate) fn value_at(text: &str, range: std::ops::Range<usize>, dialect: Dialect) -> Read<'_> {
    let mut parser = Parser::new(&text[..range.end], range.start, dialect);
    let node = parser.value()?;
    Ok((node, parser.at))
}

fn elements(text: &str, start: usize, dialect: Dialect) -> impl Iterator<Item = Read<'_>> {
    let mut parser = Parser::new(text, start, dialect);
    let (mut is_first, mut is_over) = (true, false);
    let mut next = move || {
        let is_there = if std::mem::take(&mut is_first) {
            parser.skip_blank()?;
            parser.eat(b'[');
            parser.skip_blank()?;
            !parser.eat(b']')
        } else {
            parser.another(b']', "an array")?
        };
        if !is_there {
            return parser.end().map(|()| None);
        }
        let node = parser.value()?;
        Ok(Some((node, parser.at)))
    };
    std::iter::from_fn(move || {
        let read = if is_over { Ok(None) } else { next() };
        is_over = !matches!(read, Ok(Some(_)));
        read.transpose()
    })
}

/// The values of `text`, one on each line, also where it begins like an array.
pub(crate) fn lines(text: &str, dialect: Dialect) -> impl Iterator<Item = Read<'_>> {
    lines_from(text, start(text), dialect)
}

fn lines_from(text: &str, mut end: usize, dialect: Dialect) -> impl Iterator<Item = Read<'_>> {
    let lines = text[end..].split_inclusive('\n').filter_map(move |line| {
        let start = end;
        end += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        (!line.trim().is_empty()).then_some((start, start + line.len()))
    });
    lines.map(move |(start, end)| {
        // The text up to the end of the line, so that positions are those in the text.
        let mut line = Parser::new(&text[..end], start, dialect);
        line.unit = "line";
        line.skip_blank()?;
        let node = line.value()?;
        let end = line.at;
        line.end()?;
        Ok((node, end))
    })
}
