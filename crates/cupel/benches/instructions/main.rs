//! How many instructions everything takes, counted by valgrind and held to limits.
//!
//! ```console
//! $ cargo bench -p cupel --bench instructions                          # check the limits
//! $ cargo bench -p cupel --bench instructions -- --only run            # of names that contain it
//! $ cargo bench -p cupel --bench instructions -- --profile run/a 1000  # where they go
//! $ cargo bench -p cupel --bench instructions -- run/a 1000 100000     # run it, for perf
//! ```
//!
//! Unlike times, counts are the same on a busy machine. This program starts itself under valgrind
//! once per subject and size; only what happens inside [`measured`] is counted, on the second call.
//!
//! Not with gungraun: its runner has to be installed apart, in exactly its version, and it knows no
//! limit on how a count grows with the items.

mod callgrind;
mod limits;

#[path = "../workload/mod.rs"]
mod workload;

use std::process::ExitCode;

use limits::{FEW, Limit, MANY};
use workload::subjects::{self, Subject, Work};

const USAGE: &str = "arguments: nothing, --only PART, --counts, --list, --profile NAME ITEMS, or NAME ITEMS REPETITIONS";

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        [] => check(""),
        ["--only", part] => check(part),
        ["--counts"] => print_counts(),
        ["--list"] => {
            subjects::all().iter().for_each(|subject| println!("{}", subject.name));
            Ok(())
        }
        ["--profile", name, items] => callgrind::profile(name, items),
        [name, items, repetitions] => probe(name, items, repetitions),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Prepares the work, does it once, and then as often as asked.
fn probe(name: &str, items: &str, repetitions: &str) -> Result<(), String> {
    let subject = subjects::by_name(name).ok_or(format!("there is no {name}; see --list"))?;
    let number = |text: &str| text.parse::<usize>().map_err(|error| format!("{text}: {error}"));
    let work = subject.prepare(number(items)?);
    work();
    for _ in 0..number(repetitions)? {
        measured(&work);
    }
    Ok(())
}

/// Counting is on while this runs.
#[inline(never)]
fn measured(work: &Work) {
    work();
}

/// Counts every subject whose name contains `part`, and compares with its limit.
fn check(part: &str) -> Result<(), String> {
    if !callgrind::is_present() {
        println!("SKIPPED: valgrind not found, so no instruction was counted and no limit checked");
        return Ok(());
    }
    println!(
        "{:<28}{:>16}{:>10}{:>20}{:>10}",
        "instructions for 1,000", "each", "at most", "for 2,000, times", "at most"
    );
    let mut over = Vec::new();
    for subject in subjects::all().into_iter().filter(|subject| subject.name.contains(part)) {
        let limit = limits::of(&subject.name)?;
        if !holds(&subject, limit)? {
            over.push(subject.name);
        }
    }
    match over.as_slice() {
        [] => Ok(()),
        over => Err(format!("over the limit: {}", over.join(", "))),
    }
}

/// Prints what is counted as `limits.rs` has it.
fn print_counts() -> Result<(), String> {
    // Those in groups are held to the others.
    for subject in subjects::all().iter().filter(|it| !it.name.starts_with("groups/")) {
        let per_item = callgrind::count(&subject.name, FEW)? as f64 / FEW as f64;
        println!("    (\"{}\", {:.1}),", subject.name, per_item.round());
    }
    Ok(())
}

fn holds(subject: &Subject, limit: Limit) -> Result<bool, String> {
    let few = callgrind::count(&subject.name, FEW)?;
    let many = callgrind::count(&subject.name, MANY)?;
    let per_item = few as f64 / FEW as f64;
    let growth = many as f64 / (limit.growth_of.unwrap_or(per_item) * FEW as f64);
    let holds = per_item <= limit.per_item && growth <= limit.growth;
    println!(
        "{:<28}{per_item:>16.1}{:>10}{growth:>20.2}{:>10} {}",
        subject.name,
        limit.per_item,
        limit.growth,
        if holds { "" } else { "OVER" }
    );
    Ok(holds)
}
