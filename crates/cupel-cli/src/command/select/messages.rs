//! A request, cut: the same request, smaller.

use std::io::Write;

use crate::args::SelectArgs;
use crate::failure::{Complaint, Failure, Outcome, note, warn, watched};
use crate::messages::{Chat, query_ignored, summary};
use crate::output::Format;
use crate::plan::Plan;

pub(super) fn run(
    args: &SelectArgs,
    plan: &Plan,
    budget: &cupel::ContextBudget,
    chat: &Chat,
) -> Outcome {
    if args.format != Format::Jsonl {
        let problem = "--format is for items; a request is given back as the request it is";
        let remedy = "leave it out";
        return Err(Failure::bad_input(Complaint::new(problem).remedy(remedy)));
    }
    let asked_for = args.policy.asked_for(plan);
    let options = args.input.options(asked_for.map(|plan| plan.pipeline.policy()));
    let fitted = chat.prepare(&options, budget)?.fit()?;
    let mut out = args.output.open()?;
    out.write_all(fitted.text.as_bytes())?;
    out.finish()?;
    if args.input.query().is_some() && !fitted.is_unchanged() {
        query_ignored(asked_for).iter().for_each(warn);
    }
    if watched() || !fitted.is_unchanged() {
        note(&summary(&fitted));
    }
    Ok(())
}
