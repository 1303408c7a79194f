//! chunking_evaluation, questions about five corpora: the folder with `questions_df.csv` and `corpora/*.md`.
//!
//! The table has `question`, `references` and `corpus_id`; `references` is JSON, ranges of characters of the corpus. The
//! corpora are cut into chunks here: whole paragraphs as long as they fit.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;

use super::csv;
use super::{File, ImportError, Imported};
use crate::set::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine};

/// The longest chunk, in characters: 200 tokens, as estimated.
const LONGEST_CHUNK: usize = 800;

#[derive(Deserialize)]
struct Reference {
    start_index: usize,
    end_index: usize,
}

pub(super) fn import(folder: &Path) -> Result<Imported, ImportError> {
    let folder = if folder.is_file() { folder.parent().unwrap_or(folder) } else { folder };
    let table = File::read(&folder.join("questions_df.csv"))?;
    let (header, records) = header_and_records(&table)?;
    let column = |name: &str| {
        let at = header.iter().position(|it| it == name);
        at.ok_or_else(|| table.has_nothing(&format!("column {name:?}")))
    };
    let (question, references, corpus) =
        (column("question")?, column("references")?, column("corpus_id")?);
    let mut imported = Imported::default();
    let mut corpora: Vec<(String, usize)> = Vec::new();
    let mut without = 0;
    for (number, record) in records.iter().enumerate() {
        let field = |at: usize| record.get(at).map_or("", String::as_str);
        let document = field(corpus).to_owned();
        if document.is_empty() {
            continue;
        }
        if document.contains(['/', '\\']) {
            return Err(ImportError {
                place: format!("{}, question {}", table.path.display(), number + 1),
                problem: format!("corpus_id: {document:?} is no name of a file"),
                remedy: "corpora/NAME.md is read, and nothing outside that folder".to_owned(),
            });
        }
        if !corpora.iter().any(|(known, _)| *known == document) {
            let file = File::read(&folder.join("corpora").join(format!("{document}.md")))?;
            imported.lines.push(Line::Pool(pool(&document, &file.text)));
            corpora.push((document.clone(), file.text.chars().count()));
        }
        let size =
            corpora.iter().find(|(known, _)| *known == document).map_or(0, |(_, size)| *size);
        let references: Vec<Reference> =
            serde_json::from_str(field(references)).map_err(|error| ImportError {
                place: format!("{}, question {}", table.path.display(), number + 1),
                problem: format!("references: {error}"),
                remedy: "this should be a JSON list of {\"start_index\", \"end_index\"}".to_owned(),
            })?;
        let there =
            references.iter().filter(|it| it.start_index < it.end_index && it.start_index < size);
        let gold: Vec<_> = there
            .map(|it| GoldEntry::Characters {
                document: document.clone(),
                start: it.start_index,
                end: it.end_index.min(size),
            })
            .collect();
        if gold.is_empty() || field(question).trim().is_empty() {
            without += 1;
            continue;
        }
        imported.lines.push(Line::Question(QuestionLine {
            question: field(question).to_owned(),
            id: format!("{document}/{}", number + 1),
            pool: document,
            before: None,
            gold,
        }));
    }
    imported.left_out(without, "naming no characters that are there");
    Ok(imported)
}

fn header_and_records(table: &File) -> Result<(Vec<String>, Vec<Vec<String>>), ImportError> {
    let records = csv::records(&table.text).ok_or_else(|| ImportError {
        place: table.path.display().to_string(),
        problem: "a quoted field does not end".to_owned(),
        remedy: "was the file cut off?".to_owned(),
    })?;
    let mut records = records.into_iter();
    let header = records.next().ok_or_else(|| table.has_nothing("header"))?;
    Ok((header, records.collect()))
}

fn pool(document: &str, text: &str) -> PoolLine {
    let item = |(number, (chunk, characters)): (usize, (&str, Range<usize>))| ItemLine {
        id: format!("{document}/{number}"),
        content: chunk.to_owned(),
        kind: Some("Document".to_owned()),
        document: Some(document.to_owned()),
        position: Some(characters.start),
        start: Some(characters.start),
        end: Some(characters.end),
        ..ItemLine::default()
    };
    PoolLine {
        pool: document.to_owned(),
        items: chunks(text).into_iter().enumerate().map(item).collect(),
    }
}

/// The text in chunks without gaps, and the characters of each: cut after a paragraph if one ends in time, else after a
/// sentence, else after a word. Chunks of nothing but white space are left out.
fn chunks(text: &str) -> Vec<(&str, Range<usize>)> {
    let (mut chunks, mut rest, mut start) = (Vec::new(), text, 0);
    while !rest.is_empty() {
        let longest = rest.char_indices().nth(LONGEST_CHUNK).map_or(rest.len(), |(at, _)| at);
        let within = &rest[..longest];
        let after = |mark: &str| within.rfind(mark).map(|at| at + mark.len());
        let end = match longest == rest.len() {
            true => longest,
            false => after("\n\n")
                .or_else(|| after("\n"))
                .or_else(|| after(". "))
                .or_else(|| after(" "))
                .unwrap_or(longest),
        };
        let (chunk, after) = rest.split_at(end);
        let characters = chunk.chars().count();
        if !chunk.trim().is_empty() {
            chunks.push((chunk, start..start + characters));
        }
        (rest, start) = (after, start + characters);
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_whole_paragraphs_without_gaps() {
        let paragraph = |words: usize| "dört söz ".repeat(words) + "end.\n\n";
        let text = paragraph(50) + &paragraph(20) + &paragraph(60) + &paragraph(200);
        let chunks = chunks(&text);
        assert_eq!(chunks.iter().map(|(chunk, _)| *chunk).collect::<String>(), text);
        assert!(chunks[0].0.ends_with("end.\n\n") && chunks[1].0.ends_with("end.\n\n"));
        let characters: Vec<char> = text.chars().collect();
        for (chunk, range) in &chunks {
            assert!(range.len() <= LONGEST_CHUNK);
            assert_eq!(characters[range.clone()].iter().collect::<String>(), *chunk);
        }
    }
}
