//! What inputs made to be expensive cost, in instructions, as a multiple of ordinary ones.
//!
//! Each case runs in a process of its own under valgrind's callgrind, which counts the
//! instructions of nothing but the work itself. Counts of unoptimised code say little about the
//! program that is used, so this wants an optimised build, and one that keeps its symbols, which
//! release builds do not:
//!
//! ```console
//! $ cargo test --profile bench --package cupel --test adversarial_cost -- --nocapture
//! ```
//!
//! Without valgrind, or without optimisation, it says that it is skipped.

mod case;
mod crafted;
mod pipelines;

use std::collections::HashMap;
use std::io::Write;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use case::{Case, Limit, cases};

/// Tells a process of this test which case to run.
const CASE: &str = "CUPEL_COST_CASE";

/// What callgrind counts, and nothing else.
#[inline(never)]
fn instructions_of(work: &mut dyn FnMut()) {
    work();
}

#[test]
#[ignore = "one process of the test below runs this"]
fn one_case() {
    let name = std::env::var(CASE).expect("the name of a case");
    let case = cases().into_iter().find(|case| case.name == name).expect("a case of that name");
    let mut work = (case.prepare)();
    instructions_of(&mut *work);
}

fn skipped(reason: &str) {
    // Past the capturing of test output: a test that did not run must not look like one that did.
    let _ = writeln!(std::io::stderr(), "SKIPPED, adversarial cost: {reason}");
}

fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn count(case: &Case) -> u64 {
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg("--collect-atstart=no")
        .arg("--toggle-collect=*instructions_of*")
        .arg("--callgrind-out-file=/dev/null")
        .arg(std::env::current_exe().expect("this test is a file"))
        .args(["--exact", "one_case", "--ignored", "--test-threads=1"])
        .env(CASE, case.name)
        .output()
        .expect("valgrind runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {told}", case.name);
    let collected = told.lines().find_map(|line| line.split("Collected : ").nth(1));
    let count = collected.and_then(|count| count.trim().parse().ok()).unwrap_or(0);
    assert!(count > 0, "{}: nothing was counted; without symbols? {told}", case.name);
    count
}

#[test]
fn crafted_inputs_cost_no_more_than_the_documented_multiples() {
    if cfg!(debug_assertions) {
        return skipped("needs an optimised build");
    }
    if !has_valgrind() {
        return skipped("valgrind is not installed");
    }
    let cases = cases();
    let counts = count_all(&cases);
    let mut too_dear = Vec::new();
    for case in &cases {
        let instructions = counts[case.name];
        let mut line = format!("{:<52} {instructions:>13}", case.name);
        let within = match case.limit {
            None => true,
            Some(Limit::Times(ordinary, limit)) => {
                let multiple = instructions as f64 / counts[ordinary] as f64;
                line += &format!("  {multiple:>5.2} times {ordinary:?}, at most {limit}");
                multiple <= limit
            }
            Some(Limit::Instructions(limit)) => {
                line += &format!("  at most {limit}");
                instructions <= limit
            }
        };
        if !within {
            too_dear.push(line.clone());
        }
        println!("{line}");
    }
    assert!(too_dear.is_empty(), "over their limits:\n{}", too_dear.join("\n"));
}

/// Instructions by the name of the case, counted on all cores: they are the same when it is busy.
fn count_all(cases: &[Case]) -> HashMap<&'static str, u64> {
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(HashMap::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let instructions = count(case);
                    counts.lock().unwrap().insert(case.name, instructions);
                }
            });
        }
    });
    counts.into_inner().unwrap()
}
