//! JSON Lines a few at a time, for policies that take items in batches.

use std::io::Read;

use cupel::ContextItem;
use cupel_policy::{Items, Slip};

use super::lines::{Line, Lines, Text};
use super::place::{Origin, Place};
use super::{Candidates, Source, problems, read_lines};
use crate::failure::{Complaint, Failure, Outcome, warn};
use crate::messages;
use crate::tokens::Tokenizer;

/// The longest line that is read, in bytes: nobody's window has room for more.
pub(crate) const LONGEST_LINE: usize = 64 << 20;

/// The most misspelt keys that are worth telling.
const MOST_SLIPS: usize = 10;

/// An input that may be larger than memory.
pub(crate) enum Input {
    /// A JSON array, which has no parts.
    Whole(Candidates),
    /// JSON Lines.
    Lines(ItemLines),
    /// No items, but a request to a model.
    Request(String),
}

/// The items of JSON Lines, part by part.
pub(crate) struct ItemLines {
    source: Source,
    name: String,
    tokenizer: Option<Tokenizer>,
    lines: Lines<Box<dyn Read + Send>>,
    /// Each misspelt key, and how many lines come before the part where it was first seen.
    slips: Vec<(Slip, usize)>,
}

impl Input {
    /// Opens `source`, and reads all of it if it is no JSON Lines.
    ///
    /// It is a request where the caller knows, or where its beginning looks like one.
    pub(crate) fn open(
        source: Source,
        tokenizer: Option<Tokenizer>,
        is_request: bool,
    ) -> Outcome<Self> {
        let mut lines = Lines::new(source.open()?, LONGEST_LINE);
        let first = lines.peek().map_err(|error| source.unreadable(&error))?;
        let name = source.name();
        let is_request = is_request || messages::is_request(lines.buffered());
        match first {
            _ if is_request => {
                let bytes = lines.rest().map_err(|error| source.unreadable(&error))?;
                Ok(Self::Request(source.text(bytes, 0)?))
            }
            Some(b'[') | None => {
                let bytes = lines.rest().map_err(|error| source.unreadable(&error))?;
                let text = source.text(bytes, 0)?;
                Ok(Self::Whole(Candidates::parse(text, &name, tokenizer, warn)?))
            }
            Some(_) => {
                Ok(Self::Lines(ItemLines { source, name, tokenizer, lines, slips: Vec::new() }))
            }
        }
    }
}

impl ItemLines {
    /// The items of the next `most` lines, if there are any more.
    pub(crate) fn next_part(&mut self, most: usize) -> Outcome<Option<Candidates>> {
        loop {
            let Some((text, lines_before)) = self.next_text(most)? else { return Ok(None) };
            if text.trim_start_matches('\u{feff}').trim().is_empty() {
                continue;
            }
            let origin = Origin { name: &self.name, lines_before };
            let read = read_lines(&text, self.tokenizer)
                .map_err(|error| Failure::BadInput(problems::describe(&error, &text, origin)))?;
            read.slips.iter().for_each(|slip| add(&mut self.slips, slip, lines_before));
            return Ok(Some(Candidates::new(text, read)));
        }
    }

    /// Warns of keys that were probably meant to be others.
    pub(crate) fn warn_of_slips(&self) {
        let warning = |(slip, lines_before): &(Slip, usize)| {
            problems::warning(slip, Origin { name: &self.name, lines_before: *lines_before })
        };
        self.slips.iter().filter_map(warning).for_each(|it| warn(&it));
    }

    /// The next lines, and how many come before them.
    fn next_text(&mut self, most: usize) -> Outcome<Option<(String, usize)>> {
        let (mut bytes, mut first) = (Vec::new(), None);
        for _ in 0..most {
            let line = self.lines.next().map_err(|error| self.source.unreadable(&error))?;
            let Some(Line { number, text, .. }) = line else { break };
            first.get_or_insert(number);
            match text {
                Text::Whole(line) => bytes.extend(line),
                Text::LongerThan(longest) => return Err(self.too_long(number, longest)),
            }
            bytes.push(b'\n');
        }
        let Some(first) = first else { return Ok(None) };
        Ok(Some((self.source.text(bytes, first - 1)?, first - 1)))
    }

    fn too_long(&self, number: usize, longest: usize) -> Failure {
        let origin = Origin { name: &self.name, lines_before: number - 1 };
        let complaint = Complaint::new(format!("this line is longer than {longest} bytes"));
        let remedy = "in JSON Lines every item is on a line of its own";
        Failure::bad_input(complaint.at(origin.locate(Place::after(""))).remedy(remedy))
    }
}

fn add(slips: &mut Vec<(Slip, usize)>, slip: &Slip, lines_before: usize) {
    let known = slips.iter().position(|(known, _)| known.problem.kind() == slip.problem.kind());
    match known {
        Some(known) => slips[known].0.times += slip.times,
        None if slips.len() < MOST_SLIPS => slips.push((slip.clone(), lines_before)),
        None => {}
    }
}

/// An item that may get into the window, with what the caller wrote for it.
pub(crate) struct Written {
    item: ContextItem,
    object: String,
    has_count: bool,
}

impl Candidates {
    /// The candidate at `position`, to be held when the others are gone.
    pub(crate) fn written(&self, position: usize) -> Written {
        Written {
            item: self.items()[position].clone(),
            object: self.object(position).to_owned(),
            has_count: !self.was_counted(position),
        }
    }

    /// Candidates of several parts.
    pub(crate) fn of_parts(parts: impl IntoIterator<Item = Written>) -> Self {
        let (mut text, mut read) = (String::new(), Items::default());
        for Written { item, object, has_count } in parts {
            let start = text.len();
            text.push_str(&object);
            read.objects.push(start..text.len());
            read.items.push(item);
            read.have_counts.push(has_count);
            text.push('\n');
        }
        Self::new(text, read)
    }
}
