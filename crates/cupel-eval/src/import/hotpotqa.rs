//! HotpotQA in the distractor setting: `hotpot_dev_distractor_v1.json`.
//!
//! A list of questions, each with a `context` of ten pages, `[title, [sentences]]`, of which `supporting_facts` names
//! sentences, `[title, number]`. Each question has a pool of its own; a page is a document.

use serde::Deserialize;

use super::{File, ImportError, Imported, Names};
use crate::set::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine};

const EXPECTED: &str =
    "hotpot_dev_distractor_v1.json, a list of questions with \"context\" and \"supporting_facts\"";

#[derive(Deserialize)]
struct Question {
    #[serde(rename = "_id")]
    id: String,
    question: String,
    supporting_facts: Vec<(String, usize)>,
    context: Vec<(String, Vec<String>)>,
}

pub(super) fn import(file: &File) -> Result<Imported, ImportError> {
    let questions: Vec<Question> = file.json(EXPECTED)?;
    let mut imported = Imported::default();
    let (mut ids, mut without) = (Names::default(), 0);
    for question in questions {
        let mut items: Vec<ItemLine> = Vec::new();
        for (title, sentences) in &question.context {
            for (position, sentence) in sentences.iter().enumerate() {
                let id = id(title, position);
                // Some sentences are empty, and some pages are given twice.
                if sentence.trim().is_empty() || items.iter().any(|item| item.id == id) {
                    continue;
                }
                items.push(ItemLine {
                    id,
                    content: sentence.trim().to_owned(),
                    kind: Some("Document".to_owned()),
                    document: Some(title.clone()),
                    position: Some(position),
                    ..ItemLine::default()
                });
            }
        }
        let mut gold: Vec<GoldEntry> = Vec::new();
        for (title, sentence) in &question.supporting_facts {
            let (id, named) = (id(title, *sentence), GoldEntry::Item(id(title, *sentence)));
            // Some facts name a sentence that is not there.
            if items.iter().any(|item| item.id == id) && !gold.contains(&named) {
                gold.push(named);
            }
        }
        if gold.is_empty() || question.question.trim().is_empty() {
            without += 1;
            continue;
        }
        let id = ids.unique(&question.id);
        imported.lines.push(Line::Pool(PoolLine { pool: id.clone(), items }));
        let (question, pool) = (question.question, id.clone());
        imported.lines.push(Line::Question(QuestionLine {
            question,
            pool,
            id,
            before: None,
            gold,
        }));
    }
    imported.left_out(without, "naming no sentence that is there");
    Ok(imported)
}

fn id(title: &str, sentence: usize) -> String {
    format!("{title}/{sentence}")
}
