//! Conversations under three strategies, summed.

use cupel_eval::import::uses;
use cupel_messages::{Estimate, Request, Role};
use cupel_session::replay::{Evidence, Outcomes, Played, Replay, Strategy};
use cupel_session::{Price, Session, Settings};

const LEAST_TIMES_CHEAPER: f64 = 5.0;
/// Of what the sliding window keeps.
const LEAST_EVIDENCE: f64 = 0.95;

/// What conversations came to.
#[derive(Debug, Default)]
pub(crate) struct Row {
    conversations: usize,
    turns: usize,
    tokens: i64,
    /// Of the sliding window, of cutting to half by age, and of the session.
    costs: [f64; 3],
    kept: [usize; 3],
    used: usize,
    cuts: usize,
    written_once: f64,
    floor: f64,
}

impl Row {
    pub(crate) const HEAD: &str = "| conversation | window | turns | tokens | sliding window | cut to half | session | written once | floor | cheaper | at most | evidence: sliding | half | session | of | cuts |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

    pub(crate) fn of(requests: &[Request], window: i64, settings: Settings) -> Self {
        let mut row = Self::default();
        requests.iter().for_each(|request| row.add(request, window, settings));
        row
    }

    fn add(&mut self, request: &Request, window: i64, settings: Settings) {
        let price = Price {
            read: 100,
            write: 1_250,
            minimum: 1_024,
            ..Price::of(request.format(), request.model())
        };
        let replay = Replay::transcript(request).expect("a request before each step");
        let replay = replay.with_evidence(evidence(request)).with_price(price);
        let options = Session::default_options();
        let strategies = [
            Strategy::SlidingWindow,
            Strategy::HalveByAge,
            Strategy::Session(settings, Box::new(options.clone())),
        ];
        let played = strategies.map(|strategy| replay.play(&strategy, window, &options, &Estimate));
        if let Some(why) = played.iter().find_map(|outcomes| outcomes.stopped.as_ref()) {
            eprintln!("a conversation is left out, {why}");
            return;
        }
        for (at, outcomes) in played.iter().enumerate() {
            self.costs[at] += outcomes.cost();
            self.kept[at] += outcomes.turns.iter().map(|turn| turn.evidence_kept).sum::<usize>();
        }
        let session = &played[2];
        self.conversations += 1;
        self.turns += session.turns.len();
        let tokens = session.turns.last().map_or(0, |turn| turn.whole);
        self.tokens += tokens;
        self.used += session.turns.iter().map(|turn| turn.evidence).sum::<usize>();
        self.cuts += session.cuts();
        self.written_once += cost(tokens, price.write);
        self.floor += floor(session, (window as f64 * settings.low) as i64, &price);
    }

    fn times_cheaper(&self) -> f64 {
        self.costs[0] / self.costs[2]
    }

    fn at_most(&self) -> f64 {
        self.costs[0] / self.floor
    }

    /// As much as the goal says, or all that can be had.
    pub(crate) fn is_cheaper(&self) -> bool {
        self.times_cheaper() >= LEAST_TIMES_CHEAPER || self.at_most() < LEAST_TIMES_CHEAPER
    }

    pub(crate) fn keeps_as_much(&self) -> bool {
        self.kept[2] >= self.kept[0]
    }

    /// What holds for every row, those that are known to keep less among them.
    pub(crate) fn keeps_nearly_as_much(&self) -> bool {
        self.kept[2] as f64 >= self.kept[0] as f64 * LEAST_EVIDENCE
    }

    pub(crate) fn line(&self, name: &str, window: i64) -> String {
        let each = |of: f64| of / self.conversations.max(1) as f64;
        let thousands = |of: f64| format!("{:.0}k", each(of) / 1_000.0);
        let share =
            |at: usize| format!("{:.1}%", self.kept[at] as f64 * 100.0 / self.used.max(1) as f64);
        let cells = [
            name.to_owned(),
            format!("{}k", window / 1_000),
            format!("{:.0}", each(self.turns as f64)),
            thousands(self.tokens as f64),
            thousands(self.costs[0]),
            thousands(self.costs[1]),
            thousands(self.costs[2]),
            thousands(self.written_once),
            thousands(self.floor),
            format!("{:.1}x", self.times_cheaper()),
            format!("{:.1}x", self.at_most()),
            share(0),
            share(1),
            share(2),
            self.used.to_string(),
            format!("{:.0}", each(self.cuts as f64)),
        ];
        format!("| {} |", cells.join(" | "))
    }
}

fn cost(tokens: i64, thousandths: i64) -> f64 {
    tokens as f64 * thousandths as f64 / 1_000.0
}

/// What a session pays at the least that sends everything until its first cut and `low` tokens a turn from then on.
fn floor(session: &Outcomes, low: i64, price: &Price) -> f64 {
    let turns = &session.turns;
    let first = turns.iter().position(|turn| turn.cut).unwrap_or(turns.len());
    let later = |pair: &[Played]| {
        let new = (pair[1].whole - pair[0].whole).max(0);
        cost((low - new).max(0), price.read) + cost(new, price.write)
    };
    let sent: f64 = turns[..first].iter().map(|turn| turn.costs.cost()).sum();
    sent + turns[first.saturating_sub(1)..].windows(2).map(later).sum::<f64>()
}

/// Tool results that a later step uses.
fn evidence(request: &Request) -> Vec<Evidence> {
    let messages = request.messages();
    let used = uses(messages).into_iter().filter(|it| messages[it.message].role() == Role::Tool);
    let used = used.map(|it| Evidence { step: it.step, message: it.message, values: it.values });
    used.filter(|it| it.message + 1 < it.step).collect()
}
