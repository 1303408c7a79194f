//! What is run, and with which budget.

use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextKind,
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, FrequencyScorer, GreedySlice,
    KindScorer, KnapsackSlice, Pipeline, Placer, PriorityScorer, QuotaEntry, QuotaSlice,
    RecencyScorer, ReflexiveScorer, ScarcityBehavior, Scorer, Slicer, UShapedPlacer,
};

use crate::case::N;
use crate::crafted::{self, built};

pub(crate) fn half_of(items: &[ContextItem]) -> ContextBudget {
    let tokens: i64 = items.iter().map(ContextItem::tokens).sum();
    ContextBudget::builder(tokens / 2).build().unwrap()
}

/// For `N` candidates and buckets of 100 tokens the largest odd number of buckets that the
/// knapsack accepts.
pub(crate) fn at_the_guard(_items: &[ContextItem]) -> ContextBudget {
    ContextBudget::builder(12_499 * 100).build().unwrap()
}

fn pipeline(
    scorer: impl Scorer + 'static,
    slicer: impl Slicer + 'static,
    placer: impl Placer + 'static,
) -> Pipeline {
    let builder = Pipeline::builder().scorer(scorer).slicer(slicer);
    builder.placer(placer).build().unwrap()
}

pub(crate) fn recent() -> Pipeline {
    pipeline(RecencyScorer, GreedySlice, ChronologicalPlacer)
}

pub(crate) fn ranked() -> Pipeline {
    let scorers: Vec<(Box<dyn Scorer>, f64)> = vec![
        (Box::new(RecencyScorer), 1.0),
        (Box::new(PriorityScorer), 1.0),
        (Box::new(ReflexiveScorer), 1.0),
    ];
    pipeline(CompositeScorer::new(scorers).unwrap(), GreedySlice, ChronologicalPlacer)
}

pub(crate) fn frequency() -> Pipeline {
    pipeline(FrequencyScorer, GreedySlice, UShapedPlacer)
}

fn quota_slicer(name: fn(usize) -> String) -> QuotaSlice {
    let entry = |at| QuotaEntry::new(ContextKind::new(name(at)).unwrap(), 0.001, 50.0).unwrap();
    QuotaSlice::new((0..N).map(entry), GreedySlice).unwrap()
}

pub(crate) fn quotas() -> Pipeline {
    pipeline(ReflexiveScorer, quota_slicer(|at| format!("kind {at}")), ChronologicalPlacer)
}

pub(crate) fn long_quotas() -> Pipeline {
    pipeline(ReflexiveScorer, quota_slicer(crafted::long_name), ChronologicalPlacer)
}

fn count_entries() -> Vec<CountQuotaEntry> {
    let kind = |at| ContextKind::new(format!("kind {at}")).unwrap();
    (0..N).map(|at| CountQuotaEntry::new(kind(at), usize::from(at % 4 == 0), 3).unwrap()).collect()
}

pub(crate) fn counts() -> Pipeline {
    let degrade = ScarcityBehavior::Degrade;
    let slicer = CountQuotaSlice::new(count_entries(), GreedySlice, degrade);
    pipeline(ReflexiveScorer, slicer.unwrap(), ChronologicalPlacer)
}

pub(crate) fn counted_knapsack() -> Pipeline {
    let (knapsack, degrade) = (KnapsackSlice::new(1_000).unwrap(), ScarcityBehavior::Degrade);
    let slicer = CountConstrainedKnapsackSlice::new(count_entries(), knapsack, degrade);
    pipeline(ReflexiveScorer, slicer.unwrap(), ChronologicalPlacer)
}

pub(crate) fn knapsack() -> Pipeline {
    pipeline(ReflexiveScorer, KnapsackSlice::default(), UShapedPlacer)
}

/// Kinds worth as much per bucket as each other, and so much that sums need 128 bits.
const HEAVY_KINDS: usize = 40;

pub(crate) fn heavy_knapsack() -> Pipeline {
    let kind = |at: usize| (ContextKind::new(format!("{at}")).unwrap(), (at + 1) as f64 * 1e12);
    let scorer = KindScorer::new((0..HEAVY_KINDS).map(kind)).unwrap();
    pipeline(scorer, KnapsackSlice::default(), UShapedPlacer)
}

pub(crate) fn heavy_items() -> Vec<ContextItem> {
    built(N, |at| {
        let kind = at * 7 % HEAVY_KINDS;
        ContextItem::builder(format!("{at}"), 200 * (kind as i64 + 1))
            .kind(ContextKind::new(format!("{kind}")).unwrap())
    })
}
