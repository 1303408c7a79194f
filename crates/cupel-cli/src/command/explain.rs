//! `cupel explain`: the window and the reasons, for people.

use std::io::Write;

use crate::args::ExplainArgs;
use crate::failure::Outcome;
use crate::render::{Explanation, explanation, width};

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let plan = args.policy.load()?;
    let candidates = args.input.read()?;
    let mut report = plan.pipeline.dry_run(candidates.items(), &budget)?;

    if args.json {
        if args.no_timings {
            report.events.iter_mut().for_each(|event| event.duration_ms = 0.0);
        }
        let mut out = args.output.open()?;
        serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
        writeln!(out)?;
        out.finish()?;
    }
    if args.json {
        return Ok(());
    }
    let told = Explanation {
        title: &args.input.source().short_name(),
        policy: &plan.label,
        candidates: &candidates,
        budget: &budget,
        report: &report,
        counterfactuals: &plan.pipeline.counterfactuals(candidates.items(), &budget)?,
        width: width(),
    };
    let mut out = args.output.open()?;
    out.write_styled(&explanation(&told))?;
    out.finish()
}
