//! A conversation that is held: each turn costs what is new.

use std::borrow::Cow;

use cupel_messages::{Ending, Meter, Request, Standing};

use crate::account::Account;
use crate::breakpoints::{Ends, OwnMarks};
use crate::cost::Entries;
use crate::settings::Terms;
use crate::state::Unit;
use crate::turn::{Action, Note, Report};
use crate::window::Window;
use crate::{Cache, Error, Price, Session};

/// A session with its conversation, for programs that hold it: messages are put to it one by one, and a turn that only puts
/// new ones behind what was sent costs those, not the history.
///
/// What it sends and reports is, byte for byte, what [`Session::next`] does with the whole conversation.
///
/// ```
/// use cupel_messages::{Estimate, Request};
/// use cupel_session::{Conversation, Session};
///
/// let start = Request::read(r#"{"model": "gpt-5", "messages": [{"role": "user", "content": "Is my bike ready?"}]}"#)?;
/// let mut conversation = Conversation::new(Session::new(1_000), start);
/// conversation.next(&Estimate)?;
/// assert!(conversation.text().contains("Is my bike ready?")); // send this
/// conversation.push(r#"{"role": "assistant", "content": "Not yet."}"#)?;
/// conversation.push(r#"{"role": "user", "content": "When will it be?"}"#)?;
/// let report = conversation.next(&Estimate)?;
/// assert!(report.prefix.is_whole());
/// # Ok::<(), cupel_session::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Conversation {
    session: Session,
    whole: Request,
    price: Price,
    /// How many messages of the whole were looked at.
    taken: usize,
    ending: Ending,
    /// Whether what was sent ended so that what follows simply follows.
    went_on: bool,
    sent: Option<Window>,
    /// Breakpoints that the caller set.
    own: OwnMarks,
    /// Those that are ours.
    placed: Vec<usize>,
}

impl Conversation {
    /// A conversation that starts, or goes on, with these messages.
    pub fn new(session: Session, request: Request) -> Self {
        Self {
            price: session.price_for(&request),
            ending: Ending::of(&request),
            whole: request,
            taken: 0,
            went_on: false,
            sent: None,
            own: OwnMarks::default(),
            placed: Vec::new(),
            session,
        }
    }

    /// Puts a message at the end.
    ///
    /// # Errors
    /// When it is no message of the provider. The conversation is then as it was.
    pub fn push(&mut self, message: &str) -> Result<(), Error> {
        self.whole.push(message)?;
        if let Some(last) = self.whole.messages().last() {
            self.ending.follows(last);
        }
        Ok(())
    }

    /// The next turn.
    ///
    /// # Errors
    /// As for [`Session::next`].
    pub fn next(&mut self, meter: &dyn Meter) -> Result<Report, Error> {
        if let Some(report) = self.extended(meter) {
            return Ok(report);
        }
        let (turn, window) = self.session.next_with_window(&self.whole, meter)?;
        self.own = OwnMarks::of(&window);
        let ours = |at: &usize| !self.own.blocks.contains(at);
        self.placed = turn.report.breakpoints.iter().copied().filter(ours).collect();
        self.sent = Some(window);
        self.went_on = self.ending.is_sound();
        self.taken = self.whole.messages().len();
        Ok(turn.report)
    }

    /// The request to send, after [`next`](Self::next). With breakpoints it is a copy of it all; without, nothing is copied.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.sent {
            None => Cow::Borrowed(self.whole.text()),
            Some(sent) if self.session.settings().breakpoints => {
                let key = self.session.state.key;
                Cow::Owned(self.session.marked(sent, &self.placed, key))
            }
            Some(sent) => Cow::Borrowed(sent.request.text()),
        }
    }

    /// All that was said.
    pub fn whole(&self) -> &Request {
        &self.whole
    }

    /// The session, with its state.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session without its conversation.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// A turn that only puts new messages behind what was sent, if this is one.
    fn extended(&mut self, meter: &dyn Meter) -> Option<Report> {
        if !self.went_on || !self.ending.is_sound() || self.session.state.tail > 0 {
            return None;
        }
        let sent = self.sent.as_mut()?;
        let levels = self.session.settings().levels(self.session.budget, &self.price, 0);
        let terms = Terms { levels, price: self.price };
        let new = &self.whole.messages()[self.taken..];
        if new.iter().any(|message| message.hints().volatile) {
            return None;
        }
        let before = self.session.state.tokens;
        let (blocks_before, messages_before) = (sent.blocks.len(), sent.request.messages().len());
        // Put to a copy's end first: whether it stays below the mark is known once it is counted.
        for message in new {
            sent.request.push(&message.without_own_key()).ok()?;
        }
        let mut total = before;
        for message in messages_before..sent.request.messages().len() {
            for block in sent.request.message_blocks(message, meter) {
                total = total.saturating_add(block.tokens);
                sent.blocks.push(block);
                let sum = sent.sums.last().copied().unwrap_or(0);
                sent.sums.push(sum.saturating_add(block.tokens));
            }
        }
        if total > levels.mark {
            // The whole is looked at instead.
            self.sent = None;
            return None;
        }
        let marked = (blocks_before..sent.blocks.len()).filter(|at| sent.blocks[*at].marked);
        self.own.blocks.extend(marked);
        let may_mark =
            |json: &str| json.contains("cache_control") || json.contains("prompt_cache_breakpoint");
        if new.iter().any(|message| may_mark(message.json())) {
            self.own.count = sent.request.marks();
        }
        let ends = Ends { tail: 0, kept: blocks_before };
        let marks = self.session.marks(sent, &self.own, ends, &terms);
        let state = &self.session.state;
        let fresh = sent.blocks[blocks_before..].iter().rposition(|block| block.asks);
        let asked = fresh.map(|at| blocks_before + at).or(state.asked);
        let mut notes = Vec::new();
        if self.price.cache == Cache::Marked && marks.all.is_empty() {
            notes.push(Note::NothingMarked);
        }
        let account = Account {
            before: state,
            terms,
            sums: &sent.sums,
            kept: blocks_before,
            now: Entries { marks: &marks.all, asked },
            total,
        };
        let report = account.report(Action::Extended, None, notes);
        let state = &mut self.session.state;
        let units = new.iter().map(|it| Unit { hash: it.fingerprint(), standing: Standing::WHOLE });
        state.units.extend(units);
        state.window.extend(sent.blocks[blocks_before..].iter().map(|block| block.hash));
        state.marks = marks.all;
        state.asked = asked;
        state.tokens = total;
        state.warned = false;
        state.after_turn(total.saturating_sub(before).max(0), false);
        self.placed = marks.placed;
        self.taken = self.whole.messages().len();
        Some(report)
    }
}
