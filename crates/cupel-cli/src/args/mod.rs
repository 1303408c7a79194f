//! What can be said on the command line.

mod budget;
mod eval;
mod examples;
mod messages;
mod replay;
mod shared;

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Effects, Styles};
use clap::{ArgGroup, Args, ColorChoice, Parser, Subcommand};

pub(crate) use budget::{BudgetArgs, ReservationArgs, tokens};
pub(crate) use eval::EvalArgs;
pub(crate) use messages::{MessageArgs, ProviderArgs};
pub(crate) use replay::ReplayArgs;
pub(crate) use shared::{InputArgs, OutputArgs, PolicyArgs};

use crate::input::LONGEST_LINE;
use crate::output::Format;
use crate::tokens::Tokenizer;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Cyan.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());

/// Decides what goes into a language model's context window, and says why.
///
/// Give it a request to a model (OpenAI, Anthropic, Gemini) and a budget in tokens; it gives back
/// the same request, smaller, and valid. Or give it candidates of your own (messages, documents, tool
/// outputs, memories) as a JSON array or JSON Lines; it gives back the window. The same input gives
/// the same window, always.
#[derive(Debug, Parser)]
#[command(name = "cupel", version, styles = STYLES, max_term_width = 100, after_help = format!("{}\n{}", examples::ALL, examples::EXIT_CODES))]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto, display_order = 900)]
    pub(crate) color: ColorChoice,

    /// Say nothing on standard error but errors: no warnings, no summaries
    #[arg(long, short, global = true, display_order = 901)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Select a window: a request in, the same request out, smaller; or candidates in, the chosen out
    ///
    /// Of a request, system instructions, tools and the current turn stay, calls and their results stay
    /// together, long results have shorter forms; what is left is as you wrote it.
    ///
    /// The policy gives every candidate a score. Unless it says otherwise, the best score per token
    /// goes in first, until nothing more fits; pinned items are always in.
    #[command(after_help = examples::SELECT)]
    Select(SelectArgs),
    /// Show the window and why everything else was left out
    ///
    /// Unless the policy says otherwise, the best score per token goes in first: "per 1k" is the
    /// score per thousand tokens, "room" what was left when an item's turn came.
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Show where policies disagree
    #[command(after_help = examples::COMPARE)]
    Compare(CompareArgs),
    /// Measure whether windows hold what answers need: evidence recall at several budgets
    ///
    /// A set is JSON Lines of pools of candidates and of questions that name their evidence; docs/quality.md shows how to
    /// write one. Recall is the share of the evidence that is in the window. Differences are told from the first policy,
    /// question by question.
    #[command(after_help = examples::EVAL)]
    Eval(EvalArgs),
    /// Replay a conversation turn by turn: what would it have cost, and what would have been kept?
    ///
    /// Every strategy gets the same requests within the same budget, and is billed as the provider bills a prompt cache:
    /// little for the beginning it has seen in the request before, more for what it must store anew. Evidence kept is the
    /// share of tool results that a later step of the model uses and that were still in its request.
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),
    /// List the items that a smaller budget would lose or shorten
    #[command(after_help = examples::MARGINAL)]
    Marginal(MarginalArgs),
    /// Find the smallest budget that lets an item in
    #[command(after_help = examples::MIN_BUDGET)]
    MinBudget(MinBudgetArgs),
    /// Answer requests, one per line, on all cores
    #[command(after_help = examples::BATCH)]
    Batch(BatchArgs),
    /// Check a request: would its provider take it?
    ///
    /// Prints what is wrong: where, which rule, and what the provider would say. Exit code 0 if
    /// nothing is, 1 if something is, 2 if it is no request.
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Count the tokens of a request, part by part; of items, or of plain text
    #[command(after_help = examples::COUNT)]
    Count(CountArgs),
    /// List the ready-made policies, or print one as a file to start from
    #[command(after_help = examples::PRESETS)]
    Presets(PresetsArgs),
    /// Print the JSON Schema of a format
    #[command(after_help = examples::SCHEMA)]
    Schema(SchemaArgs),
    /// Check this program against the specification's test vectors
    #[command(after_help = examples::CONFORMANCE)]
    Conformance(ConformanceArgs),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual, or write it page by page into a folder
    #[command(hide = true)]
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// How to print the window
    #[arg(long, short, value_name = "FORMAT", default_value = "jsonl")]
    pub(crate) format: Format,
    /// With a stream policy, read on when the window is full: pinned items may still come
    #[arg(long)]
    pub(crate) to_end: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Show all rows of long tables
    #[arg(long)]
    pub(crate) all: bool,
    /// Show what each scorer adds to a score; JSON always does
    #[arg(long)]
    pub(crate) scores: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write one self-contained page to look at in a browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Say 0 for how long stages took, so that equal runs print equal reports
    #[arg(long, requires = "json")]
    pub(crate) no_timings: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// A policy file or the name of a preset; at least two
    #[arg(long = "policy", short, value_name = "FILE|PRESET", required = true)]
    pub(crate) policies: Vec<String>,
    /// Ignore unknown keys in policy files, with a warning
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MarginalArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// By how many tokens the budget would shrink
    #[arg(long, value_name = "N", value_parser = budget::tokens, allow_negative_numbers = true)]
    pub(crate) slack: i64,
    /// How to print the lost items; a table unless given
    #[arg(long, short, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true).args(["item", "matching"]))]
