//! Requests on all cores, responses in order, memory bounded.
//!
//! ```text
//! reader ──jobs──▶ workers ──answer──▶ writer
//!    └────────── whose turn it is ────────▲
//! ```
//!
//! The reader hands every line to the workers and, in the same order, the place where its answer
//! will arrive to the writer. Both queues are short: a slow writer stops the reader, and no more
//! lines are in memory than are being worked on. Rayon's `par_bridge` promises neither the order nor
//! that bound.

mod progress;

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use cupel_policy::{Failure, INVALID_REQUEST, Responder, Response};

pub(crate) use progress::Progress;

use crate::input::{Line, Lines, Text};

/// The answer to one line.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The response on one line.
    pub(crate) json: String,
    /// Why there is no window, if there is none.
    pub(crate) error: Option<String>,
    /// How many bytes the request was.
    pub(crate) bytes: u64,
}

/// Answers in the order of the lines.
#[derive(Debug)]
pub(crate) struct Answers {
    turns: Receiver<io::Result<Receiver<Answer>>>,
}

/// What happens next.
pub(crate) enum Next {
    Answer(Answer),
    /// Nothing is ready; whoever waits for output should get what there is.
    Idle,
    End,
}

struct Job {
    line: Line,
    answer: SyncSender<Answer>,
}

impl Answers {
    /// Starts answering the lines of `input` with `workers` threads.
    ///
    /// The threads end with the input, or when nobody wants the answers any more.
    pub(crate) fn start(
        input: Box<dyn Read + Send>,
        longest: usize,
        responder: Responder,
        workers: usize,
    ) -> Self {
        const AHEAD: usize = 4;
        let (to_workers, jobs) = sync_channel::<Job>(workers);
        let (to_writer, turns) = sync_channel(workers * AHEAD);
        let (jobs, responder) = (Arc::new(Mutex::new(jobs)), Arc::new(responder));
        for _ in 0..workers {
            let (jobs, responder) = (Arc::clone(&jobs), Arc::clone(&responder));
            thread::spawn(move || work(&jobs, &responder));
        }
        thread::spawn(move || read(Lines::new(input, longest), &to_workers, &to_writer));
        Self { turns }
    }

    /// The answer to the next line. `Idle` is said once before waiting.
    pub(crate) fn next(&self, may_wait: bool) -> io::Result<Next> {
        let turn = match self.turns.try_recv() {
            Ok(turn) => Some(turn?),
            Err(TryRecvError::Empty) if !may_wait => return Ok(Next::Idle),
            Err(TryRecvError::Empty) => self.turns.recv().ok().transpose()?,
            Err(TryRecvError::Disconnected) => None,
        };
        let Some(turn) = turn else { return Ok(Next::End) };
        match turn.recv() {
            Ok(answer) => Ok(Next::Answer(answer)),
            Err(_) => Err(io::Error::other("a worker broke down")),
        }
    }
}

fn read(
    mut lines: Lines<Box<dyn Read + Send>>,
    to_workers: &SyncSender<Job>,
    to_writer: &SyncSender<io::Result<Receiver<Answer>>>,
) {
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => return,
            Err(error) => {
                let _ = to_writer.send(Err(error));
                return;
            }
        };
        let (answer, turn) = sync_channel(1);
        if to_writer.send(Ok(turn)).is_err() || to_workers.send(Job { line, answer }).is_err() {
            return;
        }
    }
}

fn work(jobs: &Mutex<Receiver<Job>>, responder: &Responder) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { line, answer }) = job else { return };
        let response = match &line.text {
            Text::Whole(request) => responder.respond_line(line.number, request),
            Text::LongerThan(longest) => too_long(line.number, *longest),
        };
        let error = response.error().map(|error| format!("line {}: {error}", line.number));
        let _ = answer.send(Answer { json: response.to_json(), error, bytes: line.bytes });
    }
}

fn too_long(number: usize, longest: usize) -> Response {
    let message = format!("line {number} is longer than {longest} bytes; raise --max-line");
    Response::Failed { id: None, error: Failure { code: INVALID_REQUEST.to_owned(), message } }
}
