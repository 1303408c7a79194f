//! `cupel explain`: the window and the reasons, for people.

mod messages;

pub(crate) use messages::scores;

use std::io::Write;
use std::path::Path;

use cupel::Query;

use crate::advice;
use crate::args::ExplainArgs;
use crate::breakdown::{breakdown, found, matched};
use crate::failure::{Outcome, warn, watched};
use crate::html::{PageData, page};
use crate::messages::Given;
use crate::output::{Explained, Sink};
use crate::remedies::Remedies;
use crate::render::{Explanation, explanation};
use crate::verdict::{Rule, position, verdicts};

/// Longer tables are not read by people.
const MOST_ROWS: usize = 200;

pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let plan = args.policy.load()?.asking(args.input.query());
    let candidates = match args.input.read()? {
        Given::Items(candidates) => candidates,
        Given::Chat(chat) => return messages::run(args, &plan, &budget, &chat),
    };
    let mut report = plan.pipeline.dry_run(candidates.items(), &budget)?;
    if args.no_timings {
        report.events.iter_mut().for_each(|event| event.duration_ms = 0.0);
    }
    let title = args.input.source().short_name();

    let remedies = Remedies::find(&plan.pipeline, candidates.items(), &budget, &report)?;

    let window: Vec<_> = report.included.iter().map(|it| position(it.index)).collect();
    advice::warnings(&plan, &candidates, &window).iter().for_each(warn);

    if let Some(path) = &args.html {
        let data = PageData::new(&title, &plan, &candidates, &budget, &report, &remedies)?;
        write_page(path, &data)?;
    }
    if args.html.is_some() && !args.json {
        return Ok(());
    }
    let rule = Rule::of(&plan.policy);
    let verdicts = verdicts(rule, &candidates, &report);
    let query = plan.pipeline.context().query().map(Query::text);
    let mut parts = match args.scores || args.json || query.is_some() {
        true => breakdown(&plan.pipeline, candidates.items())?,
        false => Vec::new(),
    };
    let mut out = args.output.open()?;
    if args.json {
        let explained = Explained {
            input: &title,
            plan: &plan,
            candidates: &candidates,
            budget: &budget,
            report: &report,
            remedies: &remedies,
            verdicts: &verdicts,
            parts: &parts,
        };
        explained.write(&mut out)?;
        return out.finish();
    }
    let tell = if args.scores { found } else { matched };
    let matched: Vec<_> = parts.iter().map(|parts| tell(parts)).collect();
    if !args.scores {
        parts.clear();
    }
    let text = explanation(&Explanation {
        title: &title,
        policy: &plan.label,
        query,
        candidates: &candidates,
        budget: &budget,
        report: &report,
        remedies: &remedies,
        rule,
        verdicts: &verdicts,
        parts: &parts,
        matched: &matched,
        width: out.width(),
        most_rows: if args.all { usize::MAX } else { MOST_ROWS },
    });
    out.write_styled(&text)?;
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
