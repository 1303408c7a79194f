//! How far a batch is, for whoever watches.

use std::time::{Duration, Instant};

use crate::failure::watched;
use crate::render::{count, plural};

/// A line on the terminal that is drawn over and over; nothing elsewhere.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: bool,
    total_bytes: Option<u64>,
    bytes: u64,
    started: Instant,
    drawn: Option<Instant>,
    pub(crate) answered: usize,
    pub(crate) failed: usize,
}

impl Progress {
    pub(crate) fn new(total_bytes: Option<u64>) -> Self {
        Self {
            shown: watched(),
            total_bytes: total_bytes.filter(|bytes| *bytes > 0),
            bytes: 0,
            started: Instant::now(),
            drawn: None,
            answered: 0,
            failed: 0,
        }
    }

    /// One more line is answered.
    pub(crate) fn advance(&mut self, bytes: u64, failed: bool) {
        const OFTEN_ENOUGH: Duration = Duration::from_millis(100);
        self.bytes += bytes;
        self.answered += 1;
        self.failed += usize::from(failed);
        let due = self.drawn.unwrap_or(self.started).elapsed() >= OFTEN_ENOUGH;
        if self.shown && due {
            self.drawn = Some(Instant::now());
            anstream::eprint!("\r{}\x1b[K", self.line());
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if self.drawn.is_some() {
            anstream::eprint!("\r\x1b[K");
        }
    }

    /// The end, in one line.
    pub(crate) fn summary(&self) -> String {
        let requests = plural(self.answered, "request");
        let seconds = self.started.elapsed().as_secs_f64();
        match self.failed {
            0 => format!("{requests} answered in {seconds:.1} s"),
            failed => format!("{} of {requests} failed", count(failed)),
        }
    }

    fn line(&self) -> String {
        const CELLS: u64 = 30;
        let seconds = self.started.elapsed().as_secs_f64();
        let speed = self.bytes as f64 / 1e6 / seconds.max(1e-9);
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(", {} failed", count(failed)),
        };
        let told = format!("{}{failed}, {speed:.1} MB/s", plural(self.answered, "request"));
        match self.total_bytes {
            None => told,
            Some(total) => {
                let share = |of: u64| of.saturating_mul(self.bytes.min(total)) / total;
                let full = share(CELLS) as usize;
                let empty = CELLS as usize - full;
                format!("{}{} {:>3}%  {told}", "█".repeat(full), "░".repeat(empty), share(100))
            }
        }
    }
}
