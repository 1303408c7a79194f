//! Transcripts: what does a model's next step use of its history?
//!
//! A file is a request to OpenAI, Anthropic or Gemini, its list of messages, or JSON Lines of either; lines that are
//! single messages are one transcript. Each step of the assistant is a question: the last thing the user said, or that and what
//! the assistant said since. Evidence are the earlier messages with a value (an id, a path, a number, a name) that the step uses
//! and that few messages have.
//!
//! Candidates are what they would be in a request: of their kind, as old as their place, with shorter forms where they are long. Such a
//! form is evidence, too, if it still has the values. A call stays with its answers. What is in every window is no evidence:
//! instructions, which are no candidates either, and the last thing the user said.

use std::collections::{BTreeMap, HashMap, HashSet};

use cupel::ContextItem;
use cupel_messages::{
    CurrentTurn, Estimate, Granularity, Message, Options, PartKind, Request, Role,
};
use serde_json::value::RawValue;

use super::values::values;
use super::{Asked, File, ImportError, ImportOptions, Imported, Names};
use crate::set::{GoldEntry, ItemLine, Line, PoolLine, QuestionLine, VariantLine};

/// A value that more messages have than this is nobody's in particular.
const FEW: usize = 3;

const EXPECTED: &str =
    "a request to OpenAI, Anthropic or Gemini, its list of messages, or JSON Lines of either";

pub(super) fn import(files: &[File], options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
    let (mut names, mut without) = (Names::default(), 0);
    for file in files {
        for (number, text) in transcripts(file)?.into_iter().enumerate() {
            let refused = |error: cupel_messages::Error| ImportError {
                place: format!("{}, transcript {}", file.path.display(), number + 1),
                problem: error.to_string(),
                remedy: format!("this should be {EXPECTED}"),
            };
            let request = Request::read(text).map_err(refused)?;
            let transcript = Transcript::new(names.unique(&file.stem()), &request, options);
            without += transcript.map_err(refused)?.add(&mut imported.lines, options.asked);
        }
    }
    imported.left_out(without, "a step that uses no value of an earlier message");
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

/// A conversation, message by message.
struct Transcript<'r> {
    name: String,
    messages: &'r [Message],
    /// The candidate that each message would be in a request, if it is one.
    items: Vec<Option<ContextItem>>,
    words: Vec<String>,
    /// The distinctive words of each message.
    values: Vec<HashSet<String>>,
}

impl<'r> Transcript<'r> {
    fn new(
        name: String,
        request: &'r Request,
        options: &ImportOptions,
    ) -> Result<Self, cupel_messages::Error> {
        let cut = Options::new()
            .granularity(Granularity::Unit)
            .current_turn(CurrentTurn::Rounds)
            .shorten(options.shorten);
        let prepared = request.prepare(&cut, &Estimate)?;
        let messages = request.messages();
        let words: Vec<_> = messages.iter().map(Message::words).collect();
        let mut items = vec![None; messages.len()];
        for (candidate, item) in prepared.items()?.into_iter().enumerate() {
            let origin = prepared.origin(candidate);
            let origin = origin.filter(|at| messages[*at].role() != Role::System);
            if let Some(at) = origin.filter(|at| !words[*at].trim().is_empty()) {
                items[at] = Some(item);
            }
        }
        let values = words.iter().map(|it| values(it)).collect();
        Ok(Self { name, messages, items, words, values })
    }

    /// Adds the pool and the questions, and says how many steps have no evidence.
    fn add(&self, lines: &mut Vec<Line>, asked: Asked) -> usize {
        let (mut questions, mut without) = (Vec::new(), 0);
        let is_by =
            |at: &usize, role| self.items[*at].is_some() && self.messages[*at].role() == role;
        for step in (1..self.messages.len()).filter(|at| is_by(at, Role::Assistant)) {
            let Some(last) = (0..step).rfind(|at| is_by(at, Role::User)) else { continue };
            let is_earlier = |at: &usize| self.items[*at].is_some() && *at != last;
            let earlier: Vec<_> = (0..step).filter(is_earlier).collect();
            let gold = self.gold(step, &earlier);
            if gold.is_empty() {
                without += usize::from(!earlier.is_empty());
                continue;
            }
            let mut question = self.words[last].clone();
            let since = (last + 1..step).rfind(|at| is_by(at, Role::Assistant));
            if let Some(since) = since.filter(|_| asked == Asked::Exchange) {
                question = format!("{question}\n{}", self.words[since]);
            }
            questions.push(Line::Question(QuestionLine {
                question,
                pool: self.name.clone(),
                id: format!("{}/{}", self.name, id(step)),
                before: Some(id(step)),
                gold,
            }));
        }
        if !questions.is_empty() {
            lines.push(Line::Pool(self.pool()));
            lines.append(&mut questions);
        }
        without
    }

    fn pool(&self) -> PoolLine {
        let groups = groups(self.messages);
        let items = self.items.iter().enumerate();
        let line = |(at, item): (usize, &Option<ContextItem>)| {
            let item = item.as_ref()?;
            let variants = item.variants().iter();
            Some(ItemLine {
                id: id(at),
                content: self.words[at].clone(),
                kind: Some(item.kind().to_string()),
                document: Some(self.name.clone()),
                position: Some(at),
                timestamp: item.timestamp().map(|it| it.to_rfc3339()),
                group: groups.get(&at).map(|first| format!("{}/{}", self.name, id(*first))),
                variants: variants
                    .map(|it| VariantLine { content: it.content().to_owned() })
                    .collect(),
                ..ItemLine::default()
            })
        };
        PoolLine { pool: self.name.clone(), items: items.filter_map(line).collect() }
    }

    /// The earlier messages with a value that the step uses and that few of them have.
    fn gold(&self, step: usize, earlier: &[usize]) -> Vec<GoldEntry> {
        let mut used: Vec<_> = self.values[step].iter().collect();
        used.sort_unstable();
        let mut says: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for value in used {
            let having = earlier.iter().filter(|at| self.values[**at].contains(value));
            let having: Vec<_> = having.collect();
            if having.len() <= FEW {
                having.into_iter().for_each(|at| says.entry(*at).or_default().push(value.clone()));
            }
        }
        let entry = |(at, says): (usize, Vec<String>)| {
            let has_forms = self.items[at].as_ref().is_some_and(|it| !it.variants().is_empty());
            match has_forms {
                true => GoldEntry::Said { item: id(at), says },
                false => GoldEntry::Item(id(at)),
            }
        };
        says.into_iter().map(entry).collect()
    }
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
