//! Budgets on the command line.

use clap::{ArgGroup, Args};
use cupel::{ContextBudget, ContextBudgetBuilder, ContextKind, CupelError};

use crate::failure::{Complaint, Failure, Outcome};
use crate::render::grouped;

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
        value_parser = percent,
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
        let budget = budget.build().map_err(|error| refusal(&error, size))?;
        refuse_reserving_all(budget, size)
    }
}

impl ReservationArgs {
    /// A budget of that size with these reservations.
    pub(crate) fn to_budget(&self, max_tokens: i64) -> Outcome<ContextBudget> {
        let budget = self.apply(ContextBudget::builder(max_tokens)).build();
        let budget = budget.map_err(|error| refusal(&error, "--ceiling"))?;
        refuse_reserving_all(budget, "--ceiling")
    }

    /// The smallest budget that leaves room for so many tokens.
    pub(crate) fn around(&self, tokens: i64) -> i64 {
        let part = 1.0 - self.safety_margin / 100.0;
        let whole = if part < 1.0 { (tokens as f64 / part).ceil() as i64 } else { tokens };
        i64::try_from(i128::from(whole) + self.tokens()).unwrap_or(i64::MAX)
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

/// Refuses a budget that reservations leave nothing of: its window is always empty, which nobody
/// who reserves a part of it can want.
fn refuse_reserving_all(budget: ContextBudget, size: &str) -> Outcome<ContextBudget> {
    if budget.reserved_slots().is_empty() || budget.unreserved_capacity() >= 0 {
        return Ok(budget);
    }
    let slots: i128 = budget.reserved_slots().values().map(|tokens| i128::from(*tokens)).sum();
    let max = grouped(budget.max_tokens());
    let left = match budget.output_reserve() {
        0 => format!("{size} is {max}"),
        reserve => format!("{size} is {max}, of which --output-reserve keeps {}", grouped(reserve)),
    };
    let problem = format!("--reserve keeps {} tokens free, but {left}", grouped(slots));
    let missing = grouped(-i128::from(budget.unreserved_capacity()));
    let remedy = format!("reserve at least {missing} tokens less, or raise {size}");
    Err(Failure::bad_input(Complaint::new(problem).remedy(remedy)))
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

/// A number of tokens: `8000`, `8_000`, `8k`, `1.5k`, `1m`. A `k` is a thousand, as in the names of
/// models.
pub(crate) fn tokens(text: &str) -> Result<i64, String> {
    let unclear = || "write a whole number of tokens, such as 8000, 8_000, 8k or 1.5m".to_owned();
    let (number, zeros) = match text.strip_suffix(['k', 'K']) {
        Some(thousands) => (thousands, 3),
        None => text.strip_suffix(['m', 'M']).map_or((text, 0), |millions| (millions, 6)),
    };
    let number = number.replace('_', "");
    let (sign, unsigned) = match number.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", number.as_str()),
    };
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) if zeros > 0 && !fraction.is_empty() => (whole, fraction),
        Some(_) => return Err(unclear()),
        None => (unsigned, ""),
    };
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return Err(unclear());
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > zeros {
        return Err(format!("{text} is not a whole number of tokens"));
    }
    format!("{sign}{whole}{fraction:0<zeros$}")
        .parse()
        .map_err(|_| format!("at most {} tokens can be counted", i64::MAX))
}

/// A percentage, with or without its sign.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim_end();
    number.parse().map_err(|_| "write a percentage, such as 10 or 10%".to_owned())
}

fn reserve(text: &str) -> Result<(ContextKind, i64), String> {
    let (kind, count) = text.split_once('=').ok_or("write a kind and a number: Memory=500")?;
    Ok((ContextKind::new(kind).map_err(|error| error.to_string())?, tokens(count)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_and_millions_may_be_abbreviated() {
        let read = [("8000", 8_000), ("8_000", 8_000), ("8k", 8_000), ("8K", 8_000), ("0k", 0)];
        for (text, expected) in read {
            assert_eq!(tokens(text), Ok(expected), "{text}");
        }
        let read = [("1.5k", 1_500), ("1.50k", 1_500), ("0.5M", 500_000), ("1m", 1_000_000)];
        for (text, expected) in read {
            assert_eq!(tokens(text), Ok(expected), "{text}");
        }
        assert_eq!(tokens("-5"), Ok(-5));
        assert_eq!(tokens("-1.5k"), Ok(-1_500));
    }

    #[test]
    fn what_is_no_number_of_tokens_is_refused() {
        for text in ["", "k", "-", "8kk", "8g", "1.5", "1.", "1.k", ".5k", "1e3", "8 k", "+8", "٨"]
        {
            assert!(tokens(text).is_err(), "{text}");
        }
        assert_eq!(tokens("1.0005k").unwrap_err(), "1.0005k is not a whole number of tokens");
        assert!(tokens("99999999999999999999").unwrap_err().starts_with("at most"));
        assert!(tokens("9999999999999999m").unwrap_err().starts_with("at most"));
    }

    #[test]
    fn a_percentage_may_have_its_sign() {
        assert_eq!(
            (percent("10"), percent("10%"), percent("2.5 %")),
            (Ok(10.0), Ok(10.0), Ok(2.5))
        );
        assert!(percent("%").is_err() && percent("ten").is_err());
    }
}
