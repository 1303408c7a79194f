//! How much may be selected.

use std::collections::HashMap;

use super::{ContextKind, clamp_tokens};
use crate::CupelError;

/// How many tokens a selection may use. Validated when built: an invalid budget cannot exist.
///
/// ```
/// use cupel::{ContextBudget, ContextKind};
///
/// let budget = ContextBudget::builder(128_000)
///     .target_tokens(100_000)
///     .output_reserve(8_000)
///     .reserve(ContextKind::memory(), 2_000)
///     .safety_margin_percent(5.0)
///     .build()?;
/// assert_eq!(budget.max_tokens(), 128_000);
///
/// let error = ContextBudget::builder(100).target_tokens(200).build().unwrap_err();
/// assert!(error.to_string().contains("target_tokens (200)"));
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ContextBudget {
    max_tokens: i64,
    target_tokens: i64,
    output_reserve: i64,
    reserved_slots: HashMap<ContextKind, i64>,
    estimation_safety_margin_percent: f64,
}

impl ContextBudget {
    /// A budget from all its parts.
    pub fn new(
        max_tokens: i64,
        target_tokens: i64,
        output_reserve: i64,
        reserved_slots: impl IntoIterator<Item = (ContextKind, i64)>,
        estimation_safety_margin_percent: f64,
    ) -> Result<Self, CupelError> {
        let refuse = |problem: String| Err(CupelError::InvalidBudget(problem));
        if max_tokens < 0 {
            return refuse(format!("max_tokens ({max_tokens}) must be at least 0"));
        }
        if target_tokens < 0 {
            return refuse(format!("target_tokens ({target_tokens}) must be at least 0"));
        }
        if target_tokens > max_tokens {
            return refuse(format!(
                "target_tokens ({target_tokens}) must not exceed max_tokens ({max_tokens})"
            ));
        }
        if output_reserve < 0 {
            return refuse(format!("output_reserve ({output_reserve}) must be at least 0"));
        }
        if output_reserve > max_tokens {
            return refuse(format!(
                "output_reserve ({output_reserve}) must not exceed max_tokens ({max_tokens})"
            ));
        }
        let mut slots = HashMap::new();
        for (kind, tokens) in reserved_slots {
            if slots.contains_key(&kind) {
                return refuse(format!(
                    "reserved_slots names the kind {kind} twice; kinds are compared without case"
                ));
            }
            slots.insert(kind, tokens);
        }
        // Of several negative slots the alphabetically first is named, whatever the map's order.
        let negative = slots.iter().filter(|(_, tokens)| **tokens < 0);
        if let Some((kind, tokens)) = negative.min_by_key(|(kind, _)| kind.as_str()) {
            return refuse(format!("reserved_slots[{kind}] ({tokens}) must be at least 0"));
        }
        if !(0.0..=100.0).contains(&estimation_safety_margin_percent) {
            return refuse(format!(
                "estimation_safety_margin_percent ({estimation_safety_margin_percent}) must be \
                 between 0 and 100"
            ));
        }
        Ok(Self {
            max_tokens,
            target_tokens,
            output_reserve,
            reserved_slots: slots,
            estimation_safety_margin_percent,
        })
    }

    /// Starts a budget with its hard ceiling; the target defaults to what the output leaves.
    pub fn builder(max_tokens: i64) -> ContextBudgetBuilder {
        ContextBudgetBuilder {
            max_tokens,
            target_tokens: None,
            output_reserve: 0,
            reserved_slots: Vec::new(),
            estimation_safety_margin_percent: 0.0,
        }
    }

    /// A plain budget for a slicer: nothing reserved. `0 <= target <= max` is the caller's to keep.
    pub(crate) fn plain(max_tokens: i64, target_tokens: i64) -> Self {
        debug_assert!((0..=max_tokens).contains(&target_tokens));
        Self {
            max_tokens,
            target_tokens,
            output_reserve: 0,
            reserved_slots: HashMap::new(),
            estimation_safety_margin_percent: 0.0,
        }
    }

    /// What is left for a slicer after pinned items, reservations and the safety margin.
    pub(crate) fn effective(&self, pinned_tokens: i128) -> Self {
        let taken = pinned_tokens + self.slot_tokens();
        let left_of = |tokens: i64| clamp_tokens((i128::from(tokens) - taken).max(0));
        let mut max = left_of(self.ceiling());
        let mut target = left_of(self.target_tokens).min(max);
        let margin = self.estimation_safety_margin_percent;
        if margin > 0.0 {
            let multiplier = 1.0 - margin / 100.0;
            // Beyond 2^53 a double may round up; a margin never adds.
            let reduced = |tokens: i64| ((tokens as f64 * multiplier).floor() as i64).min(tokens);
            max = reduced(max);
            target = reduced(target).min(max);
        }
        Self::plain(max, target)
    }

