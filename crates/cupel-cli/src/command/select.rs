//! `cupel select`: the window, as the caller wrote it.

mod messages;
mod stream;

use cupel::{
    ContextBudget, ContextItem, CountRequirementShortfall, Interests, OverflowEvent,
    TraceCollector, TraceEvent,
};
use cupel_policy::SlicerConfig;

use crate::advice;
use crate::args::SelectArgs;
use crate::failure::{Complaint, Outcome, note, warn, watched};
use crate::input::Candidates;
use crate::messages::{Given, Opened};
use crate::output::Format;
use crate::render::{count, grouped};

pub(crate) fn run(args: &SelectArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let plan = args.policy.load()?.asking(args.input.query());
    let candidates = match plan.policy.stream_batch_size() {
        None => {
            if matches!(plan.policy.slicer, SlicerConfig::Stream { .. }) {
                let problem =
                    "count quotas need the whole list: all of the input is held in memory";
                warn(&Complaint::new(problem).remedy("leave \"countQuotas\" out to stream it"));
            }
            match args.input.read()? {
                Given::Items(candidates) => candidates,
                Given::Chat(chat) => return messages::run(args, &plan, &budget, &chat),
            }
        }
        Some(batch_size) => match args.input.open()? {
            Opened::Items(candidates) => candidates,
            Opened::Lines(lines) => return stream::run(args, &plan, &budget, lines, batch_size),
            Opened::Chat(chat) => return messages::run(args, &plan, &budget, &chat),
        },
    };
    // No number in a heading is larger, and none costs more.
    let last = candidates.items().len();
    let candidates = as_written(args, candidates, last);
    let mut out = args.output.open()?;

    let mut notes = Notes::default();
    let window = plan.pipeline.run_traced(candidates.items(), &budget, &mut notes)?;
    let positions: Vec<_> = window.iter().map(|item| candidates.position(item)).collect();
    args.format.write(&mut out, &candidates, &window)?;
    out.finish()?;

    notes.warn();
    frame_warning(args, &window).iter().for_each(warn);
    advice::warnings(&plan, &candidates, &positions).iter().for_each(warn);
    if window.is_empty() {
        let report = plan.pipeline.dry_run(candidates.items(), &budget)?;
        note(&format!("nothing was selected: {}", advice::why_empty(&report)));
        return Ok(());
    }
    if watched() {
        summarise(&window, candidates.items().len(), &budget);
    }
    Ok(())
}

/// The candidates at the price of all that will be written for them, where that can be counted: the
/// budget holds for the output, not for the contents alone. No number in a heading is larger than
/// `last`.
fn as_written(args: &SelectArgs, candidates: Candidates, last: usize) -> Candidates {
    let (Some(tokenizer), Format::Text | Format::Markdown) = (args.input.tokenizer(), args.format)
    else {
        return candidates;
    };
    candidates.framed(tokenizer, |item| {
        format!("\n{}", args.format.block(item, last).unwrap_or_default())
    })
}

/// That what stands around contents costs more than was counted.
fn frame_warning(args: &SelectArgs, window: &[ContextItem]) -> Option<Complaint> {
    let is_framed = args.format == Format::Markdown && !window.is_empty();
    (is_framed && args.input.tokenizer().is_none()).then(|| {
        let problem = "headings and fences are not in your token counts and come on top of them";
        Complaint::new(problem).remedy("count them, too: --tokenizer o200k_base")
    })
}

fn summarise(window: &[ContextItem], candidates: usize, budget: &ContextBudget) {
    let used: i128 = window.iter().map(|item| i128::from(item.tokens())).sum();
    let limit = budget.window_tokens();
    anstream::eprintln!(
        "kept {} of {}, {} of {} tokens",
        count(window.len()),
        count(candidates),
        grouped(used),
        grouped(limit)
    );
}

/// What is worth a warning although the run succeeds.
#[derive(Default)]
struct Notes {
    shortfalls: Vec<CountRequirementShortfall>,
    over: Option<i64>,
}

impl Notes {
    fn warn(&self) {
        for CountRequirementShortfall { kind, required_count, satisfied_count, .. } in
            &self.shortfalls
        {
            warn(&Complaint::new(format!(
                "the policy requires {} {kind} items, but there are only {}",
                count(*required_count),
                count(*satisfied_count)
            )));
        }
        if let Some(over) = self.over {
            let problem = format!("the window is {} tokens over its limit", grouped(over));
            let remedy =
                "the policy says to proceed; \"overflowStrategy\": \"truncate\" would fit it";
            warn(&Complaint::new(problem).remedy(remedy));
        }
    }
}

impl TraceCollector for Notes {
    fn is_enabled(&self) -> bool {
        true
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn interests(&self) -> Interests {
        Interests::NOTHING
    }

    fn record_shortfall(&mut self, shortfall: CountRequirementShortfall) {
        self.shortfalls.push(shortfall);
    }

    fn record_overflow(&mut self, event: OverflowEvent) {
        self.over = Some(event.tokens_over_budget);
    }
}
