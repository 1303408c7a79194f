//! Transcripts: what does a model's next step use of its history?
//!
//! A file is a request to OpenAI, Anthropic or Gemini, its list of messages, or JSON Lines of either; lines that are
//! single messages are one transcript. Each step of the assistant is a question: the last thing the user said. Evidence
//! are the earlier messages with a value (an id, a path, a number, a name) that the step uses and that few messages have.
//!
//! What is in every window is no evidence: instructions, which are no candidates either, and the message that the
//! question is. A call stays with its answers.

use std::collections::HashMap;
use std::collections::HashSet;

use cupel_messages::{Message, PartKind, Request, Role};
use serde_json::value::RawValue;

use super::values::values;
use super::{File, ImportError, Imported, Names};
use crate::set::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine};

/// A value that more messages have than this is nobody's in particular.
const FEW: usize = 3;

const EXPECTED: &str =
    "a request to OpenAI, Anthropic or Gemini, its list of messages, or JSON Lines of either";

pub(super) fn import(files: &[File]) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
    let (mut names, mut without) = (Names::default(), 0);
    for file in files {
        for (number, text) in transcripts(file)?.into_iter().enumerate() {
            let request = Request::read(text).map_err(|error| ImportError {
                place: format!("{}, transcript {}", file.path.display(), number + 1),
                problem: error.to_string(),
                remedy: format!("this should be {EXPECTED}"),
            })?;
            let name = names.unique(&file.stem());
            without += add(&mut imported.lines, &name, request.messages());
        }
    }
    imported.left_out(without, "the step uses no value of an earlier message");
    if imported.lines.is_empty() {
        let place = files.first().map(|file| file.path.display().to_string()).unwrap_or_default();
        return Err(ImportError {
            place,
            problem: "no step of an assistant uses a value of an earlier message".to_owned(),
            remedy: "give transcripts of several turns".to_owned(),
        });
    }
    Ok(imported)
}

/// The requests and lists of messages in a file.
fn transcripts(file: &File) -> Result<Vec<String>, ImportError> {
    let values: Vec<Box<RawValue>> = file.json_values(EXPECTED)?;
    let is_message = |value: &str| {
        let keys = serde_json::from_str::<HashMap<&str, &RawValue>>(value).unwrap_or_default();
        keys.contains_key("role") && !keys.contains_key("messages")
    };
    if values.iter().all(|value| is_message(value.get())) && !values.is_empty() {
        let messages: Vec<_> = values.iter().map(|value| value.get()).collect();
        return Ok(vec![format!("[{}]", messages.join(",\n"))]);
    }
    Ok(values.iter().map(|value| value.get().to_owned()).collect())
}

/// Adds the pool and the questions of one transcript, and says how many steps have no evidence.
fn add(lines: &mut Vec<Line>, name: &str, messages: &[Message]) -> usize {
    let words: Vec<_> = messages.iter().map(Message::words).collect();
    let values: Vec<_> = words.iter().map(|it| values(it)).collect();
    let groups = groups(messages);
    let is_item = |at: usize| messages[at].role() != Role::System && !words[at].trim().is_empty();
    let items: Vec<_> = (0..messages.len())
        .filter(|at| is_item(*at))
        .map(|at| ItemLine {
            id: id(at),
            content: words[at].clone(),
            kind: Some(if messages[at].role() == Role::Tool { "ToolOutput" } else { "Message" }),
            document: Some(name.to_owned()),
            position: Some(at),
            group: groups.get(&at).map(|first| format!("{name}/{}", id(*first))),
            ..ItemLine::default()
        })
        .collect();
    let (mut questions, mut without) = (Vec::new(), 0);
    let steps =
        (1..messages.len()).filter(|at| messages[*at].role() == Role::Assistant && is_item(*at));
    for step in steps {
        let asked = (0..step).rev().find(|at| messages[*at].role() == Role::User && is_item(*at));
        let Some(asked) = asked else { continue };
        let earlier: Vec<_> = (0..step).filter(|at| is_item(*at) && *at != asked).collect();
        let gold = gold(step, &earlier, &values);
        if gold.is_empty() {
            without += usize::from(!earlier.is_empty());
            continue;
        }
        questions.push(Line::Question(QuestionLine {
            question: words[asked].clone(),
            pool: name.to_owned(),
            id: format!("{name}/{}", id(step)),
            before: Some(id(step)),
            gold: gold.into_iter().map(|at| GoldEntry::Item(id(at))).collect(),
        }));
    }
    if !questions.is_empty() {
        lines.push(Line::Pool(PoolLine { pool: name.to_owned(), items }));
        lines.append(&mut questions);
    }
    without
}

