//! Token sums that cannot wrap.

use super::ContextItem;

/// Sums token counts exactly. Fewer than 2^32 addends of 64 bits cannot overflow 128.
pub(crate) fn sum_tokens<'a>(items: impl IntoIterator<Item = &'a ContextItem>) -> i128 {
    items.into_iter().map(|item| i128::from(item.tokens())).sum()
}

/// An exact sum as the `i64` that is reported, clamped at the ends of its range.
pub(crate) fn clamp_tokens(exact: i128) -> i64 {
    i64::try_from(exact).unwrap_or(if exact < 0 { i64::MIN } else { i64::MAX })
}
