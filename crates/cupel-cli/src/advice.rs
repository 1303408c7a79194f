//! What a person should hear although the run succeeds: that the policy had nothing to judge by, or
//! that the window is empty, and what to do about it.

mod scorers;

use std::borrow::Cow;

use cupel::{ContextItem, ContextKind, ExclusionReason, SelectionReport};
use serde::Deserialize;
use serde_json::Value;

pub(crate) use scorers::shares;
use scorers::{Blind, RELEVANCE_HINT, blind_scorers};

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
/// in, or nothing, it did not depend on the judgement and there are none.
pub(crate) fn warnings(plan: &Plan, candidates: &Candidates, window: &[usize]) -> Vec<Complaint> {
    let mut is_in = vec![false; candidates.items().len()];
    window.iter().for_each(|position| is_in[*position] = true);
    let left_out: Vec<_> = (0..is_in.len()).filter(|position| !is_in[*position]).collect();
    if left_out.is_empty() || window.is_empty() {
        return Vec::new();
    }
    let relevance = unread_relevance(plan, candidates);
    let mut warnings = Vec::new();
    warnings.extend(nothing_to_judge_by(plan, candidates, relevance.is_some()));
    warnings.extend(relevance.map(|key| relevance_ignored(plan, &key)));
    if plan.pipeline.context().query().is_some() {
        warnings.extend(query_ignored(plan));
    }
    warnings.extend(instructions_dropped(candidates, window, &left_out));
    warnings
}

/// That a policy does not read the query that was given, if so.
pub(crate) fn query_ignored(plan: &Plan) -> Option<Complaint> {
    (!goes_by(plan, &["relevance", "similarity"])).then(|| unread_query(&plan.label))
}

/// That the policy of this name does not read the query that was given.
pub(crate) fn unread_query(policy: &str) -> Complaint {
    let problem = format!("policy {policy} does not read the query");
    Complaint::new(problem).remedy(
        "--policy answer finds what answers it, --policy agent what it is about and what is recent",
    )
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
    let mut remedy = format!("give items {}, or choose another --policy", keys.join(" or "));
    if keys.contains(&RELEVANCE_HINT) && plan.pipeline.context().query().is_none() {
        remedy += "; with a question, --policy answer --query \"...\" finds what answers it";
    }
    Some(Complaint::new(problem).remedy(remedy))
}

fn plan_goes_by_tokens(plan: &Plan) -> bool {
    matches!(Rule::of(&plan.policy), Rule::PerToken(_))
}

/// The key by which items say how relevant they are, where nothing reads it.
fn unread_relevance(plan: &Plan, candidates: &Candidates) -> Option<String> {
    let items = candidates.items();
    let reads_similarity = goes_by(plan, &["relevance", "similarity"]);
    let is_read = |item: &ContextItem| {
        item.future_relevance_hint().is_some() || reads_similarity && item.similarity().is_some()
    };
    if items.iter().any(is_read) {
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

/// Whether the policy has one of these scorers.
fn goes_by(plan: &Plan, scorers: &[&str]) -> bool {
    shares(&plan.policy).iter().any(|(scorer, _)| scorers.contains(scorer))
}

fn relevance_ignored(plan: &Plan, key: &str) -> Complaint {
    let problem = format!("items have a {key:?}, which is passed through and not judged by");
    let remedy = match () {
        () if goes_by(plan, &["relevance", "similarity"]) => {
            format!(
                "if it says how close an item is to the query, rename {key:?} to \"similarity\""
            )
        }
        () if goes_by(plan, &["reflexive"]) => {
            format!("if it says how relevant an item is, rename {key:?} to \"futureRelevanceHint\"")
        }
        () => format!(
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
