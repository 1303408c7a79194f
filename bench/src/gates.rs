//! What we want to reach, as data.

use crate::measure::Operation;
use crate::setup::Setup;

/// The numbers of candidates that have gates.
const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

/// How many times faster than the published crate: what we hold, and what we aspire to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    pub(crate) gate: f64,
    pub(crate) stretch: f64,
}

/// Whether a gate is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Stretch,
    Met,
    Missed,
}

impl Gate {
    pub(crate) fn verdict(self, ratio: f64) -> Verdict {
        match ratio {
            ratio if ratio >= self.stretch => Verdict::Stretch,
            ratio if ratio >= self.gate => Verdict::Met,
            _ => Verdict::Missed,
        }
    }
}

const fn gate(gate: f64, stretch: f64) -> Option<Gate> {
    Some(Gate { gate, stretch })
}

pub(crate) fn against_published(setup: Setup, operation: Operation, size: usize) -> Option<Gate> {
    let run = match setup {
        Setup::A => [
            gate(35., 60.),
            gate(40., 65.),
            gate(60., 105.),
            gate(250., 540.),
            gate(1_000., 2_800.),
        ],
        Setup::B => {
            [gate(30., 52.), gate(35., 55.), gate(55., 95.), gate(250., 525.), gate(2_000., 5_000.)]
        }
        Setup::C => [gate(25., 40.), gate(130., 220.), gate(4_500., 7_500.), None, None],
        Setup::D => {
            [gate(35., 55.), gate(40., 70.), gate(45., 82.), gate(40., 94.), gate(25., 60.)]
        }
        Setup::E => {
            [gate(40., 72.), gate(45., 80.), gate(45., 77.), gate(35., 69.), gate(25., 57.)]
        }
        Setup::F => [gate(75., 120.), gate(85., 146.), gate(80., 145.), gate(55., 117.), None],
    };
    let dry_run = match setup {
        Setup::C => [None; 5],
        _ => [gate(40., 60.), gate(45., 70.), gate(60., 90.), gate(50., 72.), None],
    };
    let gates = match operation {
        Operation::Run => run,
        Operation::DryRun => dry_run,
    };
    at_size(gates, size)
}

/// At most so many times the floor.
pub(crate) fn against_floor(setup: Setup, operation: Operation, size: usize) -> Option<f64> {
    let gated = setup != Setup::C && operation == Operation::Run && setup.can_run(size);
    let most = [1.8, 1.4, 1.2, 1.0, 0.8].map(Some);
    gated.then(|| at_size(most, size)).flatten()
}

fn at_size<T>(gates: [Option<T>; 5], size: usize) -> Option<T> {
    let found = gates.into_iter().zip(SIZES).find(|(_, gated)| *gated == size);
    found.and_then(|(gate, _)| gate)
}

/// Where the published crate takes minutes: pipeline c at most so many times our own a.
pub(crate) const C_AGAINST_A: f64 = 25.0;

/// The exponent of growth, at most, for everything that fills no knapsack's table.
pub(crate) const GROWTH: f64 = 1.2;
