//! The scorers, one item at a time.

use chrono::{DateTime, TimeDelta, Utc};
use cupel::{ContextItem, ContextKind};
use cupel_policy::{CurveConfig, ScorerConfig, TagComparison, WeightedScorer};
use cupel_testing::generate::{RAW_HINT, reference_time};

/// The score of the item at `position` among `all`.
pub fn score(config: &ScorerConfig, position: usize, all: &[ContextItem]) -> f64 {
    score_of(config, &all[position], all)
}

/// The score of `item` among `all`, whether or not it is one of them.
pub fn score_of(config: &ScorerConfig, item: &ContextItem, all: &[ContextItem]) -> f64 {
    match config {
        ScorerConfig::Recency => recency(item, all),
        ScorerConfig::Priority => priority(item, all),
        ScorerConfig::Frequency => frequency(item, all),
        ScorerConfig::Reflexive => reflexive(item),
        ScorerConfig::Kind { weights } => kind(item, weights.as_deref()),
        ScorerConfig::Tag { weights, comparison } => tag(item, weights, *comparison),
        ScorerConfig::Composite { scorers } => composite(item, all, scorers),
        ScorerConfig::Scaled { inner, .. } => scaled(item, all, inner),
        ScorerConfig::Decay { curve, null_timestamp_score, reference_time: now } => {
            decay(item, now.unwrap_or_else(reference_time), curve, *null_timestamp_score)
        }
        ScorerConfig::MetadataTrust { default_score } => metadata_trust(item, *default_score),
        ScorerConfig::MetadataKey { key, value, boost } => metadata_key(item, key, value, *boost),
        ScorerConfig::FadingRecency { half_life } => {
            let halvings = (1.0 - recency(item, all)) / half_life;
            if item.timestamp().is_some() { libm::exp2(-halvings) } else { 0.0 }
        }
        ScorerConfig::Custom(custom) if custom.name == RAW_HINT => {
            item.future_relevance_hint().unwrap_or(0.0)
        }
        other => panic!("the oracle knows no scorer {other:?}"),
    }
}

fn recency(item: &ContextItem, all: &[ContextItem]) -> f64 {
    let Some(own) = item.timestamp() else {
        return 0.0;
    };
    let mut count_with_timestamp = 0;
    let mut rank = 0;
    for other in all {
        let Some(timestamp) = other.timestamp() else {
            continue;
        };
        count_with_timestamp += 1;
        if timestamp < own {
            rank += 1;
        }
    }
    if count_with_timestamp <= 1 {
        return 1.0;
    }
    f64::from(rank) / f64::from(count_with_timestamp - 1)
}

fn priority(item: &ContextItem, all: &[ContextItem]) -> f64 {
    let Some(own) = item.priority() else {
        return 0.0;
    };
    let mut count_with_priority = 0;
    let mut rank = 0;
    for other in all {
        let Some(priority) = other.priority() else {
            continue;
        };
        count_with_priority += 1;
        if priority < own {
            rank += 1;
        }
    }
    if count_with_priority <= 1 {
        return 1.0;
    }
    f64::from(rank) / f64::from(count_with_priority - 1)
}

fn frequency(item: &ContextItem, all: &[ContextItem]) -> f64 {
    if item.tags().is_empty() || all.len() <= 1 {
        return 0.0;
    }
    let mut matching_items = 0;
    for other in all {
        if other.is_same_instance(item) {
            continue;
        }
        if shares_any_tag(item.tags(), other.tags()) {
            matching_items += 1;
        }
    }
    f64::from(matching_items) / (all.len() - 1) as f64
}

fn shares_any_tag(a: &[String], b: &[String]) -> bool {
    for tag in a {
        for other in b {
            if tag.eq_ignore_ascii_case(other) {
                return true;
            }
        }
    }
    false
}

fn reflexive(item: &ContextItem) -> f64 {
    match item.future_relevance_hint() {
        Some(value) if value.is_finite() => clamp_to_unit(value),
        _ => 0.0,
    }
}

#[expect(clippy::manual_clamp, reason = "spelled out, so that the sign of zero is plain to see")]
fn clamp_to_unit(value: f64) -> f64 {
    if value < 0.0 {
        0.0
    } else if value > 1.0 {
        1.0
    } else {
        value
    }
}

