//! Slicers, and the `[config]` of a pipeline.

use serde::Deserialize;
use toml::Spanned;

use super::error::Problem;
use super::scorer::{Around, ScorerName, ScorerTables, scorer_of_list};
use crate::engine::{
    CountEntry, DetailLevel, OverflowStrategy, PipelineSpec, PlacerSpec, QuotaSpec, Scarcity,
    SlicerSpec, Variant, names,
};

names! {
    /// Which slicer.
    pub(super) SlicerName, "slicer" {
        /// Best score per token first.
        Greedy = "greedy",
        /// Best score first.
        Rank = "rank",
        /// The most score in total.
        Knapsack = "knapsack",
        /// A share of the tokens per kind.
        Quota = "quota",
        /// A number of items per kind.
        CountQuota = "count_quota",
        /// The same, with a knapsack for the rest.
        CountConstrainedKnapsack = "count_constrained_knapsack",
    }
}

const DEFAULT_BUCKET_SIZE: i64 = 100;

/// A slicer's parameters: the `[config]` of a slicing vector, and `inner` tables.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct SlicerTable {
    r#type: Option<SlicerName>,
    bucket_size: Option<i64>,
    size_exponent: Option<f64>,
    size_floor: Option<i64>,
    #[serde(default)]
    quotas: Vec<QuotaTable>,
    #[serde(default)]
    entries: Vec<EntryTable>,
    scarcity_behavior: Option<Scarcity>,
    inner_slicer: Option<SlicerName>,
    inner: Option<Box<Spanned<SlicerTable>>>,
}

#[derive(Debug, Clone, Deserialize)]
struct QuotaTable {
    kind: String,
    #[serde(default)]
    require: f64,
    #[serde(default = "everything")]
    cap: f64,
}

fn everything() -> f64 {
    100.0
}

#[derive(Debug, Clone, Deserialize)]
struct EntryTable {
    kind: String,
    #[serde(default)]
    require_count: i64,
    cap_count: Option<i64>,
}

impl SlicerTable {
    /// The slicer called `name` with these parameters.
    pub(super) fn slicer(&self, name: SlicerName) -> Result<SlicerSpec, Problem> {
        let bucket_size = self.bucket_size.unwrap_or(DEFAULT_BUCKET_SIZE);
        let scarcity = self.scarcity_behavior.unwrap_or(Scarcity::Degrade);
        Ok(match name {
            SlicerName::Greedy => SlicerSpec::Greedy,
            SlicerName::Rank => SlicerSpec::Rank {
                size_exponent: self.size_exponent.unwrap_or(0.0),
                size_floor: self.size_floor.unwrap_or(0),
            },
            SlicerName::Knapsack => SlicerSpec::Knapsack { bucket_size },
            SlicerName::Quota => {
                SlicerSpec::Quota { quotas: self.quotas(), inner: Box::new(self.inner()?) }
            }
            SlicerName::CountQuota => SlicerSpec::CountQuota {
                entries: self.entries(),
                scarcity,
                inner: Box::new(self.inner()?),
            },
            SlicerName::CountConstrainedKnapsack => SlicerSpec::CountConstrainedKnapsack {
                entries: self.entries(),
                scarcity,
                bucket_size,
            },
        })
    }

    fn quotas(&self) -> Vec<QuotaSpec> {
        let spec =
            |it: &QuotaTable| QuotaSpec { kind: it.kind.clone(), require: it.require, cap: it.cap };
        self.quotas.iter().map(spec).collect()
    }

    fn entries(&self) -> Vec<CountEntry> {
        let spec = |it: &EntryTable| CountEntry {
            kind: it.kind.clone(),
            require_count: it.require_count,
            cap_count: it.cap_count,
        };
        self.entries.iter().map(spec).collect()
    }

    fn inner(&self) -> Result<SlicerSpec, Problem> {
        match &self.inner {
            Some(inner) => match inner.get_ref().r#type {
                Some(name) => inner.get_ref().slicer(name),
                None => Err(Problem::new(inner.span(), "type is missing; which slicer is this?")),
            },
            // Nothing but the bucket size is shared with an inner slicer given by name alone.
            None => Self { bucket_size: self.bucket_size, ..Self::default() }
                .slicer(self.inner_slicer.unwrap_or(SlicerName::Greedy)),
        }
    }
}

/// The `[config]` of a pipeline, and one of a sensitivity vector's `[[variants]]`.
#[derive(Debug, Deserialize)]
pub(super) struct PipelineTable {
    label: Option<String>,
    slicer: SlicerName,
    placer: PlacerSpec,
    deduplication: Option<bool>,
    overflow_strategy: Option<OverflowStrategy>,
    detail_level: Option<DetailLevel>,
    inner_scorer: Option<ScorerName>,
    scorers: ScorerTables,
    // The slicer's parameters again: serde's flatten would hide fields nobody knows.
    bucket_size: Option<i64>,
    size_exponent: Option<f64>,
    size_floor: Option<i64>,
    #[serde(default)]
    quotas: Vec<QuotaTable>,
    #[serde(default)]
    entries: Vec<EntryTable>,
    scarcity_behavior: Option<Scarcity>,
    inner_slicer: Option<SlicerName>,
    inner: Option<Box<Spanned<SlicerTable>>>,
}

impl PipelineTable {
    pub(super) fn pipeline(&self) -> Result<PipelineSpec, Problem> {
        let slicer = SlicerTable {
            r#type: None,
            bucket_size: self.bucket_size,
            size_exponent: self.size_exponent,
            size_floor: self.size_floor,
            quotas: self.quotas.clone(),
            entries: self.entries.clone(),
            scarcity_behavior: self.scarcity_behavior,
            inner_slicer: self.inner_slicer,
            inner: self.inner.clone(),
        };
        let around = Around { inner_scorer: self.inner_scorer };
        Ok(PipelineSpec {
            scorer: scorer_of_list(&self.scorers, around)?,
            slicer: slicer.slicer(self.slicer)?,
            placer: self.placer,
            deduplication: self.deduplication.unwrap_or(true),
            overflow_strategy: self.overflow_strategy.unwrap_or(OverflowStrategy::Throw),
        })
    }

    pub(super) fn detail_level(&self) -> DetailLevel {
        self.detail_level.unwrap_or(DetailLevel::Stage)
    }
}

pub(super) fn variant(spanned: &Spanned<PipelineTable>) -> Result<Variant, Problem> {
    let table = spanned.get_ref();
    match &table.label {
        Some(label) => Ok(Variant { label: label.clone(), pipeline: table.pipeline()? }),
        None => Err(Problem::new(spanned.span(), "label is missing")),
    }
}
