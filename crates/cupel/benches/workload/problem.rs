//! The candidates and the pipelines in terms of one engine, the parent's.

use std::collections::HashMap;

use super::engine::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextItemBuilder,
    ContextKind, CountQuotaEntry, CountQuotaSlice, FrequencyScorer, GreedySlice, KindScorer,
    KnapsackSlice, Pipeline, Placer, PriorityScorer, QuotaEntry, QuotaSlice, RecencyScorer,
    ReflexiveScorer, ScaledScorer, ScarcityBehavior, Scorer, Slicer, UShapedPlacer,
};
use super::records::Record;
use super::setup::Setup;

/// Candidates and the budget they compete for.
pub(crate) struct Problem {
    pub(crate) items: Vec<ContextItem>,
    pub(crate) budget: ContextBudget,
}

impl Problem {
    /// `target` is in tokens.
    pub(crate) fn new(records: &[Record], target: i64) -> Self {
        let budget = ContextBudget::new(target, target, 0, HashMap::new(), 0.0);
        Self {
            items: records.iter().map(item).collect(),
            budget: budget.expect("a target equal to the maximum is valid"),
        }
    }
}

fn item(record: &Record) -> ContextItem {
    let kind = ContextKind::new(record.kind).expect("kinds have names");
    let mut builder = ContextItemBuilder::new(record.content.clone(), record.tokens)
        .kind(kind)
        .tags(record.tags.clone())
        .future_relevance_hint(record.hint);
    if let Some(seconds) = record.timestamp {
        let time = chrono::DateTime::from_timestamp(seconds, 0);
        builder = builder.timestamp(time.expect("this century"));
    }
    if let Some(priority) = record.priority {
        builder = builder.priority(priority);
    }
    builder.build().expect("texts are not empty")
}

pub(crate) fn pipeline(setup: Setup) -> Pipeline {
    Pipeline::builder()
        .scorer(scorer(setup))
        .slicer(slicer(setup))
        .placer(placer(setup))
        .build()
        .expect("all three strategies are given")
}

fn scorer(setup: Setup) -> Box<dyn Scorer> {
    let kind = || Box::new(KindScorer::with_default_weights());
    match setup {
        Setup::A => Box::new(RecencyScorer),
        Setup::B => composite(vec![
            (Box::new(RecencyScorer), 0.5),
            (Box::new(PriorityScorer), 0.3),
            (kind(), 0.2),
        ]),
        Setup::C => composite(vec![
            (Box::new(FrequencyScorer), 1.0),
            (Box::new(ScaledScorer::new(Box::new(RecencyScorer))), 1.0),
            (kind(), 1.0),
        ]),
        Setup::D | Setup::E | Setup::F => Box::new(ReflexiveScorer),
    }
}

fn composite(children: Vec<(Box<dyn Scorer>, f64)>) -> Box<dyn Scorer> {
    Box::new(CompositeScorer::new(children).expect("the weights are positive"))
}

fn slicer(setup: Setup) -> Box<dyn Slicer> {
    match setup {
        Setup::A | Setup::B => Box::new(GreedySlice),
        Setup::C | Setup::F => Box::new(KnapsackSlice::new(100).expect("buckets have a size")),
        Setup::D => quota(),
        Setup::E => count_quota(),
    }
}

pub(crate) fn quota() -> Box<dyn Slicer> {
    let share = |kind, require, cap| QuotaEntry::new(kind, require, cap).expect("percentages");
    let entries = vec![
        share(ContextKind::tool_output(), 20.0, 50.0),
        share(ContextKind::message(), 10.0, 60.0),
    ];
    Box::new(QuotaSlice::new(entries, Box::new(GreedySlice)).expect("30 % are required"))
}

pub(crate) fn count_quota() -> Box<dyn Slicer> {
    let count = |kind, require, cap| CountQuotaEntry::new(kind, require, cap).expect("in order");
    let entries =
        vec![count(ContextKind::tool_output(), 2, 1_000), count(ContextKind::memory(), 1, 50)];
    let degrade = ScarcityBehavior::Degrade;
    let slicer = CountQuotaSlice::new(entries, Box::new(GreedySlice), degrade);
    Box::new(slicer.expect("greedy can be limited"))
}

fn placer(setup: Setup) -> Box<dyn Placer> {
    match setup {
        Setup::B | Setup::C => Box::new(UShapedPlacer),
        _ => Box::new(ChronologicalPlacer),
    }
}
