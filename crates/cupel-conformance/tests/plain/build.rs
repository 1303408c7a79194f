//! What cannot be built.

use cupel_conformance::engine::*;

use super::{Mistake, Plain, Problem, fold, problem};

impl Plain {
    pub(super) fn check_run(
        self,
        items: &[Entry],
        budget: &BudgetSpec,
        pipeline: &PipelineSpec,
    ) -> Result<(), Problem> {
        self.check_items(items)?;
        check_budget(budget)?;
        self.check_scorer(&pipeline.scorer)?;
        self.check_slicer(&pipeline.slicer)
    }

    pub(super) fn check_items(self, entries: &[Entry]) -> Result<(), Problem> {
        for entry in entries {
            let Entry::Item(item) = entry else { continue };
            if item.content.is_empty() {
                return Err(problem("EmptyContent", ""));
            }
            if item.kind.trim().is_empty() {
                return Err(problem("EmptyKind", ""));
            }
            if item.source.trim().is_empty() {
                return Err(problem("EmptySource", ""));
            }
            if item.group.as_ref().is_some_and(|group| group.trim().is_empty()) {
                return Err(problem("EmptyGroup", ""));
            }
            if item.document.as_ref().is_some_and(|document| document.trim().is_empty()) {
                return Err(problem("EmptyDocument", ""));
            }
            check_forms(item)?;
        }
        Ok(())
    }

    /// Whether candidates are in groups or have shorter forms, which this engine does not know.
    pub(super) fn has_units_or_forms(self, entries: &[Entry]) -> bool {
        let known = |entry: &Entry| match entry {
            Entry::Item(item) => item.group.is_none() && item.variants.is_empty(),
            Entry::SameAs { .. } => true,
        };
        !entries.iter().all(known)
    }

    pub(super) fn check_scorer(self, scorer: &ScorerSpec) -> Result<(), Problem> {
        match scorer {
            ScorerSpec::Kind { weights: Some(weights) } => {
                let kinds = weights.iter().map(|it| fold(&it.kind));
                if !self.makes(Mistake::MapsKeepTheLast) {
                    refuse_repeated("ScorerConfig", kinds)?;
                }
                weights.iter().try_for_each(|it| not_negative(it.weight))
            }
            ScorerSpec::Tag { weights, comparison } => {
                let key = |tag: &str| match comparison {
                    TagComparison::Ordinal => tag.to_owned(),
                    TagComparison::AsciiCaseInsensitive => fold(tag),
                };
                refuse_repeated("ScorerConfig", weights.iter().map(|it| key(&it.tag)))?;
                weights.iter().try_for_each(|it| not_negative(it.weight))?;
                finite(weights.iter().map(|it| it.weight).sum())
            }
            ScorerSpec::Composite { children } => {
                if children.is_empty() {
                    return Err(problem("ScorerConfig", "no children"));
                }
                for child in children {
                    self.check_scorer(&child.scorer)?;
                    positive(child.weight)?;
                }
                finite(children.iter().map(|it| it.weight).sum())
            }
            ScorerSpec::Scaled { inner } => self.check_scorer(inner),
            ScorerSpec::MetadataTrust { default_score } => unit(*default_score),
            ScorerSpec::MetadataKey { boost, .. } => positive(*boost),
            ScorerSpec::Decay { curve, null_timestamp_score, .. } => {
                unit(*null_timestamp_score)?;
                self.check_curve(curve)
            }
            _ => Ok(()),
        }
    }

    fn check_curve(self, curve: &CurveSpec) -> Result<(), Problem> {
        match curve {
            CurveSpec::Exponential { half_life_secs } => self.lasting(*half_life_secs, "halfLife"),
            CurveSpec::Window { max_age_secs } => self.lasting(*max_age_secs, "maxAge"),
            CurveSpec::Step { windows } => {
                if windows.is_empty() {
                    return Err(problem("ScorerConfig", "no windows"));
                }
                for window in windows {
                    self.lasting(window.max_age_secs, "maxAge")?;
                    unit(window.score)?;
                }
                let ascending =
                    windows.windows(2).all(|pair| pair[0].max_age_secs < pair[1].max_age_secs);
                if ascending {
                    Ok(())
                } else {
                    Err(problem("ScorerConfig", "windows out of order"))
                }
            }
        }
    }

    fn lasting(self, seconds: f64, name: &str) -> Result<(), Problem> {
        if seconds.is_finite() && self.nanoseconds(seconds) > 0 {
            return Ok(());
        }
        Err(problem("ScorerConfig", format!("{name} must be longer than zero")))
    }

