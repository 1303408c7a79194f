//! Building our items, budgets and strategies from plain data.

use std::collections::HashMap;
use std::time::Duration as StdDuration;

use chrono::{DateTime, Duration, Utc};
use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextKind, ContextSource,
    CountConstrainedKnapsackSlice, CountQuotaEntry, CountQuotaSlice, CupelError, DecayCurve,
    DecayScorer, FrequencyScorer, GreedySlice, InputOrderPlacer, ItemVariant, KindScorer,
    KnapsackSlice, MetadataKeyScorer, MetadataTrustScorer, OverflowStrategy, Placer, Policy,
    PolicyBuilder, PriorityScorer, QuotaEntry, QuotaSlice, RankSlice, ReadingOrderPlacer,
    RecencyScorer, ReflexiveScorer, ScaledScorer, ScarcityBehavior, Scorer, Slicer, TagScorer,
    TimeProvider, UShapedPlacer,
};

use crate::engine::{
    BudgetSpec, CountEntry, CurveSpec, Entry, FormSpec, ItemSpec, KindWeight,
    OverflowStrategy as Overflow, PipelineSpec, PlacerSpec, QuotaSpec, Scarcity, ScorerSpec,
    SlicerSpec, TagComparison, TagWeight, WeightedScorer,
};

pub(super) fn items(entries: &[Entry]) -> Result<Vec<ContextItem>, CupelError> {
    let mut items: Vec<ContextItem> = Vec::with_capacity(entries.len());
    for entry in entries {
        let built = match entry {
            Entry::Item(spec) => item(spec)?,
            Entry::SameAs { same_as } => items[*same_as].clone(),
        };
        items.push(built);
    }
    Ok(items)
}

pub(super) fn item(spec: &ItemSpec) -> Result<ContextItem, CupelError> {
    let mut item = ContextItem::builder(&spec.content, spec.tokens)
        .kind(ContextKind::new(&spec.kind)?)
        .source(ContextSource::new(&spec.source)?)
        .tags(spec.tags.clone())
        .metadata(spec.metadata.clone())
        .pinned(spec.pinned);
    if let Some(priority) = spec.priority {
        item = item.priority(priority);
    }
    if let Some(timestamp) = spec.timestamp {
        item = item.timestamp(timestamp);
    }
    if let Some(hint) = spec.future_relevance_hint {
        item = item.future_relevance_hint(hint);
    }
    if let Some(tokens) = spec.original_tokens {
        item = item.original_tokens(tokens);
    }
    if let Some(group) = &spec.group {
        item = item.group(group);
    }
    if let Some(document) = &spec.document {
        item = item.document(document);
    }
    if let Some(position) = spec.position {
        item = item.position(position);
    }
    item.variants(spec.variants.iter().map(variant)).build()
}

fn variant(spec: &FormSpec) -> ItemVariant {
    let variant = ItemVariant::new(&spec.content, spec.tokens);
    match spec.worth {
        Some(worth) => variant.with_worth(worth),
        None => variant,
    }
}

pub(super) fn budget(spec: &BudgetSpec) -> Result<ContextBudget, CupelError> {
    let mut budget = ContextBudget::builder(spec.max_tokens)
        .target_tokens(spec.target_tokens)
        .output_reserve(spec.output_reserve)
        .safety_margin_percent(spec.safety_margin_percent);
    for slot in &spec.reserved_slots {
        budget = budget.reserve(ContextKind::new(&slot.kind)?, slot.tokens);
    }
    budget.build()
}

pub(super) fn scorer(spec: &ScorerSpec) -> Result<Box<dyn Scorer>, CupelError> {
    Ok(match spec {
        ScorerSpec::Recency => Box::new(RecencyScorer),
        ScorerSpec::Priority => Box::new(PriorityScorer),
        ScorerSpec::Frequency => Box::new(FrequencyScorer),
        ScorerSpec::Reflexive => Box::new(ReflexiveScorer),
        ScorerSpec::Kind { weights: None } => Box::new(KindScorer::with_default_weights()),
        ScorerSpec::Kind { weights: Some(weights) } => {
            Box::new(KindScorer::new(kind_weights(weights)?)?)
        }
        ScorerSpec::Tag { weights, comparison } => {
            let weights = tag_weights(weights)?;
            Box::new(match comparison {
                TagComparison::Ordinal => TagScorer::new(weights)?,
                TagComparison::AsciiCaseInsensitive => TagScorer::case_insensitive(weights)?,
            })
        }
        ScorerSpec::Composite { children } => {
            let child = |it: &WeightedScorer| Ok((scorer(&it.scorer)?, it.weight));
            let children = children.iter().map(child).collect::<Result<_, CupelError>>()?;
            Box::new(CompositeScorer::new(children)?)
        }
        ScorerSpec::Scaled { inner } => Box::new(ScaledScorer::new(scorer(inner)?)),
        ScorerSpec::MetadataTrust { default_score } => {
            Box::new(MetadataTrustScorer::new(*default_score)?)
        }
        ScorerSpec::MetadataKey { key, value, boost } => {
            Box::new(MetadataKeyScorer::new(key, value, *boost)?)
        }
        ScorerSpec::Decay { reference_time, curve, null_timestamp_score } => {
            let clock = Box::new(StoppedClock(*reference_time));
            Box::new(DecayScorer::new(clock, self::curve(curve)?, *null_timestamp_score)?)
        }
    })
}

/// Always the same time.
struct StoppedClock(DateTime<Utc>);

