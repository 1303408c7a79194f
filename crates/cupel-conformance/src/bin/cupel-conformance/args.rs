//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use cupel_conformance::Level;
use cupel_conformance::external::DEFAULT_TIMEOUT;
use lexopt::prelude::*;

pub(crate) const HELP: &str = "\
Checks an implementation of Cupel against conformance vectors.

Usage: cupel-conformance [OPTIONS] [FOLDER]...

Runs every vector (*.toml) below the folders given, or the built-in ones if none is, and closes with
a line \"N passed, M failed, K skipped\".

Options:
      --level LEVEL          Run vectors up to this level: required, optional or extended (default).
                             Vectors outside of folders so named always run.
      --filter TEXT          Run only vectors whose path or name contains TEXT, in any case.
      --list                 Name the vectors instead of running them: level, path, name.
      --json                 Report as one JSON document.
      --engine-command CMD   Check the program that CMD starts instead of the built-in engine. It is
                             asked in JSON Lines, see PROTOCOL.md. CMD is split as a shell would,
                             but no shell is involved.
      --timeout SECONDS      How long that program has for an answer (default 10).
  -h, --help                 Show this.
  -V, --version              Show the version.

Exit status: 0 if nothing failed, 1 if a vector failed, 2 if the arguments or a folder are unusable.

Examples:
  cupel-conformance
  cupel-conformance --level optional conformance
  cupel-conformance --engine-command 'node adapter.js' --filter knapsack
";

#[derive(Debug)]
pub(crate) struct Args {
    pub(crate) command: Command,
    pub(crate) options: Options,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Run,
    List,
    Help,
    Version,
}

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) level: Level,
    pub(crate) filter: Option<String>,
    pub(crate) json: bool,
    pub(crate) engine_command: Option<Vec<String>>,
    pub(crate) timeout: Duration,
}

impl Args {
    /// Reads the arguments, of which the first is the program's name.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut parser = lexopt::Parser::from_iter(arguments);
        let read = Self::read(&mut parser);
        read.map_err(|error| format!("{error}\nTry 'cupel-conformance --help'."))
    }

    fn read(parser: &mut lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut command = Command::Run;
        let mut options = Options {
            folders: Vec::new(),
            level: Level::Extended,
            filter: None,
            json: false,
            engine_command: None,
            timeout: DEFAULT_TIMEOUT,
        };
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => command = Command::Help,
                Short('V') | Long("version") => command = Command::Version,
                Long("list") if command == Command::Run => command = Command::List,
                Long("list") => {}
                Long("json") => options.json = true,
                Long("level") => options.level = parser.value()?.parse()?,
                Long("filter") => options.filter = Some(parser.value()?.string()?),
                Long("timeout") => options.timeout = parser.value()?.parse_with(seconds)?,
                Long("engine-command") => {
                    options.engine_command = Some(parser.value()?.parse_with(words)?);
                }
                Value(folder) => options.folders.push(folder.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Self { command, options })
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| format!("{text:?} is not a number of seconds"))?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(format!("a timeout of {text} seconds is not possible")),
    }
}

fn words(text: &str) -> Result<Vec<String>, String> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(words),
        Some(_) => Err("the command is empty".to_owned()),
        None => Err(format!("a quote is not closed in {text:?}")),
    }
}
