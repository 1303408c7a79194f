//! A turn of a session over requests: what came is recalled, decided about, and finished.

mod candidates;
mod finish;
mod recall;

use candidates::Messages;
use cupel_messages::{Choice, Fitted, Meter, Prepared, Request, Sent};
use finish::Finish;

use crate::decide::Decision;
use crate::state::{Kind, State};
use crate::turn::{Action, Cause, Report};
use crate::window::Window;
use crate::{Error, Price, Session};

/// A turn of a session over requests.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Turn {
    /// The request to send, and what became of every message.
    pub request: Fitted,
    /// What the turn was.
    pub report: Report,
}

impl Session {
    /// The next turn: the conversation so far, all of it, and what is sent of it.
    ///
    /// Hashing and reading the conversation costs its length; a [`Conversation`](crate::Conversation) costs what is new.
    ///
    /// # Errors
    /// When what must stay does not fit, the request has no message or is broken in a way that cannot be mended, or the
    /// session is one over items. The session is then as it was.
    pub fn next(&mut self, request: &Request, meter: &dyn Meter) -> Result<Turn, Error> {
        self.next_with_window(request, meter).map(|(turn, _)| turn)
    }

    /// The next turn, and the request without breakpoints, as a cache sees it.
    pub(crate) fn next_with_window(
        &mut self,
        request: &Request,
        meter: &dyn Meter,
    ) -> Result<(Turn, Window), Error> {
        self.settings().check()?;
        if self.state.kind == Kind::Items {
            return Err(Error::OtherKind { state: self.state.kind.name(), given: "a request" });
        }
        let hashes: Vec<u64> = request.messages().iter().map(|it| it.fingerprint()).collect();
        let prepared = request.prepare(&self.options, meter)?;
        if prepared.is_empty() {
            return Err(Error::NoMessages);
        }
        let price = self.price_for(request);
        let step = Step { session: self, request, prepared: &prepared, meter, hashes, price };
        let (turn, window, state) = step.take()?;
        self.state = state;
        Ok((turn, window))
    }

    /// What a request's provider charges, unless the session was told.
    pub(crate) fn price_for(&self, request: &Request) -> Price {
        let model = request.model().or(self.model.as_deref());
        self.price.unwrap_or_else(|| Price::of(request.format(), model))
    }
}

/// One turn on its way.
struct Step<'a> {
    session: &'a Session,
    request: &'a Request,
    prepared: &'a Prepared<'a>,
    meter: &'a dyn Meter,
    hashes: Vec<u64>,
    price: Price,
}

impl Step<'_> {
    fn take(&self) -> Result<(Turn, Window, State), Error> {
        let recalled = self.recall();
        let before = self.prepared.as_before(&recalled.standing, recalled.new_from);
        let whole = self.carry_out(&before);
        let uncut = whole.fitted.tokens.total();
        let candidates = Messages { step: self, uncut };
        let mut decision =
            self.session.decide(&candidates, before.standing(), uncut, self.price)?;
        let (mut events, mut notes) = (recalled.events, recalled.notes);
        notes.extend(decision.note);
        if let Action::Cut(cut) = &mut decision.action {
            events.push((cut.first, Cause::Cut));
            cut.first = self.origin_at(cut.first);
        }
        let (choice, sent) = match decision.choice {
            Some(choice) => {
                let sent = self.carry_out(&choice);
                (choice, sent)
            }
            None => (before, whole),
        };
        let Decision { action, terms, grown, .. } = decision;
        let finish = Finish { step: self, choice, sent, events, notes, terms };
        finish.turn(action, grown)
    }

    fn carry_out(&self, choice: &Choice) -> Sent {
        self.prepared.carry_out(choice, self.session.budget)
    }

    fn is_volatile(&self, message: usize) -> bool {
        self.request.messages()[message].hints().volatile
    }

    /// The first message that a candidate, or one behind it, is.
    fn origin_at(&self, candidate: usize) -> usize {
        let mut origins =
            (candidate..self.prepared.len()).filter_map(|at| self.prepared.origin(at));
        origins.next().unwrap_or(self.request.messages().len())
    }
}
