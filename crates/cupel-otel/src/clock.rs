//! The times a run's spans carry.

use std::time::{Instant, SystemTime};

/// Tells the time of day, as read once, moved on by a steady clock.
///
/// The system's clock may be set while a run is under way. Spans timed by it could then end before
/// they start, or a stage lie outside its run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    wall: SystemTime,
    steady: Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { wall: SystemTime::now(), steady: Instant::now() }
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.wall + self.steady.elapsed()
    }
}
