//! Requests on all cores, responses in order, memory bounded.
//!
//! ```text
//! reader ──jobs──▶ workers ──answer──▶ writer
//!    └────────── whose turn it is ────────▲
//! ```
//!
//! The reader hands some lines at a time to a worker and, in the same order, the place where their
//! answers will arrive to the writer. Both queues are short: a slow writer stops the reader, and no
//! more lines are in memory than are being worked on. Rayon's `par_bridge` promises neither the order
//! nor that bound.

mod progress;

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{thread, vec};

use cupel::Query;
use cupel_policy::{Failure, INVALID_REQUEST, Loader, Responder, Response};
use cupel_tokens::UnknownName;

pub(crate) use progress::Progress;

use crate::input::{Line, Lines, Text};
use crate::messages::{MessageResponder, item_turn};
use crate::tokens::Tokenizer;

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
    turns: Receiver<Turn>,
    /// Those of the turn that has come.
    ready: vec::IntoIter<Answer>,
}

/// Where the answers to some lines will arrive, or why there are no more lines.
type Turn = io::Result<Receiver<Vec<Answer>>>;

/// What happens next.
pub(crate) enum Next {
    Answer(Answer),
    /// Nothing is ready; whoever waits for output should get what there is.
    Idle,
    End,
}

/// Who answers lines of a batch: those with items, and those with messages.
///
/// ```
/// use cupel_cli::Responders;
/// use cupel_policy::Loader;
///
/// let responders = Responders::new(Loader::new(), None, false, None);
/// let line = br#"{"items": [{"content": "hello", "tokens": 2}], "budget": {"maxTokens": 9}, "policy": "chat"}"#;
/// let (json, error) = responders.respond(1, line);
/// assert!(json.starts_with(r#"{"items":[{"content":"hello""#) && error.is_none());
/// ```
#[derive(Debug)]
pub struct Responders {
    items: Responder,
    messages: MessageResponder,
}

struct Job {
    lines: Vec<Line>,
    answers: SyncSender<Vec<Answer>>,
}

impl Answers {
    /// Starts answering the lines of `input` with `workers` threads.
    ///
    /// The threads end with the input, or when nobody wants the answers any more.
    pub(crate) fn start(
        input: Box<dyn Read + Send>,
        longest: usize,
        responders: Responders,
        workers: usize,
    ) -> Self {
        const AHEAD: usize = 4;
        let (to_workers, jobs) = sync_channel::<Job>(workers);
        let (to_writer, turns) = sync_channel(workers * AHEAD);
        let (jobs, responders) = (Arc::new(Mutex::new(jobs)), Arc::new(responders));
        for _ in 0..workers {
            let (jobs, responders) = (Arc::clone(&jobs), Arc::clone(&responders));
            thread::spawn(move || work(&jobs, &responders));
        }
        let lines = Lines::new(input, longest);
        thread::spawn(move || read(lines, workers, &to_workers, &to_writer));
        Self { turns, ready: Vec::new().into_iter() }
    }

    /// The answer to the next line. `Idle` is said once before waiting.
    pub(crate) fn next(&mut self, may_wait: bool) -> io::Result<Next> {
        if let Some(answer) = self.ready.next() {
            return Ok(Next::Answer(answer));
        }
        let turn = match self.turns.try_recv() {
            Ok(turn) => turn?,
            Err(TryRecvError::Empty) if !may_wait => return Ok(Next::Idle),
            Err(TryRecvError::Empty) => match self.turns.recv() {
                Ok(turn) => turn?,
                Err(_) => return Ok(Next::End),
            },
            Err(TryRecvError::Disconnected) => return Ok(Next::End),
        };
        self.ready = turn.recv().unwrap_or_default().into_iter();
        // A turn has one line at least, and an answer to each.
        let broken = || io::Error::other("a worker broke down");
        self.ready.next().map(Next::Answer).ok_or_else(broken)
    }
}

