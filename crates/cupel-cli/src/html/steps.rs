//! The same candidates at other budgets.

use cupel::{ContextBudget, ContextItem, CupelError};

/// About how many budgets are worth computing for so many candidates.
fn how_many(candidates: usize) -> i128 {
    const MOST: usize = 40;
    const ENTRIES: usize = 400_000;
    (ENTRIES / candidates.max(1)).clamp(8, MOST) as i128
}

/// Budgets from what the pinned items need to what everything needs, the given one among them:
/// half of them below it and half above, so that a small window of many candidates is not lost
/// between two steps.
pub(super) fn budgets(items: &[ContextItem], budget: &ContextBudget) -> Vec<ContextBudget> {
    let tokens = |items: &mut dyn Iterator<Item = &ContextItem>| -> i128 {
        items.map(|item| i128::from(item.tokens().max(0))).sum()
    };
    let actual = i128::from(budget.max_tokens());
    let slots: i128 = budget.reserved_slots().values().map(|tokens| i128::from(*tokens)).sum();
    let reserved = i128::from(budget.output_reserve()) + slots;
    let pinned = tokens(&mut items.iter().filter(|item| item.pinned()));
    let margin = 1.0 - budget.estimation_safety_margin_percent() / 100.0;
    let everything = tokens(&mut items.iter()) + reserved;
    let roomy = (everything as f64 / margin.max(0.1)).ceil() as i128;
    let low = (pinned + reserved).min(actual);
    let high = roomy.max(actual).min(i128::from(i64::MAX));

    let half = how_many(items.len()) / 2;
    let below = (0..half).map(|at| low + (actual - low) * at / half);
    let above = (1..=half).map(|at| actual + (high - actual) * at / half);
    let mut sizes: Vec<i128> = below.map(|size| rounded(size, low, actual, half)).collect();
    sizes.push(actual);
    sizes.extend(above.map(|size| rounded(size, actual, high, half)));
    sizes.sort_unstable();
    sizes.dedup();
    let made = sizes.into_iter().filter_map(|size| resized(budget, size as i64).ok());
    made.collect()
}

/// A round number near `size`, if the steps are wide enough for one.
fn rounded(size: i128, low: i128, high: i128, steps: i128) -> i128 {
    let width = (high - low) / steps.max(1);
    let unit = [1000, 500, 100, 50, 10, 5].into_iter().find(|unit| unit * 2 <= width);
    match unit {
        Some(unit) if size > low && size < high => (size / unit * unit).max(low),
        _ => size,
    }
}

/// The same reservations at another size; the target keeps its distance to the ceiling.
fn resized(budget: &ContextBudget, max_tokens: i64) -> Result<ContextBudget, CupelError> {
    let below = budget.max_tokens() - budget.target_tokens();
    ContextBudget::new(
        max_tokens,
        (max_tokens.saturating_sub(below)).clamp(0, max_tokens),
        budget.output_reserve().min(max_tokens),
        budget.reserved_slots().clone(),
        budget.estimation_safety_margin_percent(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(tokens: &[i64], budget: &ContextBudget) -> Vec<i64> {
        let item = |tokens: &i64| ContextItem::builder("x", *tokens).build().unwrap();
        let items: Vec<_> = tokens.iter().map(item).collect();
        budgets(&items, budget).iter().map(ContextBudget::max_tokens).collect()
    }

    #[test]
    fn the_given_budget_is_one_of_them_and_the_last_holds_everything() {
        let budget = ContextBudget::builder(1234).output_reserve(100).build().unwrap();
        let sizes = sizes(&[500; 20], &budget);
        assert!(sizes.contains(&1234));
        assert_eq!(sizes.last(), Some(&10_100));
        assert!(sizes.len() > 30 && sizes.is_sorted());
    }

    #[test]
    fn extreme_budgets_have_steps_too() {
        assert_eq!(sizes(&[], &ContextBudget::builder(0).build().unwrap()), [0]);
        let largest = ContextBudget::builder(i64::MAX).build().unwrap();
        assert!(sizes(&[i64::MAX, i64::MAX, -5], &largest).contains(&i64::MAX));
    }
}
