//! `cupel min-budget`: how small a budget may be before an item falls out.

mod messages;

use std::io::Write;

use cupel::{Certainty, ContextBudget, ContextItem, CupelError, Pipeline};
use serde_json::json;

use crate::args::MinBudgetArgs;
use crate::failure::{Complaint, Failure, Outcome, watched};
use crate::input::Candidates;
use crate::messages::Given;
use crate::output::{Sink, id_of};
use crate::render::{count, excerpt, grouped};

pub(crate) fn run(args: &MinBudgetArgs) -> Outcome {
    let plan = args.policy.load()?.asking(args.input.query());
    let candidates = match args.input.read()? {
        Given::Items(candidates) => candidates,
        Given::Chat(chat) => return messages::run(args, &plan, &chat),
    };
    let position = find(args, &candidates)?;
    let target = &candidates.items()[position];
    let unit = candidates.units().members(position);
    let ceiling = args.ceiling.unwrap_or_else(|| roomy(&candidates, args.reservations.tokens()));
    let budget = args.reservations.to_budget(ceiling)?;
    let (shortest, exact) = search(&plan.pipeline, candidates.items(), &budget, target, ceiling)?;
    let whole = whole(&plan.pipeline, &candidates, &budget, position, shortest)?;
    let whole = whole.filter(|it| it.tokens <= ceiling);
    let answer = if args.whole { whole } else { shortest };

    let mut out = Sink::open(None)?;
    if args.json {
        let mut told = json!({
            "item": position + 1,
            "id": id_of(candidates.object(position)),
            "policy": plan.label,
            "tokens": target.tokens(),
            "minBudget": shortest.map(|it| it.tokens),
            "ceiling": ceiling,
            "exact": exact,
        });
        if let Some(group) = target.group() {
            told["group"] = group.into();
        }
        if !unit.is_empty() {
            told["unit"] = unit.iter().map(|member| member + 1).collect();
            told["unitTokens"] = unit_tokens(&candidates, unit).into();
        }
        if has_forms(&candidates, position) {
            told["minBudgetWhole"] = whole.map(|it| it.tokens).into();
            told["exactWhole"] = whole.is_some_and(|it| it.exact).into();
        }
        writeln!(out, "{told}")?;
    } else if let Some(answer) = answer {
        writeln!(out, "{}", answer.tokens)?;
    }
    out.finish()?;
    let Some(answer) = answer else {
        let whole = if args.whole { " whole" } else { "" };
        let problem = format!(
            "item {} is{whole} in the window at no budget up to {}",
            count(position + 1),
            grouped(ceiling)
        );
        let is_negative = |at: &usize| candidates.items()[*at].tokens() < 0;
        return Err(Failure::Failed(Complaint::new(problem).remedy(if is_negative(&position) {
            "its token count is negative, and such items are never selected"
        } else if unit.iter().any(is_negative) {
            "an item of its group has a negative token count, and a group is in whole or not at all"
        } else {
            "raise --ceiling; if that does not help, cupel explain says what stands in its way"
        })));
    };
    if watched() && !args.json {
        let about = if answer.exact { "" } else { "; a smaller one may do as well" };
        let (number, content) = (count(position + 1), excerpt(target.content(), 60));
        let (with, needs) = match unit.len() {
            0 => (String::new(), "needs"),
            members => (format!(" and {} more of its group", count(members - 1)), "need"),
        };
        let more = match whole.filter(|whole| whole.tokens > answer.tokens) {
            Some(whole) => format!(", shortened; whole {}", grouped(whole.tokens)),
            None => String::new(),
        };
        let tokens = grouped(answer.tokens);
        anstream::eprintln!(
            "item {number} ({content}){with} {needs} a budget of {tokens}{more}{about}"
        );
    }
    Ok(())
}

fn unit_tokens(candidates: &Candidates, unit: &[usize]) -> i64 {
    let tokens = unit.iter().map(|member| i128::from(candidates.items()[*member].tokens()));
    i64::try_from(tokens.sum::<i128>()).unwrap_or(i64::MAX)
}

/// Whether the item, or something that it stays together with, has shorter forms.
fn has_forms(candidates: &Candidates, position: usize) -> bool {
    let unit = candidates.units().members(position);
    let mut positions = unit.iter().chain([&position]);
    positions.any(|at| !candidates.items()[*at].variants().is_empty())
}

#[derive(Clone, Copy)]
struct Answer {
    tokens: i64,
    exact: bool,
}

/// The exact answer where the slicer allows it, else one that is verified but may not be smallest; and whether it
/// is exact.
fn search(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
    target: &ContextItem,
    ceiling: i64,
) -> Outcome<(Option<Answer>, bool)> {
    let answer =
        |tokens: Option<i64>, exact| (tokens.map(|tokens| Answer { tokens, exact }), exact);
    match pipeline.find_exact_min_budget_for(items, budget, target, ceiling) {
        Ok(tokens) => Ok(answer(tokens, true)),
        Err(CupelError::PipelineConfig(_)) => {
            match pipeline.find_min_budget_for(items, budget, target, ceiling) {
                Ok(tokens) => Ok(answer(tokens, false)),
                Err(CupelError::PipelineConfig(_)) => Err(shared_out()),
                Err(error) => Err(error.into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// With which budget the item is in whole, and with it all that it stays together with, given the one that lets it in
/// in some form.
fn whole(
    pipeline: &Pipeline,
    candidates: &Candidates,
    budget: &ContextBudget,
    position: usize,
    shortest: Option<Answer>,
) -> Outcome<Option<Answer>> {
    let Some(mut answer) = shortest.filter(|_| has_forms(candidates, position)) else {
        return Ok(shortest);
    };
    let least = answer.tokens;
    let budget = ContextBudget::new(
        least,
        least,
        budget.output_reserve().min(least),
        budget.reserved_slots().clone(),
        budget.estimation_safety_margin_percent(),
    )?;
    let unit = candidates.units().members(position);
    let restorations = pipeline.restorations(candidates.items(), &budget)?.into_iter();
    for it in restorations.filter(|it| it.index == position || unit.contains(&it.index)) {
        let Some(remedy) = it.remedy else { return Ok(None) };
        answer.tokens = answer.tokens.max(least.saturating_add(remedy.additional_tokens));
        answer.exact &= remedy.certainty == Certainty::Smallest;
    }
    Ok(Some(answer))
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
