//! What a person should hear although the run succeeds: that the policy had nothing to judge by, or
//! that the window is empty, and what to do about it.

use std::borrow::Cow;

use cupel::{ContextItem, ContextKind, ExclusionReason, SelectionReport};
use cupel_policy::{PolicyFile, ScorerConfig, WeightedScorer};
use serde::Deserialize;
use serde_json::Value;

use crate::failure::Complaint;
use crate::input::Candidates;
use crate::plan::Plan;
use crate::render::{count, grouped, plural};
use crate::verdict::Rule;

/// The part of a score without any information from which it is worth a warning.
const WORTH_TELLING: f64 = 1.0 / 3.0;

/// What others call how well an item answers a question.
const RELEVANCE_KEYS: [&str; 7] = [
    "score",
    "_score",
    "similarity",
    "relevance",
    "similarity_score",
    "relevance_score",
    "rerank_score",
];

/// Warnings about what `plan` made of `candidates`, at most one of each sort. Where everything got
/// in, nothing depends on the judgement and there are none.
pub(crate) fn warnings(plan: &Plan, candidates: &Candidates, window: &[usize]) -> Vec<Complaint> {
    let mut is_in = vec![false; candidates.items().len()];
    window.iter().for_each(|position| is_in[*position] = true);
    let left_out: Vec<_> = (0..is_in.len()).filter(|position| !is_in[*position]).collect();
    if left_out.is_empty() {
        return Vec::new();
    }
    let relevance = unread_relevance(candidates);
    let mut warnings = Vec::new();
    warnings.extend(nothing_to_judge_by(plan, candidates, relevance.is_some()));
    warnings.extend(relevance.map(|key| relevance_ignored(plan, &key)));
    warnings.extend(instructions_dropped(candidates, window, &left_out));
    warnings
}

/// Why there is nothing in a window.
pub(crate) fn why_empty(report: &SelectionReport) -> String {
    let candidates = plural(report.total_candidates, "candidate");
    let too_large = report.excluded.iter().filter_map(|it| match it.reason {
        ExclusionReason::BudgetExceeded { item_tokens, available_tokens } => {
            Some((item_tokens, available_tokens))
        }
        _ => None,
    });
    match too_large.min() {
        _ if report.total_candidates == 0 => "there are no candidates".to_owned(),
        None => format!("of {candidates} none can be selected"),
        Some((_, 0)) => format!("there are {candidates}, but the budget leaves no room"),
        Some((smallest, room)) if smallest > room => format!(
            "there is room for {} tokens, and the smallest of {candidates} takes {}",
            grouped(room),
            grouped(smallest)
        ),
        Some((_, room)) => format!(
            "there is room for {} tokens, but the policy chose none of {candidates}",
            grouped(room)
        ),
    }
}

/// A scorer that finds nothing to judge by, and what it looks for.
struct Blind {
    needs: Needs,
    share: f64,
}

fn nothing_to_judge_by(
    plan: &Plan,
    candidates: &Candidates,
    relevance_told: bool,
) -> Option<Complaint> {
    let judged: Vec<_> = candidates.items().iter().filter(|item| !item.pinned()).collect();
    if judged.len() < 2 {
        return None;
    }
    let mut blind = blind_scorers(&plan.policy, &judged);
    let share: f64 = blind.iter().map(|it| it.share).sum();
    blind.retain(|it| !(relevance_told && it.needs.scorer == "reflexive"));
    if share < WORTH_TELLING || blind.iter().all(|it| it.needs.key.is_empty()) {
        return None;
    }
    let told: Vec<_> = blind
        .iter()
        .map(|Blind { needs, share }| {
            format!("{} ({}, {:.0}% of the score)", needs.missing, needs.scorer, share * 100.0)
        })
        .collect();
    let all = match plan_goes_by_tokens(plan) && share > 0.999 {
        true => "; all scores are equal, so the shortest items win",
        false => "",
    };
    let problem = format!("policy {} has little to judge by: {}{all}", plan.label, told.join(", "));
    let mut keys: Vec<_> =
        blind.iter().map(|it| it.needs.key).filter(|key| !key.is_empty()).collect();
    keys.dedup();
    let remedy = format!("give items {}, or choose another --policy", keys.join(" or "));
    Some(Complaint::new(problem).remedy(remedy))
}

