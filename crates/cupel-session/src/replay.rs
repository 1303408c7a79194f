//! A recorded conversation, played again turn by turn: what would it have cost?
//!
//! Each strategy sees the same requests, one after the other, and what it sends is billed as its provider would bill it,
//! breakpoints set in the same way for all.

use cupel_messages::{
    Fitted, Granularity, Meter, Options, Outcome, Prepared, Request, Role, Standing,
};
use serde::Serialize;

use crate::request::{common, sums_of};
use crate::{Action, Costs, Error, Price, Session, Settings, State};

/// How each turn's request is made.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Strategy {
    /// The oldest message or tool round goes until the rest fits, every turn anew; what the user said goes with the last of its
    /// turn.
    SlidingWindow,
    /// When the rest does not fit, the oldest goes until half of the budget is free.
    HalveByAge,
    /// A policy chooses every turn anew, as the options say.
    EveryTurn(Box<Options>),
    /// A session.
    Session(Settings, Box<Options>),
}

/// What a step of the model used of an earlier message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The message that used it.
    pub step: usize,
    /// The earlier message.
    pub message: usize,
    /// What of it was used.
    pub values: Vec<String>,
}

/// A turn of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Played {
    /// How many messages the conversation had.
    pub messages: usize,
    /// What it cost whole, in tokens.
    pub whole: i64,
    /// What was sent, and what that cost.
    pub costs: Costs,
    /// Tokens that were not sent.
    pub dropped: i64,
    /// Whether something that was sent before was not, or not as it was.
    pub broke: bool,
    /// Whether something was dropped or shortened that the turn before still had.
    pub cut: bool,
    /// Of what the model's next step used, how much was in the request.
    pub evidence_kept: usize,
    /// How much it used.
    pub evidence: usize,
}

/// What a strategy came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outcomes {
    /// Turn by turn.
    pub turns: Vec<Played>,
    /// Why it stopped before the end, if it did.
    pub stopped: Option<String>,
}

impl Outcomes {
    /// What everything cost, in plain tokens.
    pub fn cost(&self) -> f64 {
        self.turns.iter().map(|turn| turn.costs.thousandths as f64).sum::<f64>() / 1_000.0
    }

    /// The share of all tokens that was read from the cache.
    pub fn share_read(&self) -> f64 {
        let sum = |of: fn(&Played) -> i64| self.turns.iter().map(of).sum::<i64>() as f64;
        let all = sum(|turn| turn.costs.tokens());
        if all > 0.0 { sum(|turn| turn.costs.read) / all } else { 0.0 }
    }

    /// How many turns cut something.
    pub fn cuts(&self) -> usize {
        self.turns.iter().filter(|turn| turn.cut).count()
    }

    /// The share of what later steps used that was in the request then; nothing if nothing was used.
    pub fn evidence_kept(&self) -> Option<f64> {
        let all: usize = self.turns.iter().map(|turn| turn.evidence).sum();
        let kept: usize = self.turns.iter().map(|turn| turn.evidence_kept).sum();
        (all > 0).then(|| kept as f64 / all as f64)
    }
}

/// A recorded conversation.
#[derive(Debug, Clone)]
pub struct Replay {
    turns: Vec<Request>,
    evidence: Vec<Evidence>,
    price: Option<Price>,
}

impl Replay {
    /// A transcript: the request before each step of the model.
    ///
    /// # Errors
    /// When a part of it is no request by itself.
    pub fn transcript(request: &Request) -> Result<Self, Error> {
        let messages = request.messages();
        let by_model = |at: usize| messages[at].role() == Role::Assistant;
        let mut ends: Vec<usize> =
            (1..messages.len()).filter(|at| by_model(*at) && !by_model(at - 1)).collect();
        if messages.last().is_some_and(|last| last.role() != Role::Assistant) {
            ends.push(messages.len());
        }
        let asked = |end: &usize| messages[..*end].iter().any(|it| it.role() == Role::User);
        let mut turns: Vec<Request> = Vec::new();
        for end in ends.into_iter().filter(asked) {
            turns.push(request.first(end)?);
        }
        Ok(Self::requests(turns))
    }

    /// Requests as they were sent, in their order.
    pub fn requests(turns: Vec<Request>) -> Self {
        Self { turns, evidence: Vec::new(), price: None }
    }

