//! A turn of a session over items.

mod candidates;
mod line_up;
mod zone;

use candidates::Lined;
use cupel::{ContextItem, Pipeline, SelectionReport};
use cupel_messages::{Standing, fingerprint};
use line_up::LinedUp;
use zone::{Zone, zone};

pub use zone::ZONE_KEY;

use crate::account::Account;
use crate::cost::Entries;
use crate::cut::Candidates;
use crate::decide::form;
use crate::state::{Kind, State, Unit};
use crate::turn::{Action, Cause, FirstChange, Report};
use crate::window::{common, sums};
use crate::{Error, Price, Session};

/// A turn of a session over items.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ItemTurn {
    /// The window, in its order.
    pub window: Vec<ContextItem>,
    /// Where each item of the window stood in what came.
    pub indices: Vec<usize>,
    /// What the policy decided, if something was cut: its candidates are those that were open to it, in the order of
    /// windows.
    pub selection: Option<SelectionReport>,
    /// What the turn was.
    pub report: Report,
}

fn hash(item: &ContextItem) -> u64 {
    let group = item.group().unwrap_or_default();
    fingerprint(&format!("{}\u{0}{group}\u{0}{}", item.kind().as_str(), item.content()))
}

impl Session {
    /// The next turn: all candidates, and the window of them.
    ///
    /// Items keep the order in which they first came, whatever the policy's placer says; new ones come behind them, and what
    /// is for this turn only comes last. What was out and is pinned comes back behind the history, where it breaks nothing.
    ///
    /// # Errors
    /// When pinned items do not fit, the policy refuses, or the session is one over requests. The session is then as it was.
    pub fn next_items(&mut self, items: &[ContextItem]) -> Result<ItemTurn, Error> {
        self.settings().check()?;
        if self.state.kind == Kind::Requests {
            return Err(Error::OtherKind { state: self.state.kind.name(), given: "items" });
        }
        let policy = match &self.policy {
            Some(policy) => policy.clone(),
            None => cupel_messages::default_policy()?,
        };
        let price = self.price.unwrap_or(Price::PLAIN_PREFIX);
        let hashes: Vec<u64> = items.iter().map(hash).collect();
        let lined_up = LinedUp::of(self, items, &hashes);
        let pipeline = Pipeline::from(policy).in_context(self.context.clone());
        let candidates = Lined {
            items: lined_up.order.iter().map(|at| &items[*at]).collect(),
            pipeline,
            seen: self.state.tokens,
        };
        let step = Step { session: self, hashes: &hashes, lined_up, candidates, price };
        let (turn, state) = step.take()?;
        self.state = state;
        Ok(turn)
    }
}

/// One turn on its way.
struct Step<'a> {
    session: &'a Session,
    hashes: &'a [u64],
    lined_up: LinedUp,
    candidates: Lined<'a>,
    price: Price,
}

impl Step<'_> {
    fn take(mut self) -> Result<(ItemTurn, State), Error> {
        let standing = std::mem::take(&mut self.lined_up.standing);
        let uncut = self.candidates.total(&standing);
        let decision = self.session.decide(&self.candidates, &standing, uncut, self.price)?;
        self.lined_up.notes.extend(decision.note);
        let (standing, selection) = match decision.choice {
            Some(choice) => (choice.standing, Some(choice.report)),
            None => (standing, None),
        };
        let state = &self.session.state;
        let order = &self.lined_up.order;
        let sent: Vec<usize> = (0..order.len()).filter(|at| standing[*at].is_in()).collect();
        let window: Vec<u64> = sent.iter().map(|at| self.said(*at, standing[*at])).collect();
        let sums = sums(sent.iter().map(|at| self.candidates.tokens(*at, standing[*at])));
        let account = Account {
            before: state,
            terms: decision.terms,
            kept: common(&state.window, window.iter().copied()),
            now: Entries { marks: &[], asked: None },
            total: sums.last().copied().unwrap_or(0),
            sums: &sums,
        };
        let was_cut = matches!(decision.action, Action::Cut(_));
        let first_change = account.is_broken().then(|| FirstChange {
            block: account.kept,
            message: sent.get(account.kept).map(|at| order[*at]),
            cause: self.cause(account.kept, &sent, was_cut),
        });
        let notes = self.lined_up.notes.clone();
        let report = account.report(decision.action, first_change, notes);
        let lasting = order.len() - self.lined_up.tail;
        let unit = |at: usize| Unit { hash: self.hashes[order[at]], standing: standing[at] };
        let mut next = State {
            kind: Kind::Items,
            units: (0..lasting).map(unit).collect(),
            tail: sent.iter().filter(|at| **at >= lasting).count(),
            tokens: report.tokens,
            warned: decision.terms.levels.overloaded,
            window,
            ..state.counters()
        };
        next.after_turn(decision.grown, was_cut);
        let placed = sent.iter().map(|at| self.candidates.items[*at].in_form(form(standing[*at])));
        let turn = ItemTurn {
            window: placed.collect(),
            indices: sent.iter().map(|at| order[*at]).collect(),
            selection,
            report,
        };
        Ok((turn, next))
    }

    /// What a cache sees of an item: what is said, in the form in which it is said.
    fn said(&self, at: usize, standing: Standing) -> u64 {
        let variant = self.candidates.variant(at, standing);
        let whole = self.candidates.items[at].content();
        fingerprint(variant.map_or(whole, |variant| variant.content()))
    }

    /// Why the prefix ends where it does.
    fn cause(&self, kept: usize, sent: &[usize], was_cut: bool) -> Cause {
        let state = &self.session.state;
        let LinedUp { gone, new, .. } = self.lined_up;
        let in_fixed =
            sent.get(kept).is_some_and(|at| zone(self.candidates.items[*at]) == Zone::Fixed);
        match () {
            () if kept >= state.window.len() - state.tail => Cause::Tail,
            () if in_fixed && !gone => Cause::Fixed,
            () if was_cut && !gone => Cause::Cut,
            () if gone && new => Cause::Changed,
            () if gone => Cause::Disappeared,
            () => Cause::Mended,
        }
    }
}
