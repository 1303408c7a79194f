//! A recorded conversation, played again turn by turn: what would it have cost?
//!
//! Each strategy sees the same requests, one after the other, and what it sends is billed as its provider would bill it,
//! breakpoints set in the same way for all.

mod by_age;
mod player;

use cupel_messages::{Fitted, Meter, Options, Outcome, Request, Role};
use player::{Billed, Player};
use serde::Serialize;

use crate::{Costs, Error, Price, Settings};

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
                Ok((fitted, billed)) => {
                    outcomes.turns.push(self.played(request, &fitted, billed));
                }
                Err(error) => {
                    outcomes.stopped = Some(format!("turn {}: {error}", outcomes.turns.len() + 1));
                    break;
                }
            }
        }
        outcomes
    }

    fn played(&self, request: &Request, fitted: &Fitted, billed: Billed) -> Played {
        let Billed { costs, broke, cut } = billed;
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
