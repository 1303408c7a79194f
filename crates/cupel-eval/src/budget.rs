//! Budgets to measure at.

use std::fmt;
use std::str::FromStr;

use cupel::ContextItem;

/// How large a window is: so many tokens, or a share of what there is to choose from.
///
/// ```
/// use cupel_eval::Size;
///
/// let sizes: Vec<Size> = ["500", "8k", "12.5%"].map(|it| it.parse().unwrap()).to_vec();
/// assert_eq!(sizes[1], Size::Tokens(8_000));
/// assert_eq!(sizes[2].to_string(), "12.5%");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Size {
    /// So many tokens.
    Tokens(i64),
    /// So many thousandths of the tokens of all candidates.
    Thousandths(u32),
}

impl Size {
    /// The budgets that are measured at unless others are asked for.
    pub const USUAL: [Self; 5] = [
        Self::Tokens(500),
        Self::Tokens(1_000),
        Self::Tokens(2_000),
        Self::Tokens(4_000),
        Self::Tokens(8_000),
    ];

    /// How many tokens that is for these candidates.
    pub fn tokens(self, candidates: &[ContextItem]) -> i64 {
        match self {
            Self::Tokens(tokens) => tokens,
            Self::Thousandths(share) => {
                let all: i128 =
                    candidates.iter().map(|item| i128::from(item.tokens().max(0))).sum();
                i64::try_from(all * i128::from(share) / 1000).unwrap_or(i64::MAX)
            }
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens(tokens) => write!(f, "{tokens}"),
            Self::Thousandths(share) => match (share / 10, share % 10) {
                (whole, 0) => write!(f, "{whole}%"),
                (whole, tenth) => write!(f, "{whole}.{tenth}%"),
            },
        }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unclear = || {
            format!(
                "{text:?} is no budget; write tokens, such as 2000 or 8k, or a share of the candidates, such as 25%"
            )
        };
        if let Some(percent) = text.strip_suffix('%') {
            let (whole, tenth) = percent.split_once('.').unwrap_or((percent, "0"));
            let whole: u32 = digits(whole).ok_or_else(unclear)?;
            let tenth = digits(tenth).filter(|it| *it < 10).ok_or_else(unclear)?;
            return match whole.saturating_mul(10).saturating_add(tenth) {
                share @ 1..=1000 => Ok(Self::Thousandths(share)),
                _ => Err(format!("{text} is not between 0.1% and 100% of the candidates")),
            };
        }
        let (number, thousands) = match text.strip_suffix(['k', 'K']) {
            Some(number) => (number, 1000),
            None => (text, 1),
        };
        let number: i64 = digits(&number.replace('_', "")).ok_or_else(unclear)?;
        match number.checked_mul(thousands) {
            Some(0) => Err("a budget of 0 tokens holds nothing; write at least 1".to_owned()),
            Some(tokens) => Ok(Self::Tokens(tokens)),
            None => Err(format!("at most {} tokens can be counted", i64::MAX)),
        }
    }
}

fn digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_all_candidates() {
        let item = |tokens| ContextItem::builder("x", tokens).build().unwrap();
        let items = [item(100), item(250), item(-7)];
        assert_eq!(Size::Thousandths(125).tokens(&items), 43);
        assert_eq!(Size::Tokens(9).tokens(&items), 9);
    }

    #[test]
    fn what_is_no_budget_is_refused() {
        for text in
            ["", "0", "-5", "0%", "101%", "1.55%", "%", "8kk", "ten", "1.5", "99999999999999999999"]
        {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
