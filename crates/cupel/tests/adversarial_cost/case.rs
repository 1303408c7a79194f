//! What is counted, what it is compared with, and how much dearer it may be.

use cupel::{ContextBudget, ContextItem, Pipeline};

use crate::crafted;
use crate::pipelines::*;

/// How much a case may cost.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// So many times what another case takes.
    Times(&'static str, f64),
    /// So many instructions.
    Instructions(u64),
}

use Limit::{Instructions, Times};

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) limit: Option<Limit>,
    /// Builds the input; what it returns is counted.
    pub(crate) prepare: Box<dyn Fn() -> Box<dyn FnMut()> + Sync>,
}

/// The number of candidates, and twice as many: enough for a square to show, few enough to count.
pub(crate) const N: usize = 4_000;
const TWICE: usize = 2 * N;

/// The number of candidates for tags, where there is a square to be watched.
const TAGGED: usize = 10_000;

/// What doubling the candidates may cost where the cost is nearly proportional: sorting grows a
/// little faster, and memory outgrows what allocators reuse. Four would be quadratic.
const DOUBLED: f64 = 2.5;

struct Cases(Vec<Case>);

impl Cases {
    fn add(
        &mut self,
        name: &'static str,
        limit: Option<Limit>,
        pipeline: fn() -> Pipeline,
        items: impl Fn() -> Vec<ContextItem> + Sync + 'static,
    ) {
        self.add_with(name, limit, pipeline, items, half_of);
    }

    fn add_with(
        &mut self,
        name: &'static str,
        limit: Option<Limit>,
        pipeline: fn() -> Pipeline,
        items: impl Fn() -> Vec<ContextItem> + Sync + 'static,
        budget: fn(&[ContextItem]) -> ContextBudget,
    ) {
        let prepare = move || -> Box<dyn FnMut()> {
            let (pipeline, items) = (pipeline(), items());
            let budget = budget(&items);
            Box::new(move || drop(pipeline.run(&items, &budget).unwrap()))
        };
        self.0.push(Case { name, limit, prepare: Box::new(prepare) });
    }

    fn add_question(
        &mut self,
        name: &'static str,
        limit: Option<Limit>,
        items: fn() -> Vec<ContextItem>,
        ask: fn(&Pipeline, &[ContextItem], &ContextBudget),
    ) {
        let prepare = move || -> Box<dyn FnMut()> {
            let (pipeline, items) = (recent(), items());
            let budget = half_of(&items);
            Box::new(move || ask(&pipeline, &items, &budget))
        };
        self.0.push(Case { name, limit, prepare: Box::new(prepare) });
    }
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Cases(Vec::new());
    texts(&mut cases);
    kinds(&mut cases);
    tags(&mut cases);
    sorting(&mut cases);
    knapsacks(&mut cases);
    questions(&mut cases);
    units(&mut cases);
    cases.0
}

fn texts(cases: &mut Cases) {
    let ordinary = "texts: ordinary";
    cases.add(ordinary, None, recent, || crafted::ordinary(N));
    cases.add("texts: ordinary, twice as many", Some(Times(ordinary, DOUBLED)), recent, || {
        crafted::ordinary(TWICE)
    });
    let one = "texts: one fingerprint for all";
    cases.add(one, Some(Times(ordinary, 5.0)), recent, || crafted::same_fingerprints(N));
    cases.add("texts: one fingerprint, twice as many", Some(Times(one, DOUBLED)), recent, || {
        crafted::same_fingerprints(TWICE)
    });
    let similar = "texts: fingerprints that differ in their last bits";
    cases.add(similar, Some(Times(ordinary, 5.0)), recent, || crafted::similar_fingerprints(N));
    cases.add(
        "texts: such fingerprints, twice as many",
        Some(Times(similar, DOUBLED)),
        recent,
        || crafted::similar_fingerprints(TWICE),
    );
    cases.add("texts: all the same", Some(Times(ordinary, 2.0)), recent, || crafted::same_texts(N));
}

