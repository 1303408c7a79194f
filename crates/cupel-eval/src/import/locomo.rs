//! LoCoMo, very long chats: `locomo10.json`.
//!
//! A list of conversations. `conversation` has `session_1`, `session_2` and so on, each a list of turns with a `dia_id`
//! such as `D1:3`, and `session_1_date_time`; `qa` has questions whose `evidence` names turns. A session is a document.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{File, ImportError, Imported, Names};
use crate::set::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine};

const EXPECTED: &str = "locomo10.json, a list of conversations with \"conversation\" and \"qa\"";

#[derive(Deserialize)]
struct Sample {
    sample_id: String,
    conversation: Map<String, Value>,
    qa: Vec<Qa>,
}

#[derive(Deserialize)]
struct Turn {
    speaker: String,
    dia_id: String,
    #[serde(default)]
    text: String,
    /// What a picture shows that was sent along.
    blip_caption: Option<String>,
}

#[derive(Deserialize)]
struct Qa {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
}

pub(super) fn import(file: &File) -> Result<Imported, ImportError> {
    let samples: Vec<Sample> = file.json(EXPECTED)?;
    let mut imported = Imported::default();
    let (mut pools, mut without) = (Names::default(), 0);
    for sample in samples {
        let pool = pools.unique(&sample.sample_id);
        let items = items(&sample.conversation, &mut Names::default())
            .map_err(|error| file.is_no_json(&error, EXPECTED))?;
        if items.is_empty() {
            return Err(file.has_nothing(&format!("session in the conversation {pool:?}")));
        }
        let mut questions = Vec::new();
        for (at, qa) in sample.qa.iter().enumerate() {
            let gold = gold(&qa.evidence, &items);
            if gold.is_empty() || qa.question.trim().is_empty() {
                without += 1;
                continue;
            }
            questions.push(Line::Question(QuestionLine {
                question: qa.question.clone(),
                pool: pool.clone(),
                id: format!("{pool}/{}", at + 1),
                before: None,
                gold,
            }));
        }
        imported.lines.push(Line::Pool(PoolLine { pool, items }));
        imported.lines.append(&mut questions);
    }
    imported.left_out(without, "naming no turn that is there");
    Ok(imported)
}

fn items(
    conversation: &Map<String, Value>,
    ids: &mut Names,
) -> Result<Vec<ItemLine>, serde_json::Error> {
    let mut sessions = BTreeMap::new();
    for (key, value) in conversation {
        if let Some(number) = key.strip_prefix("session_").and_then(|it| it.parse::<u32>().ok()) {
            sessions.insert(number, Vec::<Turn>::deserialize(value)?);
        }
    }
    let mut items = Vec::new();
    for (number, turns) in sessions {
        let date = conversation.get(&format!("session_{number}_date_time")).and_then(Value::as_str);
        let start = date.and_then(Start::parse);
        for (position, turn) in turns.into_iter().enumerate() {
            let picture = turn.blip_caption.map(|shows| format!(" [picture: {shows}]"));
            let picture = picture.unwrap_or_default();
            items.push(ItemLine {
                id: ids.unique(&normal(&turn.dia_id).unwrap_or(turn.dia_id)),
                content: format!("{}: {}{picture}", turn.speaker, turn.text),
                kind: Some("Message".to_owned()),
                document: Some(format!("session {number}")),
                position: Some(position),
                timestamp: start.as_ref().map(|it| it.after(position)),
                ..ItemLine::default()
            });
        }
    }
    Ok(items)
}

/// `D01:3` as `D1:3`.
fn normal(id: &str) -> Option<String> {
    let mut numbers = numbers(id);
    Some(format!("D{}:{}", numbers.next()?, numbers.next()?))
}

fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok())
}

/// The turns that are named, each once. Some entries name several: `D8:6; D9:17`.
fn gold(evidence: &[String], items: &[ItemLine]) -> Vec<GoldEntry> {
    let mut gold = Vec::new();
    for entry in evidence {
        let numbers: Vec<_> = numbers(entry).collect();
        for pair in numbers.chunks_exact(2) {
            let id = format!("D{}:{}", pair[0], pair[1]);
            let named = GoldEntry::Item(id.clone());
            if items.iter().any(|item| item.id == id) && !gold.contains(&named) {
                gold.push(named);
            }
        }
    }
    gold
}

/// When a session began.
struct Start {
    date: String,
    seconds: usize,
}

impl Start {
    /// `1:56 pm on 8 May, 2023`
    fn parse(text: &str) -> Option<Self> {
        const MONTHS: [&str; 12] =
            ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        let (time, date) = text.split_once(" on ")?;
        let (clock, half) = time.trim().split_once(' ')?;
        let (hour, minute) = clock.split_once(':')?;
        let hour =
            hour.parse::<usize>().ok()? % 12 + if half.eq_ignore_ascii_case("pm") { 12 } else { 0 };
        let minute: usize = minute.parse().ok().filter(|it| *it < 60)?;
        let mut parts = date.split([' ', ',']).filter(|it| !it.is_empty());
        let day: u32 = parts.next()?.parse().ok().filter(|it| (1..=31).contains(it))?;
        let month = parts.next()?.to_ascii_lowercase();
        let month = MONTHS.iter().position(|it| month.starts_with(it))? + 1;
        let year: u32 = parts.next()?.parse().ok().filter(|it| (1..=9999).contains(it))?;
        Some(Self {
            date: format!("{year:04}-{month:02}-{day:02}"),
            seconds: (hour * 60 + minute) * 60,
        })
    }

    /// A turn later for every turn: when exactly is not known.
    fn after(&self, turns: usize) -> String {
        let seconds = (self.seconds + turns).min(24 * 60 * 60 - 1);
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        format!("{}T{hours:02}:{minutes:02}:{:02}Z", self.date, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        let at = |text: &str, turns| Start::parse(text).map(|it| it.after(turns));
        assert_eq!(at("1:56 pm on 8 May, 2023", 0).as_deref(), Some("2023-05-08T13:56:00Z"));
        assert_eq!(
            at("12:09 am on 13 September, 2023", 61).as_deref(),
            Some("2023-09-13T00:10:01Z")
        );
        assert_eq!(at("yesterday", 0), None);
    }
}
