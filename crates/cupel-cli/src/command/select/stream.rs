//! A window from lines that are read as they are needed, and not held.

use std::cell::RefCell;
use std::collections::HashMap;

use cupel::{ContextBudget, StreamOutcome, StreamRun};

use super::{Notes, as_written, frame_warning, summarise};
use crate::args::SelectArgs;
use crate::failure::{Outcome, note, warn, watched};
use crate::input::{Candidates, ItemLines, Written};
use crate::plan::Plan;
use crate::render::{count, plural};

/// No window has more items than this, and none of their numbers costs more.
const LARGEST_NUMBER: usize = 999_999;

/// Selects from `lines`, so many at a time.
pub(super) fn run(
    args: &SelectArgs,
    plan: &Plan,
    budget: &ContextBudget,
    mut lines: ItemLines,
    batch_size: usize,
) -> Outcome {
    let mut out = args.output.open()?;
    // What the caller wrote for each item that is not left out yet, by its place in the stream.
    let held: RefCell<HashMap<usize, Written>> = RefCell::default();
    let mut run =
        StreamRun::new(&plan.pipeline, budget)?.batch_size(batch_size)?.on_excluded(|it| {
            it.index.map(|index| held.borrow_mut().remove(&index));
        });
    let (mut seen, mut told_estimates, mut stopped) = (0, false, false);
    'reading: while let Some(part) = lines.next_part(batch_size)? {
        told_estimates = told_estimates || args.input.tell_estimates(&part);
        let part = as_written(args, part, LARGEST_NUMBER);
        for (position, item) in part.items().iter().enumerate() {
            held.borrow_mut().insert(seen, part.written(position));
            seen += 1;
            run.push(item.clone())?;
            stopped = run.is_full() && !args.to_end;
            if stopped {
                break 'reading;
            }
        }
    }
    let outcome = run.finish()?;
    let mut held = held.into_inner();
    let indices = outcome.included.iter().filter_map(|it| it.index);
    let candidates = Candidates::of_parts(indices.filter_map(|index| held.remove(&index)));
    let window = outcome.window();
    args.format.write(&mut out, &candidates, &window)?;
    out.finish()?;

    lines.warn_of_slips();
    let over = outcome.overflow.as_ref().map(|it| it.tokens_over_budget);
    Notes { over, ..Notes::default() }.warn();
    frame_warning(args, &window).iter().for_each(warn);
    if stopped {
        note(&format!(
            "the window is full after {}; what may follow is not read (--to-end reads it, for pinned \
             items)",
            plural(outcome.seen, "item")
        ));
    }
    if window.is_empty() {
        note(&format!("nothing was selected: {}", why_empty(&outcome)));
    } else if watched() {
        summarise(&window, outcome.seen, budget);
    }
    Ok(())
}

fn why_empty(outcome: &StreamOutcome) -> String {
    let reasons = outcome.excluded.iter();
    let told: Vec<_> = reasons.map(|(name, times)| format!("{name} {}", count(*times))).collect();
    format!("of {} none got in: {}", plural(outcome.seen, "candidate"), told.join(", "))
}
