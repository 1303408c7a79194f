//! Which answer belongs to which call?
//!
//! Ids are not unique in real life, so an answer belongs to the call of its id that it follows, not to the id.

use std::collections::BTreeMap;

use crate::model::{Answer, Message, PartKind, Role};
use crate::provider::Rules;

/// A part, by its message and its number in that.
pub(crate) type Place = (usize, usize);

/// The calls and answers of a conversation, told apart.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Pairs {
    /// A call and its answer.
    pub(crate) joined: Vec<(Place, Place)>,
    /// Calls that will not be answered any more.
    pub(crate) dangling: Vec<Place>,
    /// Calls at the very end, which may still be.
    pub(crate) waiting: Vec<Place>,
    /// Answers to nothing.
    pub(crate) orphans: Vec<Place>,
}

/// A call with two answers.
#[derive(Debug, PartialEq)]
pub(crate) struct Twice {
    pub(crate) id: String,
    pub(crate) first: Place,
    pub(crate) second: Place,
}

/// Pairs calls with answers as the provider does: with what directly follows, or with what comes at any time later.
pub(crate) fn pair(messages: &[&Message], rules: Rules) -> Result<Pairs, Twice> {
    if rules.answers_adjacent {
        Adjacent::new(messages, rules).pair()
    } else {
        pair_anywhere(messages)
    }
}

/// Pairs where answers directly follow the message, or the run of messages, that calls.
struct Adjacent<'a> {
    messages: &'a [&'a Message],
    rules: Rules,
    pairs: Pairs,
    /// The calls of the present run, and the answer each has.
    run: Vec<(Place, Option<Place>)>,
}

impl<'a> Adjacent<'a> {
    fn new(messages: &'a [&'a Message], rules: Rules) -> Self {
        Self { messages, rules, pairs: Pairs::default(), run: Vec::new() }
    }

    fn pair(mut self) -> Result<Pairs, Twice> {
        for (at, message) in self.messages.iter().enumerate() {
            match message.role {
                Role::Assistant => {
                    if !self.continues_run(at) {
                        self.end_run(false);
                    }
                    self.run.extend(message.calls().map(|(part, _)| ((at, part), None)));
                }
                Role::Tool => {
                    for (part, answer) in message.answers() {
                        self.answer((at, part), answer)?;
                    }
                }
                Role::User | Role::System => self.end_run(false),
            }
        }
        // The user spoke after the calls if the last answers come with words.
        let spoken =
            self.messages.last().is_some_and(|last| last.role == Role::Tool && !only_answers(last));
        self.end_run(!spoken);
        Ok(self.pairs)
    }

    /// Whether an assistant message will be one with the message before it.
    fn continues_run(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.messages[before]);
        before.is_some_and(|before| self.rules.run_continues(before, self.messages[at]))
    }

    fn answer(&mut self, place: Place, answer: &Answer) -> Result<(), Twice> {
        let messages = self.messages;
        let called = |call: &Place| messages[call.0].call(call.1);
        let same_id = |call: &Place| {
            called(call).is_some_and(|call| call.id.is_some() && call.id == answer.id)
        };
        let same_name = |call: &Place| called(call).is_some_and(|call| answer.fits(call));
        // By id before by name: beside calls with ids there may be some without.
        let free = |fits: &dyn Fn(&Place) -> bool| {
            self.run.iter().position(|(call, taken)| taken.is_none() && fits(call))
        };
        if let Some(at) = free(&same_id).or_else(|| free(&same_name)) {
            let (call, taken) = &mut self.run[at];
            *taken = Some(place);
            self.pairs.joined.push((*call, place));
            return Ok(());
        }
        let taken = self.run.iter().find(|(call, _)| same_id(call)).and_then(|(_, taken)| *taken);
        if let (Some(first), Some(id)) = (taken, &answer.id) {
            return Err(Twice { id: id.clone(), first, second: place });
        }
        self.pairs.orphans.push(place);
        Ok(())
    }

    fn end_run(&mut self, waiting: bool) {
        let open = self.run.drain(..).filter(|(_, answer)| answer.is_none()).map(|(call, _)| call);
        if waiting { self.pairs.waiting.extend(open) } else { self.pairs.dangling.extend(open) }
    }
}

/// The calls of one id.
#[derive(Default)]
struct Called {
    open: Vec<Place>,
    answered: Option<Place>,
}

/// Pairs where an answer may come at any time after its call: with the last such call that has none.
fn pair_anywhere(messages: &[&Message]) -> Result<Pairs, Twice> {
    let mut pairs = Pairs::default();
    let mut calls: BTreeMap<&str, Called> = BTreeMap::new();
    for (at, message) in messages.iter().enumerate() {
        for (part, call) in message.calls() {
            calls.entry(call.id.as_deref().unwrap_or_default()).or_default().open.push((at, part));
        }
        for (part, answer) in message.answers() {
            let (id, place) = (answer.id.as_deref().unwrap_or_default(), (at, part));
            let Some(called) = calls.get_mut(id) else {
                pairs.orphans.push(place);
                continue;
            };
            match (called.open.pop(), called.answered) {
                (Some(call), _) => {
                    called.answered = Some(place);
                    pairs.joined.push((call, place));
                }
                (None, first) => {
                    return Err(Twice {
                        id: id.to_owned(),
                        first: first.unwrap_or(place),
                        second: place,
                    });
                }
            }
        }
    }
    let last_run = last_run(messages);
    let mut open: Vec<Place> = calls.into_values().flat_map(|called| called.open).collect();
    open.sort_unstable();
    (pairs.waiting, pairs.dangling) =
        open.into_iter().partition(|(message, _)| *message >= last_run);
    Ok(pairs)
}

/// Where the model's last run of messages starts, if nothing but answers follows it; else the end.
fn last_run(messages: &[&Message]) -> usize {
    let answers = messages.iter().rev().take_while(|message| message.role == Role::Tool).count();
    let end = messages.len() - answers;
    let run =
        messages[..end].iter().rev().take_while(|message| message.role == Role::Assistant).count();
    end - run
}

pub(crate) fn only_answers(message: &Message) -> bool {
    message.parts.iter().all(|part| matches!(part.kind, PartKind::Answer(_)))
}
