//! A strategy at work.

use cupel_messages::{Fitted, Granularity, Meter, Options, Outcome, Prepared, Request};

use super::Strategy;
use super::by_age::aged;
use crate::breakpoints::{Ends, OwnMarks};
use crate::cost::{Entries, costs};
use crate::settings::Terms;
use crate::window::Window;
use crate::{Action, Costs, Error, Price, Session, Settings, State};

/// What a request costs after the one before it.
pub(super) struct Billed {
    pub(super) costs: Costs,
    /// Whether something that was sent before was not, or not as it was.
    pub(super) broke: bool,
    /// Whether something was dropped or shortened that the turn before still had.
    pub(super) cut: bool,
}

/// A strategy at work.
pub(super) struct Player<'a> {
    strategy: &'a Strategy,
    options: &'a Options,
    budget: i64,
    /// Keeps the books, and for sessions decides.
    session: Session,
    /// How many of the oldest are out.
    out: usize,
    in_before: Vec<Outcome>,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        strategy: &'a Strategy,
        budget: i64,
        options: &'a Options,
        price: Option<Price>,
    ) -> Self {
        let (settings, own) = match strategy {
            Strategy::Session(settings, options) => (*settings, &**options),
            _ => (Settings::default(), options),
        };
        let state = State::new(Settings { breakpoints: true, ..settings });
        let session = Session { state, ..Session::new(budget) }.with_options(own.clone());
        let session = Session { price, ..session };
        Self { strategy, options, budget, session, out: 0, in_before: Vec::new() }
    }

    pub(super) fn turn(
        &mut self,
        request: &Request,
        meter: &dyn Meter,
    ) -> Result<(Fitted, Billed), Error> {
        if let Strategy::Session(..) = self.strategy {
            let turn = self.session.next(request, meter)?;
            let broke = !turn.report.prefix.is_whole();
            let cut = matches!(turn.report.action, Action::Cut(_));
            return Ok((turn.request, Billed { costs: turn.report.costs, broke, cut }));
        }
        let options = match self.strategy {
            Strategy::EveryTurn(options) => (**options).clone(),
            _ => self.options.clone().granularity(Granularity::Unit),
        };
        let prepared = request.prepare(&options, meter)?;
        let fitted = match self.strategy {
            Strategy::SlidingWindow => self.by_age(&prepared, 0, self.budget)?,
            Strategy::HalveByAge => {
                let from = self.out;
                let whole = aged(&prepared, from);
                let total = prepared.carry_out(&prepared.as_before(&whole, 0), self.budget);
                let fits = total.fitted.tokens.total() <= self.budget;
                let most = if fits { self.budget } else { self.budget / 2 };
                self.by_age(&prepared, from, most)?
            }
            _ => prepared.fit(self.budget)?,
        };
        let (costs, broke) = self.bill(request, &fitted, meter)?;
        let now: Vec<Outcome> = fitted.messages.iter().map(|it| it.outcome).collect();
        let worse = |(was, is): (&Outcome, &Outcome)| *was == Outcome::Kept && is != was;
        let cut = self.in_before.iter().zip(&now).any(worse);
        self.in_before = now;
        Ok((fitted, Billed { costs, broke, cut }))
    }

    /// The oldest that may go goes, until the rest takes no more than `most`; what went before has gone.
    fn by_age(&mut self, prepared: &Prepared<'_>, from: usize, most: i64) -> Result<Fitted, Error> {
        let fits = |out: usize| {
            let standing = aged(prepared, out);
            let mut choice = prepared.as_before(&standing, 0);
            if let Some(first) = standing.iter().position(|it| !it.is_in())
                && prepared.binds_thinking()
            {
                choice.strip_from(first);
            }
            let sent = prepared.carry_out(&choice, self.budget);
            (sent.fitted.tokens.total() <= most).then_some(sent.fitted)
        };
        let (mut low, mut high) = (from, prepared.len());
        let mut best = match fits(low) {
            Some(fitted) => return Ok(fitted),
            None => fits(high).map(|fitted| (high, fitted)),
        };
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            match fits(middle) {
                Some(fitted) => {
                    best = Some((middle, fitted));
                    high = middle;
                }
                None => low = middle,
            }
        }
        match best {
            Some((out, fitted)) => {
                self.out = out;
                Ok(fitted)
            }
            // What must stay has to be shortened.
            None => Ok(prepared.fit(self.budget)?),
        }
    }

    /// What a request costs after the one before it, breakpoints set as a session would.
    fn bill(
        &mut self,
        request: &Request,
        fitted: &Fitted,
        meter: &dyn Meter,
    ) -> Result<(Costs, bool), Error> {
        let price = self.session.price_for(request);
        let window = Window::read(fitted.text.clone(), request.format(), meter)?;
        let state = &self.session.state;
        let kept = window.common(&state.window);
        let levels = state.settings.levels(self.budget, &price, 0);
        let ends = Ends { tail: 0, kept };
        let terms = Terms { levels, price };
        let marks = self.session.marks(&window, &OwnMarks::of(&window), ends, &terms).all;
        let before = Entries { marks: &state.marks, asked: state.asked };
        let now = Entries { marks: &marks, asked: window.asked() };
        let costs = costs(before, kept, now, &window.sums, fitted.tokens.total(), &price);
        let broke = kept < state.window.len();
        let state = &mut self.session.state;
        state.window = window.hashes();
        state.asked = window.asked();
        state.marks = marks;
        state.turns += 1;
        Ok((costs, broke))
    }
}
