//! Every scorer, slicer and placer alone, over a range of sizes.
//!
//! ```console
//! $ cargo bench -p cupel --bench strategies
//! $ cargo bench -p cupel --bench strategies -- 'score.*frequency'
//! ```

mod workload;

use divan::Bencher;
use workload::cases::{Case, cases};

fn main() {
    divan::main();
}

/// All candidates at once.
#[divan::bench(args = cases("score", 100_000), max_time = 1)]
fn score(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.bench(case.prepare());
}

#[divan::bench(args = cases("slice", 100_000), max_time = 1)]
fn slice(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.bench(case.prepare());
}

#[divan::bench(args = cases("place", 100_000), max_time = 1)]
fn place(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.bench(case.prepare());
}
