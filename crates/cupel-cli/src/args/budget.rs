//! Budgets on the command line.

use clap::{ArgGroup, Args};
use cupel::{ContextBudget, ContextBudgetBuilder, ContextKind, CupelError};

use crate::failure::{Complaint, Failure, Outcome};

const HEADING: &str = "Budget";

/// How much may be selected.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("size").required(true).args(["budget", "max_tokens"]))]
pub(crate) struct BudgetArgs {
    /// The window in tokens; all you need in the common case
    #[arg(long, short, help_heading = HEADING, value_name = "N", value_parser = tokens, allow_negative_numbers = true)]
    budget: Option<i64>,
    /// The model's context window: a hard ceiling
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = tokens, allow_negative_numbers = true)]
    max_tokens: Option<i64>,
    /// What to aim for; all that --output-reserve leaves unless given
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = tokens, requires = "max_tokens",
          conflicts_with = "budget", allow_negative_numbers = true)]
    target_tokens: Option<i64>,
    #[command(flatten)]
    reservations: ReservationArgs,
}

/// What is kept out of a budget.
#[derive(Debug, Args)]
pub(crate) struct ReservationArgs {
    /// Tokens kept free for the model's answer
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = tokens, default_value_t = 0,
          hide_default_value = true, allow_negative_numbers = true)]
    output_reserve: i64,
    /// Tokens kept free for items of a kind that you add later; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "KIND=N", value_parser = reserve)]
    reserve: Vec<(ContextKind, i64)>,
    /// Percentage by which to stay below the budget, for inexact counts
    #[arg(
        long,
        help_heading = HEADING,
        value_name = "PERCENT",
        default_value_t = 0.0,
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    safety_margin: f64,
}

impl BudgetArgs {
    pub(crate) fn to_budget(&self) -> Outcome<ContextBudget> {
        let max_tokens = self.budget.or(self.max_tokens).unwrap_or_default();
        let mut budget = self.reservations.apply(ContextBudget::builder(max_tokens));
        if let Some(tokens) = self.target_tokens {
            budget = budget.target_tokens(tokens);
        }
        let size = if self.budget.is_some() { "--budget" } else { "--max-tokens" };
        budget.build().map_err(|error| refusal(&error, size))
    }
}

impl ReservationArgs {
    /// A budget of that size with these reservations.
    pub(crate) fn to_budget(&self, max_tokens: i64) -> Outcome<ContextBudget> {
        let budget = self.apply(ContextBudget::builder(max_tokens)).build();
        budget.map_err(|error| refusal(&error, "--ceiling"))
    }

    /// What is kept free, all in all.
    pub(crate) fn tokens(&self) -> i128 {
        let slots = self.reserve.iter().map(|(_, tokens)| i128::from(*tokens));
        i128::from(self.output_reserve) + slots.sum::<i128>()
    }

    fn apply(&self, mut budget: ContextBudgetBuilder) -> ContextBudgetBuilder {
        for (kind, tokens) in &self.reserve {
            budget = budget.reserve(kind.clone(), *tokens);
        }
        budget.output_reserve(self.output_reserve).safety_margin_percent(self.safety_margin)
    }
}

/// What is wrong with a budget, in terms of the flags that make it up.
fn refusal(error: &CupelError, size: &str) -> Failure {
    let flags = [
        ("max_tokens", size),
        ("target_tokens", "--target-tokens"),
        ("output_reserve", "--output-reserve"),
        ("estimation_safety_margin_percent", "--safety-margin"),
        ("reserved_slots", "--reserve"),
    ];
    let told = error.to_string();
    let told = flags.iter().fold(told, |told, (field, flag)| told.replace(field, flag));
    let remedy = "change these flags; see Budget in the command's --help";
    Failure::bad_input(Complaint::new(told).remedy(remedy))
}

/// A number of tokens; underscores may separate its digits.
pub(super) fn tokens(text: &str) -> Result<i64, String> {
    text.replace('_', "").parse().map_err(|_| {
        let digits = text.trim_start_matches('-').replace('_', "");
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("at most {} tokens can be counted", i64::MAX)
        } else {
            "write a whole number of tokens, such as 8000 or 8_000".to_owned()
        }
    })
}

fn reserve(text: &str) -> Result<(ContextKind, i64), String> {
    let (kind, count) = text.split_once('=').ok_or("write a kind and a number: Memory=500")?;
    Ok((ContextKind::new(kind).map_err(|error| error.to_string())?, tokens(count)?))
}
