//! The other end: answering the protocol with an engine.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::wire::{PROTOCOL_VERSION, Question, Request, Response, Welcome};
use crate::engine::{Engine, Reply, Unanswered};

/// Answers requests from `input` on `output` until the input ends.
///
/// With standard input and output this makes a program that
/// [`External`](super::External) can ask.
///
/// # Errors
/// When reading or writing fails, or a line is not a request, or one that names items which are not
/// there.
pub fn serve(
    engine: &mut dyn Engine,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    for line in input.lines() {
        let Request { id, question } = serde_json::from_str(&line?)?;
        if let Some(nonsense) = question.nonsense() {
            let message = format!("request {id} makes no sense: {nonsense}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let response = match question {
            Question::Hello(_) => serde_json::to_string(&Welcome {
                id,
                protocol: PROTOCOL_VERSION,
                engine: engine.name(),
            })?,
            Question::Score(task) => response(id, engine.score(&task))?,
            Question::Slice(task) => response(id, engine.slice(&task))?,
            Question::Place(task) => response(id, engine.place(&task))?,
            Question::Run(task) => response(id, engine.run(&task))?,
            Question::MarginalItems(task) => response(id, engine.marginal_items(&task))?,
            Question::FindMinBudget(task) => response(id, engine.find_min_budget(&task))?,
            Question::Sensitivity(task) => response(id, engine.sensitivity(&task))?,
        };
        writeln!(output, "{response}")?;
        output.flush()?;
    }
    Ok(())
}

fn response<T: Serialize>(id: u64, reply: Reply<T>) -> serde_json::Result<String> {
    let empty = Response { id, answers: None, not_supported: None, broken: None };
    let response = match reply {
        Ok(answers) => {
            Response { answers: Some(answers.into_iter().map(Into::into).collect()), ..empty }
        }
        Err(Unanswered::NotSupported(reason)) => Response { not_supported: Some(reason), ..empty },
        Err(Unanswered::Broken(reason)) => Response { broken: Some(reason), ..empty },
    };
    serde_json::to_string(&response)
}
