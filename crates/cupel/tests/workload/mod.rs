//! Many candidates, and the pipelines whose cost at that size is watched.
#![allow(dead_code, reason = "every test binary includes all of it and uses its own part")]

pub(crate) mod counter;

use chrono::{DateTime, TimeDelta, Utc};
use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextKind, CountQuotaEntry,
    CountQuotaSlice, GreedySlice, KindScorer, Pipeline, Placer, PriorityScorer, QuotaEntry,
    QuotaSlice, RecencyScorer, ReflexiveScorer, ScarcityBehavior, Scorer, Slicer, UShapedPlacer,
};

/// A sequence that looks random and is the same every time.
pub(crate) struct Sequence(u64);

impl Sequence {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

const KINDS: [&str; 5] = [
    ContextKind::MESSAGE,
    ContextKind::DOCUMENT,
    ContextKind::TOOL_OUTPUT,
    ContextKind::MEMORY,
    "Note",
];

const TAGS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// `count` candidates of mixed kinds: one in twenty repeats an earlier text, one in ten has no
/// timestamp, two in five no priority, all up to two tags, and the first `pinned` are pinned.
pub(crate) fn candidates(count: usize, pinned: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(count as u64);
    let kinds = KINDS.map(|name| ContextKind::new(name).unwrap());
    let epoch: DateTime<Utc> = "2025-01-01T00:00:00Z".parse().unwrap();
    let candidate = |at: usize| {
        let repeats = random.below(20) == 0;
        let text = if repeats { random.below(at as u64 + 1) as usize } else { at };
        let mut builder = ContextItem::builder(format!("candidate {text}"), cost(&mut random))
            .kind(kinds[random.below(5) as usize].clone())
            .future_relevance_hint(random.below(1000) as f64 / 1000.0)
            .pinned(at < pinned);
        if random.below(10) > 0 {
            let age = TimeDelta::seconds(random.below(30_000_000) as i64);
            builder = builder.timestamp(epoch + age);
        }
        if random.below(5) > 1 {
            builder = builder.priority(random.below(100) as i64);
        }
        for _ in 0..random.below(3) {
            builder = builder.tag(TAGS[random.below(8) as usize]);
        }
        builder.build().unwrap()
    };
    (0..count).map(candidate).collect()
}

fn cost(random: &mut Sequence) -> i64 {
    random.below(500) as i64 + 1
}

/// A budget that half of the candidates' tokens fit.
pub(crate) fn half_of(items: &[ContextItem]) -> ContextBudget {
    ContextBudget::builder(all_tokens(items) / 2).build().unwrap()
}

/// A budget that everything fits.
pub(crate) fn all_of(items: &[ContextItem]) -> ContextBudget {
    ContextBudget::builder(all_tokens(items)).build().unwrap()
}

fn all_tokens(items: &[ContextItem]) -> i64 {
    items.iter().map(ContextItem::tokens).sum()
}

/// The pipelines that are watched, by name.
pub(crate) fn pipelines() -> Vec<(&'static str, Pipeline)> {
    vec![
        ("recency, greedy, chronological", recent()),
        ("composite, greedy, u-shaped", composite()),
        ("reflexive, quota(greedy)", quota()),
        ("reflexive, count quota(greedy)", count_quota()),
    ]
}

pub(crate) fn recent() -> Pipeline {
    pipeline(RecencyScorer, GreedySlice, ChronologicalPlacer)
}

fn composite() -> Pipeline {
    let scorer = CompositeScorer::new(vec![
        (Box::new(RecencyScorer), 0.5),
        (Box::new(PriorityScorer), 0.3),
        (Box::new(KindScorer::with_default_weights()), 0.2),
    ]);
    pipeline(scorer.unwrap(), GreedySlice, UShapedPlacer)
}

fn quota() -> Pipeline {
    let entries = vec![
        QuotaEntry::new(ContextKind::tool_output(), 20.0, 40.0).unwrap(),
        QuotaEntry::new(ContextKind::document(), 10.0, 100.0).unwrap(),
    ];
    let slicer = QuotaSlice::new(entries, GreedySlice).unwrap();
    pipeline(ReflexiveScorer, slicer, ChronologicalPlacer)
}

fn count_quota() -> Pipeline {
    let entries = vec![
        CountQuotaEntry::new(ContextKind::tool_output(), 5, 500).unwrap(),
        CountQuotaEntry::new(ContextKind::memory(), 2, usize::MAX).unwrap(),
    ];
    let slicer = CountQuotaSlice::new(entries, GreedySlice, ScarcityBehavior::Degrade);
    pipeline(ReflexiveScorer, slicer.unwrap(), ChronologicalPlacer)
}

pub(crate) fn pipeline(
    scorer: impl Scorer + 'static,
    slicer: impl Slicer + 'static,
    placer: impl Placer + 'static,
) -> Pipeline {
    Pipeline::builder().scorer(scorer).slicer(slicer).placer(placer).build().unwrap()
}
