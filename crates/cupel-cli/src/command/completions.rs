//! `cupel completions`: scripts that let a shell finish what you type.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::failure::Outcome;
use crate::output::Sink;

pub(crate) fn run(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cupel", &mut script);
    let mut out = Sink::open(None)?;
    out.write_all(&script)?;
    out.finish()
}
