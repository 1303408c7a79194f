//! `cupel explain`: the window and the reasons, for people.

use std::io::Write;
use std::path::Path;

use cupel::SelectionReport;

use crate::args::ExplainArgs;
use crate::failure::{Outcome, watched};
use crate::html::{PageData, page};
use crate::output::Sink;
use crate::render::{Explanation, explanation, width};

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let plan = args.policy.load()?;
    let candidates = args.input.read()?;
    let report = plan.pipeline.dry_run(candidates.items(), &budget)?;
    let title = args.input.source().short_name();

    if let Some(path) = &args.html {
        let counterfactuals = plan.pipeline.counterfactuals(candidates.items(), &budget)?;
        let (policy, pipeline) = (&plan.label, &plan.pipeline);
        let data = PageData::new(
            &title,
            policy,
            pipeline,
            &candidates,
            &budget,
            &report,
            &counterfactuals,
        );
        write_page(path, &data)?;
    }
    if args.json {
        return write_json(args, report);
    }
    if args.html.is_some() {
        return Ok(());
    }
    let mut out = args.output.open()?;
    out.write_styled(&explanation(&Explanation {
        title: &title,
        policy: &plan.label,
        candidates: &candidates,
        budget: &budget,
        report: &report,
        counterfactuals: &plan.pipeline.counterfactuals(candidates.items(), &budget)?,
        width: width(),
    }))?;
    out.finish()
}

fn write_page(path: &Path, data: &PageData<'_>) -> Outcome {
    let mut out = Sink::open(Some(path))?;
    out.write_all(page(data).map_err(std::io::Error::from)?.as_bytes())?;
    out.finish()?;
    if watched() {
        anstream::eprintln!("wrote {}", path.display());
    }
    Ok(())
}

fn write_json(args: &ExplainArgs, mut report: SelectionReport) -> Outcome {
    if args.no_timings {
        report.events.iter_mut().for_each(|event| event.duration_ms = 0.0);
    }
    let mut out = args.output.open()?;
    serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
    writeln!(out)?;
    out.finish()
}