    /// The same reservations and margin at another size; the output reserve as far as it fits.
    /// `0 <= target <= max` is the caller's to keep.
    pub(crate) fn resized(&self, max_tokens: i64, target_tokens: i64) -> Self {
        Self {
            output_reserve: self.output_reserve.min(max_tokens),
            reserved_slots: self.reserved_slots.clone(),
            estimation_safety_margin_percent: self.estimation_safety_margin_percent,
            ..Self::plain(max_tokens, target_tokens)
        }
    }

    /// Hard ceiling: the model's context window.
    pub fn max_tokens(&self) -> i64 {
        self.max_tokens
    }

    /// Soft goal: what the slicer aims for.
    pub fn target_tokens(&self) -> i64 {
        self.target_tokens
    }

    /// Tokens kept free for the model's answer.
    pub fn output_reserve(&self) -> i64 {
        self.output_reserve
    }

    /// Tokens kept free per kind. Their sum lowers the effective budget; nothing else reads them.
    pub fn reserved_slots(&self) -> &HashMap<ContextKind, i64> {
        &self.reserved_slots
    }

    /// Percentage by which the effective budget is lowered for inexact token counts.
    pub fn estimation_safety_margin_percent(&self) -> f64 {
        self.estimation_safety_margin_percent
    }

    /// Output reserve and reserved slots together, clamped to `i64`.
    pub fn total_reserved(&self) -> i64 {
        clamp_tokens(i128::from(self.output_reserve) + self.slot_tokens())
    }

    /// What is left of `max_tokens` after [`total_reserved`](Self::total_reserved); may be negative.
    pub fn unreserved_capacity(&self) -> i64 {
        clamp_tokens(i128::from(self.ceiling()) - self.slot_tokens())
    }

    /// Whether anything is left after reservations.
    pub fn has_capacity(&self) -> bool {
        self.unreserved_capacity() > 0
    }

    /// Sum of the reserved slots.
    pub(crate) fn slot_tokens(&self) -> i128 {
        self.reserved_slots.values().map(|tokens| i128::from(*tokens)).sum()
    }

    /// What pinned items alone must not exceed: `max_tokens - output_reserve`.
    pub(crate) fn ceiling(&self) -> i64 {
        self.max_tokens - self.output_reserve
    }

    /// What the window must fit into: `target_tokens`, but no more than the output reserve leaves of
    /// `max_tokens`. A larger selection overflows.
    ///
    /// ```
    /// use cupel::ContextBudget;
    ///
    /// let budget = ContextBudget::new(1_000, 900, 300, [], 0.0)?;
    /// assert_eq!(budget.window_tokens(), 700);
    /// # Ok::<(), cupel::CupelError>(())
    /// ```
    pub fn window_tokens(&self) -> i64 {
        self.target_tokens.min(self.ceiling())
    }
}

/// Builds a [`ContextBudget`] part by part.
#[derive(Debug, Clone)]
pub struct ContextBudgetBuilder {
    max_tokens: i64,
    target_tokens: Option<i64>,
    output_reserve: i64,
    reserved_slots: Vec<(ContextKind, i64)>,
    estimation_safety_margin_percent: f64,
}

impl ContextBudgetBuilder {
    /// Soft goal; `max_tokens - output_reserve` unless set.
    pub fn target_tokens(mut self, tokens: i64) -> Self {
        self.target_tokens = Some(tokens);
        self
    }

    /// Tokens kept free for the model's answer.
    pub fn output_reserve(mut self, tokens: i64) -> Self {
        self.output_reserve = tokens;
        self
    }

    /// Tokens kept free for one kind; each kind at most once.
    pub fn reserve(mut self, kind: ContextKind, tokens: i64) -> Self {
        self.reserved_slots.push((kind, tokens));
        self
    }

    /// Percentage by which the effective budget is lowered.
    pub fn safety_margin_percent(mut self, percent: f64) -> Self {
        self.estimation_safety_margin_percent = percent;
        self
    }

    /// The budget, unless a rule is broken.
    pub fn build(self) -> Result<ContextBudget, CupelError> {
        let rest = self.max_tokens.saturating_sub(self.output_reserve);
        ContextBudget::new(
            self.max_tokens,
            // A reserve over the ceiling is refused by its own rule, not as a negative target.
            self.target_tokens.unwrap_or(rest.clamp(0, self.max_tokens.max(0))),
            self.output_reserve,
            self.reserved_slots,
            self.estimation_safety_margin_percent,
        )
    }
}
