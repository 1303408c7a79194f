//! What scorers look at, and which of them find nothing.

use cupel::ContextItem;
use cupel_policy::{PolicyFile, ScorerConfig, WeightedScorer};

/// What items say of their relevance.
pub(super) const RELEVANCE_HINT: &str = "\"futureRelevanceHint\"";

/// A scorer that finds nothing to judge by, and what it looks for.
pub(super) struct Blind {
    pub(super) needs: Needs,
    pub(super) share: f64,
}

/// The scorers of a policy, those within others included, with their part of the whole score.
pub(crate) fn shares(policy: &PolicyFile) -> Vec<(&'static str, f64)> {
    let mut shares = Vec::new();
    for_each_scorer(&policy.scorers, 1.0, &mut |scorer, share| {
        shares.push((needs(scorer).scorer, share));
    });
    shares
}

/// Calls `see` with each scorer that is not made of others, and its part of the whole.
fn for_each_scorer(
    scorers: &[WeightedScorer],
    share: f64,
    see: &mut impl FnMut(&ScorerConfig, f64),
) {
    let total: f64 = scorers.iter().map(|it| it.weight).sum();
    for WeightedScorer { scorer, weight } in scorers {
        let mut scorer = scorer;
        while let ScorerConfig::Scaled { inner, .. } = scorer {
            scorer = inner;
        }
        let share = share * weight / total;
        match scorer {
            ScorerConfig::Composite { scorers } => for_each_scorer(scorers, share, see),
            scorer => see(scorer, share),
        }
    }
}

/// What a scorer looks at in an item.
pub(super) struct Needs {
    pub(super) scorer: &'static str,
    /// Whether an item has it; `None` where it cannot be missing or is not known.
    has: Option<fn(&ContextItem) -> bool>,
    pub(super) missing: &'static str,
    pub(super) key: &'static str,
}

impl Needs {
    fn key(
        scorer: &'static str,
        has: fn(&ContextItem) -> bool,
        missing: &'static str,
        key: &'static str,
    ) -> Self {
        Self { scorer, has: Some(has), missing, key }
    }
}

fn needs(scorer: &ScorerConfig) -> Needs {
    let dated = |it: &ContextItem| it.timestamp().is_some();
    let tagged = |it: &ContextItem| !it.tags().is_empty();
    let described = |it: &ContextItem| !it.metadata().is_empty();
    let (no_date, no_tags) = ("no item has a timestamp", "no item has tags");
    let no_metadata = "no item has metadata";
    match scorer {
        ScorerConfig::Recency => Needs::key("recency", dated, no_date, "\"timestamp\""),
        ScorerConfig::FadingRecency { .. } => {
            Needs::key("fadingRecency", dated, no_date, "\"timestamp\"")
        }
        ScorerConfig::Decay { .. } => Needs::key("decay", dated, no_date, "\"timestamp\""),
        ScorerConfig::Priority => {
            let has = |it: &ContextItem| it.priority().is_some();
            Needs::key("priority", has, "no item has a priority", "\"priority\"")
        }
        ScorerConfig::Reflexive => {
            let has = |it: &ContextItem| it.future_relevance_hint().is_some();
            let missing = "no item has a relevance hint";
            Needs::key("reflexive", has, missing, RELEVANCE_HINT)
        }
        ScorerConfig::Tag { .. } => Needs::key("tag", tagged, no_tags, "\"tags\""),
        ScorerConfig::Frequency => Needs::key("frequency", tagged, no_tags, "\"tags\""),
        ScorerConfig::MetadataTrust { .. } => {
            Needs::key("metadataTrust", described, no_metadata, "\"metadata\"")
        }
        ScorerConfig::MetadataKey { .. } => {
            Needs::key("metadataKey", described, no_metadata, "\"metadata\"")
        }
        // One kind is no mistake, so this alone is never worth a warning.
        ScorerConfig::Kind { .. } => {
            Needs { scorer: "kind", has: None, missing: "all are of one kind", key: "" }
        }
        ScorerConfig::Relevance(_) => {
            Needs { scorer: "relevance", has: None, missing: "", key: "" }
        }
        ScorerConfig::Similarity => {
            let has = |it: &ContextItem| it.similarity().is_some() || !it.vector().is_empty();
            let missing = "no item has a similarity or a vector";
            Needs::key("similarity", has, missing, "\"similarity\"")
        }
        _ => Needs { scorer: "custom", has: None, missing: "", key: "" },
    }
}

/// The scorers that give all `items` the same score for want of information.
pub(super) fn blind_scorers(policy: &PolicyFile, items: &[&ContextItem]) -> Vec<Blind> {
    let same_kind = items.windows(2).all(|pair| pair[0].kind() == pair[1].kind());
    let mut blind = Vec::new();
    for_each_scorer(&policy.scorers, 1.0, &mut |scorer, share| {
        let needs = needs(scorer);
        let is_blind = match needs.has {
            Some(has) => !items.iter().any(|item| has(item)),
            None => needs.scorer == "kind" && same_kind,
        };
        if is_blind {
            blind.push(Blind { needs, share });
        }
    });
    blind
}
