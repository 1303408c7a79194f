//! What-if questions to pipeline a, over a range of sizes.
//!
//! ```console
//! $ cargo bench -p cupel --bench simulation
//! ```
//!
//! What they cost in terms of a run is printed by the bench `ratios`.

mod workload;

use divan::Bencher;
use workload::cases::{Case, cases};

fn main() {
    divan::main();
}

#[divan::bench(args = cases("simulate", 10_000), max_time = 1)]
fn simulate(bencher: Bencher<'_, '_>, case: &Case) {
    bencher.bench(case.prepare());
}
