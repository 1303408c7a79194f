//! What was found, and how it is written.

mod json;
mod markdown;
mod table;

use crate::args::Format;
use crate::gates::{self, Verdict};
use crate::growth;
use crate::measure::{Cell, Operation};
use crate::setup::Setup;
use crate::timing::Quartiles;

pub(crate) struct Report {
    pub(crate) cells: Vec<Cell>,
    /// Our c in terms of our a, by size.
    pub(crate) c_of_a: Vec<(usize, Quartiles)>,
}

/// How the time of one operation of a pipeline grows.
struct Growth {
    setup: Setup,
    operation: Operation,
    exponent: f64,
    /// At most so much.
    gate: Option<f64>,
}

impl Growth {
    fn verdict(&self) -> Option<Verdict> {
        self.gate.map(|most| at_most(self.exponent, most))
    }
}

fn at_most(value: f64, most: f64) -> Verdict {
    if value <= most { Verdict::Met } else { Verdict::Missed }
}

impl Cell {
    fn verdict(&self) -> Option<Verdict> {
        let gate = gates::against_published(self.setup, self.size)?;
        let is_met = self.published?.faster.median >= gate;
        Some(if is_met { Verdict::Met } else { Verdict::Missed })
    }
}

impl Report {
    pub(crate) fn render(&self, format: Format) -> String {
        match format {
            Format::Table => table::render(self),
            Format::Markdown => markdown::render(self),
            Format::Json => json::render(self),
        }
    }

    /// How many gates are missed.
    pub(crate) fn misses(&self) -> usize {
        self.verdicts().filter(|verdict| *verdict == Verdict::Missed).count()
    }

    fn gates(&self) -> usize {
        self.verdicts().count()
    }

    fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        let cells = self.cells.iter().map(Cell::verdict);
        let growth = self.growth().into_iter().map(|growth| growth.verdict());
        let c =
            self.c_of_a.iter().map(|(_, times)| Some(at_most(times.median, gates::C_AGAINST_A)));
        cells.chain(growth).chain(c).flatten().collect::<Vec<_>>().into_iter()
    }

    fn growth(&self) -> Vec<Growth> {
        let pairs = Setup::ALL.into_iter().flat_map(|setup| Operation::ALL.map(|of| (setup, of)));
        let growth = pairs.filter_map(|(setup, operation)| {
            let of_it = |cell: &&Cell| cell.setup == setup && cell.operation == operation;
            let cells = self.cells.iter().filter(of_it);
            let points: Vec<(usize, f64)> = cells.map(|cell| (cell.size, cell.ours)).collect();
            let exponent = growth::exponent(&points)?;
            let gate = (!setup.is_knapsack()).then_some(gates::GROWTH);
            Some(Growth { setup, operation, exponent, gate })
        });
        growth.collect()
    }
}