fn kind(item: &ContextItem, weights: Option<&[(ContextKind, f64)]>) -> f64 {
    let defaults = [
        (ContextKind::system_prompt(), 1.0),
        (ContextKind::memory(), 0.8),
        (ContextKind::tool_output(), 0.6),
        (ContextKind::document(), 0.4),
        (ContextKind::message(), 0.2),
    ];
    for (kind, weight) in weights.unwrap_or(&defaults) {
        if kind.as_str().eq_ignore_ascii_case(item.kind().as_str()) {
            return *weight;
        }
    }
    0.0
}

/// The total is summed in ascending byte order of the configured tags: a map has no order of its
/// own, and the last bit of a floating-point sum depends on one.
fn tag(item: &ContextItem, weights: &[(String, f64)], comparison: TagComparison) -> f64 {
    let mut ascending = weights.to_vec();
    ascending.sort_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
    let mut total_weight = 0.0;
    for (_, weight) in &ascending {
        total_weight += weight;
    }
    if total_weight == 0.0 || item.tags().is_empty() {
        return 0.0;
    }
    let mut matched_sum = 0.0;
    for own in item.tags() {
        for (tag, weight) in weights {
            let equal = match comparison {
                TagComparison::Ordinal => own == tag,
                TagComparison::AsciiCaseInsensitive => own.eq_ignore_ascii_case(tag),
            };
            if equal {
                matched_sum += weight;
            }
        }
    }
    let share = matched_sum / total_weight;
    if share > 1.0 { 1.0 } else { share }
}

fn composite(item: &ContextItem, all: &[ContextItem], children: &[WeightedScorer]) -> f64 {
    let mut total_weight = 0.0;
    for child in children {
        total_weight += child.weight;
    }
    let mut result = 0.0;
    for child in children {
        result += score_of(&child.scorer, item, all) * (child.weight / total_weight);
    }
    result
}

/// An item that is not among `all`, or whose raw score is no finite number, has no place between
/// the extremes and gets the middle.
fn scaled(item: &ContextItem, all: &[ContextItem], inner: &ScorerConfig) -> f64 {
    let mut raw_score = f64::NAN;
    let mut min = f64::INFINITY;
    let mut max = f64::NEG_INFINITY;
    for other in all {
        let score = score_of(inner, other, all);
        if score < min {
            min = score;
        }
        if score > max {
            max = score;
        }
        if other.is_same_instance(item) {
            raw_score = score;
        }
    }
    if max == min || !raw_score.is_finite() {
        return 0.5;
    }
    if min.is_finite() && max.is_finite() && (max - min).is_infinite() {
        return (raw_score / 2.0 - min / 2.0) / (max / 2.0 - min / 2.0);
    }
    (raw_score - min) / (max - min)
}

fn decay(
    item: &ContextItem,
    now: DateTime<Utc>,
    curve: &CurveConfig,
    null_timestamp_score: f64,
) -> f64 {
    let Some(timestamp) = item.timestamp() else {
        return null_timestamp_score;
    };
    let age = if timestamp > now { TimeDelta::zero() } else { now - timestamp };
    match curve {
        CurveConfig::Exponential { half_life_seconds } => {
            2.0_f64.powf(-seconds(age) / seconds(duration(*half_life_seconds)))
        }
        CurveConfig::Window { max_age_seconds } => {
            if age < duration(*max_age_seconds) {
                1.0
            } else {
                0.0
            }
        }
        CurveConfig::Step { windows } => {
            for window in windows {
                if duration(window.max_age_seconds) > age {
                    return window.score;
                }
            }
            windows[windows.len() - 1].score
        }
        other => panic!("the oracle knows no curve {other:?}"),
    }
}

/// The nearest nanosecond.
fn duration(seconds: f64) -> TimeDelta {
    let whole = seconds.floor();
    let nanoseconds = ((seconds - whole) * 1e9).round();
    TimeDelta::seconds(whole as i64) + TimeDelta::nanoseconds(nanoseconds as i64)
}

fn seconds(duration: TimeDelta) -> f64 {
    duration.num_seconds() as f64 + f64::from(duration.subsec_nanos()) / 1e9
}

fn metadata_trust(item: &ContextItem, default_score: f64) -> f64 {
    let Some(raw) = item.metadata().get("cupel:trust") else {
        return default_score;
    };
    match raw.parse::<f64>() {
        Ok(value) if value.is_finite() => clamp_to_unit(value),
        _ => default_score,
    }
}

fn metadata_key(item: &ContextItem, key: &str, value: &str, boost: f64) -> f64 {
    match item.metadata().get(key) {
        Some(raw) if raw == value => boost,
        _ => 1.0,
    }
}
