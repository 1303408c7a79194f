//! When a session cuts, and how deep.

use serde::{Deserialize, Serialize};

use crate::{Error, Price};

/// When a session cuts, how deep, and whether it marks breakpoints.
///
/// ```
/// use cupel_session::Settings;
///
/// let settings = Settings { high: 0.9, low: 0.4, ..Settings::default() };
/// settings.check()?;
/// # Ok::<(), cupel_session::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The high-water mark, as a share of the budget: below it nothing is cut.
    pub high: f64,
    /// The low-water mark, as a share of the budget: a cut goes down to it.
    pub low: f64,
    /// A cut that would free less than this share of the budget is refused, unless the budget forces it.
    pub least_freed: f64,
    /// Whether breakpoints are set in the request that goes out, and for OpenAI a key.
    pub breakpoints: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { high: 0.8, low: 0.5, least_freed: 0.1, breakpoints: false }
    }
}

impl Settings {
    /// # Errors
    /// When a mark is not a share, or they do not leave room between them.
    pub fn check(&self) -> Result<(), Error> {
        let setting = |name, value, expected| Err(Error::Setting { name, value, expected });
        if !(self.high > 0.0 && self.high <= 1.0) {
            return setting("high", self.high, "more than 0 and at most 1, a share of the budget");
        }
        if !(self.low >= 0.0 && self.low < self.high) {
            return setting("low", self.low, "at least 0 and less than high");
        }
        if !(self.least_freed >= 0.0 && self.least_freed <= self.high - self.low) {
            return setting("least_freed", self.least_freed, "from 0 to high - low");
        }
        Ok(())
    }

    /// The marks in tokens, where what must stay takes `must_stay`.
    pub(crate) fn levels(&self, budget: i64, price: &Price, must_stay: i64) -> Levels {
        let budget = budget.max(0);
        let share = |of: i64, share: f64| (of as f64 * share) as i64;
        let step = price.step.filter(|_| price.step_factor > 1_000).unwrap_or(i64::MAX);
        let mark = share(budget, self.high).min(step);
        let scale = if self.high > 0.0 { self.low / self.high } else { 0.0 };
        let low = share(mark, scale);
        let least_freed = share(budget, self.least_freed).max(1);
        if must_stay > mark {
            // The marks are then those of the room that is left.
            let left = (budget - must_stay).max(0);
            let mark = must_stay + share(left, self.high);
            let low = must_stay + share(left, self.low);
            return Levels { budget, mark, low, least_freed, overloaded: true };
        }
        let low = low.max(must_stay + share(mark - must_stay, self.low));
        Levels { budget, mark, low, least_freed, overloaded: false }
    }

    /// The marks where what must stay does not fit unless it is shortened, at the least to `shortest`.
    pub(crate) fn squeezed(&self, levels: Levels, shortest: i64) -> Levels {
        let left = (levels.budget - shortest).max(0);
        let low = shortest.saturating_add((left as f64 * self.low) as i64);
        Levels { low, mark: levels.budget, ..levels }
    }
}

/// What a turn is measured by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) levels: Levels,
    pub(crate) price: Price,
}

/// The marks in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Levels {
    pub(crate) budget: i64,
    /// Above this something is cut.
    pub(crate) mark: i64,
    /// Down to this.
    pub(crate) low: i64,
    pub(crate) least_freed: i64,
    /// Whether what must stay exceeds the mark by itself.
    pub(crate) overloaded: bool,
}

#[cfg(test)]
mod tests {
    use cupel_messages::Format;

    use super::*;

    #[test]
    fn a_price_step_below_the_mark_is_the_mark() {
        let price = Price::of(Format::Gemini, None);
        let levels = Settings::default().levels(1_000_000, &price, 0);
        assert_eq!((levels.mark, levels.low), (200_000, 125_000));
    }

    #[test]
    fn what_must_stay_leaves_room_between_the_marks() {
        let price = Price::PLAIN_PREFIX;
        for must_stay in [0, 10, 45, 50, 60, 79, 80, 81, 95, 100, 200] {
            let levels = Settings::default().levels(100, &price, must_stay);
            assert!(levels.low <= levels.mark, "{must_stay}: {levels:?}");
            assert_eq!(levels.overloaded, must_stay > 80);
        }
    }

    #[test]
    fn marks_that_make_no_sense_are_refused_by_name() {
        let wrong = Settings { low: 0.9, ..Settings::default() };
        assert_eq!(
            wrong.check().unwrap_err().to_string(),
            "low is 0.9; it must be at least 0 and less than high"
        );
        assert!(Settings { high: f64::NAN, ..Settings::default() }.check().is_err());
    }
}
