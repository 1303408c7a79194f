//! What sessions save: agents' conversations of 50 to 400 turns, replayed under strategies, as a table in Markdown.
//!
//! `cargo run --release --bin sessions`, and behind it files of recorded transcripts (requests to OpenAI, Anthropic or Gemini as
//! JSON) or folders of such, each of which is a row for each window. `-- --marks 0.8/0.4` is the same at other marks.
//!
//! The design is one of reasoning, made after looking at other seeds and not changed for what it measures on these. A window is a number of tokens of an agent, whatever the length of
//! its conversations: one that holds its instructions and some fifty tool rounds, and half of that. Conversations that
//! exceed it by less than a quarter leave nothing to decide and are left out. A row is over several conversations, so that it has some
//! hundreds of results that are used later; their seeds are not those that the constants in `cut.rs` were chosen with.
//!
//! Two floors say what could be had. *Written once*: every token is written once and nothing is read, as if there were no
//! history. *Floor*: everything is sent until a session first cuts, then what is new is written, a window at
//! the low-water mark is read, and nothing is written twice; no session at these marks pays less.
//!
//! The goals: a session is five times cheaper than a sliding window wherever its floor is, and of the results that later steps use
//! it keeps no less. Exits with 1 if a row misses a goal that is not known to miss it, or meets one that is.

mod agent;
mod row;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent::Agent;
use clap::Parser;
use cupel_messages::{Estimate, Request};
use cupel_session::Settings;
use row::Row;

/// Replays conversations under a sliding window, cutting to half, and a session.
#[derive(Parser)]
struct Args {
    /// Other marks than the usual ones, in shares of the window; the goals are those of the usual ones, and then not checked
    #[arg(long, value_name = "HIGH/LOW", value_parser = marks)]
    marks: Option<Settings>,
    /// Recorded transcripts, or folders of them
    paths: Vec<PathBuf>,
}

fn marks(text: &str) -> Result<Settings, String> {
    let (high, low) = text.split_once('/').ok_or("say both, as 0.8/0.4")?;
    let share = |text: &str| text.parse().map_err(|error| format!("{text}: {error}"));
    let settings = Settings { high: share(high)?, low: share(low)?, ..Settings::default() };
    settings.check().map_err(|error| error.to_string())?;
    Ok(settings)
}

/// How many turns, and in how many conversations.
const LENGTHS: [(usize, u64); 4] = [(50, 10), (100, 6), (200, 4), (400, 2)];
const RECORDED_WINDOWS: [i64; 2] = [32_000, 64_000];

/// Rows that are known to be less than five times cheaper although their floor is not: an agent, its window, its turns.
/// A window of some twenty rounds is cut so often that writing what stays again costs as much as the new; and results of
/// all sizes let a sliding window keep its prefix for several turns whenever it drops a large one.
const NOT_CHEAPER: [(Agent, i64, usize); 8] = [
    (Agent::Reader, 50_000, 50),
    (Agent::Coder, 32_000, 200),
    (Agent::Coder, 32_000, 400),
    (Agent::Coder, 64_000, 100),
    (Agent::Coder, 64_000, 200),
    (Agent::Desk, 16_000, 100),
    (Agent::Desk, 16_000, 200),
    (Agent::Desk, 16_000, 400),
];
/// Rows that are known to keep less: conversations of up to two windows, of which a sliding window drops hardly anything
/// that is used, while a session has cut to half of the window.
const LESS_KEPT: [(Agent, i64, usize); 3] =
    [(Agent::Reader, 100_000, 100), (Agent::Desk, 16_000, 50), (Agent::Desk, 32_000, 100)];

fn main() -> ExitCode {
    let args = Args::parse();
    let mut plans = Vec::new();
    for agent in [Agent::Reader, Agent::Coder, Agent::Desk] {
        for window in agent.windows() {
            for (turns, conversations) in LENGTHS {
                let made = (1..=conversations).map(|seed| agent.conversation(turns, seed));
                plans.push(Plan {
                    name: agent.name().to_owned(),
                    made_up: Some((agent, window, turns)),
                    window,
                    requests: made.collect(),
                });
            }
        }
    }
    for path in &args.paths {
        for window in RECORDED_WINDOWS {
            let (name, requests) = (path.display().to_string(), recorded(path));
            plans.push(Plan { name, made_up: None, window, requests });
        }
    }
    for plan in &mut plans {
        let window = plan.window;
        plan.requests.retain(|it| it.count(&Estimate).total() > window / 4 * 5);
    }
    plans.retain(|plan| !plan.requests.is_empty());
    println!("{}", Row::HEAD);
    let mut failed = false;
    for (plan, row) in plans.iter().zip(measured(&plans, args.marks.unwrap_or_default())) {
        println!("{}", row.line(&plan.name, plan.window));
        if let Some(made_up) = plan.made_up.filter(|_| args.marks.is_none()) {
            let (cheaper, kept) = (row.is_cheaper(), row.keeps_as_much());
            for (meets, misses, goal) in [
                (cheaper, NOT_CHEAPER.contains(&made_up), "five times cheaper"),
                (kept, LESS_KEPT.contains(&made_up), "as much evidence"),
                (row.keeps_nearly_as_much(), false, "95 % of the evidence"),
            ] {
                if meets == misses {
                    let is = if meets { "met, and listed as missed" } else { "missed" };
                    eprintln!("{made_up:?}: {goal}: {is}");
                    failed = true;
                }
            }
        }
    }
    ExitCode::from(u8::from(failed))
}

/// Conversations that share a row.
struct Plan {
    name: String,
    made_up: Option<(Agent, i64, usize)>,
    window: i64,
    requests: Vec<Request>,
}

/// Rows in the order of their plans, several at a time.
fn measured(plans: &[Plan], settings: Settings) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut rows = Vec::new();
        // The longest conversations come last in each agent and would be waited for.
        while let Some(at) = plans.len().checked_sub(1 + next.fetch_add(1, Ordering::Relaxed)) {
            rows.push((at, Row::of(&plans[at].requests, plans[at].window, settings)));
        }
        rows
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut rows: Vec<(usize, Row)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|it| it.join().expect("a replay does not panic")).collect()
    });
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// A request in a file, or those in a folder's files, by name.
fn recorded(path: &Path) -> Vec<Request> {
    let mut paths = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("a readable folder");
        paths = entries.map(|entry| entry.expect("a readable folder").path()).collect();
        paths.sort();
    }
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable file");
        Request::read(text).expect("a request to a model")
    };
    paths.iter().map(read).collect()
}
