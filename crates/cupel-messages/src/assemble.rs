//! Writing what was decided: shorter forms put in, invalid thinking taken out, neighbours merged, text spliced.

use std::borrow::Cow;

use crate::fit::{Decision, Fate};
use crate::grammar::Draft;
use crate::grammar::merge::{Merged, merge};
use crate::json::Splices;
use crate::model::{Message, PartKind, Role};
use crate::provider::read_message;
use crate::{
    Fitted, MessageReport, Outcome, Prepared, Repair, RepairKind, SentMessage, Tokens, Why,
};

/// A request as it will be sent.
#[derive(Debug)]
pub(crate) struct Assembled {
    text: String,
    pub(crate) tokens: Tokens,
    repairs: Vec<Repair>,
    /// By message of the request: what it costs now, and whether its bytes are others.
    sent: Vec<Option<(i64, bool)>>,
    written: Vec<SentMessage>,
    /// Of each message that is sent, the first candidate in it.
    pub(crate) firsts: Vec<usize>,
}

impl Prepared<'_> {
    /// Of which messages thinking must go.
    pub(crate) fn strips(&self, decision: &Decision, strip_all: bool) -> Vec<bool> {
        let from = self.strip_from(decision, strip_all).unwrap_or(usize::MAX);
        (0..self.drafts.len()).map(|at| at >= from).collect()
    }

    /// The request with `decision` carried out, some messages without their thinking.
    pub(crate) fn assemble(&self, decision: &Decision, strips: &[bool]) -> Assembled {
        let last_turn = self.shape.turn.last().copied().unwrap_or(0);
        let mut repairs = Vec::new();
        let mut sent = vec![None; self.request.messages().len()];
        let mut kept: Vec<(Draft<'_>, Tokens)> = Vec::new();
        let mut firsts = Vec::new();
        for (at, draft) in self.drafts.iter().enumerate() {
            let Fate::In { form } = decision.fates[at] else { continue };
            let (message, tokens) = self.in_form(at, form);
            let strip = strips[at] && message.has(&PartKind::Thinking);
            let (message, now) = self.cleaned(message, tokens, strip);
            if strip {
                let kind = RepairKind::ThinkingStripped {
                    tokens: tokens.total() - now.total(),
                    current_turn: self.shape.turn[at] == last_turn,
                };
                repairs.push(self.repair(draft.origin, kind));
            }
            if let Some(origin) = draft.origin {
                let edited = !message.is_spelled_as(&self.request.messages()[origin]);
                sent[origin] = Some((now.total(), edited));
            }
            let is_left = !strip || !message.parts.is_empty();
            if is_left {
                kept.push((Draft { origin: draft.origin, message }, now));
                firsts.push(at);
            }
        }
        self.joined(kept, firsts, repairs, sent)
    }

    /// A message, whole (0) or in one of its shorter forms.
    fn in_form(&self, at: usize, form: usize) -> (&Message, Tokens) {
        match form.checked_sub(1).and_then(|form| self.forms(at).get(form)) {
            Some(form) => (&form.message, form.tokens),
            None => (&self.drafts[at].message, self.tokens[at]),
        }
    }

    fn repair(&self, message: Option<usize>, kind: RepairKind) -> Repair {
        let path = message.map_or_else(String::new, |message| self.request.path(message));
        Repair { message, path, kind }
    }

    /// The last step: neighbours of one role made one, and the text written.
    fn joined(
        &self,
        kept: Vec<(Draft<'_>, Tokens)>,
        mut firsts: Vec<usize>,
        mut repairs: Vec<Repair>,
        mut sent: Vec<Option<(i64, bool)>>,
    ) -> Assembled {
        let mut tokens = kept.iter().fold(self.fixed, |sum, (_, tokens)| sum + *tokens);
        let (drafts, merged) =
            merge(self.provider, kept.into_iter().map(|(draft, _)| draft).collect());
        if !merged.is_empty() {
            // Fewer messages cost less; what exactly is counted again.
            tokens = drafts
                .iter()
                .map(|draft| self.counting().message(&draft.message))
                .fold(self.fixed, |a, b| a + b);
        }
        if !merged.is_empty() {
            firsts = firsts_of_merged(&firsts, &merged, drafts.len());
        }
        for merged in merged {
            let into = drafts[merged.into].origin;
            repairs.push(self.repair(merged.origin, RepairKind::Merged { into }));
            for origin in [into, merged.origin].into_iter().flatten() {
                sent[origin] = sent[origin].map(|(tokens, _)| (tokens, true));
            }
        }
        let messages: Vec<_> =
            drafts.iter().map(|draft| (draft.origin, &*draft.message.text)).collect();
        let (text, places) = self.request.with_messages(&messages);
        let written = drafts.iter().zip(places).map(|(draft, range)| {
            let originals = self.request.messages();
            let as_it_was = |origin: usize| draft.message.is_spelled_as(&originals[origin]);
            let edited = !draft.origin.is_some_and(as_it_was);
            SentMessage { origin: draft.origin, range, edited }
        });
        Assembled { text, tokens, repairs, written: written.collect(), sent, firsts }
    }

    /// From which message on thinking must go, if it must.
    pub(crate) fn strip_from(&self, decision: &Decision, strip_all: bool) -> Option<usize> {
        if !self.provider.rules().thinking_strips {
            return None;
        }
        if self.thinking_goes() {
            return if strip_all { Some(0) } else { self.first_change(decision, 0) };
        }
        // Thinking of the current turn is checked as a whole.
        let current = self.shape.turn.last().copied()?;
        let mut turn = (0..self.drafts.len()).filter(|at| self.shape.turn[*at] == current);
        let cut = turn.clone().any(|at| matches!(decision.fates[at], Fate::Out(_)));
        if cut { turn.next() } else { None }
    }

    /// The first message from candidate `since` on that is not where, or not as, it was.
    pub(crate) fn first_change(&self, decision: &Decision, since: usize) -> Option<usize> {
        let originals = self.request.messages();
        let as_it_was = |at: &usize| {
            let draft = &self.drafts[*at];
            // What was sent before may have been mended in its place: only gaps behind it count.
            let follows =
                |origin: &usize| match self.drafts[..*at].iter().rev().find_map(|it| it.origin) {
                    Some(before) => *origin == before + 1,
                    None => *origin == 0,
                };
            let original = draft.origin.filter(follows);
            let same = original.is_some_and(|it| draft.message.is_spelled_as(&originals[it]));
            same && decision.fates[*at] == Fate::In { form: 0 }
        };
        let first = (since..self.drafts.len()).find(|at| !as_it_was(at));
        let merges = self.provider.rules().merges;
        let neighbours = |at: &usize| {
            let speaks = |at: usize| match self.drafts[at].message.role {
                Role::Tool => Role::User,
                role => role,
            };
            merges && speaks(at - 1) == speaks(*at)
        };
        let merged = (since.max(1)..self.drafts.len()).find(neighbours).map(|at| at - 1);
        match (first, merged) {
            (Some(first), Some(merged)) => Some(first.min(merged)),
            (first, merged) => first.or(merged),
        }
    }

    /// A message, and what it costs, without what is ours in it and, if asked, without thinking.
    fn cleaned<'m>(
        &self,
        message: &'m Message,
        tokens: Tokens,
        strip: bool,
    ) -> (Cow<'m, Message>, Tokens) {
        let mut splices = Splices::default();
        message.without_hints(&mut splices);
        if strip {
            message
                .without_parts(&mut splices, |part| message.parts[part].kind == PartKind::Thinking);
        }
        if splices.is_empty() {
            return (Cow::Borrowed(message), tokens);
        }
        let Ok(cleaned) = read_message(self.provider, &splices.apply(&message.text)) else {
            return (Cow::Borrowed(message), tokens);
        };
        let now = match strip {
            true if cleaned.parts.is_empty() => Tokens::default(),
            _ => self.counting().message(&cleaned),
        };
        (Cow::Owned(cleaned), now)
    }
}

