//! One JSON array or JSON Lines: found out by looking, and split without copying.

use std::ops::Range;

use serde_json::value::RawValue;

use super::place::Place;
use crate::failure::Complaint;

/// Where in `text` each value stands, or everything that is not JSON.
pub(super) fn split(text: &str, name: &str) -> Result<Vec<Range<usize>>, Vec<Complaint>> {
    match text.trim_start().chars().next() {
        None => {
            Err(vec![Complaint::new("the input is empty").at(name).remedy(
                "give a JSON array or JSON Lines of items; an empty set of candidates is []",
            )])
        }
        Some('[') => array(text, name).map_err(|complaint| vec![complaint]),
        Some(_) => lines(text, name),
    }
}

fn array(text: &str, name: &str) -> Result<Vec<Range<usize>>, Complaint> {
    let values: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| not_json(&error, Place::START, text, name))?;
    Ok(values.into_iter().map(|value| range_in(text, value.get())).collect())
}

fn lines(text: &str, name: &str) -> Result<Vec<Range<usize>>, Vec<Complaint>> {
    const SHOWN: usize = 5;
    let (mut ranges, mut complaints) = (Vec::new(), Vec::new());
    let mut place = Place::START;
    for line in text.lines() {
        if !line.trim().is_empty() {
            match serde_json::from_str::<&RawValue>(line) {
                Ok(value) => ranges.push(range_in(text, value.get())),
                Err(error) if error.is_eof() && goes_on(line) => {
                    complaints.push(not_json(&error, place, text, name).remedy(
                        "in JSON Lines every item is on one line; \
                         put items that span lines into an array: [ ... ]",
                    ));
                    break;
                }
                Err(error) => complaints.push(not_json(&error, place, text, name)),
            }
        }
        if complaints.len() == SHOWN {
            break;
        }
        place.line += 1;
    }
    if complaints.is_empty() { Ok(ranges) } else { Err(complaints) }
}

/// Whether a line looks as if its object went on in the next one.
fn goes_on(line: &str) -> bool {
    line.trim_end().ends_with(['{', '[', ',', ':'])
}

fn not_json(error: &serde_json::Error, start: Place, text: &str, name: &str) -> Complaint {
    let within = Place { line: error.line().max(1), column: error.column().max(1) };
    let place = within.from(start);
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = message.replace("EOF while parsing", "the text ends within");
    let complaint = Complaint::new(format!("not JSON: {message}")).at(place.within(name));
    let first = text.trim_start();
    complaint.remedy(if error.is_eof() && first.starts_with('[') {
        "the array has no end; was the file cut off?"
    } else if error.is_eof() {
        "the text ends in the middle of a value; was it cut off?"
    } else if first.starts_with('[') || first.starts_with('{') {
        "mend the JSON there; jq . FILE finds the same place"
    } else {
        "give a JSON array or JSON Lines of items such as {\"content\": \"...\", \"tokens\": 12}"
    })
}

/// Where `part`, a slice of `text`, lies in it.
pub(super) fn range_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}