fn kinds(cases: &mut Cases) {
    let ordinary = "kinds: five, quotas";
    cases.add(ordinary, None, quotas, || crafted::kinds(N, 5, |at| format!("kind {at}")));
    let many = "kinds: one per candidate, quotas for all";
    cases.add(many, Some(Times(ordinary, 10.0)), quotas, || {
        crafted::kinds(N, N, |at| format!("kind {at}"))
    });
    cases.add(
        "kinds: long names, quotas for all",
        Some(Times(ordinary, 30.0)),
        long_quotas,
        || crafted::kinds(N, N, crafted::long_name),
    );
    cases.add("kinds: one in 4,000 spellings", Some(Times(ordinary, 5.0)), quotas, || {
        crafted::kinds(N, N, crafted::spelling)
    });
    let counted = "kinds: five, counts";
    cases.add(counted, None, counts, || crafted::kinds(N, 5, |at| format!("kind {at}")));
    cases.add(
        "kinds: one per candidate, counts for all",
        Some(Times(counted, 10.0)),
        counts,
        || crafted::kinds(N, N, |at| format!("kind {at}")),
    );
    cases.add(
        "kinds: one per candidate, counts and knapsack",
        Some(Times(counted, 10.0)),
        counted_knapsack,
        || crafted::kinds(N, N, |at| format!("kind {at}")),
    );
}

fn tags(cases: &mut Cases) {
    let ordinary = "tags: ordinary";
    cases.add(ordinary, None, frequency, || crafted::ordinary(TAGGED));
    let own = "tags: ten of their own each";
    cases.add(own, None, frequency, || crafted::tags_of_their_own(TAGGED, 10));
    let five = "tags: five of 20, overlapping";
    cases.add(five, Some(Times(ordinary, 8.0)), frequency, || {
        crafted::overlapping_tags(TAGGED, 5, 20)
    });
    let ten = "tags: ten of 20, overlapping";
    cases.add(ten, Some(Times(ordinary, 10.0)), frequency, || {
        crafted::overlapping_tags(TAGGED, 10, 20)
    });
    cases.add("tags: ten of 20, twice as many", Some(Times(ten, 4.0)), frequency, || {
        crafted::overlapping_tags(2 * TAGGED, 10, 20)
    });
    cases.add("tags: ten of 600, overlapping", Some(Times(ordinary, 15.0)), frequency, || {
        crafted::overlapping_tags(TAGGED, 10, 600)
    });
    cases.add("tags: fifty of 100, overlapping", Some(Times(own, 15.0)), frequency, || {
        crafted::overlapping_tags(TAGGED, 50, 100)
    });
}

fn sorting(cases: &mut Cases) {
    let ordinary = "sorting: ordinary";
    cases.add(ordinary, None, ranked, || crafted::ordinary(N));
    let near = "sorting: keys that agree in their leading bits";
    cases.add(near, Some(Times(ordinary, 4.0)), ranked, || crafted::nearly_equal_keys(N));
    cases.add("sorting: such keys, twice as many", Some(Times(near, DOUBLED)), ranked, || {
        crafted::nearly_equal_keys(TWICE)
    });
    let far = "sorting: times millennia apart";
    cases.add(far, Some(Times(ordinary, 4.0)), ranked, || crafted::far_times(N));
    cases.add("sorting: such times, twice as many", Some(Times(far, DOUBLED)), ranked, || {
        crafted::far_times(TWICE)
    });
}

/// The bounds that settle most items of ordinary candidates settle none of these, so that the whole
/// table is filled. Its size is what the guard limits; a cell has a price.
fn knapsacks(cases: &mut Cases) {
    const CELLS: u64 = 50_000_000;
    let ordinary = "knapsack: ordinary, at the guard";
    cases.add_with(ordinary, None, knapsack, || crafted::ordinary(N), at_the_guard);
    cases.add_with(
        "knapsack: nothing can be settled, at the guard",
        Some(Instructions(16 * CELLS)),
        knapsack,
        || crafted::equally_dense(N, 1e-4),
        at_the_guard,
    );
    cases.add_with(
        "knapsack: sums of 128 bits, at a fifth of it",
        Some(Instructions(40 * CELLS / 5)),
        heavy_knapsack,
        heavy_items,
        |_| ContextBudget::builder(2_499 * 100).build().unwrap(),
    );
}

