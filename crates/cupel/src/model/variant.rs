//! Shorter forms of an item.

use crate::CupelError;

/// More forms than anybody chooses among; a run looks at all of them.
const MOST_VARIANTS: usize = 1_000;

/// A shorter form of an item: its first and last lines, a summary, a line that says what was left out.
///
/// ```
/// use cupel::{ContextItem, ItemVariant};
///
/// let output = ContextItem::builder("GET /orders 200 ...", 9_000)
///     .variant(ItemVariant::new("GET /orders 200, 412 orders, first and last 10: ...", 600))
///     .variant(ItemVariant::new("[412 orders left out]", 8).with_worth(0.05))
///     .build()?;
/// assert_eq!(output.variants().len(), 2);
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ItemVariant {
    content: String,
    tokens: i64,
    worth: Option<f64>,
}

impl ItemVariant {
    /// A form from its text and its token count.
    pub fn new(content: impl Into<String>, tokens: i64) -> Self {
        Self { content: content.into(), tokens, worth: None }
    }

    /// With how much of the item's worth it keeps, from 0 to 1.
    ///
    /// Unless said, that is the square root of the share of tokens that it keeps: a quarter of the tokens keeps half
    /// of the worth. Only slicers that trade forms against other items ask, as the knapsack does.
    #[must_use]
    pub fn with_worth(mut self, worth: f64) -> Self {
        self.worth = Some(worth);
        self
    }

    /// The text.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The token count.
    pub fn tokens(&self) -> i64 {
        self.tokens
    }

    /// How much of the item's worth it keeps, if that was said.
    pub fn worth(&self) -> Option<f64> {
        self.worth
    }
}

/// What a shorter form costs, and how much of the worth of the whole it keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Form {
    /// Its token count.
    pub tokens: i64,
    /// From 0 to 1.
    pub worth: f64,
}

impl Form {
    pub(super) fn new(tokens: i64, worth: f64) -> Self {
        Self { tokens, worth }
    }
}

/// The variants of an item of `tokens` tokens as forms, unless one of them breaks a rule.
pub(super) fn forms(variants: &[ItemVariant], tokens: i64) -> Result<Vec<Form>, CupelError> {
    let refuse = |problem: String| Err(CupelError::InvalidVariants(problem));
    if variants.len() > MOST_VARIANTS {
        return refuse(format!(
            "there are {} of them, more than {MOST_VARIANTS}; keep those that differ enough to choose among",
            variants.len()
        ));
    }
    if tokens < 0 && !variants.is_empty() {
        return refuse(format!(
            "the item has a negative token count ({tokens}), so it is never in a window, in no form; correct the count"
        ));
    }
    let mut longer = tokens;
    let mut forms = Vec::with_capacity(variants.len());
    for (variant, number) in variants.iter().zip(1..) {
        if variant.content.is_empty() {
            return refuse(format!(
                "number {number} has no content; a form needs at least one byte"
            ));
        }
        if !(0..longer).contains(&variant.tokens) {
            return refuse(format!(
                "number {number} has {} tokens; richest first, each has fewer than the one before it (the first fewer \
                 than the item), here fewer than {longer}, and at least 0",
                variant.tokens
            ));
        }
        if let Some(worth) = variant.worth
            && !(0.0..=1.0).contains(&worth)
        {
            return refuse(format!(
                "number {number} keeps {worth} of the item's worth; it must be a number from 0 to 1"
            ));
        }
        longer = variant.tokens;
        let share = variant.tokens as f64 / tokens as f64;
        forms.push(Form::new(variant.tokens, variant.worth.unwrap_or_else(|| share.sqrt())));
    }
    Ok(forms)
}
