//! A request, cut: the same request, smaller.

use std::io::Write;

use crate::args::SelectArgs;
use crate::failure::{Complaint, Failure, Outcome, note, watched};
use crate::messages::{Chat, summary};
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
    let policy = args.policy.asked_for(plan).map(|plan| plan.pipeline.policy());
    let options = args.input.options(policy);
    let fitted = chat.prepare(&options, budget)?.fit()?;
    let mut out = args.output.open()?;
    out.write_all(fitted.text.as_bytes())?;
    out.finish()?;
    if watched() || !fitted.is_unchanged() {
        note(&summary(&fitted));
    }
    Ok(())
}
