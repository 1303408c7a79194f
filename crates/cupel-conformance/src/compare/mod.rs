//! Holding an engine's answers to what a vector expects.
//!
//! | what | compared as |
//! |---|---|
//! | scores | per item, closer than the vector's epsilon |
//! | a slicer's selection | set of contents, or multiset of instances |
//! | orders, outputs, included, excluded, marginal items, events, snapshots | lists |
//! | what a stage excluded | multiset of contents |
//! | counts, reasons, texts | exactly |
//! | errors | phase, variant and every field the vector gives |

mod diagnostics;
mod items;
mod ledger;
mod pipeline;
mod refusal;
mod simulation;
mod stages;

pub use ledger::Difference;
pub(crate) use ledger::Ledger;

use ledger::Account;

use crate::engine::{Answer, Engine, Unanswered};
use crate::vector::{Case, Vector};

/// Asks `engine` what the vector asks, and compares every answer.
///
/// Gives the paths that answered.
pub(crate) fn check(
    vector: &Vector,
    engine: &mut dyn Engine,
    ledger: &mut Ledger,
) -> Result<Vec<String>, Unanswered> {
    let epsilon = vector.score_epsilon;
    let mut held = Held { vector, ledger };
    match &vector.case {
        Case::Scoring(task, expected) => held.each(engine.score(task)?, |account, scores| {
            stages::scores(account, task, expected, scores, epsilon)
        }),
        Case::Slicing(task, expected) => held.each(engine.slice(task)?, |account, selected| {
            stages::selection(account, task, expected, selected)
        }),
        Case::Placing(task, expected) => held.each(engine.place(task)?, |account, placed| {
            stages::order(account, task, expected, placed)
        }),
        Case::Pipeline(task, output, report) => {
            let answers = engine.run(task)?;
            for answer in answers.iter().skip(1) {
                let account = &mut held.ledger.of_path(&answer.path);
                pipeline::same_outcome(account, task, &answers[0].outcome, &answer.outcome);
            }
            held.each(answers, |account, ran| {
                pipeline::output(account, task, output.as_deref(), ran);
                diagnostics::report(account, task, report, ran.report.as_ref(), epsilon);
            })
        }
        Case::MarginalItems(task, expected) => held
            .each(engine.marginal_items(task)?, |account, marginal| {
                simulation::marginal(account, task, expected, marginal)
            }),
        Case::MinBudget(task, expected) => held
            .each(engine.find_min_budget(task)?, |account, found| {
                simulation::min_budget(account, expected, found)
            }),
        Case::Sensitivity(task, expected) => held
            .each(engine.sensitivity(task)?, |account, compared| {
                simulation::sensitivity(account, task, expected, compared)
            }),
    }
}

/// A vector and the account of its answers.
struct Held<'v> {
    vector: &'v Vector,
    ledger: &'v mut Ledger,
}

impl Held<'_> {
    /// Compares all answers, by error if one is expected and by `compare` otherwise.
    fn each<T>(
        &mut self,
        answers: Vec<Answer<T>>,
        mut compare: impl FnMut(&mut Account<'_>, &T),
    ) -> Result<Vec<String>, Unanswered> {
        if answers.is_empty() {
            return Err(Unanswered::Broken("the engine gave no answer".to_owned()));
        }
        for answer in &answers {
            let account = &mut self.ledger.of_path(&answer.path);
            match (&self.vector.error, &answer.outcome) {
                (Some(expected), outcome) => {
                    refusal::expected(account, expected, outcome.as_ref().err())
                }
                (None, Err(refusal)) => refusal::unexpected(account, refusal),
                (None, Ok(result)) => compare(account, result),
            }
        }
        Ok(answers.into_iter().map(|answer| answer.path).collect())
    }
}