    pub(super) fn check_slicer(self, slicer: &SlicerSpec) -> Result<(), Problem> {
        match slicer {
            SlicerSpec::Greedy => Ok(()),
            SlicerSpec::Rank { size_exponent, size_floor } => {
                let is_valid = (0.0..=1.0).contains(size_exponent) && *size_floor >= 0;
                if is_valid { Ok(()) } else { Err(problem("SlicerConfig", "size")) }
            }
            SlicerSpec::Knapsack { bucket_size } => check_bucket(*bucket_size),
            SlicerSpec::Quota { quotas, inner } => {
                refuse_repeated("SlicerConfig", quotas.iter().map(|it| fold(&it.kind)))?;
                let percent = |percent: f64| (0.0..=100.0).contains(&percent);
                let valid =
                    |it: &QuotaSpec| percent(it.require) && percent(it.cap) && it.require <= it.cap;
                if !quotas.iter().all(valid) {
                    return Err(problem("SlicerConfig", "percentages"));
                }
                let tolerance =
                    if self.makes(Mistake::QuotaSumWithoutTolerance) { 0.0 } else { 1e-9 };
                if quotas.iter().map(|it| it.require).sum::<f64>() > 100.0 + tolerance {
                    return Err(problem("SlicerConfig", "required percentages above 100"));
                }
                self.check_slicer(inner)
            }
            SlicerSpec::CountQuota { entries, inner, .. } => {
                if has_knapsack(inner) {
                    let message = "CountQuotaSlice takes no KnapsackSlice, use GreedySlice";
                    return Err(problem("SlicerConfig", message));
                }
                check_counts(entries)?;
                self.check_slicer(inner)
            }
            SlicerSpec::CountConstrainedKnapsack { entries, bucket_size, .. } => {
                check_bucket(*bucket_size)?;
                check_counts(entries)
            }
        }
    }
}

fn has_knapsack(slicer: &SlicerSpec) -> bool {
    match slicer {
        SlicerSpec::Knapsack { .. } => true,
        SlicerSpec::Quota { inner, .. } => has_knapsack(inner),
        _ => false,
    }
}

fn check_bucket(bucket_size: i64) -> Result<(), Problem> {
    if bucket_size > 0 { Ok(()) } else { Err(problem("SlicerConfig", "bucket size")) }
}

fn check_counts(entries: &[CountEntry]) -> Result<(), Problem> {
    refuse_repeated("SlicerConfig", entries.iter().map(|it| fold(&it.kind)))?;
    let valid = |it: &CountEntry| {
        it.require_count >= 0 && it.cap_count.is_none_or(|cap| it.require_count <= cap)
    };
    if entries.iter().all(valid) { Ok(()) } else { Err(problem("SlicerConfig", "counts")) }
}

pub(super) fn check_budget(budget: &BudgetSpec) -> Result<(), Problem> {
    let kinds = budget.reserved_slots.iter().map(|slot| fold(&slot.kind));
    refuse_repeated("InvalidBudget", kinds)?;
    let valid = budget.max_tokens >= 0
        && (0..=budget.max_tokens).contains(&budget.target_tokens)
        && (0..=budget.max_tokens).contains(&budget.output_reserve)
        && budget.reserved_slots.iter().all(|slot| slot.tokens >= 0)
        && (0.0..=100.0).contains(&budget.safety_margin_percent);
    if valid { Ok(()) } else { Err(problem("InvalidBudget", "a rule is broken")) }
}

fn refuse_repeated(
    variant: &'static str,
    names: impl Iterator<Item = String>,
) -> Result<(), Problem> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(problem(variant, format!("{name} is given twice")));
        }
        seen.push(name);
    }
    Ok(())
}

fn require(holds: bool) -> Result<(), Problem> {
    if holds { Ok(()) } else { Err(problem("ScorerConfig", "a number is out of range")) }
}

fn not_negative(number: f64) -> Result<(), Problem> {
    require(number.is_finite() && number >= 0.0)
}

fn positive(number: f64) -> Result<(), Problem> {
    require(number.is_finite() && number > 0.0)
}

fn finite(number: f64) -> Result<(), Problem> {
    require(number.is_finite())
}

fn unit(number: f64) -> Result<(), Problem> {
    require((0.0..=1.0).contains(&number))
}

fn check_forms(item: &ItemSpec) -> Result<(), Problem> {
    let mut longer = item.tokens;
    for form in &item.variants {
        let worth = form.worth.unwrap_or(1.0);
        let is_valid = !form.content.is_empty()
            && (0..longer).contains(&form.tokens)
            && (0.0..=1.0).contains(&worth);
        if !is_valid {
            return Err(problem("InvalidVariants", ""));
        }
        longer = form.tokens;
    }
    Ok(())
}