/// What a step of the assistant uses of an earlier message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The message that is the step.
    pub step: usize,
    /// The earlier message.
    pub message: usize,
    /// The values it uses of that, lower-cased, in order.
    pub values: Vec<String>,
}

/// What every step of a transcript uses of earlier messages: values (an id, a path, a number, a name) that few of them have. What
/// is in every window, instructions and what the user asked last, is nobody's evidence.
pub fn uses(messages: &[Message]) -> Vec<Use> {
    let words: Vec<_> = messages.iter().map(Message::words).collect();
    let values: Vec<_> = words.iter().map(|it| values(it)).collect();
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut found = Vec::new();
    let mut asked = None;
    for (step, message) in messages.iter().enumerate() {
        if message.role() == Role::Assistant && asked.is_some() {
            let mut by_message: std::collections::BTreeMap<usize, Vec<String>> = Default::default();
            for value in &values[step] {
                let having = holders.get(value.as_str()).map_or(&[][..], Vec::as_slice);
                let having: Vec<_> = having.iter().filter(|at| Some(**at) != asked).collect();
                if having.len() <= FEW {
                    for at in having {
                        by_message.entry(*at).or_default().push(value.clone());
                    }
                }
            }
            found.extend(by_message.into_iter().map(|(message, mut values)| {
                values.sort_unstable();
                Use { step, message, values }
            }));
        }
        if message.role() == Role::User {
            asked = Some(step);
        }
        if message.role() != Role::System {
            values[step].iter().for_each(|value| holders.entry(value).or_default().push(step));
        }
    }
    found
}

fn id(message: usize) -> String {
    format!("m{}", message + 1)
}

/// The earlier messages with a value that the step uses and that few of them have.
fn gold(step: usize, earlier: &[usize], values: &[HashSet<String>]) -> Vec<usize> {
    let mut is_gold = vec![false; step];
    for value in &values[step] {
        let having: Vec<_> = earlier.iter().filter(|at| values[**at].contains(value)).collect();
        if having.len() <= FEW {
            having.into_iter().for_each(|at| is_gold[*at] = true);
        }
    }
    (0..step).filter(|at| is_gold[*at]).collect()
}

/// Of each message that calls a tool or answers a call: the first of those it stays with.
fn groups(messages: &[Message]) -> HashMap<usize, usize> {
    let mut groups = HashMap::new();
    let mut callers: HashMap<String, usize> = HashMap::new();
    let mut last_caller = None;
    for (at, message) in messages.iter().enumerate() {
        for part in message.parts() {
            match part.kind() {
                PartKind::Call(call) => {
                    let first = groups.get(&at).copied().unwrap_or(at);
                    groups.insert(at, first);
                    callers.extend(call.id.clone().map(|id| (id, first)));
                    last_caller = Some(first);
                }
                PartKind::Answer(answer) => {
                    let by_id = answer.id.as_ref().and_then(|id| callers.get(id)).copied();
                    if let Some(first) = by_id.or(last_caller) {
                        groups.insert(at, first);
                    }
                }
                _ => {}
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_uses_the_results_whose_values_it_repeats() {
        let request = Request::read(
            r#"[{"role":"user","content":"Where is order 4711?"},
                {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"find","arguments":"{}"}}]},
                {"role":"tool","tool_call_id":"c","content":"it is in depot_9, shelf B12x"},
                {"role":"assistant","content":"Order 4711 is in depot_9."}]"#,
        )
        .expect("a request");
        let found = uses(request.messages());
        assert_eq!(found, [Use { step: 3, message: 2, values: vec!["depot_9".to_owned()] }]);
    }
}