fn questions(cases: &mut Cases) {
    let marginal = "marginal items: ordinary";
    let ask_marginal = |pipeline: &Pipeline, items: &[ContextItem], budget: &ContextBudget| {
        drop(pipeline.get_marginal_items(items, budget, 1_000).unwrap());
    };
    cases.add_question(marginal, None, || crafted::ordinary(N), ask_marginal);
    let twice = "marginal items: twice as many";
    let limit = Some(Times(marginal, DOUBLED));
    cases.add_question(twice, limit, || crafted::ordinary(TWICE), ask_marginal);
    let crafted = "marginal items: one fingerprint for all";
    let limit = Some(Times(marginal, 5.0));
    cases.add_question(crafted, limit, || crafted::same_fingerprints(N), ask_marginal);

    let ask_minimum = |pipeline: &Pipeline, items: &[ContextItem], budget: &ContextBudget| {
        let target = items.last().unwrap();
        let _ = pipeline.find_min_budget_for(items, budget, target, i64::MAX).unwrap();
    };
    let minimum = "minimum budget: ordinary";
    cases.add_question(minimum, None, || crafted::ordinary(N), ask_minimum);
    let twice = "minimum budget: twice as many";
    let limit = Some(Times(minimum, DOUBLED));
    cases.add_question(twice, limit, || crafted::ordinary(TWICE), ask_minimum);
    let crafted = "minimum budget: one fingerprint for all";
    let limit = Some(Times(minimum, 5.0));
    cases.add_question(crafted, limit, || crafted::same_fingerprints(N), ask_minimum);
}

fn units(cases: &mut Cases) {
    let ordinary = "texts: ordinary";
    // The smallest units, so the most of them; the bench `instructions` has such as calls and their results make.
    let pairs = "groups: pairs of neighbours";
    cases.add(pairs, Some(Times(ordinary, 2.5)), recent, || {
        crafted::grouped(N, |at| format!("{}", at / 2))
    });
    cases.add(
        "groups: pairs of neighbours, twice as many",
        Some(Times(pairs, DOUBLED)),
        recent,
        || crafted::grouped(TWICE, |at| format!("{}", at / 2)),
    );
    cases.add("groups: all in one", Some(Times(ordinary, 1.5)), recent, || {
        crafted::grouped(N, |_| "all".to_owned())
    });
    cases.add("groups: one each", Some(Times(ordinary, 1.5)), recent, || {
        crafted::grouped(N, |at| format!("{at}"))
    });
    cases.add("groups: halves far apart", Some(Times(ordinary, 2.5)), recent, || {
        crafted::grouped(N, |at| format!("{}", at % (N / 2)))
    });
    cases.add("groups: long names alike", Some(Times(ordinary, 2.5)), recent, || {
        crafted::grouped(N, |at| crafted::long_name(at / 2))
    });
    let alike = "groups: one fingerprint for all units";
    cases.add(alike, None, recent, || crafted::alike_units(N));
    cases.add(
        "groups: one fingerprint for all units, twice as many",
        Some(Times(alike, DOUBLED)),
        recent,
        || crafted::alike_units(TWICE),
    );
    let variants = "variants: 100 each";
    cases.add(variants, None, recent, || crafted::with_variants(N, 100));
    cases.add("variants: 100 each, twice as many", Some(Times(variants, DOUBLED)), recent, || {
        crafted::with_variants(TWICE, 100)
    });
    cases.add("variants: 200 each", Some(Times(variants, DOUBLED)), recent, || {
        crafted::with_variants(N, 200)
    });
}
