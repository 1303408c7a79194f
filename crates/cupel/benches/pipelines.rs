//! Whole runs and reports of the six pipelines, over a range of sizes and lengths of text.
//!
//! ```console
//! $ cargo bench -p cupel --bench pipelines
//! $ cargo bench -p cupel --bench pipelines -- 'dry_run'
//! ```

mod workload;

use divan::Bencher;
use workload::cases::{Case, a_million, cases};
use workload::records::{Texts, half, records};
use workload::setup::Setup;
use workload::{Problem, pipeline};

fn main() {
    divan::main();
}

#[divan::bench(args = cases("run", 100_000), max_time = 1)]
fn run(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.bench(case.prepare());
}

#[divan::bench(args = a_million(), sample_count = 10)]
fn run_a_million(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.bench(case.prepare());
}

#[divan::bench(args = cases("dry_run", 100_000), max_time = 1)]
fn dry_run(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.bench(case.prepare());
}

const LETTERS: [Setup; 6] = Setup::ALL;

/// Lines of 40 bytes.
#[divan::bench(args = LETTERS, consts = [100, 10_000], max_time = 1)]
fn run_short_texts<const N: usize>(bencher: Bencher<'_, '_>, setup: Setup) {
    run_texts(bencher, setup, N, Texts::Short);
}

/// Pages of 4,000 bytes.
#[divan::bench(args = LETTERS, consts = [100, 10_000], max_time = 1)]
fn run_long_texts<const N: usize>(bencher: Bencher<'_, '_>, setup: Setup) {
    run_texts(bencher, setup, N, Texts::Long);
}

fn run_texts(bencher: Bencher<'_, '_>, setup: Setup, count: usize, texts: Texts) {
    let records = records(count, texts);
    let problem = Problem::new(&records, half(&records));
    let pipeline = pipeline(setup);
    bencher.bench(|| pipeline.run(&problem.items, &problem.budget));
}
