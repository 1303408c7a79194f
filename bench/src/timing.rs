//! Timing several contenders in turns.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Of one contender's turn, at least.
    pub(crate) batch: Duration,
    /// Of all turns together, as far as the least number of turns allows.
    pub(crate) cell: Duration,
}

/// Something to be timed.
pub(crate) type Contender<'a> = Box<dyn FnMut() + 'a>;

const LEAST_TURNS: usize = 3;
const MOST_TURNS: usize = 301;

/// A contender that takes longer than this is not run just to warm up.
const SLOW: Duration = Duration::from_millis(100);

/// The seconds that one call of each contender took, turn by turn.
pub(crate) struct Turns<const N: usize>(Vec<[f64; N]>);

/// Lets the contenders take turns until `patience` is at an end.
///
/// A turn is as many calls as fill a batch, after one that does not count and brings the
/// contender's data back into the caches.
pub(crate) fn take_turns<const N: usize>(
    patience: Patience,
    mut contenders: [Contender<'_>; N],
) -> Turns<N> {
    let start = Instant::now();
    let once = contenders.each_mut().map(|contender| time(contender, 1));
    let calls = once.map(|once| calls_in(patience.batch, once));
    let mut turns = Vec::new();
    if once.iter().any(|once| *once > SLOW) {
        turns.push(once.map(|once| once.as_secs_f64()));
    }
    while turns.len() < LEAST_TURNS || (turns.len() < MOST_TURNS && start.elapsed() < patience.cell)
    {
        let mut turn = [0.0; N];
        for at in 0..N {
            // The first to go changes, so that none always follows the same one.
            let at = (at + turns.len()) % N;
            if once[at] < SLOW {
                contenders[at]();
            }
            let batch = time(&mut contenders[at], calls[at]);
            turn[at] = batch.as_secs_f64() / f64::from(calls[at]);
        }
        turns.push(turn);
    }
    Turns(turns)
}

fn calls_in(batch: Duration, once: Duration) -> u32 {
    // The first call was a cold one; later ones take about half of it.
    let calls = 2.0 * batch.as_secs_f64() / once.as_secs_f64().max(1e-9);
    calls.ceil().clamp(1.0, 1e6) as u32
}

fn time(contender: &mut Contender<'_>, calls: u32) -> Duration {
    let start = clock();
    for _ in 0..calls {
        contender();
    }
    clock() - start
}

/// How long this thread has been on a processor: on a busy machine the slower contender would
/// otherwise be interrupted more often, and its time be longer than it is.
#[cfg(unix)]
pub(crate) fn clock() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Without such a clock, the time that passes.
#[cfg(not(unix))]
pub(crate) fn clock() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

impl<const N: usize> Turns<N> {
    /// Whether there was no time for more than the least number.
    pub(crate) fn are_few(&self) -> bool {
        self.0.len() <= LEAST_TURNS
    }

    pub(crate) fn seconds(&self, contender: usize) -> Quartiles {
        Quartiles::of(self.0.iter().map(|turn| turn[contender]))
    }

    /// How many times as long as `to` did `of` take, each turn compared with itself?
    pub(crate) fn ratio(&self, of: usize, to: usize) -> Quartiles {
        Quartiles::of(self.0.iter().map(|turn| turn[of] / turn[to]))
    }
}

/// The middle of a sample and how far its middle half reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quartiles {
    pub(crate) lower: f64,
    pub(crate) median: f64,
    pub(crate) upper: f64,
}

impl Quartiles {
    pub(crate) fn of(sample: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = sample.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |quarter: usize| sorted[(sorted.len() - 1) * quarter / 4];
        Self { lower: at(1), median: at(2), upper: at(3) }
    }
}