fn read(
    mut lines: Lines<Box<dyn Read + Send>>,
    workers: usize,
    to_workers: &SyncSender<Job>,
    to_writer: &SyncSender<Turn>,
) {
    // Waking a worker for a small line costs as much as answering it (the bench `batch`). The first are
    // dealt out one by one all the same: where there are few, each may be much work.
    const MOST: usize = 32;
    for turn in 0.. {
        let (some, end) = some_lines(&mut lines, MOST.min(turn / workers + 1));
        if !some.is_empty() {
            let (answers, to_come) = sync_channel(1);
            let job = Job { lines: some, answers };
            if to_writer.send(Ok(to_come)).is_err() || to_workers.send(job).is_err() {
                return;
            }
        }
        match end {
            None => {}
            Some(Ok(())) => return,
            Some(Err(error)) => {
                let _ = to_writer.send(Err(error));
                return;
            }
        }
    }
}

/// The next line, and others behind it that have been read ahead, `most` in all: whoever waits for an
/// answer before asking on is not kept waiting. Then the end, if that is what came.
fn some_lines(
    lines: &mut Lines<Box<dyn Read + Send>>,
    most: usize,
) -> (Vec<Line>, Option<io::Result<()>>) {
    let mut some = Vec::with_capacity(most);
    loop {
        match lines.next() {
            Ok(Some(line)) => some.push(line),
            Ok(None) => return (some, Some(Ok(()))),
            Err(error) => return (some, Some(Err(error))),
        }
        if some.len() == most || !lines.buffered().contains(&b'\n') {
            return (some, None);
        }
    }
}

fn work(jobs: &Mutex<Receiver<Job>>, responders: &Responders) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { lines, answers }) = job else { return };
        let _ = answers.send(lines.iter().map(|line| answer(line, responders)).collect());
    }
}

fn answer(line: &Line, responders: &Responders) -> Answer {
    let (json, error) = match &line.text {
        Text::Whole(request) => responders.respond(line.number, request),
        Text::LongerThan(longest) => told(&too_long(line.number, *longest)),
    };
    let error = error.map(|error| format!("line {}: {error}", line.number));
    Answer { json, error, bytes: line.bytes }
}

impl Responders {
    /// Loads policies with `loader`, counts with `tokenizer` and answers `query` where a line does not say otherwise, and
    /// tells how long stages took if `timings`.
    pub fn new(
        loader: Loader,
        tokenizer: Option<cupel_tokens::Tokenizer>,
        timings: bool,
        query: Option<&str>,
    ) -> Self {
        let tokenizer = tokenizer.map(Tokenizer::from);
        let mut items = Responder::new()
            .loader(loader.clone())
            .timings(timings)
            .pass_through(true)
            .sessions(item_turn)
            .count_with(tokenizer.map(Tokenizer::key).as_deref(), count);
        if let Some(query) = query {
            items = items.query(query);
        }
        let query = query.map(Query::new);
        Self { items, messages: MessageResponder { loader, tokenizer, timings, query } }
    }

    /// The answer to a line, and what was wrong with it, if something was.
    pub fn respond(&self, number: usize, line: &[u8]) -> (String, Option<String>) {
        match self.messages.respond(number, line) {
            Some(Ok(json)) => (json, None),
            Some(Err(response)) => told(&response),
            None => told(&self.items.respond_line(number, line)),
        }
    }
}

/// How many tokens each content is, for the model or with the vocabulary of that name.
fn count(name: &str, contents: &[&str]) -> Result<Vec<i64>, String> {
    let tokenizer: Tokenizer = name.parse().map_err(|unknown: UnknownName| unknown.to_string())?;
    Ok(contents.iter().map(|content| tokenizer.count(content)).collect())
}

fn told(response: &Response) -> (String, Option<String>) {
    (response.to_json(), response.error().map(ToString::to_string))
}

fn too_long(number: usize, longest: usize) -> Response {
    let message = format!("line {number} is longer than {longest} bytes; raise --max-line");
    Response::Failed { id: None, error: Failure { code: INVALID_REQUEST.to_owned(), message } }
}
