//! The command `cupel`: arguments become a plan, the plan runs, the result is rendered.
//!
//! [`run`] is the command, for programs that bring it along; [`Responders`] answers single lines of a batch as it does,
//! [`RowCommand`] measures or replays row by row; [`parts`] is what else bindings share with it.
//!
//! ```
//! assert_eq!(cupel_cli::run(["cupel", "presets", "--help"]), 0);
//! ```

mod advice;
mod args;
mod batch;
mod breakdown;
mod command;
mod evaluation;
mod failure;
mod html;
mod input;
mod messages;
mod output;
mod parallel;
pub mod parts;
mod plan;
mod remedies;
mod render;
mod replayed;
mod rows;
mod tokens;
mod verdict;

use std::ffi::OsString;

use clap::Parser;

pub use batch::Responders;
pub use rows::{Refusal, RowCommand};

/// Does what the arguments ask for, the first of which is the command's own name, and gives the exit code.
pub fn run<A: Into<OsString> + Clone>(args: impl IntoIterator<Item = A>) -> u8 {
    let cli = match args::Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(told) => {
            // Help and complaints alike; if nobody reads them, there is nobody to tell.
            let _ = told.print();
            return u8::try_from(told.exit_code()).unwrap_or(u8::MAX);
        }
    };
    render::choose_colors(cli.color);
    failure::be_quiet(cli.quiet);
    match command::run(&cli) {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}
