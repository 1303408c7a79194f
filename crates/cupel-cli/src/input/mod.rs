//! Candidates, as the caller wrote them.
//!
//! Input is a JSON array or JSON Lines of items. Each object is kept as the text it was, so that
//! what is selected can be given back byte for byte, and read as an item, so that it can be
//! selected. Keys that mean nothing to an item are the caller's own business, unless they look like
//! a slip of the pen.

mod item;
mod keys;
mod place;
mod problems;
mod source;
mod split;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use cupel::ContextItem;

pub(crate) use place::Place;
pub(crate) use source::Source;

use crate::failure::{Complaint, Failure, Outcome, warn};
use crate::parallel;
use crate::tokens::Tokenizer;

/// The most complaints about one input that are worth reading.
const MOST_COMPLAINTS: usize = 10;

/// All candidates of one input.
#[derive(Debug)]
pub(crate) struct Candidates {
    text: String,
    objects: Vec<Range<usize>>,
    items: Vec<ContextItem>,
    /// Which items had no count of their own.
    counted: Vec<bool>,
    /// Where each item stands, by the address of its content, which no two share.
    positions: HashMap<usize, usize>,
}

impl Candidates {
    /// Reads all of `source`. A tokenizer counts the items that have no count.
    pub(crate) fn read(source: &Source, tokenizer: Option<Tokenizer>) -> Outcome<Self> {
        Self::parse(source.read()?, &source.name(), tokenizer, warn)
    }

    /// Reads `text`, which messages call `name`. Warnings go to `warn`.
    pub(crate) fn parse(
        mut text: String,
        name: &str,
        tokenizer: Option<Tokenizer>,
        warn: impl FnMut(&Complaint),
    ) -> Outcome<Self> {
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let objects = split::split(&text, name).map_err(Failure::BadInput)?;
        let read = read_all(&text, &objects, tokenizer);

        let mut complaints = Vec::new();
        let mut items = Vec::with_capacity(objects.len());
        let mut counted = Vec::with_capacity(objects.len());
        let mut slips = Slips::default();
        let (mut place, mut at) = (Place::START, 0);
        for (range, read) in objects.iter().zip(read) {
            let mut start = || {
                place = place.after(&text[at..range.start]);
                at = range.start;
                place
            };
            match read {
                Ok(read) => {
                    if !read.unknown.is_empty() {
                        slips.note(&text[range.clone()], &read.unknown, start());
                    }
                    items.push(read.item);
                    counted.push(!read.has_tokens);
                }
                Err(error) => complaints.extend(problems::describe(
                    &text[range.clone()],
                    &error,
                    start(),
                    name,
                    tokenizer.is_some(),
                )),
            }
        }
        slips.complaints(name).iter().for_each(warn);
        if !complaints.is_empty() {
            return Err(Failure::BadInput(shortened(complaints, name)));
        }
        let address = |item: &ContextItem| item.content().as_ptr().addr();
        let positions = items.iter().enumerate().map(|(at, item)| (address(item), at)).collect();
        Ok(Self { text, objects, items, counted, positions })
    }

    /// The candidates, in the order of the input.
    pub(crate) fn items(&self) -> &[ContextItem] {
        &self.items
    }

    /// What the caller wrote for the item at `position`.
    pub(crate) fn object(&self, position: usize) -> &str {
        &self.text[self.objects[position].clone()]
    }

    /// Whether the item at `position` had no token count of its own.
    pub(crate) fn was_counted(&self, position: usize) -> bool {
        self.counted[position]
    }

    /// Where in the input `item`, one of these candidates, stands.
    pub(crate) fn position(&self, item: &ContextItem) -> usize {
        self.positions[&item.content().as_ptr().addr()]
    }
}

type Read<'t> = Result<item::ReadItem<'t>, serde_json::Error>;

fn read_all<'t>(
    text: &'t str,
    objects: &[Range<usize>],
    tokenizer: Option<Tokenizer>,
) -> Vec<Read<'t>> {
    let object = |range: &Range<usize>| &text[range.clone()];
    match tokenizer {
        None => objects.iter().map(|range| item::read(object(range), None)).collect(),
        Some(tokenizer) => parallel::map(objects, |range| {
            let read = item::read(object(range), Some(0))?;
            if read.has_tokens {
                return Ok(read);
            }
            let tokens = tokenizer.count(read.item.content());
            item::read(object(range), Some(tokens))
        }),
    }
}

fn shortened(mut complaints: Vec<Complaint>, name: &str) -> Vec<Complaint> {
    let more = complaints.len().saturating_sub(MOST_COMPLAINTS);
    complaints.truncate(MOST_COMPLAINTS);
    if more > 0 {
        complaints.push(Complaint::new(format!("and {more} more problems")).at(name));
    }
    complaints
}

/// Unknown keys that look like misspelt known ones, each warned of once.
#[derive(Debug, Default)]
struct Slips {
    found: Vec<Slip>,
}

#[derive(Debug)]
struct Slip {
    key: String,
    meant: &'static str,
    place: Place,
    more: usize,
}

impl Slips {
    fn note(&mut self, object: &str, unknown: &[Cow<'_, str>], start: Place) {
        for key in unknown {
            let Some(meant) = keys::misspelt(key) else { continue };
            if let Some(slip) = self.found.iter_mut().find(|slip| slip.key == **key) {
                slip.more += 1;
                continue;
            }
            let place = match key {
                Cow::Borrowed(key) => {
                    let quote = split::range_in(object, key).start - 1;
                    Place::of(object, quote).from(start)
                }
                // A key with escapes is not a part of the text.
                Cow::Owned(_) => start,
            };
            self.found.push(Slip { key: key.to_string(), meant, place, more: 0 });
        }
    }

    fn complaints(&self, name: &str) -> Vec<Complaint> {
        let complaint = |Slip { key, meant, place, more }: &Slip| {
            let more = match more {
                0 => String::new(),
                more => format!(" (and in {more} more items)"),
            };
            let problem = format!("unknown key {key:?}{more}; did you mean {meant:?}?");
            let complaint = Complaint::new(problem).at(place.within(name));
            complaint.remedy("it is passed through, but has no effect on the selection")
        };
        self.found.iter().map(complaint).collect()
    }
}
