//! QMSum, questions about meetings: one meeting as JSON, or many as JSON Lines.
//!
//! `meeting_transcripts` is the list of turns; each of `specific_query_list` has `relevant_text_span`, ranges of turns
//! that include their ends. The general queries are about whole meetings and have no evidence.

use serde::Deserialize;

use super::{File, ImportError, Imported};
use crate::set::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine};

const EXPECTED: &str = "a meeting of QMSum with \"meeting_transcripts\" and \"specific_query_list\", or one on each line";

#[derive(Deserialize)]
struct Meeting {
    meeting_transcripts: Vec<Turn>,
    specific_query_list: Vec<Query>,
}

#[derive(Deserialize)]
struct Turn {
    speaker: String,
    content: String,
}

#[derive(Deserialize)]
struct Query {
    query: String,
    relevant_text_span: Vec<(Number, Number)>,
}

/// They are written as strings.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Number(usize),
    Text(String),
}

impl Number {
    fn get(&self) -> Option<usize> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
        }
    }
}

pub(super) fn import(file: &File) -> Result<Imported, ImportError> {
    let meetings: Vec<Meeting> = file.json_values(EXPECTED)?;
    let mut imported = Imported::default();
    let mut without = 0;
    for (number, meeting) in meetings.iter().enumerate() {
        let pool = match meetings.len() {
            1 => file.stem(),
            _ => format!("meeting {}", number + 1),
        };
        let turns = meeting.meeting_transcripts.iter().enumerate();
        let items: Vec<_> = turns
            .map(|(at, turn)| ItemLine {
                id: at.to_string(),
                content: format!("{}: {}", turn.speaker, turn.content),
                kind: Some("Message".to_owned()),
                document: Some(pool.clone()),
                position: Some(at),
                ..ItemLine::default()
            })
            .collect();
        if items.is_empty() {
            return Err(file.has_nothing(&format!("turn in {pool:?}")));
        }
        let turns = items.len();
        imported.lines.push(Line::Pool(PoolLine { pool: pool.clone(), items }));
        for (at, query) in meeting.specific_query_list.iter().enumerate() {
            let gold = gold(&query.relevant_text_span, turns);
            if gold.is_empty() || query.query.trim().is_empty() {
                without += 1;
                continue;
            }
            imported.lines.push(Line::Question(QuestionLine {
                question: query.query.clone(),
                pool: pool.clone(),
                id: format!("{pool}/{}", at + 1),
                before: None,
                gold,
            }));
        }
    }
    imported.left_out(without, "naming no turn that is there");
    Ok(imported)
}

/// The turns of the spans, each once, in order.
fn gold(spans: &[(Number, Number)], turns: usize) -> Vec<GoldEntry> {
    let mut is_gold = vec![false; turns];
    for (first, last) in spans.iter().filter_map(|(first, last)| Some((first.get()?, last.get()?)))
    {
        let turns = is_gold.iter_mut().take(last.saturating_add(1)).skip(first);
        turns.for_each(|it| *it = true);
    }
    let gold = (0..turns).filter(|turn| is_gold[*turn]);
    gold.map(|turn| GoldEntry::Item(turn.to_string())).collect()
}
