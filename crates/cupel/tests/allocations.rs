//! How much memory a run takes, counted on the thread that runs it.
#![allow(unsafe_code, reason = "an allocator cannot be written without")]

#[path = "../benches/workload/mod.rs"]
mod measured;
mod workload;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use cupel::{ContextBudget, ContextItem, NullTraceCollector, Pipeline};
use measured::setup::Setup;

#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Usage {
    allocations: usize,
    /// Of all allocations together, freed or not.
    bytes: usize,
    live: isize,
    /// The most that was live at once.
    peak: isize,
}

thread_local! {
    // Constant and without a destructor, so that reading it never allocates.
    static USAGE: Cell<Usage> = const { Cell::new(Usage { allocations: 0, bytes: 0, live: 0, peak: 0 }) };
}

fn taken(size: usize) {
    let mut usage = USAGE.get();
    usage.allocations += 1;
    usage.bytes += size;
    usage.live += size as isize;
    usage.peak = usage.peak.max(usage.live);
    USAGE.set(usage);
}

fn given_back(size: usize) {
    let mut usage = USAGE.get();
    usage.live -= size as isize;
    USAGE.set(usage);
}

struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator, whose guarantees hold; the
// counting beside it neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    /// Counts both blocks at once, as if the contents had to be moved.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        taken(new_size);
        given_back(layout.size());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What `work` allocates on this thread, its result included.
fn usage_here<T>(work: impl FnOnce() -> T) -> Usage {
    USAGE.set(Usage::default());
    let result = work();
    let usage = USAGE.get();
    drop(result);
    usage
}

/// What `work` allocates on a thread that has run nothing before, its result included.
fn usage_of<T>(work: impl FnOnce() -> T + Send) -> Usage {
    std::thread::scope(|scope| scope.spawn(|| usage_here(work)).join().unwrap())
}

fn usage(pipeline: &Pipeline, items: &[ContextItem], budget: &ContextBudget) -> Usage {
    usage_of(|| pipeline.run(items, budget).unwrap())
}

/// What the benchmarks give every run, whatever the number of candidates.
fn window_of_128k() -> ContextBudget {
    ContextBudget::builder(128_000).build().unwrap()
}

#[test]
fn the_counter_counts() {
    let usage = usage_of(|| {
        drop(vec![0u8; 1000]);
        let mut grown = Vec::with_capacity(10);
        grown.extend([1u8; 10]);
        grown.reserve_exact(90);
        grown
    });
    assert_eq!(usage, Usage { allocations: 3, bytes: 1110, live: 100, peak: 1000 });
}

/// Rule [Size, memory and threads]: a disabled collector costs nothing
#[test]
fn a_disabled_collector_costs_no_allocation() {
    for pinned in [0, 5] {
        let items = workload::candidates(2_000, pinned);
        let budget = workload::half_of(&items);
        for (name, pipeline) in workload::pipelines() {
            let traced =
                usage_of(|| pipeline.run_traced(&items, &budget, &mut NullTraceCollector).unwrap());
            let untraced = usage(&pipeline, &items, &budget);
            assert_eq!(untraced, traced, "{name}, {pinned} pinned");
            let reported = usage_of(|| pipeline.dry_run(&items, &budget).unwrap());
            assert!(reported.bytes > untraced.bytes, "a report is not free");
        }
    }
}

#[test]
fn a_run_leaves_nothing_allocated_but_its_window() {
    let items = workload::candidates(10_000, 5);
    let budget = window_of_128k();
    for (name, pipeline) in workload::pipelines() {
        assert_eq!(usage_of(|| drop(pipeline.run(&items, &budget).unwrap())).live, 0, "{name}");
    }
}

const SIZES: [usize; 3] = [100, 1_000, 10_000];

fn allocations(subject: &str) -> [usize; 3] {
    let subject = measured::subjects::by_name(subject).unwrap();
    let allocations = SIZES.map(|count| usage_of(&subject.prepare(count)).allocations);
    println!("{}: {allocations:?} allocations for {SIZES:?} candidates", subject.name);
    allocations
}

