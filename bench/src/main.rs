//! This engine beside the published crate of the same name, and beside a floor, on the same inputs.
//!
//! ```console
//! $ cargo run --release --manifest-path bench/Cargo.toml -- --quick
//! ```
//!
//! First both engines must choose the same items in the same order; then they are timed in turns
//! within one process, so that what disturbs the machine disturbs all of them. Only ratios count.

mod agreement;
mod args;
mod export;
mod floor;
mod gates;
mod growth;
mod measure;
mod ours;
mod report;
mod theirs;
mod timing;

#[path = "../../crates/cupel/benches/workload/records.rs"]
#[allow(dead_code, reason = "shared with benches that use all of it")]
mod records;
#[path = "../../crates/cupel/benches/workload/setup.rs"]
mod setup;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(count) = args.export {
        println!("{}", export::to_json(count));
        return ExitCode::SUCCESS;
    }
    if let Err(difference) = agreement::check(&args) {
        eprintln!("the engines disagree: {difference}");
        return ExitCode::FAILURE;
    }
    if args.check {
        return ExitCode::SUCCESS;
    }
    let report = measure::all(&args);
    println!("{}", report.render(args.format()));
    match args.strict && report.misses() > 0 {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}
