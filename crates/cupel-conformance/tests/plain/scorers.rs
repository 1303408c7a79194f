//! Scores, one at a time.

use cupel_conformance::engine::*;

use super::{Item, Mistake, Plain, fold};

const DEFAULT_WEIGHTS: [(&str, f64); 5] = [
    ("SystemPrompt", 1.0),
    ("Memory", 0.8),
    ("ToolOutput", 0.6),
    ("Document", 0.4),
    ("Message", 0.2),
];

impl Plain {
    pub(super) fn score_of(self, scorer: &ScorerSpec, item: &Item<'_>, list: &[Item<'_>]) -> f64 {
        let spec = item.spec;
        match scorer {
            ScorerSpec::Recency if self.makes(Mistake::RecencyInSeconds) => {
                self.rank(item, list, |it| it.timestamp.map(|time| time.timestamp()))
            }
            ScorerSpec::Recency => self.rank(item, list, |it| it.timestamp),
            ScorerSpec::Priority => self.rank(item, list, |it| it.priority),
            ScorerSpec::Kind { weights } => self.kind_weight(weights.as_deref(), &spec.kind),
            ScorerSpec::Tag { weights, comparison } => self.tags(weights, *comparison, &spec.tags),
            ScorerSpec::Frequency => self.frequency(item, list),
            ScorerSpec::Reflexive => match spec.future_relevance_hint {
                None => 0.0,
                Some(hint) if self.makes(Mistake::HintsUnclamped) && hint.is_finite() => hint,
                Some(hint) if hint.is_finite() => hint.clamp(0.0, 1.0),
                Some(hint) if self.makes(Mistake::HintsClampInfinity) => hint.clamp(0.0, 1.0),
                Some(_) => 0.0,
            },
            ScorerSpec::Composite { children } => {
                let total: f64 = children.iter().map(|child| child.weight).sum();
                let scores = children.iter().map(|it| (self.score_of(&it.scorer, item, list), it));
                if self.makes(Mistake::CompositeMultiplies) {
                    return scores.map(|(score, _)| score).product();
                }
                let total = if self.makes(Mistake::CompositeRawWeights) { 1.0 } else { total };
                scores.fold(0.0, |sum, (score, child)| sum + score * (child.weight / total))
            }
            ScorerSpec::Scaled { inner } => self.scaled(inner, item, list),
            ScorerSpec::MetadataTrust { default_score } => {
                let stated = spec.metadata.get("cupel:trust").and_then(|it| it.parse::<f64>().ok());
                let usable = |trust: &f64| {
                    trust.is_finite()
                        || (self.makes(Mistake::TrustClampsInfinity) && trust.is_infinite())
                };
                stated.filter(usable).map_or(*default_score, |trust| trust.clamp(0.0, 1.0))
            }
            ScorerSpec::MetadataKey { key, value, boost } => match spec.metadata.get(key) {
                Some(actual) if actual == value || self.makes(Mistake::KeysMatchAlone) => {
                    if self.makes(Mistake::BoostClamped) { boost.min(1.0) } else { *boost }
                }
                _ if self.makes(Mistake::NoMatchScoresZero) => 0.0,
                _ => 1.0,
            },
            ScorerSpec::Decay { reference_time, curve, null_timestamp_score } => {
                match spec.timestamp {
                    None if self.makes(Mistake::UndatedDecayIsZero) => 0.0,
                    None => *null_timestamp_score,
                    Some(timestamp) => {
                        let age = *reference_time - timestamp;
                        let nanoseconds = i128::from(age.num_seconds()) * 1_000_000_000
                            + i128::from(age.subsec_nanos());
                        let age = self.whole(nanoseconds);
                        let future = self.makes(Mistake::FutureAgesByDistance);
                        self.curve(curve, if future { age.abs() } else { age.max(0) })
                    }
                }
            }
        }
    }

    fn rank<T: PartialOrd>(
        self,
        item: &Item<'_>,
        list: &[Item<'_>],
        value: impl Fn(&ItemSpec) -> Option<T>,
    ) -> f64 {
        let Some(own) = value(item.spec) else { return 0.0 };
        let (mut count, mut rank) = (0, 0);
        for other in list {
            let Some(other_value) = value(other.spec) else {
                count += usize::from(self.makes(Mistake::RanksDivideByAll));
                continue;
            };
            count += 1;
            let tied = self.makes(Mistake::RanksCountTies)
                && other_value == own
                && other.position != item.position;
            if other_value < own || tied {
                rank += 1;
            }
        }
        if count <= 1 {
            return if self.makes(Mistake::SingleRankIsZero) { 0.0 } else { 1.0 };
        }
        let peers = if self.makes(Mistake::RanksDivideByN) { count } else { count - 1 };
        rank as f64 / peers as f64
    }

    fn kind_weight(self, weights: Option<&[KindWeight]>, kind: &str) -> f64 {
        let is_kind = |other: &str| self.kind(other) == self.kind(kind);
        let weight = match weights {
            None => DEFAULT_WEIGHTS.iter().find(|(other, _)| is_kind(other)).map(|it| it.1),
            Some(weights) => weights.iter().rfind(|it| is_kind(&it.kind)).map(|it| it.weight),
        };
        let fallback = if self.makes(Mistake::UnknownKindsFallBack) { 0.2 } else { 0.0 };
        let weight = weight.unwrap_or(fallback);
        if self.makes(Mistake::KindWeightsClamped) { weight.min(1.0) } else { weight }
    }

    fn tags(self, weights: &[TagWeight], comparison: TagComparison, tags: &[String]) -> f64 {
        let folds = comparison == TagComparison::AsciiCaseInsensitive
            || self.makes(Mistake::TagsFoldByDefault);
        let key = |tag: &str| if folds { fold(tag) } else { tag.to_owned() };
        let mut sorted: Vec<&TagWeight> = weights.iter().collect();
        sorted.sort_by(|a, b| a.tag.cmp(&b.tag));
        let total: f64 = sorted.iter().map(|it| it.weight).sum();
        if total == 0.0 || tags.is_empty() {
            return 0.0;
        }
        let mut keys: Vec<String> = tags.iter().map(|tag| key(tag)).collect();
        if self.makes(Mistake::TagsCountOnce) {
            keys.sort();
            keys.dedup();
        }
        let weight = |tag: &String| weights.iter().find(|it| key(&it.tag) == *tag);
        let matched: f64 = keys.iter().filter_map(weight).map(|it| it.weight).sum();
        let known: f64 =
            weights.iter().filter(|it| keys.contains(&key(&it.tag))).map(|it| it.weight).sum();
        let by_matched = self.makes(Mistake::TagsDivideByMatched) && known > 0.0;
        let share = matched / if by_matched { known } else { total };
        if self.makes(Mistake::TagsUnclamped) { share } else { share.min(1.0) }
    }

    fn frequency(self, item: &Item<'_>, list: &[Item<'_>]) -> f64 {
        let key = |tag: &String| {
            if self.makes(Mistake::FrequencyCaseSensitive) { tag.clone() } else { self.folded(tag) }
        };
        if item.spec.tags.is_empty() || list.len() <= 1 {
            return 0.0;
        }
        let own: Vec<String> = item.spec.tags.iter().map(key).collect();
        let shares = |other: &&Item<'_>| other.spec.tags.iter().any(|tag| own.contains(&key(tag)));
        let mut matching = list.iter().filter(|it| !self.same(it, item)).filter(shares).count();
        if self.makes(Mistake::FrequencySkipsOnce) {
            matching = list.iter().filter(shares).count() - 1;
        }
        let peers = if self.makes(Mistake::FrequencyDividesByTagged) {
            list.iter().filter(|other| !other.spec.tags.is_empty()).count() - 1
        } else {
            list.len() - 1
        };
        matching as f64 / peers.max(1) as f64
    }

    fn scaled(self, inner: &ScorerSpec, item: &Item<'_>, list: &[Item<'_>]) -> f64 {
        let no_information = if self.makes(Mistake::ScaledTieIsZero) { 0.0 } else { 0.5 };
        let (mut raw, mut min, mut max) = (f64::NAN, f64::INFINITY, f64::NEG_INFINITY);
        for other in list {
            let score = self.score_of(inner, other, list);
            min = min.min(score);
            max = max.max(score);
            if self.same(other, item) {
                raw = score;
            }
        }
        if list.is_empty() || max == min || !raw.is_finite() {
            return no_information;
        }
        if self.makes(Mistake::ScaledByMaximum) { raw / max } else { (raw - min) / (max - min) }
    }

    fn curve(self, curve: &CurveSpec, age: i128) -> f64 {
        let ends_after = |seconds: f64, inclusive: Mistake| {
            let end = self.nanoseconds(seconds);
            end > age || (self.makes(inclusive) && end == age)
        };
        match curve {
            CurveSpec::Exponential { half_life_secs } => {
                let half_life = self.nanoseconds(*half_life_secs);
                2f64.powf(-(age as f64 / 1e9) / (half_life as f64 / 1e9))
            }
            CurveSpec::Window { max_age_secs } => {
                f64::from(u8::from(ends_after(*max_age_secs, Mistake::WindowInclusive)))
            }
            CurveSpec::Step { windows } => {
                let after = |it: &&StepWindow| ends_after(it.max_age_secs, Mistake::StepInclusive);
                match (windows.iter().find(after), windows.last()) {
                    (Some(window), _) => window.score,
                    (None, Some(last)) if !self.makes(Mistake::BeyondStepsIsZero) => last.score,
                    _ => 0.0,
                }
            }
        }
    }

    pub(super) fn nanoseconds(self, seconds: f64) -> i128 {
        self.whole((seconds * 1e9).round() as i128)
    }

    /// A duration as precise as it is kept.
    fn whole(self, nanoseconds: i128) -> i128 {
        const MILLISECOND: i128 = 1_000_000;
        if self.makes(Mistake::DurationsInMilliseconds) {
            return nanoseconds / MILLISECOND * MILLISECOND;
        }
        nanoseconds
    }
}
