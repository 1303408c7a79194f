//! What `cupel batch` costs: on one thread and on two, and for what.
//!
//! ```console
//! $ cargo bench -p cupel-cli --bench batch
//! ```
//!
//! Requests of 100 candidates, then of 8, with a paragraph of text each. The command is run on one and
//! on two threads in turns; on a busy machine the second thread gets less than a core. The parts are
//! measured by the time that the thread, or the command, was on a processor; so is what reading the
//! same requests and writing the same responses takes with serde_json and nothing else.

#[path = "../../cupel/benches/workload/records.rs"]
#[allow(dead_code, reason = "shared with other benches")]
mod records;

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chrono::{DateTime, SecondsFormat};
use cupel_policy::{Loader, Request, Responder};
use records::{Record, Texts, half, records};
use serde_json::{Value, json};

const DIFFERENT: usize = 50;
const TURNS: usize = 7;

fn main() {
    for (items, requests) in [(100, 2_000), (8, 25_000)] {
        let different: Vec<String> =
            records(items * DIFFERENT, Texts::Usual).chunks(items).map(request).collect();
        let lines: String =
            different.iter().cycle().take(requests).flat_map(|line| [line, "\n"]).collect();
        let input = tempfile::NamedTempFile::new().expect("a place for the requests");
        std::fs::write(input.path(), &lines).expect("room for the requests");
        let megabytes = lines.len() as f64 / 1e6;
        println!("{requests} requests of {items} items, {megabytes:.0} MB\n");

        threads(input.path());
        parts(&different, input.path(), requests as u32);
        println!();
    }
}

fn request(records: &[Record]) -> String {
    let target = half(records);
    let items: Vec<Value> = records.iter().map(item).collect();
    let budget = json!({ "maxTokens": target, "targetTokens": target });
    json!({ "items": items, "budget": budget, "policy": "chat" }).to_string()
}

fn item(record: &Record) -> Value {
    let mut item = json!({
        "content": record.content,
        "tokens": record.tokens,
        "kind": record.kind,
        "tags": record.tags,
        "futureRelevanceHint": record.hint,
    });
    let time = record.timestamp.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    if let Some(time) = time {
        item["timestamp"] = time.to_rfc3339_opts(SecondsFormat::Secs, true).into();
    }
    if let Some(priority) = record.priority {
        item["priority"] = priority.into();
    }
    item
}

/// How much faster are two threads than one?
fn threads(input: &Path) {
    let mut ratios: Vec<f64> = (0..TURNS)
        .map(|_| {
            let [one, two] = [1, 2].map(|jobs| wall_time(|| batch(input, jobs)).as_secs_f64());
            one / two
        })
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    println!(
        "two threads are {:.2} times as fast as one [quartiles {:.2} .. {:.2} of {TURNS} turns]\n",
        ratios[TURNS / 2],
        ratios[TURNS / 4],
        ratios[TURNS * 3 / 4]
    );
}

fn batch(input: &Path, jobs: usize) {
    let status = Command::new(env!("CARGO_BIN_EXE_cupel"))
        .args(["batch", "--jobs", &jobs.to_string()])
        .arg(input)
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the batch failed");
}

fn wall_time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Where the time of one thread goes.
fn parts(different: &[String], input: &Path, requests: u32) {
    let (loader, responder) = (Loader::new(), Responder::new());
    let all: Vec<Request> =
        different.iter().map(|line| loader.parse_request(line).expect("it is valid")).collect();
    let responses: Vec<_> = all.iter().map(|request| responder.respond_to(request)).collect();

    let read = per_request(different, |line| loader.parse_request(line));
    let policy = per_request(&all, |request| loader.build(&request.policy.to_policy_file()));
    let answer = per_request(&all, |request| responder.respond_to(request));
    let write = per_request(&responses, |response| response.to_json());
    let values: Vec<Value> = responses.iter().map(|it| value(&it.to_json())).collect();
    let read_alone = per_request(different, |line| value(line));
    let write_alone = per_request(&values, Value::to_string);
    let alone = read_alone.zip(write_alone).map(|(read, write)| read + write);
    let (Some(read), Some(policy), Some(answer), Some(write), Some(alone)) =
        (read, policy, answer, write, alone)
    else {
        println!("the parts cannot be told apart: this system does not count processor time");
        return;
    };
    let command = || {
        let before = children_time();
        batch(input, 1);
        children_time().zip(before).map(|(after, before)| (after - before) / requests)
    };
    let whole = (0..TURNS).filter_map(|_| command()).min().unwrap_or(read + answer + write);
    let row = |name: &str, time: Duration| {
        let share = 100.0 * time.as_secs_f64() / whole.as_secs_f64();
        println!("{name:<44}{:>10.1} µs{share:>7.1} %", time.as_secs_f64() * 1e6);
    };
    row("reading JSON", read);
    row("building the policy", policy);
    row("the engine", answer.saturating_sub(policy));
    row("writing JSON", write);
    row("the rest: lines, queues, output", whole.saturating_sub(read + answer + write));
    row("the command, per request", whole);
    row("the same JSON, serde_json and nothing else", alone);
    println!("the command takes {:.2} times that", whole.as_secs_f64() / alone.as_secs_f64());
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).expect("it is JSON")
}

/// The processor time that `work` takes on this thread per element, the least of several rounds.
fn per_request<T, R>(elements: &[T], work: impl Fn(&T) -> R) -> Option<Duration> {
    // The system counts in ticks; a round has to be many of them.
    const ROUND: Duration = Duration::from_millis(300);
    let round = || {
        let (before, start, mut done) = (thread_time()?, Instant::now(), 0);
        while start.elapsed() < ROUND {
            elements.iter().for_each(|element| drop(black_box(work(black_box(element)))));
            done += elements.len() as u32;
        }
        Some((thread_time()? - before) / done)
    };
    (0..TURNS).map(|_| round()).min().flatten()
}

/// How long this thread has been on a processor, where the system says so.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// How long the commands that have ended were on a processor: in user mode and in the system's.
fn children_time() -> Option<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = text.rsplit_once(')')?.1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u32>().ok();
    Some(TICK * (ticks(13)? + ticks(14)?))
}