pub(crate) struct MinBudgetArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Which item, by its number in the input, counted from 1
    #[arg(long, value_name = "N")]
    pub(crate) item: Option<usize>,
    /// Which item, by a text that only its content contains
    #[arg(long = "match", id = "matching", value_name = "TEXT")]
    pub(crate) matching: Option<String>,
    /// Ask for the item whole; without it, any of its forms will do
    #[arg(long)]
    pub(crate) whole: bool,
    /// The largest budget to try; plenty for all candidates unless given
    #[arg(long, value_name = "N", value_parser = budget::tokens)]
    pub(crate) ceiling: Option<i64>,
    #[command(flatten)]
    pub(crate) reservations: ReservationArgs,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// Requests as JSON Lines; standard input if - or not given
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Count the tokens of items that have no count, unless a request says with what ("count")
    #[arg(long, short, value_name = "NAME", help_heading = "Tokens")]
    pub(crate) tokenizer: Option<Tokenizer>,
    /// What windows are to answer where a request has no "query"; @FILE reads it from a file
    #[arg(long, value_name = "TEXT", value_parser = shared::query)]
    pub(crate) query: Option<String>,
    /// Say 0 for how long stages took, so that equal requests have equal responses
    #[arg(long)]
    pub(crate) no_timings: bool,
    /// Ignore unknown keys in policies
    #[arg(long)]
    pub(crate) lenient: bool,
    /// The longest request, in bytes; a longer one is an error on its line
    #[arg(long, value_name = "BYTES", default_value_t = LONGEST_LINE)]
    pub(crate) max_line: usize,
    /// How many requests to work on at once; all cores unless given
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZero<usize>>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A request to a model, or its messages; standard input if - or not given
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) provider: ProviderArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    /// A request, or items as a JSON array or JSON Lines; standard input if - or not given
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The model to count for, or a vocabulary; the request's model, or o200k_base unless given
    #[arg(long, short, value_name = "NAME")]
    pub(crate) tokenizer: Option<Tokenizer>,
    #[command(flatten)]
    pub(crate) provider: ProviderArgs,
    /// Print the table of a request as JSON
    #[arg(long, conflicts_with_all = ["text", "fill", "recount"])]
    pub(crate) json: bool,
    /// Take the input as one plain text and print only its count
    #[arg(long, conflicts_with_all = ["fill", "recount"])]
    pub(crate) text: bool,
    /// Print the items as JSON Lines, each with its count
    #[arg(long)]
    pub(crate) fill: bool,
    /// Count items that have a count already
    #[arg(long)]
    pub(crate) recount: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PresetsArgs {
    /// Which preset to print as a policy file
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// item, budget, policy, request, response, report or batch; lists them unless given
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ConformanceArgs {
    /// A folder of vectors, or one vector; the built-in suite unless given
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder to write cupel.1 and a page per command to; created if it is missing
    pub(crate) folder: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
