//! The six pipelines that are measured.

use std::fmt;
use std::str::FromStr;

/// | | scorer | slicer | placer |
/// |---|---|---|---|
/// | a | recency | greedy | chronological |
/// | b | recency, priority and kind | greedy | U-shaped |
/// | c | frequency, scaled recency and kind | knapsack | U-shaped |
/// | d | reflexive | shares per kind over greedy | chronological |
/// | e | reflexive | counts per kind over greedy | chronological |
/// | f | reflexive | knapsack | chronological |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setup {
    A,
    B,
    C,
    D,
    E,
    F,
}

impl Setup {
    pub(crate) const ALL: [Self; 6] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F];

    pub(crate) fn letter(self) -> char {
        char::from(b'a' + self as u8)
    }

    /// Whether a table is filled whose width depends on the budget and not on the candidates.
    pub(crate) fn is_knapsack(self) -> bool {
        matches!(self, Self::C | Self::F)
    }

    /// Whether the knapsack's table for `count` candidates stays within what is specified; beyond,
    /// a run is an error.
    pub(crate) fn can_run(self, count: usize) -> bool {
        !self.is_knapsack() || count < 30_000
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Setup {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|setup| setup.to_string() == text);
        found.ok_or_else(|| format!("there is no pipeline `{text}`, only a, b, c, d, e and f"))
    }
}
