//! What would the provider refuse, and what stands in for it?
//!
//! Broken histories are the rule, not the exception: a run is interrupted, a client drops a message. What can be
//! mended is mended the same way every time, so that caches survive, and every mend is reported.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Draft;
use super::pairs::{self, Pairs, Place};
use super::shape::units;
use crate::json::Splices;
use crate::model::{Call, Message, Part, PartKind, Role};
use crate::provider::{First, Provider, read_message};
use crate::{Dangling, Error, Repair, RepairKind, Request};

/// What an answer says that was never given.
const ABORTED: &str = "aborted: this call was interrupted and has no result";

/// A conversation that its provider accepts.
#[derive(Debug)]
pub(crate) struct Sound<'a> {
    pub(crate) drafts: Vec<Draft<'a>>,
    pub(crate) pairs: Pairs,
    pub(crate) repairs: Vec<Repair>,
}

/// Mends a request's messages.
pub(crate) fn repair(request: &Request, dangling: Dangling) -> Result<Sound<'_>, Error> {
    let provider = request.format().provider();
    let drafts = request.messages().iter().map(Cow::Borrowed).enumerate();
    let drafts = drafts.map(|(at, message)| Draft { origin: Some(at), message }).collect();
    let mut mending = Mending { request, provider, drafts, repairs: Vec::new() };
    let pairs = mending.pair()?;
    mending.calls_and_answers(&pairs, dangling);
    mending.answers_first();
    mending.lone_reasoning();
    mending.misplaced_system();
    mending.beginning()?;
    mending.calls_behind_words();
    // Every change is reported: where nothing was, the messages are those that were paired.
    let pairs = if mending.repairs.is_empty() { pairs } else { mending.pair()? };
    Ok(Sound { drafts: mending.drafts, pairs, repairs: mending.repairs })
}

struct Mending<'a> {
    request: &'a Request,
    provider: &'a dyn Provider,
    drafts: Vec<Draft<'a>>,
    repairs: Vec<Repair>,
}

impl<'a> Mending<'a> {
    fn pair(&self) -> Result<Pairs, Error> {
        let messages: Vec<&Message> = self.drafts.iter().map(|draft| &*draft.message).collect();
        pairs::pair(&messages, self.provider.rules()).map_err(|twice| Error::AnsweredTwice {
            id: twice.id,
            first: self.path(twice.first.0) + &self.provider.part_path(twice.first.1),
            second: self.path(twice.second.0) + &self.provider.part_path(twice.second.1),
        })
    }

    fn path(&self, draft: usize) -> String {
        self.drafts[draft].origin.map_or_else(String::new, |origin| self.request.path(origin))
    }

    fn report(&mut self, draft: usize, kind: RepairKind) {
        let message = self.drafts[draft].origin;
        self.repairs.push(Repair { message, path: self.path(draft), kind });
    }

