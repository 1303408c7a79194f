//! Candidates, as the caller wrote them.
//!
//! Input is a JSON array or JSON Lines of items. Each object is kept as the text it was, so that
//! what is selected can be given back byte for byte, and read as an item, so that it can be
//! selected. Keys that mean nothing to an item are the caller's own business, unless they look like
//! a slip of the pen.

mod framed;
mod lines;
pub(crate) mod object;
mod place;
mod problems;
mod source;
mod stream;
mod units;

use std::borrow::Cow;
use std::collections::HashMap;

use cupel::ContextItem;
use cupel_policy::{ItemReader, Items, PolicyError};

pub(crate) use lines::{Line, Lines, Text};
pub(crate) use place::Place;
pub(crate) use source::Source;
pub(crate) use stream::{Input, ItemLines, LONGEST_LINE, Written};
pub(crate) use units::Units;

use place::Origin;

use crate::failure::{Complaint, Failure, Outcome};
use crate::parallel;
use crate::tokens::Tokenizer;

/// All candidates of one input.
#[derive(Debug)]
pub(crate) struct Candidates {
    text: String,
    read: Items,
    /// Where each item stands, by the address of its content, which no two share.
    positions: HashMap<usize, usize>,
    units: Units,
}

impl Candidates {
    /// Reads `text`, which messages call `name`. A tokenizer counts the items that have no count;
    /// warnings go to `warn`.
    pub(crate) fn parse(
        text: String,
        name: &str,
        tokenizer: Option<Tokenizer>,
        mut warn: impl FnMut(&Complaint),
    ) -> Outcome<Self> {
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            let complaint = Complaint::new("the input is empty").at(name);
            return Err(Failure::bad_input(complaint.remedy(
                "give a request to a model, or a JSON array or JSON Lines of items; an empty set of \
                 candidates is []",
            )));
        }
        let origin = Origin::start(name);
        let read = read(&text, tokenizer)
            .map_err(|error| Failure::BadInput(problems::describe(&error, &text, origin)))?;
        let warnings = read.slips.iter().filter_map(|slip| problems::warning(slip, origin));
        warnings.for_each(|it| warn(&it));
        Ok(Self::new(text, read))
    }

    /// What was read of `text`.
    fn new(text: String, read: Items) -> Self {
        let mut candidates =
            Self { text, read, positions: HashMap::new(), units: Units::default() };
        candidates.number();
        candidates
    }

    /// Notes where each item stands, and with what.
    fn number(&mut self) {
        let address = |item: &ContextItem| item.content().as_ptr().addr();
        let items = self.read.items.iter().enumerate();
        self.positions = items.map(|(at, item)| (address(item), at)).collect();
        self.units = Units::new(&self.read.items);
    }

    /// The candidates, in the order of the input.
    pub(crate) fn items(&self) -> &[ContextItem] {
        &self.read.items
    }

    /// Which of them stay together.
    pub(crate) fn units(&self) -> &Units {
        &self.units
    }

    /// What the caller wrote for the item at `position`.
    pub(crate) fn object(&self, position: usize) -> &str {
        &self.text[self.read.objects[position].clone()]
    }

    /// Whether the item at `position` had no token count of its own.
    pub(crate) fn was_counted(&self, position: usize) -> bool {
        !self.read.have_counts[position]
    }

    /// Where in the input `item` stands: one of these candidates, or a shorter form of one.
    pub(crate) fn position(&self, item: &ContextItem) -> usize {
        self.positions[&item.whole().content().as_ptr().addr()]
    }

    /// What to give back for an item of a window: what the caller wrote, or the same with the
    /// shorter form in place of the whole.
    pub(crate) fn given_back(&self, item: &ContextItem) -> Cow<'_, str> {
        let position = self.position(item);
        let written = self.object(position);
        match item.is_same_instance(&self.items()[position]) {
            true => Cow::Borrowed(written),
            false => Cow::Owned(object::in_form(written, item)),
        }
    }
}

fn read(text: &str, tokenizer: Option<Tokenizer>) -> Result<Items, PolicyError> {
    with_reader(tokenizer, |reader| reader.read(text))
}

fn read_lines(text: &str, tokenizer: Option<Tokenizer>) -> Result<Items, PolicyError> {
    with_reader(tokenizer, |reader| reader.read_lines(text))
}

fn with_reader(
    tokenizer: Option<Tokenizer>,
    read: impl FnOnce(ItemReader<'_>) -> Result<Items, PolicyError>,
) -> Result<Items, PolicyError> {
    let reader = ItemReader::new().keep_unknown_keys();
    match tokenizer {
        None => read(reader),
        Some(tokenizer) => {
            let count = |contents: &[&str]| parallel::map(contents, |it| tokenizer.count(it));
            read(reader.count_with(&count))
        }
    }
}
