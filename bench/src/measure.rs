//! Every pipeline, operation and size in turn.

use std::hint::black_box;
use std::io::IsTerminal;

use crate::args::Args;
use crate::floor::floor;
use crate::records::{Record, Texts, records};
use crate::report::Report;
use crate::setup::Setup;
use crate::timing::{Contender, Patience, Quartiles, take_turns};
use crate::{ours, theirs};

/// What is asked of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Run,
    DryRun,
}

impl Operation {
    pub(crate) const ALL: [Self; 2] = [Self::Run, Self::DryRun];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::DryRun => "dry_run",
        }
    }
}

/// What was found about one pipeline, operation and size.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) setup: Setup,
    pub(crate) operation: Operation,
    pub(crate) size: usize,
    /// Seconds.
    pub(crate) ours: f64,
    pub(crate) floor: f64,
    /// Times the floor.
    pub(crate) of_floor: Quartiles,
    pub(crate) published: Option<Published>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Published {
    pub(crate) seconds: f64,
    /// How many times faster ours is.
    pub(crate) faster: Quartiles,
}

pub(crate) fn all(args: &Args) -> Report {
    let patience = args.patience();
    let mut cells = Vec::new();
    let mut c_of_a = Vec::new();
    for size in &args.sizes {
        let records = records(*size, Texts::Usual);
        for setup in args.setups().into_iter().filter(|setup| setup.can_run(*size)) {
            for operation in Operation::ALL {
                progress(&format!("{} of {setup} at {size} items", operation.name()));
                let peer = peer(setup, operation, *size, args.quick);
                cells.push(cell(
                    patience,
                    (setup, operation),
                    &records,
                    args.target(setup, &records),
                    peer,
                ));
            }
            if setup == Setup::C && *size > 1_000 {
                c_of_a.push((*size, c_against_a(patience, &records, args.target(setup, &records))));
            }
        }
    }
    progress("");
    Report { cells, c_of_a }
}

/// Shows what is being measured, where somebody may be looking.
fn progress(what: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{what}");
    }
}

/// Whether the published crate takes part. It takes about a second for c at 1,000 items and half a
/// minute for a and b at 100,000; the hours for c beyond that nobody has.
fn peer(setup: Setup, operation: Operation, size: usize, quick: bool) -> bool {
    let (seconds, minutes) = match (setup, operation) {
        (Setup::C, Operation::Run) => (1_000, 10_000),
        (Setup::C, Operation::DryRun) => (1_000, 1_000),
        (Setup::A | Setup::B, Operation::Run) => (100_000, 1_000_000),
        (Setup::A | Setup::B, Operation::DryRun) => (100_000, 100_000),
        _ => (100_000, 1_000_000),
    };
    size < seconds || (size < minutes && !quick)
}

fn cell(
    patience: Patience,
    (setup, operation): (Setup, Operation),
    records: &[Record],
    target: i64,
    peer: bool,
) -> Cell {
    let problem = ours::Problem::new(records, target);
    let pipeline = ours::pipeline(setup);
    let (items, budget) = (&problem.items, &problem.budget);
    let ours = || -> Contender<'_> {
        match operation {
            Operation::Run => Box::new(|| drop(black_box(pipeline.run(black_box(items), budget)))),
            Operation::DryRun => {
                Box::new(|| drop(black_box(pipeline.dry_run(black_box(items), budget))))
            }
        }
    };
    let floor = || -> Contender<'_> { Box::new(|| _ = black_box(floor(black_box(items)))) };
    let cell = |ours: f64, floor: f64, of_floor, published| Cell {
        setup,
        operation,
        size: records.len(),
        ours,
        floor,
        of_floor,
        published,
    };
    let beside_floor = |published| {
        let turns = take_turns(patience, [ours(), floor()]);
        cell(turns.seconds(0).median, turns.seconds(1).median, turns.ratio(0, 1), published)
    };
    if !peer {
        return beside_floor(None);
    }

    let problem = theirs::Problem::new(records, target);
    let pipeline = theirs::pipeline(setup);
    let (items, budget) = (&problem.items, &problem.budget);
    let theirs: Contender<'_> = match operation {
        Operation::Run => Box::new(|| drop(black_box(pipeline.run(black_box(items), budget)))),
        Operation::DryRun => {
            Box::new(|| drop(black_box(pipeline.dry_run(black_box(items), budget))))
        }
    };
    let turns = take_turns(patience, [ours(), floor(), theirs]);
    let published = Published { seconds: turns.seconds(2).median, faster: turns.ratio(2, 0) };
    if turns.are_few() {
        // What takes milliseconds deserves more turns than the seconds of another leave it.
        return beside_floor(Some(published));
    }
    cell(turns.seconds(0).median, turns.seconds(1).median, turns.ratio(0, 1), Some(published))
}

/// How many times our a does our c take?
fn c_against_a(patience: Patience, records: &[Record], target: i64) -> Quartiles {
    let problem = ours::Problem::new(records, target);
    let (items, budget) = (&problem.items, &problem.budget);
    let (c, a) = (ours::pipeline(Setup::C), ours::pipeline(Setup::A));
    let turns = take_turns(
        patience,
        [
            Box::new(|| drop(black_box(c.run(black_box(items), budget)))),
            Box::new(|| drop(black_box(a.run(black_box(items), budget)))),
        ],
    );
    turns.ratio(0, 1)
}
