//! The command `cupel`: arguments become a plan, the plan runs, the result is rendered.

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
mod plan;
mod remedies;
mod render;
mod replayed;
mod tokens;
mod verdict;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    render::choose_colors(cli.color);
    failure::be_quiet(cli.quiet);
    match command::run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
