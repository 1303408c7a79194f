//! Any text as what the command `cupel` selects from: an array or lines of items. What is read is
//! given back as it was written, and as an array it reads the same; what is refused is told with its
//! place; and lines are lines.
#![no_main]

#[path = "../../crates/cupel-cli/src/failure.rs"]
#[allow(dead_code, reason = "the command uses all of it")]
mod failure;
#[path = "../../crates/cupel-cli/src/input/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the command uses all of it")]
mod input;
/// What tells requests to models from items.
#[path = "../../crates/cupel-cli/src/messages/detect.rs"]
#[allow(dead_code, reason = "the command uses all of it")]
mod messages;

/// Stands in for the command's threads.
mod parallel {
    pub(crate) fn map<T, R>(elements: &[T], work: impl Fn(&T) -> R) -> Vec<R> {
        elements.iter().map(work).collect()
    }
}

/// Stands in for the command's colours.
mod render {
    use anstyle::Style;

    pub(crate) struct Palette {
        pub(crate) strong: Style,
        pub(crate) error: Style,
        pub(crate) warning: Style,
    }

    impl Palette {
        pub(crate) const PEOPLE: Self =
            Self { strong: Style::new(), error: Style::new(), warning: Style::new() };
    }

    pub(crate) fn columns_of(text: &str) -> usize {
        text.len()
    }

    pub(crate) fn visible(text: &str) -> &str {
        text
    }

    pub(crate) fn wrapped(line: &str, _width: usize, _indent: usize) -> String {
        line.to_owned()
    }
}

/// Stands in for the command's vocabularies.
mod tokens {
    #[derive(Clone, Copy)]
    pub(crate) struct Tokenizer;

    impl Tokenizer {
        pub(crate) fn count(self, text: &str) -> i64 {
            i64::try_from(text.len()).unwrap_or(i64::MAX)
        }
    }
}

use cupel::ContextItem;
use cupel_fuzz::written;
use failure::{Complaint, Failure};
use input::{Candidates, Lines, Text};
use libfuzzer_sys::fuzz_target;
use tokens::Tokenizer;

const NAME: &str = "FILE";

fuzz_target!(|text: &str| {
    lines_are_lines(text);
    let plain = read(text, None);
    let counted = read(text, Some(Tokenizer));
    if let Some(plain) = &plain {
        let counted = counted.as_ref().expect("counting refuses nothing");
        assert_eq!(all_written(plain), all_written(counted));
    }
    if let Some(counted) = counted {
        is_faithful(&counted, text);
        let objects = (0..counted.items().len()).map(|at| counted.object(at));
        let array = format!("[{}]", objects.collect::<Vec<_>>().join(","));
        let again = read(&array, Some(Tokenizer)).expect("the same items in an array");
        assert_eq!(all_written(&again), all_written(&counted));
    }
});

/// The candidates; a refusal says what is wrong, and where.
fn read(text: &str, tokenizer: Option<Tokenizer>) -> Option<Candidates> {
    let has_a_place = |complaint: &Complaint| {
        assert!(!complaint.problem.is_empty());
        let place = complaint.place.as_deref().expect("a complaint has a place");
        assert!(place.starts_with(NAME), "{complaint}");
    };
    match Candidates::parse(text.to_owned(), NAME, tokenizer, has_a_place) {
        Ok(candidates) => Some(candidates),
        Err(Failure::BadInput(complaints)) => {
            assert!(!complaints.is_empty());
            complaints.iter().for_each(has_a_place);
            None
        }
        Err(other) => panic!("reading text cannot fail like this: {other:?}"),
    }
}

fn all_written(candidates: &Candidates) -> Vec<String> {
    candidates.items().iter().map(written).collect()
}

/// Every object is a part of the text, in order, and is the item that stands at its position.
fn is_faithful(candidates: &Candidates, text: &str) {
    let mut rest = text;
    for (at, item) in candidates.items().iter().enumerate() {
        let object = candidates.object(at);
        let found = rest.find(object).expect("what is given back was there");
        rest = &rest[found + object.len()..];
        assert_eq!(candidates.position(item), at);
        // An object with keys of its own is no item to the engine, but one without is the same.
        if let Ok(engine) = serde_json::from_str::<ContextItem>(object) {
            assert_eq!(written(&engine), written(item));
            assert!(!candidates.was_counted(at));
        }
    }
}

fn lines_are_lines(text: &str) {
    const LONGEST: usize = 40;
    let mut lines = Lines::new(text.as_bytes(), LONGEST);
    let (mut number, mut bytes) = (0, 0);
    for expected in text.split_inclusive('\n') {
        let line = lines.next().expect("reading memory").expect("as many lines as there are");
        (number, bytes) = (number + 1, bytes + line.bytes);
        assert_eq!((line.number, line.bytes), (number, expected.len() as u64));
        let expected = expected.strip_suffix('\n').unwrap_or(expected);
        let expected = expected.strip_suffix('\r').unwrap_or(expected);
        match line.text {
            Text::Whole(line) => assert_eq!(line, expected.as_bytes()),
            Text::LongerThan(limit) => assert!(limit == LONGEST && expected.len() > LONGEST),
        }
    }
    assert_eq!(bytes, text.len() as u64);
    assert!(lines.next().expect("reading memory").is_none());
}
