//! Which answer belongs to which call?
//!
//! Ids are not unique in real life, so an answer belongs to the call of its id that it follows, not to the id.

use std::collections::{BTreeMap, VecDeque};

use crate::model::{Answer, Call, Message, PartKind, Role};
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
    run: Run<'a>,
}

impl<'a> Adjacent<'a> {
    fn new(messages: &'a [&'a Message], rules: Rules) -> Self {
        Self { messages, rules, pairs: Pairs::default(), run: Run::default() }
    }

    fn pair(mut self) -> Result<Pairs, Twice> {
        for (at, message) in self.messages.iter().enumerate() {
            match message.role {
                Role::Assistant => {
                    if !self.continues_run(at) {
                        self.end_run(false);
                    }
                    for (part, call) in message.calls() {
                        self.run.call((at, part), call);
                    }
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
        let spoken = |last: &&Message| last.role == Role::Tool && !only_answers(last);
        self.end_run(!self.messages.last().is_some_and(spoken));
        Ok(self.pairs)
    }

    /// Whether an assistant message will be one with the message before it.
    fn continues_run(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.messages[before]);
        before.is_some_and(|before| self.rules.run_continues(before, self.messages[at]))
    }

    fn answer(&mut self, place: Place, answer: &'a Answer) -> Result<(), Twice> {
        if let Some(call) = self.run.answer(place, answer) {
            self.pairs.joined.push((call, place));
            return Ok(());
        }
        match answer.id.as_deref().and_then(|id| Some((id, self.run.answered(id)?))) {
            Some((id, first)) => Err(Twice { id: id.to_owned(), first, second: place }),
            None => {
                self.pairs.orphans.push(place);
                Ok(())
            }
        }
    }

    fn end_run(&mut self, waiting: bool) {
        let open = std::mem::take(&mut self.run).calls.into_iter().filter_map(|call| call.open);
        if waiting { self.pairs.waiting.extend(open) } else { self.pairs.dangling.extend(open) }
    }
}

/// The calls that what directly follows may answer: all of them are known before the first answer comes.
#[derive(Default)]
struct Run<'a> {
    calls: Vec<Made<'a>>,
    /// Where to find them, in their order: by id, and by name those without an id.
    by_id: BTreeMap<&'a str, SameId>,
    without_id: BTreeMap<&'a str, VecDeque<usize>>,
    /// All by name, once an answer comes without an id.
    by_name: Option<BTreeMap<&'a str, VecDeque<usize>>>,
}

/// A call, and where it stands until it has its answer.
struct Made<'a> {
    open: Option<Place>,
    name: &'a str,
}

/// The calls of one id, and the last answer to them.
#[derive(Default)]
struct SameId {
    calls: VecDeque<usize>,
    answered: Option<Place>,
}

impl<'a> Run<'a> {
    fn call(&mut self, place: Place, call: &'a Call) {
        let at = self.calls.len();
        self.calls.push(Made { open: Some(place), name: &call.name });
        match &call.id {
            Some(id) => self.by_id.entry(id).or_default().calls.push_back(at),
            None => self.without_id.entry(&call.name).or_default().push_back(at),
        }
    }

    /// The call that an answer belongs to: by id before by name, since beside calls with ids there may be some without.
    fn answer(&mut self, place: Place, answer: &'a Answer) -> Option<Place> {
        let name = answer.name.as_deref();
        let Some(id) = answer.id.as_deref() else {
            let by_name = self.by_name.get_or_insert_with(|| by_name(&self.calls));
            return first_open(&mut self.calls, by_name.get_mut(name?)?);
        };
        if let Some(same_id) = self.by_id.get_mut(id)
            && let Some(call) = first_open(&mut self.calls, &mut same_id.calls)
        {
            same_id.answered = Some(place);
            return Some(call);
        }
        first_open(&mut self.calls, self.without_id.get_mut(name?)?)
    }

    /// The last answer to an id.
    fn answered(&self, id: &str) -> Option<Place> {
        self.by_id.get(id)?.answered
    }
}

fn by_name<'a>(calls: &[Made<'a>]) -> BTreeMap<&'a str, VecDeque<usize>> {
    let mut by_name: BTreeMap<_, VecDeque<_>> = BTreeMap::new();
    for (at, call) in calls.iter().enumerate() {
        by_name.entry(call.name).or_default().push_back(at);
    }
    by_name
}

/// Takes the first call of `queue` that has no answer yet.
fn first_open(calls: &mut [Made<'_>], queue: &mut VecDeque<usize>) -> Option<Place> {
    while let Some(at) = queue.pop_front() {
        if let Some(call) = calls[at].open.take() {
            return Some(call);
        }
    }
    None
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
