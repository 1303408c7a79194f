//! What is timed on our side.

use cupel::{ContextItem, RunContext, Scorer};
use cupel_relevance::{Index, RelevanceScorer};

use crate::TOP;

/// Everything read for one question.
pub(crate) fn cold(items: &[ContextItem], question: &str) -> Vec<usize> {
    top(&RelevanceScorer::new(), items, question)
}

/// A scorer that knows `items` already.
pub(crate) fn indexed(items: &[ContextItem]) -> RelevanceScorer {
    let scorer = RelevanceScorer::new().with_index(Index::new());
    top(&scorer, items, "");
    scorer
}

/// The best candidates, best first.
pub(crate) fn top(scorer: &RelevanceScorer, items: &[ContextItem], question: &str) -> Vec<usize> {
    let context = RunContext::new().with_query(question);
    let scores = scorer.score_batch(items, &context).expect("a question is given");
    best_of(&scores)
}

/// The places of the greatest scores, as a search engine collects them: twice as many as asked for, then the better half of them.
fn best_of(scores: &[f64]) -> Vec<usize> {
    let better = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
    let mut best = Vec::with_capacity(2 * TOP);
    let mut least = f64::NEG_INFINITY;
    for (at, score) in scores.iter().enumerate() {
        if *score > least {
            best.push(at);
        }
        if best.len() == 2 * TOP {
            best.select_nth_unstable_by(TOP - 1, better);
            best.truncate(TOP);
            least = scores[best[TOP - 1]];
        }
    }
    best.sort_unstable_by(better);
    best.truncate(TOP);
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_those_of_a_sort_earlier_ones_first() {
        let scores: Vec<f64> = (0..5_000).map(|at| (at * 7_919 % 257) as f64).collect();
        let mut sorted: Vec<usize> = (0..scores.len()).collect();
        sorted.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        assert_eq!(best_of(&scores), sorted[..TOP]);
    }
}
