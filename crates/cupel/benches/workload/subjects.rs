//! Everything that is measured, by name: `run/a`, `score/recency`, `slice/knapsack`.

use std::hint::black_box;

use cupel::{ContextItem, RunContext, ScoredItem, policy_sensitivity_from_pipelines};

use super::records::{Texts, half, records};
use super::setup::Setup;
use super::strategies::{Named, PLACERS, SCORERS, SLICERS};
use super::{Problem, pipeline};

/// Something to measure, with all that it needs.
pub(crate) type Work = Box<dyn Fn() + Sync>;

/// Makes the work for so many candidates.
type Prepare = Box<dyn Fn(usize) -> Work>;

pub(crate) struct Subject {
    pub(crate) name: String,
    prepare: Prepare,
}

impl Subject {
    fn new(family: &str, name: &str, prepare: impl Fn(usize) -> Work + 'static) -> Self {
        Self { name: format!("{family}/{name}"), prepare: Box::new(prepare) }
    }

    pub(crate) fn prepare(&self, count: usize) -> Work {
        (self.prepare)(count)
    }
}

pub(crate) fn all() -> Vec<Subject> {
    let mut all: Vec<Subject> = Setup::ALL.into_iter().flat_map(of_setup).collect();
    all.extend(Setup::ALL.map(in_groups));
    all.extend(SCORERS.map(scoring));
    all.extend(SLICERS.map(slicing));
    all.extend(PLACERS.map(placing));
    all.extend(SIMULATIONS.map(simulating));
    all
}

/// The names of those in a family: `run`, `score`.
pub(crate) fn family(family: &str) -> Vec<String> {
    let names = all().into_iter().map(|subject| subject.name);
    names.filter(|name| name.split('/').next() == Some(family)).collect()
}

pub(crate) fn by_name(name: &str) -> Option<Subject> {
    all().into_iter().find(|subject| subject.name == name)
}

fn problem(count: usize) -> Problem {
    let records = records(count, Texts::Usual);
    Problem::new(&records, half(&records))
}

/// What is computed is also dropped, and never optimised away.
fn keep<T>(result: T) {
    drop(black_box(result));
}

fn of_setup(setup: Setup) -> [Subject; 2] {
    let letter = setup.to_string();
    let run = Subject::new("run", &letter, move |count| {
        let (problem, pipeline) = (problem(count), pipeline(setup));
        Box::new(move || keep(pipeline.run(&problem.items, &problem.budget).unwrap()))
    });
    let dry_run = Subject::new("dry_run", &letter, move |count| {
        let (problem, pipeline) = (problem(count), pipeline(setup));
        Box::new(move || keep(pipeline.dry_run(&problem.items, &problem.budget).unwrap()))
    });
    [run, dry_run]
}

/// The candidates of [`problem`], three hundred groups for every thousand of them, of neighbours as a call and its
/// results are.
fn grouped(count: usize) -> Problem {
    let Problem { items, budget } = problem(count);
    let grouped = items.iter().enumerate().map(|(at, item)| {
        let mut builder = ContextItem::builder(item.content(), item.tokens())
            .kind(item.kind().clone())
            .tags(item.tags().to_vec())
            .group(format!("call {}", at * 3 / 10));
        if let Some(hint) = item.future_relevance_hint() {
            builder = builder.future_relevance_hint(hint);
        }
        if let Some(timestamp) = item.timestamp() {
            builder = builder.timestamp(timestamp);
        }
        if let Some(priority) = item.priority() {
            builder = builder.priority(priority);
        }
        builder.build().unwrap()
    });
    Problem { items: grouped.collect(), budget }
}

fn in_groups(setup: Setup) -> Subject {
    Subject::new("groups", &setup.to_string(), move |count| {
        let (problem, pipeline) = (grouped(count), pipeline(setup));
        Box::new(move || keep(pipeline.run(&problem.items, &problem.budget).unwrap()))
    })
}

