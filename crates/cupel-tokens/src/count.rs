//! A number of tokens, and what it is based on.

use std::fmt;

use crate::Vocabulary;

/// How many tokens something is, and how that is known.
///
/// ```
/// use cupel_tokens::{Basis, Counter, Model, Vocabulary};
///
/// let count = Model::by_name("claude-sonnet-4-5")?.counted("hello world");
/// assert_eq!(count.tokens, 3);
/// assert_eq!(count.basis.to_string(), "an estimate, 1.18 x o200k_base");
///
/// let count = Model::by_name("gpt-4o")?.counted("hello world");
/// assert_eq!(count.basis, Basis::Exact { vocabulary: Vocabulary::O200kBase });
/// # Ok::<(), cupel_tokens::UnknownName>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Count {
    /// Never negative; signed because budgets are, so that nobody has to convert.
    pub tokens: i64,
    /// How that is known.
    pub basis: Basis,
}

/// What a count is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The vocabulary that the model itself uses.
    Exact {
        /// That vocabulary.
        vocabulary: Vocabulary,
    },
    /// Another model's vocabulary, times what the two were found to differ by. The provider
    /// publishes no vocabulary, or none that we carry.
    Estimate {
        /// The vocabulary that was counted with.
        vocabulary: Vocabulary,
        /// What the count was multiplied by, rounded up.
        factor: Factor,
    },
    /// A counter that does not come from here.
    Custom,
}

impl Basis {
    /// Whether the number may differ from what the provider will count.
    #[must_use]
    pub fn is_estimate(self) -> bool {
        matches!(self, Self::Estimate { .. })
    }
}

/// In words, as a report says it: `o200k_base`, or `an estimate, 1.18 x o200k_base`.
impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact { vocabulary } => vocabulary.fmt(f),
            Self::Estimate { vocabulary, factor } => {
                write!(f, "an estimate, {factor} x {vocabulary}")
            }
            Self::Custom => f.write_str("a custom counter"),
        }
    }
}

/// A positive number that a count is multiplied by, in thousandths, so that every machine rounds
/// alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor {
    thousandths: u32,
}

impl Factor {
    /// `None` for zero.
    #[must_use]
    pub const fn from_thousandths(thousandths: u32) -> Option<Self> {
        if thousandths == 0 { None } else { Some(Self { thousandths }) }
    }

    /// For tables: a factor that is known not to be zero.
    pub(crate) const fn of(thousandths: u32) -> Self {
        Self::from_thousandths(thousandths).expect("the tables hold no zero")
    }

    /// The factor, in thousandths.
    #[must_use]
    pub const fn thousandths(self) -> u32 {
        self.thousandths
    }

    /// `tokens` times this factor, rounded up.
    #[must_use]
    pub fn apply(self, tokens: i64) -> i64 {
        let product = i128::from(tokens) * i128::from(self.thousandths);
        let rounded_up = product.div_euclid(1000) + i128::from(product.rem_euclid(1000) > 0);
        i64::try_from(rounded_up).unwrap_or(i64::MAX)
    }

    /// The most tokens that this factor makes no more than `tokens` of.
    pub(crate) fn undo(self, tokens: i64) -> i64 {
        let most = (i128::from(tokens) * 1000).div_euclid(i128::from(self.thousandths));
        i64::try_from(most).unwrap_or(i64::MAX)
    }
}

/// `1.18`, without trailing zeros.
impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.thousandths / 1000, self.thousandths % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let rest = format!("{rest:03}");
        write!(f, "{whole}.{}", rest.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::Factor;

    #[test]
    fn factors_round_up_and_never_wrap() {
        let factor = Factor::of(1180);
        assert_eq!([0, 1, 50, 100, 101].map(|it| factor.apply(it)), [0, 2, 59, 118, 120]);
        assert_eq!(factor.apply(i64::MAX), i64::MAX);
        assert_eq!(Factor::from_thousandths(0), None);
    }

    #[test]
    fn undoing_finds_the_last_count_that_fits() {
        for thousandths in [1, 333, 999, 1000, 1180, 1530, 5000] {
            let factor = Factor::of(thousandths);
            for limit in 0..200 {
                let most = factor.undo(limit);
                assert!(factor.apply(most) <= limit && factor.apply(most + 1) > limit);
            }
        }
    }

    #[test]
    fn factors_are_written_short() {
        let shown = [1000, 1180, 1005, 500, 2460].map(|it| Factor::of(it).to_string());
        assert_eq!(shown, ["1", "1.18", "1.005", "0.5", "2.46"]);
    }
}
