//! A command over rows that a program has, instead of a file: what it says of each, as JSON.

use std::ffi::OsString;

use clap::Parser;
use serde_json::{Value, json};

use crate::args::{Cli, Command};
use crate::command::eval::Evaluator;
use crate::command::replay::Replayer;
use crate::failure::{Failure, Outcome};
use crate::input::Source;
use crate::output::{questions_json, replay_json};
use crate::parts::in_words;

/// `cupel eval` or `cupel replay`, asked once and answering for each of many rows.
///
/// ```
/// use cupel_cli::RowCommand;
///
/// let replay = RowCommand::new(["replay", "--budget", "8k", "--strategy", "session"])?;
/// let told = replay.answer(r#"[{"role": "user", "content": "Hello!"}]"#)?;
/// assert!(told.contains(r#""strategy":"session""#));
/// assert!(replay.answer("[").unwrap_err().message.starts_with("row:1:"));
/// # Ok::<(), cupel_cli::Refusal>(())
/// ```
#[derive(Debug)]
pub struct RowCommand(Asked);

#[derive(Debug)]
enum Asked {
    Eval(Evaluator),
    Replay(Box<Replayer>),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `InvalidRequest` if the arguments or the row make no sense, `Failed` if they do but the work failed.
    pub code: &'static str,
    /// What is wrong, and where.
    pub message: String,
}

impl RowCommand {
    /// The command with these arguments, its name first; files and outputs among them have no effect.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn new<A: Into<OsString> + Clone>(
        args: impl IntoIterator<Item = A>,
    ) -> Result<Self, Refusal> {
        let args = std::iter::once(OsString::from("cupel")).chain(args.into_iter().map(Into::into));
        let cli = Cli::try_parse_from(args)
            .map_err(|told| Refusal { code: INVALID, message: told.to_string() })?;
        match &cli.command {
            Command::Eval(args) => Ok(Self(Asked::Eval(Evaluator::new(args)?))),
            Command::Replay(args) => Ok(Self(Asked::Replay(Box::new(Replayer::new(args)?)))),
            _ => {
                let message = "only eval and replay answer row by row".to_owned();
                Err(Refusal { code: INVALID, message })
            }
        }
    }

    /// What the command says of a row with `--json`; of `eval` what it says of the questions.
    ///
    /// # Errors
    /// What is wrong with the row, or the work that failed.
    pub fn answer(&self, row: impl Into<String>) -> Result<String, Refusal> {
        Ok(self.told(&Source::Text("row", row.into()))?.to_string())
    }

    fn told(&self, row: &Source) -> Outcome<Value> {
        match &self.0 {
            Asked::Eval(evaluator) => {
                let (set, recalls) = evaluator.measure(row)?;
                Ok(json!({ "questions": questions_json(&set, &recalls) }))
            }
            Asked::Replay(replayer) => Ok(replay_json(&replayer.replay(row)?)),
        }
    }
}

const INVALID: &str = "InvalidRequest";

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let code = if matches!(failure, Failure::BadInput(_)) { INVALID } else { "Failed" };
        Self { code, message: in_words(failure) }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
