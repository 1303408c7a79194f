//! What we hold, as data.

use crate::setup::Setup;

/// Whether a gate is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Met,
    Missed,
}

/// At least so many times faster than the published crate, `run` and `dry_run` alike. Floors, not a race:
/// they leave room for plain code.
pub(crate) fn against_published(setup: Setup, size: usize) -> Option<f64> {
    let [hundred, thousand, ten_thousand, hundred_thousand] = match setup {
        Setup::A | Setup::B => [Some(25.0), Some(25.0), Some(100.0), Some(500.0)],
        Setup::C => [Some(100.0), Some(2_000.0), None, None],
        Setup::D | Setup::E | Setup::F => [Some(25.0), Some(25.0), Some(35.0), Some(25.0)],
    };
    match size {
        100 => hundred,
        1_000 => thousand,
        10_000 => ten_thousand,
        100_000 => hundred_thousand,
        _ => None,
    }
}

/// Where the published crate takes minutes: pipeline c at most so many times our own a.
pub(crate) const C_AGAINST_A: f64 = 25.0;

/// The exponent of growth, at most, for everything that fills no knapsack's table.
pub(crate) const GROWTH: f64 = 1.2;