impl Assembled {
    /// The result, with what became of every message.
    pub(crate) fn fitted(self, prepared: &Prepared<'_>, decision: Decision, budget: i64) -> Fitted {
        let request = prepared.request;
        let mut messages: Vec<MessageReport> = Vec::with_capacity(request.messages().len());
        let mut before = prepared.fixed;
        let mut drafts = prepared
            .drafts
            .iter()
            .enumerate()
            .filter(|(_, draft)| draft.origin.is_some())
            .peekable();
        for (index, message) in request.messages().iter().enumerate() {
            let draft = drafts.next_if(|(_, draft)| draft.origin == Some(index)).map(|(at, _)| at);
            let turn_before = messages.last().map_or(0, |before| before.turn);
            let as_it_was = draft.filter(|at| prepared.drafts[*at].message.is_spelled_as(message));
            let tokens = as_it_was
                .map_or_else(|| prepared.counting().message(message), |at| prepared.tokens[at]);
            before += tokens;
            let (outcome, why) = draft
                .map_or((Outcome::Dropped, Why::Refused), |at| verdict(prepared, &decision, at));
            let (sent, edited) = self.sent[index].unwrap_or_default();
            messages.push(MessageReport {
                index,
                path: request.path(index),
                role: message.role,
                turn: draft.map_or(turn_before, |at| prepared.shape.turn[at]),
                unit: draft.map_or(index, |at| {
                    prepared.drafts[prepared.shape.unit[at]].origin.unwrap_or(index)
                }),
                tokens: tokens.total(),
                sent,
                outcome,
                edited,
                why,
                score: draft.and_then(|at| decision.scores[at]),
            });
        }
        let mut repairs: Vec<Repair> =
            prepared.repairs.iter().cloned().chain(self.repairs).collect();
        repairs.sort_by_key(|repair| repair.message.unwrap_or(usize::MAX));
        Fitted {
            text: self.text,
            budget,
            basis: prepared.meter.basis(),
            tokens: self.tokens,
            before,
            messages,
            sent: self.written,
            repairs,
            selection: decision.selection,
        }
    }
}

/// The first candidate of each message, where some were taken into the one before them.
fn firsts_of_merged(firsts: &[usize], merged: &[Merged], messages: usize) -> Vec<usize> {
    let mut sizes = vec![1_usize; messages];
    merged.iter().for_each(|merged| sizes[merged.into] += 1);
    let mut at = 0;
    let starts = sizes.iter().map(|size| {
        at += size;
        firsts[at - size]
    });
    starts.collect()
}

/// In or out, and why.
fn verdict(prepared: &Prepared<'_>, decision: &Decision, at: usize) -> (Outcome, Why) {
    match &decision.fates[at] {
        Fate::Out(Some(reason)) => (Outcome::LeftOut, Why::Excluded(reason.clone())),
        Fate::Out(None) => (Outcome::LeftOut, Why::TurnLeftOut),
        Fate::OutBefore => (Outcome::LeftOut, Why::LeftOutBefore),
        Fate::In { form } => {
            let forms = prepared.forms(at).len();
            let outcome =
                if *form == 0 { Outcome::Kept } else { Outcome::Shortened { form: *form, forms } };
            let why = match (prepared.pins[at], &decision.selection) {
                (_, None) => Why::Fits,
                (Some(pin), _) => Why::Pinned(pin),
                (None, _) if decision.scores[at].is_none() => Why::InBefore,
                (None, _) => Why::Scored,
            };
            (outcome, why)
        }
    }
}
