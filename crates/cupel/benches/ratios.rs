//! What one thing costs in terms of another, both measured in turns in one process.
//!
//! ```console
//! $ cargo bench -p cupel --bench ratios
//! ```
//!
//! Machines are shared and noisy; ratios of medians taken in turns travel, milliseconds do not.

#[path = "workload/mod.rs"]
mod measured;
#[path = "../tests/workload/mod.rs"]
mod workload;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cupel::{ContextBudget, ContextItem, NullTraceCollector, Pipeline};
use measured::setup::Setup;
use measured::subjects::{self, Work};

const CANDIDATES: usize = 10_000;
const TURNS: usize = 31;

struct Problem {
    pipeline: Pipeline,
    items: Vec<ContextItem>,
    budget: ContextBudget,
    /// An item that the budget leaves out.
    excluded: ContextItem,
}

impl Problem {
    fn new() -> Self {
        let (pipeline, items) = (workload::recent(), workload::candidates(CANDIDATES, 0));
        let budget = workload::half_of(&items);
        let report = pipeline.dry_run(&items, &budget).expect("nothing is pinned");
        let excluded = report.excluded[report.excluded.len() / 2].item.clone();
        Self { pipeline, items, budget, excluded }
    }

    fn run(&self) -> usize {
        self.pipeline.run(&self.items, &self.budget).expect("it fits").len()
    }

    fn run_traced_by_nobody(&self) -> usize {
        let nobody = &mut NullTraceCollector;
        self.pipeline.run_traced(&self.items, &self.budget, nobody).expect("it fits").len()
    }

    fn dry_run(&self) -> usize {
        self.pipeline.dry_run(&self.items, &self.budget).expect("it fits").included.len()
    }

    fn marginal_items(&self) -> usize {
        let slack = self.budget.target_tokens() / 10;
        let lost = self.pipeline.get_marginal_items(&self.items, &self.budget, slack);
        lost.expect("greedy is monotone enough").len()
    }

    fn min_budget(&self) -> usize {
        let ceiling = self.budget.max_tokens() * 4;
        let found =
            self.pipeline.find_min_budget_for(&self.items, &self.budget, &self.excluded, ceiling);
        usize::from(found.expect("greedy can be searched").is_some())
    }

    fn exact_min_budget(&self) -> usize {
        let ceiling = self.budget.max_tokens() * 4;
        let (items, budget) = (&self.items, &self.budget);
        let found = self.pipeline.find_exact_min_budget_for(items, budget, &self.excluded, ceiling);
        usize::from(found.expect("greedy has an exact minimum").is_some())
    }

    fn counterfactual(&self) -> usize {
        let found = self.pipeline.counterfactual(&self.items, &self.budget, &self.excluded);
        usize::from(found.expect("it is one of the items").is_some())
    }
}

fn main() {
    let problem = Problem::new();
    println!("{CANDIDATES} candidates, half of whose tokens fit; medians of {TURNS} turns\n");
    println!("{:<44}{:>8}", "cost of", "ratio");
    let row = |name: &str, of: fn(&Problem) -> usize, to: fn(&Problem) -> usize| {
        let timed = |work: fn(&Problem) -> usize| _ = black_box(work(black_box(&problem)));
        println!("{name:<44}{:>8.2}", ratio(|| timed(of), || timed(to)));
    };
    row("run_traced with the null collector / run", Problem::run_traced_by_nobody, Problem::run);
    row("dry_run / run", Problem::dry_run, Problem::run);
    row("get_marginal_items / dry_run", Problem::marginal_items, Problem::dry_run);
    row("find_min_budget_for / dry_run", Problem::min_budget, Problem::dry_run);
    row("find_exact_min_budget_for / dry_run", Problem::exact_min_budget, Problem::dry_run);
    row("counterfactual of one item / dry_run", Problem::counterfactual, Problem::dry_run);

    println!("\n{GROUPED} candidates, three hundred groups for every thousand of them\n");
    for setup in Setup::ALL {
        let [grouped, ungrouped] = ["groups", "run"].map(|family| many_runs(family, setup));
        println!(
            "{:<44}{:>8.2}",
            format!("{setup} in groups / {setup}"),
            ratio(grouped, ungrouped)
        );
    }
}

const GROUPED: usize = 1_000;

/// Enough runs to be timed.
fn many_runs(family: &str, setup: Setup) -> impl Fn() {
    let subject = subjects::by_name(&format!("{family}/{setup}")).expect("every pipeline has both");
    let run: Work = subject.prepare(GROUPED);
    move || (0..100).for_each(|_| run())
}

/// The median time of `of` over that of `to`.
fn ratio(of: impl Fn(), to: impl Fn()) -> f64 {
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        times.0.push(time(&of));
        times.1.push(time(&to));
    }
    median(times.0).as_secs_f64() / median(times.1).as_secs_f64()
}

fn time(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
