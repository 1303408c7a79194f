//! How far a batch is, for whoever watches.

use std::time::Duration;

use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::render::{count, plural};

/// A line on the terminal that is drawn over and over; nothing elsewhere.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    pub(crate) answered: usize,
    pub(crate) failed: usize,
    /// Why the first one failed that did.
    first_error: Option<String>,
}

impl Progress {
    pub(crate) fn new(total_bytes: Option<u64>) -> Self {
        let total_bytes = total_bytes.filter(|bytes| *bytes > 0);
        // What does not fit into a narrow terminal is cut off from the message.
        let template = match total_bytes {
            Some(_) => "{bar:10} {percent:>3}%  {wide_msg}",
            None => "{wide_msg}",
        };
        let style = ProgressStyle::with_template(template).expect("a template of known keys");
        let bar = ProgressBar::with_draw_target(total_bytes, ProgressDrawTarget::stderr());
        Self { bar: bar.with_style(style), answered: 0, failed: 0, first_error: None }
    }

    /// One more line is answered.
    pub(crate) fn advance(&mut self, bytes: u64, error: Option<String>) {
        self.answered += 1;
        self.failed += usize::from(error.is_some());
        self.first_error = self.first_error.take().or(error);
        self.bar.inc(bytes);
        if !self.bar.is_hidden() {
            self.bar.set_message(self.message());
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// The end, in one line.
    pub(crate) fn summary(&self) -> String {
        let requests = plural(self.answered, "request");
        let seconds = self.bar.elapsed().as_secs_f64();
        match self.failed {
            0 => format!("{requests} answered in {seconds:.1} s"),
            failed => format!("{} of {requests} failed", count(failed)),
        }
    }

    /// Why the first request failed that did: what it was told first.
    pub(crate) fn first_error(&self) -> Option<&str> {
        self.first_error.as_deref()?.lines().next()
    }

    /// The most important first: the end is what a narrow terminal does not show.
    fn message(&self) -> String {
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(", {} failed", count(failed)),
        };
        let left = match self.bar.eta() {
            Duration::ZERO => String::new(),
            left => format!(", {:#} left", HumanDuration(left)),
        };
        let requests = plural(self.answered, "request");
        let speed = DecimalBytes(self.bar.per_sec() as u64);
        let bytes = DecimalBytes(self.bar.position());
        format!("{requests}{failed}{left}, {bytes}, {speed}/s")
    }
}
