//! The same candidates at other budgets.

use cupel::{ContextBudget, ContextItem, CupelError};

/// About how many budgets are worth computing for so many candidates.
fn how_many(candidates: usize) -> usize {
    const MOST: usize = 40;
    const ENTRIES: usize = 400_000;
    (ENTRIES / candidates.max(1)).clamp(8, MOST)
}

/// Budgets from what the pinned items need to what everything needs, the given one among them.
///
/// Each is the same share larger than the one before, so that neither a small window of many
/// candidates is lost between two steps nor the step of the given budget says nothing about its
/// size.
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

    // Equal shares cannot start at nothing, nor should most of them be spent on tiny windows.
    let first = low.max(actual / 32).max(1);
    let steps = how_many(items.len());
    let share = (high as f64 / first as f64).powf(1.0 / steps as f64);
    let grown = (0..steps).map(|at| first as f64 * share.powf(at as f64));
    let grown = grown.map(|size| rounded(size as i128, (size * (share - 1.0)) as i128));
    let mut sizes: Vec<i128> = grown.filter(|size| (low..high).contains(size)).collect();
    sizes.extend([low, actual, high]);
    sizes.sort_unstable();
    sizes.dedup();
    let made = sizes.into_iter().filter_map(|size| resized(budget, size as i64).ok());
    made.collect()
}

/// A round number near `size`, if the distance to the next step is wide enough for one.
fn rounded(size: i128, distance: i128) -> i128 {
    let mut unit = 1;
    for factor in [5, 2].into_iter().cycle() {
        if unit * factor * 2 > distance {
            break;
        }
        unit *= factor;
    }
    size / unit * unit
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
    fn where_the_given_budget_stands_says_how_large_it_is() {
        let place = |tokens: i64| {
            let budget = ContextBudget::builder(tokens).output_reserve(1000).build().unwrap();
            let sizes = sizes(&[500; 200], &budget);
            let at = sizes.iter().position(|size| *size == tokens).unwrap();
            at as f64 / (sizes.len() - 1) as f64
        };
        assert_eq!((place(1000), place(101_000), place(900_000)), (0.0, 1.0, 1.0));
        assert!((0.1..0.25).contains(&place(2000)), "{}", place(2000));
        assert!((0.4..0.6).contains(&place(10_000)), "{}", place(10_000));
        assert!((0.8..0.95).contains(&place(60_000)), "{}", place(60_000));
    }

    #[test]
    fn steps_are_round_where_they_are_wide() {
        assert_eq!(
            [rounded(1234, 3), rounded(1234, 50), rounded(1_234_567, 300_000)],
            [1234, 1230, 1_200_000]
        );
    }

    #[test]
    fn extreme_budgets_have_steps_too() {
        assert_eq!(sizes(&[], &ContextBudget::builder(0).build().unwrap()), [0]);
        let largest = ContextBudget::builder(i64::MAX).build().unwrap();
        assert!(sizes(&[i64::MAX, i64::MAX, -5], &largest).contains(&i64::MAX));
    }
}
