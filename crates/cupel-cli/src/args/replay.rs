//! What can be replayed, and how.

use std::path::PathBuf;

use clap::Args;
use cupel_messages::Options;
use cupel_session::Session;

use super::{BudgetArgs, OutputArgs, ProviderArgs};
use crate::tokens::Tokenizer;

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A transcript: a request to a model, its messages, or JSON Lines of requests as they were sent; standard input if -
    /// or not given
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// sliding-window, halve (by age), session, session:HIGH/LOW (other marks), or a policy by the name of its preset or
    /// its file, asked anew every turn; may be repeated, the first is what the others are compared with
    /// [default: sliding-window, halve, session]
    #[arg(long = "strategy", short, value_name = "NAME")]
    pub(crate) strategies: Vec<String>,
    /// Replay under every ready-made policy, too
    #[arg(long)]
    pub(crate) all_policies: bool,
    /// What reading from the cache and writing to it cost, in multiples of a plain token, as 0.1/1.25; the provider's as
    /// of the table unless given
    #[arg(long, value_name = "READ/WRITE", value_parser = prices)]
    pub(crate) prices: Option<(i64, i64)>,
    /// Ignore unknown keys in policy files, with a warning
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Count for a model (gpt-4o) or with a vocabulary (o200k_base) instead of by the request's own model
    #[arg(long, short, value_name = "NAME", help_heading = "Tokens")]
    pub(crate) tokenizer: Option<Tokenizer>,
    #[command(flatten)]
    pub(crate) provider: ProviderArgs,
    /// Keep the first N turns; a turn is a user message and all up to the next one
    #[arg(
        long,
        help_heading = "Requests",
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true
    )]
    keep_first: usize,
    /// Keep the last N turns; of the current one, tool rounds that are over may go
    #[arg(
        long,
        help_heading = "Requests",
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true
    )]
    keep_last: usize,
    /// Keep every message that says this, in whatever case; may be repeated
    #[arg(long, help_heading = "Requests", value_name = "TEXT")]
    pin: Vec<String>,
    /// Keep long tool results whole or not at all
    #[arg(long, help_heading = "Requests")]
    no_shorten: bool,
    /// Print JSON, turn by turn
    #[arg(long)]
    pub(crate) json: bool,
    /// Write one self-contained page with areas and curves to look at in a browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl ReplayArgs {
    /// What stays whatever the strategy.
    pub(crate) fn options(&self) -> Options {
        let mut options =
            Session::default_options().keep_first(self.keep_first).keep_last(self.keep_last);
        for text in &self.pin {
            options = options.pin(text);
        }
        if self.no_shorten { options.shorten(None) } else { options }
    }
}

/// Two multiples, in thousandths.
fn prices(given: &str) -> Result<(i64, i64), String> {
    let expected = || "expected two multiples of a plain token, as 0.1/1.25".to_owned();
    let (read, write) = given.split_once('/').ok_or_else(expected)?;
    let thousandths = |text: &str| {
        let multiple: f64 = text.trim().parse().map_err(|_| expected())?;
        let is_price = (0.0..=1_000.0).contains(&multiple);
        is_price.then_some((multiple * 1_000.0).round() as i64).ok_or_else(expected)
    };
    Ok((thousandths(read)?, thousandths(write)?))
}
