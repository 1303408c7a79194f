//! What a policy did not find, and why.

use cupel::{ContextBudget, CupelError};

use crate::budget::Size;
use crate::contender::Contender;
use crate::set::{Question, Set};

/// A part of the evidence that is not in a window.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Missed {
    /// Where it stands in its pool.
    pub item: usize,
    /// What it costs.
    pub tokens: i64,
    /// Its score; `None` where nothing was scored.
    pub score: Option<f64>,
    /// Its place among all candidates by score, from 1; equal scores share the better one.
    pub rank: Option<usize>,
    /// Why it is out, in the report's words.
    pub reason: String,
    /// What would have let it in, if that is known.
    pub remedy: Option<String>,
}

/// What `contender` misses of a question's evidence in a window of that size, in the order of the pool.
///
/// # Errors
/// Those of the run.
pub fn missed(
    set: &Set,
    question: &Question,
    contender: &Contender,
    size: Size,
) -> Result<Vec<Missed>, CupelError> {
    let items = set.candidates(question);
    let tokens = size.tokens(items);
    let held = contender.window(set, question, tokens)?;
    let out = question.gold().missed(|item| held.form(item));
    let Some(pipeline) = contender.asked(set, question).filter(|_| !out.is_empty()) else {
        let missed = |item: usize| Missed {
            item,
            tokens: items[item].tokens(),
            score: None,
            rank: None,
            reason: format!("does not fit into {tokens} tokens after what was taken before"),
            remedy: None,
        };
        return Ok(out.into_iter().map(missed).collect());
    };
    let budget = ContextBudget::builder(tokens).build()?;
    let report = pipeline.dry_run(items, &budget)?;
    let scores = report.included.iter().map(|it| it.score);
    let scores: Vec<_> = scores.chain(report.excluded.iter().map(|it| it.score)).collect();
    let mut all = Vec::with_capacity(out.len());
    for item in out {
        let excluded = report.excluded.iter().find(|it| it.index == Some(item));
        let shortened = report.included.iter().find(|it| it.index == Some(item));
        let (score, reason) = match (excluded, shortened) {
            (Some(it), _) => (Some(it.score), it.reason.to_string()),
            (None, Some(it)) => (Some(it.score), "in a shorter form only".to_owned()),
            (None, None) => (None, "not in the report".to_owned()),
        };
        let remedy = match excluded {
            Some(_) => {
                pipeline.counterfactual(items, &budget, &items[item])?.map(|it| it.to_string())
            }
            None => None,
        };
        let rank = score.map(|own| 1 + scores.iter().filter(|it| **it > own).count());
        all.push(Missed { item, tokens: items[item].tokens(), score, rank, reason, remedy });
    }
    Ok(all)
}
