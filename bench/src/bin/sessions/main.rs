//! What sessions save: agents' conversations of 50 to 400 turns, replayed under strategies, as a table in Markdown.
//!
//! `cargo run --release --bin sessions`, and with paths of recorded transcripts (requests to OpenAI, Anthropic or Gemini as
//! JSON) behind it, those as well. Exits with 1 if, for the agent with results of 2,000 tokens and from 100 turns on,
//! a session is not five times cheaper than a sliding window, or keeps less than 95 % of what that keeps of the
//! results that later steps use. No more than half of a
//! conversation fits into its budget, so that all of them have to leave something out.

mod agent;

use std::process::ExitCode;

use agent::Agent;
use cupel_eval::import::uses;
use cupel_messages::{Estimate, Request, Role};
use cupel_session::replay::{Evidence, Outcomes, Replay, Strategy};
use cupel_session::{Price, Session, Settings};

const LEAST_TIMES_CHEAPER: f64 = 5.0;
/// Of what the sliding window keeps, which holds all of the budget all the time.
const LEAST_EVIDENCE: f64 = 0.95;

fn main() -> ExitCode {
    let settings = Settings::default();
    println!(
        "| conversation | turns | tokens | budget | sliding window | cut to half | session | cheaper | evidence: sliding | half | session | cuts |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut failed = false;
    for agent in [Agent::Reader, Agent::Coder, Agent::Desk] {
        for turns in [50, 100, 200, 400] {
            let request = agent.conversation(turns);
            let [sliding, _, session] = row(agent.name(), &request, agent.budget(), settings);
            let times = sliding.cost() / session.cost();
            // The goals are those of an agent whose window has been full for a while.
            if !matches!(agent, Agent::Reader) || turns < 100 {
                continue;
            }
            if times < LEAST_TIMES_CHEAPER {
                eprintln!("{} of {turns} turns: {times:.1} times cheaper", agent.name());
                failed = true;
            }
            let share = session.evidence_kept().zip(sliding.evidence_kept());
            if share.is_some_and(|(ours, theirs)| ours < theirs * LEAST_EVIDENCE) {
                eprintln!("{} of {turns} turns: less evidence kept", agent.name());
                failed = true;
            }
        }
    }
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let request = Request::read(text).expect("a request to a model");
        row(&path, &request, 100_000, settings);
    }
    ExitCode::from(u8::from(failed))
}

fn row(name: &str, request: &Request, most: i64, settings: Settings) -> [Outcomes; 3] {
    let price = Price {
        read: 100,
        write: 1_250,
        minimum: 1_024,
        ..Price::of(request.format(), request.model())
    };
    let replay = Replay::transcript(request).expect("a request before each step");
    let replay = replay.with_evidence(evidence(request)).with_price(price);
    let options = Session::default_options();
    let budget = most.min(request.count(&Estimate).total() / 2);
    let strategies = [
        Strategy::SlidingWindow,
        Strategy::HalveByAge,
        Strategy::Session(settings, Box::new(options.clone())),
    ];
    let played = strategies.map(|strategy| replay.play(&strategy, budget, &options, &Estimate));
    for outcomes in &played {
        if let Some(why) = &outcomes.stopped {
            eprintln!("{name}: {why}");
        }
    }
    let [sliding, half, session] = &played;
    let cost = |outcomes: &Outcomes| format!("{:.0}k", outcomes.cost() / 1_000.0);
    let kept = |outcomes: &Outcomes| {
        outcomes.evidence_kept().map_or("-".to_owned(), |share| format!("{:.1}%", share * 100.0))
    };
    println!(
        "| {name} | {} | {}k | {}k | {} | {} | {} | {:.1}x | {} | {} | {} | {} |",
        replay.turns().len(),
        request.count(&Estimate).total() / 1_000,
        budget / 1_000,
        cost(sliding),
        cost(half),
        cost(session),
        sliding.cost() / session.cost(),
        kept(sliding),
        kept(half),
        kept(session),
        session.cuts(),
    );
    played
}

/// Tool results that a later step uses.
fn evidence(request: &Request) -> Vec<Evidence> {
    let messages = request.messages();
    let used = uses(messages).into_iter().filter(|it| messages[it.message].role() == Role::Tool);
    let used = used.map(|it| Evidence { step: it.step, message: it.message, values: it.values });
    used.filter(|it| it.message + 1 < it.step).collect()
}
