//! What was decided, carried out: blocks, breakpoints, what it costs, the report, and what is remembered.

use cupel_messages::{Choice, Sent, Standing, fingerprint};

use super::recall::Event;
use super::{Step, Turn};
use crate::account::Account;
use crate::breakpoints::{Ends, OwnMarks};
use crate::cost::Entries;
use crate::settings::Terms;
use crate::state::{Kind, State, Unit};
use crate::turn::{Action, Cause, FirstChange, Note};
use crate::window::Window;
use crate::{Cache, Error};

/// A turn that was decided.
pub(super) struct Finish<'a> {
    pub(super) step: &'a Step<'a>,
    pub(super) choice: Choice,
    pub(super) sent: Sent,
    pub(super) events: Vec<Event>,
    pub(super) notes: Vec<Note>,
    pub(super) terms: Terms,
}

impl Finish<'_> {
    /// The turn, its window, and what is remembered after it, where `grown` tokens came.
    pub(super) fn turn(
        mut self,
        action: Action,
        grown: i64,
    ) -> Result<(Turn, Window, State), Error> {
        let Step { session, hashes, price, .. } = self.step;
        let state = &session.state;
        let mut window = self.window()?;
        let mut kept = self.kept(&window);
        if let Some(from) = self.invalid_thinking_from(&window, kept) {
            self.choice.strip_from(from);
            self.sent = self.step.carry_out(&self.choice);
            window = self.window()?;
            kept = self.kept(&window);
        }
        let stripped = self.newly_stripped();
        if stripped > 0 {
            self.notes.push(Note::ThinkingStripped { messages: stripped });
        }
        let tail = self.tail(&window);
        let marks =
            session.marks(&window, &OwnMarks::of(&window), Ends { tail, kept }, &self.terms);
        if price.cache == Cache::Marked && marks.all.is_empty() {
            self.notes.push(Note::NothingMarked);
        }
        let account = Account {
            before: state,
            terms: self.terms,
            sums: &window.sums,
            kept,
            now: Entries { marks: &marks.all, asked: window.asked() },
            total: self.sent.fitted.tokens.total(),
        };
        let first_change = account.is_broken().then(|| FirstChange {
            block: kept,
            message: window.message_of(kept),
            cause: self.cause(&window, kept),
        });
        let was_cut = matches!(action, Action::Cut(_));
        let report = account.report(action, first_change, self.notes.clone());
        let key = state.session_key(hashes, &window.blocks);
        let mut next = State {
            kind: Kind::Requests,
            units: self.units(),
            window: window.hashes(),
            marks: marks.all.clone(),
            asked: window.asked(),
            tail,
            tokens: report.tokens,
            warned: self.terms.levels.overloaded,
            model: self.model(),
            key,
            ..state.counters()
        };
        next.after_turn(grown, was_cut);
        let mut request = self.sent.fitted;
        request.text = session.marked(&window, &marks.placed, key);
        Ok((Turn { request, report }, window, next))
    }

    fn window(&self) -> Result<Window, Error> {
        let text = self.sent.fitted.text.clone();
        Window::read(text, self.step.request.format(), self.step.meter)
    }

    fn model(&self) -> u64 {
        fingerprint(self.step.request.model().unwrap_or_default())
    }

    fn is_same_model(&self) -> bool {
        let state = &self.step.session.state;
        state.turns == 0 || state.model == self.model()
    }

    /// How many blocks of the window before are the first of this one.
    fn kept(&self, window: &Window) -> usize {
        if self.is_same_model() { window.common(&self.step.session.state.window) } else { 0 }
    }

    /// From which candidate on thinking is bound to what is no more, if there is any.
    fn invalid_thinking_from(&self, window: &Window, kept: usize) -> Option<usize> {
        let (state, prepared) = (&self.step.session.state, self.step.prepared);
        if state.turns == 0 || kept >= state.window.len() || !prepared.binds_thinking() {
            return None;
        }
        let from = if kept < window.blocks.len() {
            let first = window.message_of(kept).and_then(|message| self.sent.firsts.get(message));
            first.copied().unwrap_or(0)
        } else {
            prepared.len()
        };
        let thinks = |at: usize| {
            let thinking =
                matches!(self.choice.standing()[at], Standing::In { thinking: true, .. });
            thinking && prepared.candidate(at).is_some_and(|it| it.thinks)
        };
        (from..prepared.len()).any(thinks).then_some(from)
    }

    /// How many messages have lost their thinking in this turn.
    fn newly_stripped(&self) -> usize {
        let prepared = self.step.prepared;
        let is_stripped =
            |standing: Standing| matches!(standing, Standing::In { form: 0, thinking: false });
        let without = |at: &usize| {
            is_stripped(self.choice.standing()[*at])
                && prepared.candidate(*at).is_some_and(|it| it.thinks)
        };
        let now = (0..prepared.len()).filter(without).count();
        let before = self.step.session.state.units.iter();
        now.saturating_sub(before.filter(|unit| is_stripped(unit.standing)).count())
    }

    /// How everything that lasts stands now, by message.
    fn units(&self) -> Vec<Unit> {
        let Step { prepared, hashes, .. } = self.step;
        let mut of_message = vec![Standing::WHOLE; hashes.len()];
        for at in 0..prepared.len() {
            if let (Some(origin), Some(candidate)) = (prepared.origin(at), prepared.candidate(at)) {
                of_message[origin] = match self.choice.standing()[at] {
                    // Only what has thinking can lose it.
                    Standing::In { form, thinking } => {
                        Standing::In { form, thinking: thinking || !candidate.thinks }
                    }
                    Standing::Out => Standing::Out,
                };
            }
        }
        let lasting = (0..hashes.len()).filter(|at| !self.step.is_volatile(*at));
        lasting.map(|at| Unit { hash: hashes[at], standing: of_message[at] }).collect()
    }

    /// How many blocks at the end are there, or stand behind something that is, for this turn only.
    fn tail(&self, window: &Window) -> usize {
        let (prepared, firsts) = (self.step.prepared, &self.sent.firsts);
        let volatile = |at: &usize| {
            let it = prepared.candidate(*at);
            self.choice.standing()[*at].is_in() && it.is_some_and(|it| it.volatile)
        };
        let Some(first) = (0..prepared.len()).find(volatile) else { return 0 };
        // The message it is in, or was merged into; of that, everything from its own first block on.
        let message = firsts.partition_point(|candidate| *candidate <= first).saturating_sub(1);
        let parts_before = self.blocks_before(firsts[message], first);
        let start = window.blocks.iter().position(|block| block.message == Some(message));
        let start = start.map_or(window.blocks.len(), |start| start + parts_before);
        window.blocks.len().saturating_sub(start)
    }

    /// How many blocks candidates make that were merged into one message, up to one of them.
    fn blocks_before(&self, first: usize, upto: usize) -> usize {
        let Step { request, prepared, meter, .. } = self.step;
        let sent = (first..upto).filter(|at| self.choice.standing()[*at].is_in());
        let parts = sent.filter_map(|at| {
            let origin = prepared.origin(at)?;
            Some(request.message_blocks(origin, *meter).len())
        });
        parts.sum()
    }

    /// Why the prefix ends where it does: the first thing that is known to have changed, at or before that place.
    fn cause(&self, window: &Window, kept: usize) -> Cause {
        let (state, prepared) = (&self.step.session.state, self.step.prepared);
        if !self.is_same_model() {
            return Cause::Model;
        }
        let fixed = window.blocks.iter().take_while(|block| block.instructs).count();
        if kept < fixed {
            return Cause::Fixed;
        }
        // The last candidate of the message that the change is in.
        let until = match window.message_of(kept) {
            Some(message) => self.sent.firsts.get(message + 1).copied().unwrap_or(prepared.len()),
            None => prepared.len() + 1,
        };
        let first = self.events.iter().filter(|(at, _)| *at <= until).min_by_key(|(at, _)| *at);
        if kept >= state.window.len() - state.tail
            && first.is_none_or(|(_, cause)| matches!(cause, Cause::Inserted | Cause::Cut))
        {
            return Cause::Tail;
        }
        first.map_or(Cause::Mended, |(_, cause)| *cause)
    }
}
