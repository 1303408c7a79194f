//! Whole runs and reports, over the pipelines that are watched and a range of sizes.
//!
//! ```console
//! $ cargo bench -p cupel --bench pipelines
//! ```

#[path = "../tests/workload/mod.rs"]
mod workload;

use divan::Bencher;

fn main() {
    divan::main();
}

/// Indices into [`workload::pipelines`].
const PIPELINES: [usize; 4] = [0, 1, 2, 3];

#[divan::bench(args = PIPELINES, consts = [10, 100, 1_000, 10_000, 100_000])]
fn run<const N: usize>(bencher: Bencher<'_, '_>, pipeline: usize) {
    let (_, pipeline) = workload::pipelines().swap_remove(pipeline);
    let items = workload::candidates(N, 0);
    let budget = workload::half_of(&items);
    bencher.bench(|| pipeline.run(&items, &budget));
}

#[divan::bench(args = PIPELINES, consts = [10, 100, 1_000, 10_000])]
fn dry_run<const N: usize>(bencher: Bencher<'_, '_>, pipeline: usize) {
    let (_, pipeline) = workload::pipelines().swap_remove(pipeline);
    let items = workload::candidates(N, 0);
    let budget = workload::half_of(&items);
    bencher.bench(|| pipeline.dry_run(&items, &budget));
}