    /// Answers what was not answered, and drops answers to nothing.
    fn calls_and_answers(&mut self, pairs: &Pairs, policy: Dangling) {
        let rules = self.provider.rules();
        let orphans: &[Place] = if self.request.keeps_history() { &[] } else { &pairs.orphans };
        if orphans.is_empty() && pairs.dangling.is_empty() {
            return;
        }
        let units = units(&self.drafts, pairs, rules);
        let continues = |at: usize| {
            at > 0 && rules.run_continues(&self.drafts[at - 1].message, &self.drafts[at].message)
        };
        let continues: Vec<bool> = (0..self.drafts.len()).map(continues).collect();
        // What is done to the messages: units dropped, parts taken out, answers put in or behind.
        let mut dropped: BTreeSet<usize> = BTreeSet::new();
        let mut without: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut answers: BTreeMap<usize, Vec<String>> = BTreeMap::new();

        for &(message, part) in orphans {
            without.entry(message).or_default().push(part);
            let PartKind::Answer(answer) = &self.drafts[message].message.parts[part].kind else {
                continue;
            };
            let id = answer.id.clone().or_else(|| answer.name.clone()).unwrap_or_default();
            self.report(message, RepairKind::OrphanDropped { id });
        }
        let dangling = pairs.dangling.iter().filter_map(|&(message, part)| {
            let call = self.drafts[message].message.call(part)?.clone();
            let answer = self.made_up(&call, policy);
            Some((message, call, answer))
        });
        let dangling: Vec<_> = dangling.collect();
        for (message, call, _) in dangling.iter().filter(|(_, _, answer)| answer.is_none()) {
            if dropped.insert(units.root(*message)) {
                self.report(*message, RepairKind::CallDropped { id: call.known_as() });
            }
        }
        for (message, call, answer) in dangling {
            let Some(answer) = answer.filter(|_| !dropped.contains(&units.root(message))) else {
                continue;
            };
            answers.entry(message).or_default().push(answer);
            self.report(message, RepairKind::Answered { id: call.known_as(), name: call.name });
        }

        let mut drafts = Vec::with_capacity(self.drafts.len());
        let mut pending: Vec<String> = Vec::new();
        for (at, draft) in std::mem::take(&mut self.drafts).into_iter().enumerate() {
            let gone = dropped.contains(&units.root(at));
            // Answers that are messages stand behind those that are there; answers that are parts go in front.
            let takes_up = draft.message.role == Role::Tool || continues[at];
            if !pending.is_empty() && (gone || !takes_up) {
                drafts.extend(self.answering(&pending));
                pending.clear();
            }
            if !gone {
                let parts = without.get(&at).map_or(&[][..], Vec::as_slice);
                let takes = rules.merges && draft.message.role == Role::Tool;
                let put_in = if takes { std::mem::take(&mut pending) } else { Vec::new() };
                drafts.extend(self.edited(draft, parts, &put_in));
            }
            if let Some(made_up) = answers.remove(&at) {
                pending.extend(made_up);
            }
        }
        drafts.extend(self.answering(&pending));
        self.drafts = drafts;
    }

    /// The answer that stands in for a missing one, unless there can be none or the call is to go.
    fn made_up(&self, call: &Call, policy: Dangling) -> Option<String> {
        match policy {
            Dangling::Answer => self.provider.answer(call, ABORTED),
            Dangling::Drop => None,
        }
    }

