//! `cupel explain`: the window and the reasons, for people.

use std::io::Write;
use std::path::Path;

use cupel::SelectionReport;

use crate::args::ExplainArgs;
use crate::failure::{Outcome, watched};
use crate::html::{PageData, page};
use crate::output::Sink;
use crate::render::{Explanation, explanation, width};

/// For more exclusions than this, finding out what would let them in takes seconds.
const MOST_COUNTERFACTUALS: usize = 10_000;

/// Longer tables are not read by people.
const MOST_ROWS: usize = 200;

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let plan = args.policy.load()?;
    let candidates = args.input.read()?;
    let report = plan.pipeline.dry_run(candidates.items(), &budget)?;
    let title = args.input.source().short_name();

    // What would let items in takes a pass over all candidates for each: not for too many, and not
    // where nobody is told.
    let counterfactuals = match report.excluded.len() <= MOST_COUNTERFACTUALS
        && (args.html.is_some() || !args.json)
    {
        true => plan.pipeline.counterfactuals(candidates.items(), &budget)?,
        false => Vec::new(),
    };

    if let Some(path) = &args.html {
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
        counterfactuals: &counterfactuals,
        width: width(),
        most_rows: if args.all { usize::MAX } else { MOST_ROWS },
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