    /// With what later steps used of earlier messages.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Vec<Evidence>) -> Self {
        self.evidence = evidence;
        self
    }

    /// With other prices than the table's.
    #[must_use]
    pub fn with_price(mut self, price: Price) -> Self {
        self.price = Some(price);
        self
    }

    /// The requests, one for each turn.
    pub fn turns(&self) -> &[Request] {
        &self.turns
    }

    /// What a strategy would have come to, within `budget` tokens a turn; `options` say what stays whatever the strategy.
    ///
    /// A turn that cannot be made ends the play, and is told.
    pub fn play(
        &self,
        strategy: &Strategy,
        budget: i64,
        options: &Options,
        meter: &dyn Meter,
    ) -> Outcomes {
        let mut outcomes = Outcomes { turns: Vec::new(), stopped: None };
        let mut player = Player::new(strategy, budget, options, self.price);
        for request in &self.turns {
            match player.turn(request, meter) {
                Ok((fitted, costs, broke, cut)) => {
                    outcomes.turns.push(self.played(request, &fitted, costs, broke, cut));
                }
                Err(error) => {
                    outcomes.stopped = Some(format!("turn {}: {error}", outcomes.turns.len() + 1));
                    break;
                }
            }
        }
        outcomes
    }

    fn played(
        &self,
        request: &Request,
        fitted: &Fitted,
        costs: Costs,
        broke: bool,
        cut: bool,
    ) -> Played {
        let whole = fitted.before.total();
        let step = request.messages().len();
        let used = self.evidence.iter().filter(|it| it.step == step && it.message < step);
        let text = std::cell::OnceCell::new();
        let has = |value: &String| text.get_or_init(|| fitted.text.to_lowercase()).contains(value);
        let kept = used.clone().filter(|it| match fitted.messages[it.message].outcome {
            Outcome::Kept => true,
            // A shorter form is worth what it still says.
            Outcome::Shortened { .. } => it.values.iter().all(has),
            _ => false,
        });
        Played {
            messages: step,
            whole,
            dropped: (whole - costs.tokens()).max(0),
            evidence: used.clone().count(),
            evidence_kept: kept.count(),
            costs,
            broke,
            cut,
        }
    }
}

/// A strategy at work.
struct Player<'a> {
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
    fn new(
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

    fn turn(
        &mut self,
        request: &Request,
        meter: &dyn Meter,
    ) -> Result<(Fitted, Costs, bool, bool), Error> {
        if let Strategy::Session(..) = self.strategy {
            let turn = self.session.next(request, meter)?;
            let broke = !turn.report.prefix.is_whole();
            let cut = matches!(turn.report.action, Action::Cut(_));
            return Ok((turn.request, turn.report.costs, broke, cut));
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
        Ok((fitted, costs, broke, cut))
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
        let window = Request::read_as(fitted.text.clone(), request.format())?;
        let blocks = window.blocks(meter);
        let sums = sums_of(blocks.iter().map(|block| block.tokens));
        let state = &self.session.state;
        let kept = common(&state.window, blocks.iter().map(|block| block.hash));
        let levels = state.settings.levels(self.budget, &price, 0);
        let (marks, _) = self.session.mark(&window, &blocks, &sums, 0, kept, levels, &price);
        let before = crate::cost::Before { marks: &state.marks, asked: state.asked };
        let asked = crate::cost::asked(&blocks);
        let total = fitted.tokens.total();
        let costs = crate::cost::costs(before, kept, &sums, &marks, asked, total, &price);
        let broke = kept < state.window.len();
        let state = &mut self.session.state;
        state.window = blocks.iter().map(|block| block.hash).collect();
        state.marks = marks;
        state.asked = asked;
        state.turns += 1;
        Ok((costs, broke))
    }
}

/// Of the first `out` candidates, tool rounds that may go are out, and what was said once everything of its turn is.
fn aged(prepared: &Prepared<'_>, out: usize) -> Vec<Standing> {
    let len = prepared.len();
    let candidates: Vec<_> = (0..len).filter_map(|at| prepared.candidate(at)).collect();
    // Of each unit and of each turn that needs its user message: where it ends.
    let mut unit_end = vec![0; len];
    let mut turn_end = vec![0; len + 1];
    for (at, candidate) in candidates.iter().enumerate() {
        unit_end[candidate.unit] = at;
        turn_end[candidate.turn] = at;
    }
    let mut stays = vec![false; len];
    candidates.iter().for_each(|it| stays[it.group] |= it.pin.is_some());
    let is_round = |at: usize| unit_end[candidates[at].unit] > candidates[at].unit;
    let gone = |at: usize| {
        let candidate = &candidates[at];
        let end = if prepared.needs_its_turn() && !is_round(at) {
            turn_end[candidate.turn]
        } else {
            unit_end[candidate.unit]
        };
        end < out && candidate.pin.is_none() && !stays[candidate.group]
    };
    (0..len).map(|at| if gone(at) { Standing::Out } else { Standing::WHOLE }).collect()
}