fn scoring((name, scorer): Named<dyn cupel::Scorer>) -> Subject {
    Subject::new("score", name, move |count| {
        let scorer = scorer();
        let items = match name.starts_with("metadata") {
            true => with_trust(problem(count).items),
            false => problem(count).items,
        };
        Box::new(move || keep(scorer.score_batch(&items, &RunContext::default()).unwrap()))
    })
}

fn with_trust(items: Vec<ContextItem>) -> Vec<ContextItem> {
    let rebuilt = items.iter().enumerate().map(|(at, item)| {
        let trust = format!("0.{}", at % 10);
        let builder = ContextItem::builder(item.content(), item.tokens());
        builder.metadata_entry("cupel:trust", trust).build().unwrap()
    });
    rebuilt.collect()
}

/// The candidates as slicers and placers are given them: scored, the best first.
fn sorted(items: &[ContextItem]) -> Vec<ScoredItem> {
    let scored = |item: &ContextItem| ScoredItem {
        item: item.clone(),
        score: item.future_relevance_hint().unwrap_or_default(),
    };
    let mut sorted: Vec<ScoredItem> = items.iter().map(scored).collect();
    sorted.sort_by(|a, b| b.score.total_cmp(&a.score));
    sorted
}

fn slicing((name, slicer): Named<dyn cupel::Slicer>) -> Subject {
    Subject::new("slice", name, move |count| {
        let (problem, slicer) = (problem(count), slicer());
        let sorted = sorted(&problem.items);
        Box::new(move || keep(slicer.slice(&sorted, &problem.budget).unwrap()))
    })
}

fn placing((name, placer): Named<dyn cupel::Placer>) -> Subject {
    Subject::new("place", name, move |count| {
        let (sorted, placer) = (sorted(&problem(count).items), placer());
        Box::new(move || keep(placer.place(&sorted)))
    })
}

type Simulation = (&'static str, fn(&What));

const SIMULATIONS: [Simulation; 6] = [
    ("marginal-items", |what| {
        let slack = what.problem.budget.target_tokens() / 10;
        let (items, budget) = (&what.problem.items, &what.problem.budget);
        keep(what.pipeline.get_marginal_items(items, budget, slack).unwrap());
    }),
    ("min-budget", |what| {
        let (items, budget) = (&what.problem.items, &what.problem.budget);
        let ceiling = budget.max_tokens() * 4;
        keep(what.pipeline.find_min_budget_for(items, budget, &what.excluded, ceiling).unwrap());
    }),
    ("exact-min-budget", |what| {
        let (items, budget) = (&what.problem.items, &what.problem.budget);
        let (pipeline, ceiling) = (&what.pipeline, budget.max_tokens() * 4);
        keep(pipeline.find_exact_min_budget_for(items, budget, &what.excluded, ceiling).unwrap());
    }),
    ("counterfactual", |what| {
        let (items, budget) = (&what.problem.items, &what.problem.budget);
        keep(what.pipeline.counterfactual(items, budget, &what.excluded).unwrap());
    }),
    ("counterfactuals", |what| {
        let (items, budget) = (&what.problem.items, &what.problem.budget);
        keep(what.pipeline.counterfactuals(items, budget).unwrap());
    }),
    ("sensitivity", |what| {
        let (items, budget) = (&what.problem.items, &what.problem.budget);
        let variants = [("one", &what.pipeline), ("other", &what.other)];
        keep(policy_sensitivity_from_pipelines(items, budget, &variants).unwrap());
    }),
];

/// What simulations ask about.
struct What {
    problem: Problem,
    pipeline: cupel::Pipeline,
    other: cupel::Pipeline,
    /// An item that the budget leaves out.
    excluded: ContextItem,
}

fn simulating((name, simulate): Simulation) -> Subject {
    Subject::new("simulate", name, move |count| {
        let (problem, pipeline) = (problem(count), pipeline(Setup::A));
        let report = pipeline.dry_run(&problem.items, &problem.budget).unwrap();
        let excluded = report.excluded[report.excluded.len() / 2].item.clone();
        let what = What { problem, pipeline, other: super::pipeline(Setup::B), excluded };
        Box::new(move || simulate(&what))
    })
}
