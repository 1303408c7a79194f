//! An engine in another program, in any language.
//!
//! The program reads one JSON request per line from its standard input and writes one JSON response
//! per line to its standard output; `PROTOCOL.md` beside this crate's manifest describes both.
//! [`External`] is the asking end, [`serve`] the answering one.
//!
//! A program that does not answer in time, ends, or answers something else fails the vector at hand
//! and is started anew for the next one.

mod process;
mod serve;
mod wire;

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::engine::{
    Answer, Engine, Marginal, MarginalItemsTask, MinBudget, MinBudgetTask, PlaceTask, Placed, Ran,
    Reply, RunTask, ScoreTask, Scores, Selected, Sensitivity, SensitivityTask, SliceTask,
    Unanswered,
};
use process::{Process, Silence};
pub use serve::serve;
pub use wire::PROTOCOL_VERSION;
use wire::{Hello, Question, Request, Response, Welcome};

/// How long a program has for an answer, unless told otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// After so many timeouts in a row the program is not asked any more.
const MOST_TIMEOUTS: u32 = 3;

/// An engine in another program.
#[derive(Debug)]
pub struct External {
    command: Vec<String>,
    timeout: Duration,
    name: String,
    /// `None` after a breakdown, until the next question.
    process: Option<Process>,
    asked: u64,
    /// Greetings answered in between do not count.
    timeouts_in_a_row: u32,
}

impl External {
    /// Starts a program, given with its arguments, and greets it.
    ///
    /// # Errors
    /// When it cannot be started, does not answer, or speaks another version of the protocol.
    pub fn start(command: Vec<String>, timeout: Duration) -> Result<Self, String> {
        let mut engine = Self {
            name: command.join(" "),
            command,
            timeout,
            process: None,
            asked: 0,
            timeouts_in_a_row: 0,
        };
        engine.name = engine.greet()?.engine;
        Ok(engine)
    }

    /// Starts the program and makes sure that it understands.
    fn greet(&mut self) -> Result<Welcome, String> {
        let command = self.command.join(" ");
        let process = Process::start(&self.command);
        let process = process.map_err(|error| format!("{command} cannot be started: {error}"))?;
        self.process = Some(process);
        let hello = Question::Hello(Hello { protocol: PROTOCOL_VERSION });
        let welcome: Welcome = self.exchange(hello, |it: &Welcome| it.id)?;
        if welcome.protocol != PROTOCOL_VERSION {
            self.process = None;
            return Err(format!(
                "{command} speaks version {} of the protocol, not {PROTOCOL_VERSION}",
                welcome.protocol
            ));
        }
        Ok(welcome)
    }

    fn ask<T: DeserializeOwned>(&mut self, question: Question) -> Reply<T> {
        if self.timeouts_in_a_row >= MOST_TIMEOUTS {
            return Err(Unanswered::Broken(format!(
                "not asked: the program let {MOST_TIMEOUTS} questions in a row time out"
            )));
        }
        if self.process.is_none() {
            self.greet().map_err(Unanswered::Broken)?;
        }
        let id = |response: &Response<T>| response.id;
        let response = self.exchange(question, id).map_err(Unanswered::Broken)?;
        self.timeouts_in_a_row = 0;
        match response {
            Response { answers: Some(answers), not_supported: None, broken: None, .. } => {
                let answers = answers.into_iter().map(Answer::try_from);
                answers.collect::<Result<_, _>>().map_err(Unanswered::Broken)
            }
            Response { answers: None, not_supported: Some(reason), broken: None, .. } => {
                Err(Unanswered::NotSupported(reason))
            }
            Response { answers: None, not_supported: None, broken: Some(reason), .. } => {
                Err(Unanswered::Broken(reason))
            }
            _ => Err(Unanswered::Broken(
                "the response must have one of answers, not_supported and broken".to_owned(),
            )),
        }
    }

    /// One request, one response. On any breakdown the program is dropped.
    fn exchange<R: DeserializeOwned>(
        &mut self,
        question: Question,
        id_of: impl FnOnce(&R) -> u64,
    ) -> Result<R, String> {
        let Some(mut process) = self.process.take() else {
            return Err("the program is not running".to_owned());
        };
        let id = self.asked;
        self.asked += 1;
        let request = line(&Request { id, question })?;
        let line = match process.ask(request, self.timeout) {
            Ok(line) => line,
            Err(silence) => return Err(self.describe(silence)),
        };
        let response: R = serde_json::from_str(&line)
            .map_err(|error| format!("the program's answer is wrong: {error}\n{}", start(&line)))?;
        let answered = id_of(&response);
        if answered != id {
            return Err(format!("the program answered request {answered} when asked {id}"));
        }
        self.process = Some(process);
        Ok(response)
    }

    fn describe(&mut self, silence: Silence) -> String {
        match silence {
            Silence::TimedOut => {
                self.timeouts_in_a_row += 1;
                format!("the program did not answer within {:?}", self.timeout)
            }
            Silence::Ended(status) => format!("the program ended without an answer: {status}"),
            Silence::Unreadable(error) => format!("the program's output is unreadable: {error}"),
        }
    }
}

fn line(request: &impl Serialize) -> Result<String, String> {
    let mut line = serde_json::to_string(request).map_err(|error| error.to_string())?;
    line.push('\n');
    Ok(line)
}

/// The beginning of a line, short enough for a message.
fn start(line: &str) -> String {
    const SHOWN: usize = 200;
    match line.char_indices().nth(SHOWN) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

impl Engine for External {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn score(&mut self, task: &ScoreTask) -> Reply<Scores> {
        self.ask(Question::Score(task.clone()))
    }

    fn slice(&mut self, task: &SliceTask) -> Reply<Selected> {
        self.ask(Question::Slice(task.clone()))
    }

    fn place(&mut self, task: &PlaceTask) -> Reply<Placed> {
        self.ask(Question::Place(task.clone()))
    }

    fn run(&mut self, task: &RunTask) -> Reply<Ran> {
        self.ask(Question::Run(task.clone()))
    }

    fn marginal_items(&mut self, task: &MarginalItemsTask) -> Reply<Marginal> {
        self.ask(Question::MarginalItems(task.clone()))
    }

    fn find_min_budget(&mut self, task: &MinBudgetTask) -> Reply<MinBudget> {
        self.ask(Question::FindMinBudget(task.clone()))
    }

    fn sensitivity(&mut self, task: &SensitivityTask) -> Reply<Sensitivity> {
        self.ask(Question::Sensitivity(task.clone()))
    }
}
