//! Which messages of a request each policy keeps.

use std::io::Write;

use cupel::ContextBudget;
use cupel_messages::{Fitted, Outcome as Became};
use serde_json::json;

use super::status;
use crate::args::CompareArgs;
use crate::failure::Outcome;
use crate::messages::{Chat, shown};
use crate::plan::Plan;
use crate::render::{Difference, State, Variant, comparison};

pub(super) fn run(
    args: &CompareArgs,
    plans: &[Plan],
    budget: &ContextBudget,
    chat: &Chat,
) -> Outcome {
    let fit = |plan: &Plan| {
        let options = args.input.options(Some(plan.pipeline.policy()));
        chat.prepare(&options, budget)?.fit()
    };
    let fitted = plans.iter().map(fit).collect::<Outcome<Vec<_>>>()?;
    let shown: Vec<String> = chat.request.messages().iter().map(shown).collect();
    let variants: Vec<_> = plans.iter().zip(&fitted).map(|(plan, it)| variant(plan, it)).collect();
    let differences: Vec<_> =
        (0..shown.len()).filter_map(|at| difference(&fitted, &shown, at)).collect();

    let mut out = args.output.open()?;
    if args.json {
        let kept = |it: &Fitted| {
            (0..shown.len()).filter(|at| is_in(it, *at)).map(|at| at + 1).collect::<Vec<_>>()
        };
        let answer = json!({
            "budget": budget,
            "variants": variants.iter().zip(&fitted).map(|(variant, it)| json!({
                "policy": variant.label,
                "messages": kept(it),
                "totalTokens": it.tokens.total(),
                "utilization": variant.utilization,
            })).collect::<Vec<_>>(),
            "diffs": differences.iter().map(|it| json!({
                "message": it.numbers[0],
                "path": chat.request.path(it.numbers[0] - 1),
                "statuses": plans.iter().zip(&it.states)
                    .map(|(plan, state)| status(&plan.label, *state)).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        });
        serde_json::to_writer_pretty(&mut out, &answer).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let text = comparison(&variants, &differences, out.width(), "message");
        out.write_styled(&text)?;
    }
    out.finish()
}

fn is_in(fitted: &Fitted, at: usize) -> bool {
    matches!(fitted.messages[at].outcome, Became::Kept | Became::Shortened { .. })
}

fn variant<'p>(plan: &'p Plan, fitted: &Fitted) -> Variant<'p> {
    let tokens = fitted.tokens.total();
    Variant {
        label: &plan.label,
        items: (0..fitted.messages.len()).filter(|at| is_in(fitted, *at)).count(),
        shortened: fitted
            .messages
            .iter()
            .filter(|it| matches!(it.outcome, Became::Shortened { .. }))
            .count(),
        tokens: tokens.into(),
        utilization: if fitted.budget > 0 { tokens as f64 / fitted.budget as f64 } else { 0.0 },
    }
}

/// A message that not all policies treat alike.
fn difference<'s>(fitted: &[Fitted], shown: &'s [String], at: usize) -> Option<Difference<'s>> {
    let state = |it: &Fitted| match it.messages[at].outcome {
        Became::Kept => State::Whole,
        Became::Shortened { form, .. } => State::Shortened(form),
        _ => State::Out,
    };
    let states: Vec<_> = fitted.iter().map(state).collect();
    let all_alike = states.iter().all(|it| *it == states[0]);
    (!all_alike).then(|| Difference {
        content: &shown[at],
        numbers: vec![at + 1],
        unit: None,
        states,
    })
}
