//! The smallest budget that lets a message of a request in.

use std::io::Write;

use cupel_messages::{Outcome as Became, Prepared};
use serde_json::json;

use crate::args::MinBudgetArgs;
use crate::failure::{Complaint, Failure, Outcome, watched};
use crate::messages::{Chat, room, shown};
use crate::output::Sink;
use crate::plan::Plan;
use crate::render::{count, excerpt, grouped};

pub(super) fn run(args: &MinBudgetArgs, plan: &Plan, chat: &Chat) -> Outcome {
    let messages = chat.request.messages();
    let position = find(args, chat)?;
    let asked_for = args.policy.asked_for(plan);
    let options = args.input.options(asked_for.map(|plan| plan.pipeline.policy()));
    let roomy = args.reservations.to_budget(args.ceiling.unwrap_or(i64::MAX / 4))?;
    let cut = chat.prepare(&options, &roomy)?;
    let most = cut.prepared.total().total().min(room(&roomy));
    let found = smallest(&cut.prepared, position, most);
    // From what a request may be back to the budget that leaves it that much.
    let tokens = found.map(|tokens| args.reservations.around(tokens));

    let mut out = Sink::open(None)?;
    if args.json {
        let answer = json!({
            "message": position + 1,
            "path": chat.request.path(position),
            "policy": asked_for.map(|plan| plan.label.as_str()),
            "minBudget": tokens,
            "exact": false,
        });
        writeln!(out, "{answer}")?;
    } else if let Some(tokens) = tokens {
        writeln!(out, "{tokens}")?;
    }
    out.finish()?;
    let (number, said) = (count(position + 1), excerpt(&shown(&messages[position]), 60));
    match tokens {
        Some(tokens) if watched() && !args.json => {
            let tokens = grouped(tokens);
            anstream::eprintln!(
                "message {number} ({said}) needs a budget of {tokens}; a smaller one may do as well"
            );
            Ok(())
        }
        Some(_) => Ok(()),
        None => Err(Failure::Failed(
            Complaint::new(format!("message {number} is in at no budget up to {}", grouped(most)))
                .remedy("raise --ceiling; cupel explain says if the provider would refuse it"),
        )),
    }
}

/// A budget that lets the message in, and where one token less does not.
///
/// Halving takes for granted that more tokens never hurt. They can, so a smaller budget may do, too.
fn smallest(prepared: &Prepared<'_>, position: usize, most: i64) -> Option<i64> {
    let lets_in = |budget: i64| {
        let fitted = prepared.fit(budget).ok();
        let outcome = fitted.map(|fitted| fitted.messages[position].outcome);
        matches!(outcome, Some(Became::Kept | Became::Shortened { .. }))
    };
    if !lets_in(most) {
        return None;
    }
    let (mut out, mut is_in) = (-1, most);
    while out + 1 < is_in {
        let middle = out + (is_in - out) / 2;
        if lets_in(middle) {
            is_in = middle;
        } else {
            out = middle;
        }
    }
    Some(is_in)
}

fn find(args: &MinBudgetArgs, chat: &Chat) -> Outcome<usize> {
    let messages = chat.request.messages();
    if let Some(number) = args.item {
        if (1..=messages.len()).contains(&number) {
            return Ok(number - 1);
        }
        let problem = format!("there is no message {number}: the request has {}", messages.len());
        let remedy = "messages are counted from 1, in their order";
        return Err(Failure::bad_input(Complaint::new(problem).remedy(remedy)));
    }
    let text = args.matching.as_deref().unwrap_or_default();
    let says = |at: &usize| messages[*at].words().to_lowercase().contains(&text.to_lowercase());
    let found: Vec<_> = (0..messages.len()).filter(says).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Failure::bad_input(
            Complaint::new(format!("no message contains {text:?}"))
                .remedy("case does not matter, everything else does; or use --item N"),
        )),
        many => {
            let numbers: Vec<_> = many.iter().take(5).map(|at| (at + 1).to_string()).collect();
            let more = if many.len() > numbers.len() { ", ..." } else { "" };
            let problem = format!(
                "{} messages contain {text:?}: {}{more}",
                count(many.len()),
                numbers.join(", ")
            );
            let remedy = "give a text that only one contains, or one of them: --item N";
            Err(Failure::bad_input(Complaint::new(problem).remedy(remedy)))
        }
    }
}