impl TimeProvider for StoppedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

/// Our constructors take maps, in which an entry given twice would be lost before they see it.
fn given_twice(what: &str) -> CupelError {
    CupelError::ScorerConfig(format!("{what} is weighted twice; keep one"))
}

fn kind_weights(weights: &[KindWeight]) -> Result<HashMap<ContextKind, f64>, CupelError> {
    let mut map = HashMap::new();
    for KindWeight { kind, weight } in weights {
        if map.insert(ContextKind::new(kind)?, *weight).is_some() {
            return Err(given_twice(&format!("the kind {kind}")));
        }
    }
    Ok(map)
}

fn tag_weights(weights: &[TagWeight]) -> Result<HashMap<String, f64>, CupelError> {
    let mut map = HashMap::new();
    for TagWeight { tag, weight } in weights {
        if map.insert(tag.clone(), *weight).is_some() {
            return Err(given_twice(&format!("the tag {tag:?}")));
        }
    }
    Ok(map)
}

fn curve(spec: &CurveSpec) -> Result<DecayCurve, CupelError> {
    match spec {
        CurveSpec::Exponential { half_life_secs } => {
            DecayCurve::exponential(duration(*half_life_secs, "halfLife")?)
        }
        CurveSpec::Window { max_age_secs } => {
            DecayCurve::window(duration(*max_age_secs, "maxAge")?)
        }
        CurveSpec::Step { windows } => {
            let windows =
                windows.iter().map(|it| Ok((duration(it.max_age_secs, "maxAge")?, it.score)));
            DecayCurve::step(windows.collect::<Result<Vec<_>, CupelError>>()?)
        }
    }
}

/// Seconds to the nearest nanosecond; the sign is for the curve to judge.
fn duration(seconds: f64, name: &str) -> Result<Duration, CupelError> {
    let length = StdDuration::try_from_secs_f64(seconds.abs()).ok();
    match length.and_then(|length| Duration::from_std(length).ok()) {
        Some(length) if seconds < 0.0 => Ok(-length),
        Some(length) => Ok(length),
        None => Err(CupelError::ScorerConfig(format!("{name} ({seconds} s) is not a duration"))),
    }
}

pub(super) fn slicer(spec: &SlicerSpec) -> Result<Box<dyn Slicer>, CupelError> {
    Ok(match spec {
        SlicerSpec::Greedy => Box::new(GreedySlice),
        SlicerSpec::Rank { size_exponent, size_floor } => {
            Box::new(RankSlice::new(*size_exponent, *size_floor)?)
        }
        SlicerSpec::Knapsack { bucket_size } => Box::new(KnapsackSlice::new(*bucket_size)?),
        SlicerSpec::Quota { quotas, inner } => {
            let entry =
                |it: &QuotaSpec| QuotaEntry::new(ContextKind::new(&it.kind)?, it.require, it.cap);
            let quotas = quotas.iter().map(entry).collect::<Result<Vec<_>, CupelError>>()?;
            Box::new(QuotaSlice::new(quotas, slicer(inner)?)?)
        }
        SlicerSpec::CountQuota { entries, scarcity, inner } => {
            Box::new(CountQuotaSlice::new(counts(entries)?, slicer(inner)?, behavior(*scarcity))?)
        }
        SlicerSpec::CountConstrainedKnapsack { entries, scarcity, bucket_size } => {
            Box::new(CountConstrainedKnapsackSlice::new(
                counts(entries)?,
                KnapsackSlice::new(*bucket_size)?,
                behavior(*scarcity),
            )?)
        }
    })
}

fn counts(entries: &[CountEntry]) -> Result<Vec<CountQuotaEntry>, CupelError> {
    let count = |count: i64| {
        usize::try_from(count)
            .map_err(|_| CupelError::SlicerConfig(format!("a count ({count}) must be at least 0")))
    };
    let entry = |it: &CountEntry| {
        let cap = it.cap_count.map_or(Ok(usize::MAX), count)?;
        CountQuotaEntry::new(ContextKind::new(&it.kind)?, count(it.require_count)?, cap)
    };
    entries.iter().map(entry).collect()
}

fn behavior(scarcity: Scarcity) -> ScarcityBehavior {
    match scarcity {
        Scarcity::Degrade => ScarcityBehavior::Degrade,
        Scarcity::Throw => ScarcityBehavior::Throw,
    }
}

pub(super) fn placer(spec: PlacerSpec) -> Box<dyn Placer> {
    match spec {
        PlacerSpec::Chronological => Box::new(ChronologicalPlacer),
        PlacerSpec::UShaped => Box::new(UShapedPlacer),
        PlacerSpec::InputOrder => Box::new(InputOrderPlacer),
        PlacerSpec::ReadingOrder => Box::new(ReadingOrderPlacer::default()),
        PlacerSpec::ReadingOrderUShaped => Box::new(ReadingOrderPlacer::u_shaped()),
    }
}

pub(super) fn policy(spec: &PipelineSpec) -> Result<Policy, CupelError> {
    PolicyBuilder::new()
        .scorer(scorer(&spec.scorer)?)
        .slicer(slicer(&spec.slicer)?)
        .placer(placer(spec.placer))
        .deduplication(spec.deduplication)
        .overflow_strategy(match spec.overflow_strategy {
            Overflow::Throw => OverflowStrategy::Throw,
            Overflow::Truncate => OverflowStrategy::Truncate,
            Overflow::Proceed => OverflowStrategy::Proceed,
        })
        .build()
}
