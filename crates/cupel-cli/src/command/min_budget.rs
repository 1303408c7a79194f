//! `cupel min-budget`: how small a budget may be before an item falls out.

use std::io::Write;

use cupel::{ContextBudget, ContextItem, CupelError, Pipeline};
use serde_json::json;

use crate::args::MinBudgetArgs;
use crate::failure::{Complaint, Failure, Outcome, watched};
use crate::input::Candidates;
use crate::output::{Sink, id_of};
use crate::render::{count, excerpt, grouped};

pub(crate) fn run(args: &MinBudgetArgs) -> Outcome {
    let plan = args.policy.load()?;
    let candidates = args.input.read()?;
    let position = find(args, &candidates)?;
    let target = &candidates.items()[position];
    let ceiling = args.ceiling.unwrap_or_else(|| roomy(&candidates, args.reservations.tokens()));
    let budget = args.reservations.to_budget(ceiling)?;
    let Answer { tokens, exact } =
        search(&plan.pipeline, candidates.items(), &budget, target, ceiling)?;

    let mut out = Sink::open(None)?;
    if args.json {
        let answer = json!({
            "item": position + 1,
            "id": id_of(candidates.object(position)),
            "policy": plan.label,
            "tokens": target.tokens(),
            "minBudget": tokens,
            "ceiling": ceiling,
            "exact": exact,
        });
        writeln!(out, "{answer}")?;
    } else if let Some(tokens) = tokens {
        writeln!(out, "{tokens}")?;
    }
    out.finish()?;
    match tokens {
        Some(tokens) => {
            if watched() && !args.json {
                let about = if exact { "" } else { "; a smaller one may do as well" };
                let (number, content) = (count(position + 1), excerpt(target.content(), 60));
                let tokens = grouped(tokens);
                anstream::eprintln!("item {number} ({content}) needs a budget of {tokens}{about}");
            }
            Ok(())
        }
        None => Err(Failure::Failed(
            Complaint::new(format!(
                "item {} is in the window at no budget up to {}",
                count(position + 1),
                grouped(ceiling)
            ))
            .remedy(if target.tokens() < 0 {
                "its token count is negative, and such items are never selected"
            } else {
                "raise --ceiling; if that does not help, cupel explain says what stands in its way"
            }),
        )),
    }
}

struct Answer {
    tokens: Option<i64>,
    exact: bool,
}

/// The exact answer where the slicer allows it, else one that is verified but may not be smallest.
fn search(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
    target: &ContextItem,
    ceiling: i64,
) -> Outcome<Answer> {
    match pipeline.find_exact_min_budget_for(items, budget, target, ceiling) {
        Ok(tokens) => Ok(Answer { tokens, exact: true }),
        Err(CupelError::PipelineConfig(_)) => {
            match pipeline.find_min_budget_for(items, budget, target, ceiling) {
                Ok(tokens) => Ok(Answer { tokens, exact: false }),
                Err(CupelError::PipelineConfig(_)) => Err(shared_out()),
                Err(error) => Err(error.into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

fn shared_out() -> Failure {
    let problem = "the policy shares the budget out by quotas, where a larger budget can push an \
                   item out again: there is no smallest one to find";
    let remedy = "cupel explain says what would let an item in at the budget you have; or choose \
                  a --policy without quotas";
    Failure::bad_input(Complaint::new(problem).remedy(remedy))
}

/// A budget that holds all candidates, whatever a slicer shares out or rounds up.
fn roomy(candidates: &Candidates, reserved: i128) -> i64 {
    const SHARES: i128 = 10;
    const ROUNDING: i128 = 1_000;
    let tokens = candidates.items().iter().map(|item| i128::from(item.tokens().max(0)) + ROUNDING);
    i64::try_from((tokens.sum::<i128>() + reserved.max(0)) * SHARES).unwrap_or(i64::MAX)
}

fn find(args: &MinBudgetArgs, candidates: &Candidates) -> Outcome<usize> {
    const SHOWN: usize = 5;
    let total = candidates.items().len();
    if let Some(number) = args.item {
        if (1..=total).contains(&number) {
            return Ok(number - 1);
        }
        let problem = format!("there is no item {number}: the input has {}", count(total));
        return Err(Failure::bad_input(
            Complaint::new(problem).remedy("items are counted from 1, in the order of the input"),
        ));
    }
    let text = args.matching.as_deref().unwrap_or_default();
    let contains =
        |item: &ContextItem| item.content().to_lowercase().contains(&text.to_lowercase());
    let found: Vec<_> = (0..total).filter(|at| contains(&candidates.items()[*at])).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Failure::bad_input(
            Complaint::new(format!("no item contains {text:?}"))
                .remedy("case does not matter, everything else does; or use --item N"),
        )),
        many => {
            let shown: Vec<_> = many.iter().take(SHOWN).map(|at| (at + 1).to_string()).collect();
            let more = if many.len() > SHOWN { ", ..." } else { "" };
            Err(Failure::bad_input(
                Complaint::new(format!(
                    "{} items contain {text:?}: {}{more}",
                    count(many.len()),
                    shown.join(", ")
                ))
                .remedy("give a text that only one contains, or one of them: --item N"),
            ))
        }
    }
}