    /// New messages that hold answers.
    fn answering(&self, answers: &[String]) -> Vec<Draft<'a>> {
        if answers.is_empty() {
            return Vec::new();
        }
        let texts = if self.provider.rules().merges {
            vec![self.provider.answering_message(answers)]
        } else {
            answers.to_vec()
        };
        let read = |text: String| read_message(self.provider, &text).ok();
        let messages = texts.into_iter().filter_map(read).map(Cow::Owned);
        messages.map(|message| Draft { origin: None, message }).collect()
    }

    /// A message without some parts and with some more in front; nothing if nothing is left of it.
    fn edited(&self, draft: Draft<'a>, without: &[usize], put_in: &[String]) -> Option<Draft<'a>> {
        if without.is_empty() && put_in.is_empty() {
            return Some(draft);
        }
        let message = &draft.message;
        if without.len() == message.parts.len() && put_in.is_empty() {
            return None;
        }
        let mut splices = Splices::default();
        message.without_parts(&mut splices, |part| without.contains(&part));
        let mut text = splices.apply(&message.text);
        if !put_in.is_empty() {
            let content = read_message(self.provider, &text).ok()?.content?;
            text = with_elements_in_front(&text, &content, put_in);
        }
        let message = Cow::Owned(read_message(self.provider, &text).ok()?);
        Some(Draft { origin: draft.origin, message })
    }

    /// Answers stand before anything else in their message.
    fn answers_first(&mut self) {
        if !self.provider.rules().merges {
            return;
        }
        for at in 0..self.drafts.len() {
            let message = &self.drafts[at].message;
            let is_answer = |part: &Part| matches!(part.kind, PartKind::Answer(_));
            let is_late = message.parts.iter().skip_while(|part| is_answer(part)).any(is_answer);
            if !is_late || message.signed {
                continue;
            }
            let (first, rest): (Vec<_>, Vec<_>) =
                message.parts.iter().partition(|part| is_answer(part));
            let elements = first.iter().chain(&rest).filter_map(|part| part.element.clone());
            let elements: Vec<_> = elements.map(|element| &message.text[element]).collect();
            let Some(content) = message.content.clone() else { continue };
            let mut splices = Splices::default();
            splices.replace(content, format!("[{}]", elements.join(",")));
            let Ok(moved) = read_message(self.provider, &splices.apply(&message.text)) else {
                continue;
            };
            self.drafts[at].message = Cow::Owned(moved);
            self.report(at, RepairKind::AnswersMovedFirst);
        }
    }

    /// Reasoning that nothing follows is refused.
    fn lone_reasoning(&mut self) {
        if !self.provider.rules().emits_runs {
            return;
        }
        let mut gone = vec![false; self.drafts.len()];
        let mut followed = false;
        for (at, draft) in self.drafts.iter().enumerate().rev() {
            gone[at] = !followed && draft.message.has(&PartKind::Thinking);
            followed = !gone[at] && draft.message.role == Role::Assistant;
        }
        self.drop_all(&gone, &RepairKind::ReasoningDropped);
    }

    /// System messages that are not behind a user message are refused.
    fn misplaced_system(&mut self) {
        if !self.provider.rules().system_in_turn {
            return;
        }
        let mut gone = vec![false; self.drafts.len()];
        let mut before = None;
        for (at, draft) in self.drafts.iter().enumerate() {
            let role = draft.message.role;
            gone[at] = role == Role::System && !matches!(before, Some(Role::User | Role::Tool));
            if !gone[at] {
                before = Some(role);
            }
        }
        self.drop_all(&gone, &RepairKind::SystemDropped);
    }

    fn drop_all(&mut self, gone: &[bool], kind: &RepairKind) {
        (0..gone.len()).filter(|at| gone[*at]).for_each(|at| self.report(at, kind.clone()));
        let mut gone = gone.iter();
        self.drafts.retain(|_| !gone.next().copied().unwrap_or(false));
    }

    /// What may not come first goes.
    fn beginning(&mut self) -> Result<(), Error> {
        let starts_wrong = match self.provider.rules().first {
            First::Anything => self.drafts.is_empty() && !self.request.keeps_history(),
            First::User => self.drafts.first().is_none_or(|draft| draft.message.role != Role::User),
            First::NoCall => match self.drafts.first() {
                None => !self.request.messages().is_empty(),
                // What the model says in a row may become one message.
                Some(_) => {
                    let by_model = |draft: &&Draft<'_>| draft.message.role == Role::Assistant;
                    let mut first = self.drafts.iter().take_while(by_model);
                    first.any(|draft| draft.message.calls().next().is_some())
                }
            },
        };
        if !starts_wrong || self.request.messages().is_empty() {
            return Ok(());
        }
        let Some(user) = self.drafts.iter().position(|draft| draft.message.role == Role::User)
        else {
            return Err(Error::NoUserMessage { path: self.request.list_path().to_owned() });
        };
        for at in 0..user {
            self.report(at, RepairKind::LeadingDropped);
        }
        self.drafts.drain(..user);
        Ok(())
    }

    /// Where neighbours of one role cannot become one message because they are signed, words of the model may not stand
    /// before its call.
    fn calls_behind_words(&mut self) {
        let rules = self.provider.rules();
        if !rules.merges || rules.first != First::NoCall {
            return;
        }
        let mut gone = vec![false; self.drafts.len()];
        let mut behind: Option<&Message> = None;
        for (at, draft) in self.drafts.iter().enumerate().rev() {
            let message = &draft.message;
            let before_call = behind.is_some_and(|behind| {
                let both = message.role == Role::Assistant && behind.role == Role::Assistant;
                both && behind.calls().next().is_some() && (message.signed || behind.signed)
            });
            gone[at] = before_call;
            if !before_call {
                behind = Some(message);
            }
        }
        self.drop_all(&gone, &RepairKind::WordsBeforeCallDropped);
    }
}

/// The text with elements put in front of the list at `content`, behind the answers that are there.
fn with_elements_in_front(text: &str, content: &Range<usize>, elements: &[String]) -> String {
    let inner = &text[content.start + 1..content.end - 1];
    let separator = if inner.trim().is_empty() { "" } else { "," };
    let mut splices = Splices::default();
    splices.replace(
        content.start + 1..content.start + 1,
        format!("{}{separator}", elements.join(",")),
    );
    splices.apply(text)
}
