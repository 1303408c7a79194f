//! One file per command: from its arguments to its result.

mod batch;
mod check;
mod compare;
mod completions;
mod conformance;
mod count;
pub(crate) mod eval;
pub(crate) mod explain;
mod man;
mod marginal;
mod min_budget;
mod presets;
pub(crate) mod replay;
mod schema;
mod select;

use crate::args::{Cli, Command};
use crate::failure::Outcome;

/// Does what was asked.
pub(crate) fn run(cli: &Cli) -> Outcome {
    match &cli.command {
        Command::Select(args) => select::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Marginal(args) => marginal::run(args),
        Command::MinBudget(args) => min_budget::run(args),
        Command::Batch(args) => batch::run(args),
        Command::Check(args) => check::run(args),
        Command::Count(args) => count::run(args),
        Command::Presets(args) => presets::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Conformance(args) => conformance::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}