fn plan_goes_by_tokens(plan: &Plan) -> bool {
    matches!(Rule::of(&plan.policy), Rule::PerToken(_))
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
struct Needs {
    scorer: &'static str,
    /// Whether an item has it; `None` where it cannot be missing or is not known.
    has: Option<fn(&ContextItem) -> bool>,
    missing: &'static str,
    key: &'static str,
}

fn needs(scorer: &ScorerConfig) -> Needs {
    let (scorer, has, missing, key): (_, Option<fn(&ContextItem) -> bool>, _, _) = match scorer {
        ScorerConfig::Recency => (
            "recency",
            Some(|it| it.timestamp().is_some()),
            "no item has a timestamp",
            "\"timestamp\"",
        ),
        ScorerConfig::Decay { .. } => (
            "decay",
            Some(|it| it.timestamp().is_some()),
            "no item has a timestamp",
            "\"timestamp\"",
        ),
        ScorerConfig::Priority => (
            "priority",
            Some(|it| it.priority().is_some()),
            "no item has a priority",
            "\"priority\"",
        ),
        ScorerConfig::Reflexive => (
            "reflexive",
            Some(|it| it.future_relevance_hint().is_some()),
            "no item has a relevance hint",
            "\"futureRelevanceHint\"",
        ),
        ScorerConfig::Tag { .. } => {
            ("tag", Some(|it| !it.tags().is_empty()), "no item has tags", "\"tags\"")
        }
        ScorerConfig::Frequency => {
            ("frequency", Some(|it| !it.tags().is_empty()), "no item has tags", "\"tags\"")
        }
        ScorerConfig::MetadataTrust { .. } => (
            "metadataTrust",
            Some(|it| !it.metadata().is_empty()),
            "no item has metadata",
            "\"metadata\"",
        ),
        ScorerConfig::MetadataKey { .. } => (
            "metadataKey",
            Some(|it| !it.metadata().is_empty()),
            "no item has metadata",
            "\"metadata\"",
        ),
        // One kind is no mistake, so this alone is never worth a warning.
        ScorerConfig::Kind { .. } => ("kind", None, "all are of one kind", ""),
        _ => ("custom", None, "", ""),
    };
    Needs { scorer, has, missing, key }
}

/// The scorers that give all `items` the same score for want of information.
fn blind_scorers(policy: &PolicyFile, items: &[&ContextItem]) -> Vec<Blind> {
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

/// The key by which items say how relevant they are, where nothing reads it.
fn unread_relevance(candidates: &Candidates) -> Option<String> {
    let items = candidates.items();
    if items.iter().any(|item| item.future_relevance_hint().is_some()) {
        return None;
    }
    let found = |key: &&&str| {
        let quoted = format!("\"{key}\"");
        let said = |position: &usize| {
            let object = candidates.object(*position);
            object.contains(&quoted) && member(object, key).is_some_and(|it| it.is_number())
        };
        // Where the first does not say it, and the next ones do not, they hardly all do.
        (0..items.len()).take(100).any(|position| said(&position))
    };
    RELEVANCE_KEYS.iter().find(found).map(|key| (*key).to_owned())
}

fn relevance_ignored(plan: &Plan, key: &str) -> Complaint {
    let problem = format!("items have a {key:?}, which is passed through and not judged by");
    let reflexive = shares(&plan.policy).iter().any(|(scorer, _)| *scorer == "reflexive");
    let remedy = match reflexive {
        true => {
            format!("if it says how relevant an item is, rename {key:?} to \"futureRelevanceHint\"")
        }
        false => format!(
            "if it says how relevant an item is, rename {key:?} to \"futureRelevanceHint\" and use \
             a policy that reads it: --policy rag"
        ),
    };
    Complaint::new(problem).remedy(remedy)
}

fn instructions_dropped(
    candidates: &Candidates,
    window: &[usize],
    left_out: &[usize],
) -> Option<Complaint> {
    let items = candidates.items();
    // What is left out because it repeats something kept is not lost.
    let is_lost = |position: &&usize| {
        !window.iter().any(|kept| items[*kept].content() == items[**position].content())
    };
    let instructs = |position: &&usize| {
        let (item, object) = (&candidates.items()[**position], candidates.object(**position));
        let by_kind = *item.kind() == *ContextKind::SYSTEM_PROMPT;
        let by_role = || {
            let role = object.contains("\"role\"").then(|| member(object, "role")).flatten();
            role.and_then(|it| it.as_str().map(|role| role == "system" || role == "developer"))
        };
        !item.pinned() && (by_kind || by_role().unwrap_or(false))
    };
    let dropped: Vec<_> = left_out.iter().filter(instructs).filter(is_lost).collect();
    let first = **dropped.first()?;
    let which = match dropped.len() {
        1 => format!("item {}, a system prompt, was", count(first + 1)),
        many => {
            format!("{} system prompts, the first of them item {}, were", count(many), first + 1)
        }
    };
    let problem = format!("{which} left out");
    let remedy =
        "nothing is kept for its role or kind alone; \"pinned\": true keeps an item always";
    Some(Complaint::new(problem).remedy(remedy))
}

/// The value of a key of an object.
fn member(object: &str, key: &str) -> Option<Value> {
    #[derive(Deserialize)]
    struct Object<'t>(#[serde(borrow)] std::collections::HashMap<Cow<'t, str>, Value>);

    serde_json::from_str::<Object<'_>>(object).ok()?.0.remove(key)
}
