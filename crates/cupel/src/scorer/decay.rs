//! How much an item has aged.

use std::fmt;

use chrono::{DateTime, Duration, Utc};

use super::{Scorer, weight};
use crate::{ContextItem, CupelError, RunContext};

/// Tells the time, so that whoever builds a scorer decides what "now" is.
pub trait TimeProvider: Send + Sync {
    /// The current time.
    fn now(&self) -> DateTime<Utc>;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SystemTimeProvider;

impl TimeProvider for SystemTimeProvider {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

impl<T: TimeProvider + ?Sized> TimeProvider for Box<T> {
    fn now(&self) -> DateTime<Utc> {
        (**self).now()
    }
}

/// How a score falls with age. Validated when built: an invalid curve cannot exist.
#[derive(Debug, Clone, PartialEq)]
pub struct DecayCurve(Shape);

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Exponential { half_life: Duration },
    Window { max_age: Duration },
    Step { windows: Vec<(Duration, f64)> },
}

impl DecayCurve {
    /// Halves with every `half_life`, which is longer than zero.
    pub fn exponential(half_life: Duration) -> Result<Self, CupelError> {
        longer_than_zero(half_life, "halfLife")?;
        Ok(Self(Shape::Exponential { half_life }))
    }

    /// 1 while younger than `max_age`, which is longer than zero, then 0.
    pub fn window(max_age: Duration) -> Result<Self, CupelError> {
        longer_than_zero(max_age, "maxAge")?;
        Ok(Self(Shape::Window { max_age }))
    }

    /// The score of the first window whose age limit is above the item's age, else the last one's.
    ///
    /// At least one window; limits longer than zero and strictly ascending; scores in `[0, 1]`.
    pub fn step(windows: impl IntoIterator<Item = (Duration, f64)>) -> Result<Self, CupelError> {
        let windows: Vec<_> = windows.into_iter().collect();
        if windows.is_empty() {
            return Err(CupelError::ScorerConfig(
                "a step curve of 0 windows has no score to give; give at least one".to_owned(),
            ));
        }
        for (at, (max_age, score)) in windows.iter().enumerate() {
            longer_than_zero(*max_age, &format!("maxAge of window {at}"))?;
            weight::unit_interval(*score, &format!("the score of window {at}"))?;
            if at > 0 && *max_age <= windows[at - 1].0 {
                return Err(CupelError::ScorerConfig(format!(
                    "maxAge of window {at} ({max_age}) must be longer than that of the window \
                     before ({}); list windows youngest first",
                    windows[at - 1].0
                )));
            }
        }
        Ok(Self(Shape::Step { windows }))
    }

    /// The score at an age that is not negative.
    fn at(&self, age: Duration) -> f64 {
        match &self.0 {
            Shape::Exponential { half_life } => 2f64.powf(-seconds(age) / seconds(*half_life)),
            Shape::Window { max_age } if age < *max_age => 1.0,
            Shape::Window { .. } => 0.0,
            Shape::Step { windows } => {
                let first_above = windows.partition_point(|(max_age, _)| *max_age <= age);
                windows[first_above.min(windows.len() - 1)].1
            }
        }
    }
}

fn longer_than_zero(duration: Duration, name: &str) -> Result<(), CupelError> {
    if duration > Duration::zero() {
        return Ok(());
    }
    Err(CupelError::ScorerConfig(format!("{name} ({duration}) must be longer than zero")))
}

fn seconds(duration: Duration) -> f64 {
    duration.num_seconds() as f64 + f64::from(duration.subsec_nanos()) / 1e9
}

/// Scores an item by its age on a [`DecayCurve`], independently of the others.
///
/// Items from the future count as brand new. The clock is read once per scoring pass; without one of
/// its own, a scorer goes by the [run's](RunContext::now).
///
/// ```
/// use chrono::{DateTime, Duration, Utc};
/// use cupel::{ContextItem, DecayCurve, DecayScorer, Scorer, TimeProvider};
///
/// struct Noon;
/// impl TimeProvider for Noon {
///     fn now(&self) -> DateTime<Utc> {
///         "2025-01-01T12:00:00Z".parse().expect("a valid time")
///     }
/// }
///
/// let curve = DecayCurve::exponential(Duration::hours(24))?;
/// let scorer = DecayScorer::new(Box::new(Noon), curve, 0.5)?;
/// let yesterday = ContextItem::builder("yesterday's news", 4)
///     .timestamp("2024-12-31T12:00:00Z".parse().expect("a valid time"))
///     .build()?;
/// assert_eq!(scorer.score(&yesterday, &[]), 0.5);
/// # Ok::<(), cupel::CupelError>(())
/// ```
pub struct DecayScorer {
    clock: Option<Box<dyn TimeProvider>>,
    curve: DecayCurve,
    null_timestamp_score: f64,
}

impl DecayScorer {
    /// `null_timestamp_score`, in `[0, 1]`, is for items without a timestamp; 0.5 is neutral.
    pub fn new(
        clock: impl TimeProvider + 'static,
        curve: DecayCurve,
        null_timestamp_score: f64,
    ) -> Result<Self, CupelError> {
        let by_run = Self::by_run_clock(curve, null_timestamp_score)?;
        Ok(Self { clock: Some(Box::new(clock)), ..by_run })
    }

    /// [`new`](Self::new) without a clock of its own.
    pub fn by_run_clock(curve: DecayCurve, null_timestamp_score: f64) -> Result<Self, CupelError> {
        weight::unit_interval(null_timestamp_score, "the null timestamp score")?;
        Ok(Self { clock: None, curve, null_timestamp_score })
    }

    fn now(&self, context: &RunContext) -> DateTime<Utc> {
        self.clock.as_ref().map_or_else(|| context.now(), |clock| clock.now())
    }

    fn score_at(&self, item: &ContextItem, now: DateTime<Utc>) -> f64 {
        match item.timestamp() {
            Some(timestamp) => self.curve.at((now - timestamp).max(Duration::zero())),
            None => self.null_timestamp_score,
        }
    }
}

impl Scorer for DecayScorer {
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        self.score_at(item, self.now(&RunContext::default()))
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        let now = self.now(context);
        Ok(items.iter().map(|item| self.score_at(item, now)).collect())
    }

    fn name(&self) -> &str {
        "decay"
    }
}

impl fmt::Debug for DecayScorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecayScorer")
            .field("curve", &self.curve)
            .field("null_timestamp_score", &self.null_timestamp_score)
            .finish_non_exhaustive()
    }
}
