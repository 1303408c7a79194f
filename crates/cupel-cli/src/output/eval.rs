//! A measurement as JSON.

use cupel_eval::{Estimate, Recalls, Set, Summary};
use serde_json::{Value, json};

use crate::evaluation::{Measured, MissedQuestion};

/// All that was measured, question by question.
pub(crate) fn eval_json(measured: &Measured<'_>, recalls: &Recalls) -> Value {
    let Measured { name, counted, set, bootstrap, summary, pools, missed_at, missed, .. } =
        measured;
    let mut json = json!({
        "set": {
            "name": name,
            "questions": summary.questions,
            "pools": set.pools().len(),
            "items": measured.items(),
            "tokens": i64::try_from(measured.tokens()).unwrap_or(i64::MAX),
            "countedWith": counted,
        },
        "bootstrap": { "resamples": bootstrap.resamples, "seed": bootstrap.seed },
        "budgets": summary.sizes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "policies": policies(summary),
        "comparisons": comparisons(summary),
        "pools": pools.iter().map(|(name, summary)| json!({
            "pool": name,
            "questions": summary.questions,
            "policies": policies(summary),
            "comparisons": comparisons(summary),
        })).collect::<Vec<_>>(),
        "questions": questions_json(set, recalls),
    });
    if !missed.is_empty() {
        let of = |it: &MissedQuestion| missed_json(measured, it);
        json["missed"] = json!({
            "policy": summary.contenders[0].label,
            "budget": missed_at.to_string(),
            "questions": missed.iter().map(of).collect::<Vec<_>>(),
        });
    }
    json
}

/// What was measured of each question.
pub(crate) fn questions_json(set: &Set, recalls: &Recalls) -> Value {
    let questions = set.questions().iter().enumerate().map(|(at, question)| {
        let of = |contender: usize| {
            let sizes = 0..recalls.sizes().len();
            let recall: Vec<_> = sizes.map(|size| recalls.recall(at, contender, size)).collect();
            json!({ "policy": recalls.labels()[contender], "recall": recall })
        };
        json!({
            "id": question.id(),
            "pool": set.pool_of(question).name(),
            "question": question.query().text(),
            "policies": (0..recalls.labels().len()).map(of).collect::<Vec<_>>(),
        })
    });
    questions.collect()
}

fn policies(summary: &Summary) -> Vec<Value> {
    let policy = |it: &cupel_eval::ContenderSummary| {
        json!({
            "policy": it.label,
            "overall": estimate(&it.overall),
            "recall": it.by_size.iter().map(estimate).collect::<Vec<_>>(),
        })
    };
    summary.contenders.iter().map(policy).collect()
}

fn comparisons(summary: &Summary) -> Vec<Value> {
    let comparison = |it: &cupel_eval::Comparison| {
        json!({
            "policy": it.label,
            "against": summary.contenders[0].label,
            "overall": estimate(&it.overall),
            "difference": it.by_size.iter().map(estimate).collect::<Vec<_>>(),
            "better": it.better,
            "worse": it.worse,
            "equal": summary.questions - it.better - it.worse,
        })
    };
    summary.comparisons.iter().map(comparison).collect()
}

fn estimate(estimate: &Estimate) -> Value {
    json!({ "mean": estimate.mean, "low": estimate.low, "high": estimate.high })
}

fn missed_json(measured: &Measured<'_>, it: &MissedQuestion) -> Value {
    let question = &measured.set.questions()[it.question];
    let pool = measured.set.pool_of(question);
    json!({
        "id": question.id(),
        "question": question.query().text(),
        "pool": pool.name(),
        "recall": it.recall,
        "more": it.more,
        "missed": it.missed.iter().map(|item| json!({
            "item": pool.id(item.why.item),
            "content": pool.items()[item.why.item].content(),
            "tokens": item.why.tokens,
            "score": item.why.score,
            "rank": item.why.rank,
            "reason": item.why.reason,
            "toLetItIn": item.why.remedy,
            "foundBy": item.found_by,
        })).collect::<Vec<_>>(),
    })
}