/// Rule [Size, memory and threads]: allocations do not grow with the candidates (ours)
#[test]
fn the_number_of_allocations_does_not_grow_with_the_candidates() {
    for setup in Setup::ALL {
        let allocations = allocations(&format!("run/{setup}"));
        assert_eq!(allocations, [allocations[0]; 3], "{setup}");
    }
}

/// No built-in strategy has an item made to stand in for a unit.
///
/// Rule [Size, memory and threads]: allocations do not grow with the candidates (ours)
#[test]
fn the_number_of_allocations_does_not_grow_with_the_units() {
    for setup in Setup::ALL {
        let [few, some, many] = allocations(&format!("groups/{setup}"));
        // A knapsack of units may have to fill a table, or not.
        let most = if setup.is_knapsack() { few + 5 } else { few };
        assert!(some.max(many) <= most, "{setup}");
    }
}

/// Rule [Size, memory and threads]: allocations do not grow with the candidates (ours)
#[test]
fn neither_pinned_items_nor_the_size_of_the_window_change_that() {
    for pinned in [0, 5] {
        let [few, some, many] = SIZES.map(|count| workload::candidates(count, pinned));
        for (name, pipeline) in workload::pipelines() {
            let allocations = [few.as_slice(), &some, &many].map(|items| {
                [window_of_128k(), workload::half_of(items), workload::all_of(items)]
                    .map(|budget| usage(&pipeline, items, &budget).allocations)
            });
            println!("{name}, {pinned} pinned: {allocations:?}");
            assert_eq!(allocations, [[allocations[0][0]; 3]; 3], "{name}, {pinned} pinned");
        }
    }
}

#[test]
fn twice_the_candidates_take_about_twice_the_memory() {
    for subject in measured::subjects::all() {
        let [few, many] = [1_000, 2_000].map(|count| usage_of(&subject.prepare(count)).peak);
        let times = many as f64 / few as f64;
        println!("{}: {few} bytes for 1,000 candidates, {times:.2} times for 2,000", subject.name);
        assert!(times < 2.5, "{}: {times} times", subject.name);
    }
}

const CANDIDATES: usize = 100_000;
const BYTES_PER_CANDIDATE: isize = 100;

#[track_caller]
fn assert_modest(name: &str, pipeline: &Pipeline, items: &[ContextItem], budget: &ContextBudget) {
    let usage = usage(pipeline, items, budget);
    let tokens = budget.max_tokens();
    println!(
        "{name}, {tokens} tokens: {:.1} bytes per candidate, {} allocations",
        usage.peak as f64 / items.len() as f64,
        usage.allocations
    );
    assert!(
        usage.peak < BYTES_PER_CANDIDATE * items.len() as isize,
        "{name}, {tokens} tokens: {} bytes for {} candidates",
        usage.peak,
        items.len()
    );
}

/// Rule [Size, memory and threads]: a run takes less than 100 bytes per candidate (ours)
#[test]
fn a_run_takes_less_than_a_hundred_bytes_per_candidate() {
    let items = workload::candidates(CANDIDATES, 0);
    for (name, pipeline) in workload::pipelines() {
        assert_modest(name, &pipeline, &items, &window_of_128k());
        assert_modest(name, &pipeline, &items, &workload::half_of(&items));
    }
}

/// Rule [Size, memory and threads]: a run takes less than 100 bytes per candidate (ours)
#[test]
fn a_run_with_pinned_items_takes_less_than_a_hundred_bytes_per_candidate() {
    let items = workload::candidates(CANDIDATES, 5);
    for (name, pipeline) in workload::pipelines() {
        assert_modest(name, &pipeline, &items, &window_of_128k());
        assert_modest(name, &pipeline, &items, &workload::half_of(&items));
    }
}

/// Rule [Size, memory and threads]: a run takes less than 100 bytes per candidate (ours)
#[test]
fn a_window_that_holds_everything_takes_less_than_a_hundred_bytes_per_candidate() {
    for pinned in [0, 5] {
        let items = workload::candidates(CANDIDATES, pinned);
        for (name, pipeline) in workload::pipelines() {
            assert_modest(name, &pipeline, &items, &workload::all_of(&items));
        }
    }
}
