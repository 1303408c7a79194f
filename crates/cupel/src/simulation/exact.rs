//! The smallest budget for an item among others that are each taken exactly when they fit.
//!
//! Followed are ranges of targets, smallest first, on which all decisions so far are the same. An
//! item that fits in the upper part of a range only, or fits there in a richer form, splits it. What happens after a decision
//! depends on nothing but what is left by then, so a range that was followed in vain is in vain
//! wherever the same is left at the same point. One such range is remembered per point, which is
//! what keeps sizes like 8, 4, 2, 1 from splitting every range in two, again and again.

/// The search took more steps than it was given.
#[derive(Debug, PartialEq)]
pub(super) struct GaveUp;

/// What items cost, one after the other, each in its forms, richest first.
#[derive(Clone, Copy)]
pub(super) struct Costs<'a> {
    costs: &'a [i64],
    /// Where each item's end; empty where every item has one form.
    ends: &'a [usize],
}

impl<'a> Costs<'a> {
    /// Of items that have one form each.
    pub(super) fn of_whole(costs: &'a [i64]) -> Self {
        Self { costs, ends: &[] }
    }

    /// Of items whose costs end at these places.
    pub(super) fn of_forms(costs: &'a [i64], ends: &'a [usize]) -> Self {
        let until = ends.last().copied().unwrap_or_default();
        Self { costs: &costs[..until], ends }
    }

    pub(super) fn len(&self) -> usize {
        if self.ends.is_empty() { self.costs.len() } else { self.ends.len() }
    }

    fn get(&self, at: usize) -> Option<&'a [i64]> {
        if self.ends.is_empty() {
            return self.costs.get(at..=at);
        }
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.costs[start..end])
    }
}

/// The least argument in `least..=most` of the non-decreasing `target_at` at which an item of
/// `tokens`, tried after items of `before`, is taken; found in at most `most_steps`.
///
/// Each of `before` is what an item costs in its forms, richest first; the richest that fits is taken.
pub(super) fn least_budget(
    before: Costs<'_>,
    tokens: i64,
    least: i64,
    most: i64,
    most_steps: u64,
    target_at: impl Fn(i64) -> i64,
) -> Result<Option<i64>, GaveUp> {
    let mut trial = Trial { before, tokens, in_vain: Vec::new(), steps_left: most_steps };
    // A slicer takes nothing, not even what costs nothing, from a target of 0.
    let (mut lowest, highest) = (target_at(least).max(1), target_at(most));
    while let Some(target) = trial.least_target(lowest, highest)? {
        let at = first_reaching(target, least, most, &target_at);
        lowest = target_at(at);
        if lowest == target {
            return Ok(Some(at));
        }
        // Where doubles are too coarse for a safety margin, targets jump. This one is never met.
    }
    Ok(None)
}

/// The least argument whose target is at least `wanted`; `most` reaches it.
fn first_reaching(wanted: i64, least: i64, most: i64, target_at: impl Fn(i64) -> i64) -> i64 {
    let (mut low, mut high) = (least, most);
    while low < high {
        let middle = low + (high - low) / 2;
        if target_at(middle) >= wanted {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The order of trial, and what is known about it.
struct Trial<'a> {
    before: Costs<'a>,
    tokens: i64,
    /// For each of `before`: from where to where what is left for it is in vain. Empty until
    /// something is known.
    in_vain: Vec<(i64, i64)>,
    steps_left: u64,
}

/// What is still to be done, the next last.
enum Task {
    Follow(Range),
    /// All parts of this range were followed in vain.
    Remember(Range),
}

/// Targets on which the first `tried` decisions are the same.
#[derive(Clone, Copy)]
struct Range {
    tried: usize,
    /// What those decisions leave, at the ends of the range.
    left: (i64, i64),
    /// What they take.
    taken: i64,
}

impl Trial<'_> {
    /// The least target in `lowest..=highest` at which the item is taken.
    fn least_target(&mut self, lowest: i64, highest: i64) -> Result<Option<i64>, GaveUp> {
        let whole = Range { tried: 0, left: (lowest, highest), taken: 0 };
        let mut tasks = vec![Task::Follow(whole)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Remember(range) => self.remember(range),
                Task::Follow(range) => {
                    if let Some(target) = self.follow(range, &mut tasks)? {
                        return Ok(Some(target));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Follows the lower part of `range` to its end and leaves the upper ones as tasks.
    fn follow(&mut self, mut range: Range, tasks: &mut Vec<Task>) -> Result<Option<i64>, GaveUp> {
        loop {
            // What is left only ever falls, so it must suffice for the item at every step.
            range.left.0 = range.left.0.max(self.tokens);
            let (first, last) = range.left;
            if first > last {
                return Ok(None);
            }
            let Some(costs) = self.before.get(range.tried) else {
                return Ok(Some(first + range.taken));
            };
            // What the lower end of the range pays, and the least that it does not.
            let (cost, dearer) = match *costs {
                [only] if only <= first => (only, None),
                [only] => (0, Some(only)),
                _ => {
                    let cheaper = costs.partition_point(|cost| *cost > first);
                    let cost = costs.get(cheaper).copied().unwrap_or(0);
                    (cost, cheaper.checked_sub(1).map(|at| costs[at]))
                }
            };
            match dearer.filter(|dearer| *dearer <= last) {
                None => {
                    self.steps_left = self.steps_left.checked_sub(1).ok_or(GaveUp)?;
                    range.tried += 1;
                    range.left = (first - cost, last - cost);
                    range.taken += cost;
                }
                Some(dearer) => match self.in_vain_until(range.tried, first) {
                    Some(end) if last <= end => return Ok(None),
                    Some(end) => range.left.0 = end + 1,
                    None => {
                        tasks.push(Task::Remember(range));
                        tasks.push(Task::Follow(Range { left: (dearer, last), ..range }));
                        range.left.1 = dearer - 1;
                    }
                },
            }
        }
    }

    /// Up to which amount it is known to be in vain to have `left` at this point, or more.
    fn in_vain_until(&self, tried: usize, left: i64) -> Option<i64> {
        let &(first, last) = self.in_vain.get(tried)?;
        (first..=last).contains(&left).then_some(last)
    }

    fn remember(&mut self, Range { tried, left: (first, last), .. }: Range) {
        const NOTHING: (i64, i64) = (i64::MAX, i64::MIN);
        if self.in_vain.is_empty() {
            self.in_vain.resize(self.before.len(), NOTHING);
        }
        let known = &mut self.in_vain[tried];
        let touches = first <= known.1.saturating_add(1) && known.0 <= last.saturating_add(1);
        *known = if touches { (known.0.min(first), known.1.max(last)) } else { (first, last) };
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// At a target, by doing it.
    fn is_taken(before: &[Vec<i64>], tokens: i64, target: i64) -> bool {
        let mut left = target;
        for costs in before {
            left -= costs.iter().find(|cost| **cost <= left).unwrap_or(&0);
        }
        target > 0 && tokens <= left
    }

    /// An item's costs in all its forms: mostly one.
    fn costs() -> impl Strategy<Value = Vec<i64>> {
        let distinct_descending = |mut costs: Vec<i64>| {
            costs.sort_unstable_by(|a, b| b.cmp(a));
            costs.dedup();
            costs
        };
        let cost = || prop_oneof![0_i64..=8, 0_i64..=40];
        prop_oneof![
            2 => vec(cost(), 1),
            1 => vec(cost(), 1..=4).prop_map(distinct_descending),
        ]
    }

    /// One after the other, and where each ends.
    fn flat(before: &[Vec<i64>]) -> (Vec<i64>, Vec<usize>) {
        let ends = before.iter().scan(0, |end, costs| {
            *end += costs.len();
            Some(*end)
        });
        (before.concat(), ends.collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8192))]

        #[test]
        fn the_least_budget_is_the_first_at_which_the_item_is_taken(
            before in vec(costs(), 0..=30),
            tokens in 0_i64..=12,
            least in 0_i64..=300,
            further in 0_i64..=600,
            step in prop_oneof![Just(1_i64), 2_i64..=7],
        ) {
            let (costs, ends) = flat(&before);
            let target_at = |at| at / step * step;
            let most = least + further;
            let expected = (least..=most).find(|&at| is_taken(&before, tokens, target_at(at)));
            let forms = Costs::of_forms(&costs, &ends);
            let found = least_budget(forms, tokens, least, most, 1_000_000, target_at);
            prop_assert_eq!(found, Ok(expected));
            if costs.len() == before.len() {
                let whole = Costs::of_whole(&costs);
                let found = least_budget(whole, tokens, least, most, 1_000_000, target_at);
                prop_assert_eq!(found, Ok(expected));
            }
        }
    }

    #[test]
    fn targets_that_are_jumped_over_do_not_count() {
        // Taken from 3 on, and not where 10 fits but 13 does not. Targets are multiples of 4 or 11.
        let coarse = |step: i64| move |at: i64| at / step * step;
        assert_eq!(least_budget(Costs::of_whole(&[10]), 3, 0, 100, 1_000, coarse(4)), Ok(Some(4)));
        assert_eq!(
            least_budget(Costs::of_whole(&[10]), 3, 0, 100, 1_000, coarse(11)),
            Ok(Some(22))
        );
        assert_eq!(least_budget(Costs::of_whole(&[10]), 3, 0, 21, 1_000, coarse(11)), Ok(None));
    }

    #[test]
    fn sizes_that_split_every_range_in_two_are_no_trouble() {
        let before: Vec<i64> = (0..=40).rev().map(|exponent| 1 << exponent).collect();
        let before = Costs::of_whole(&before);
        assert_eq!(least_budget(before, 1, 0, i64::MAX, 10_000, |at| at), Ok(Some(1 << 41)));
        let targets = |at: i64| (at as f64 * 0.99) as i64;
        assert!(least_budget(before, 1, 1 << 60, i64::MAX, 10_000, targets).is_ok());
    }

    #[test]
    fn a_search_without_steps_left_gives_up() {
        assert_eq!(least_budget(Costs::of_whole(&[5, 4, 3]), 2, 0, 100, 3, |at| at), Ok(Some(2)));
        assert_eq!(least_budget(Costs::of_whole(&[5, 4, 3]), 2, 0, 100, 2, |at| at), Err(GaveUp));
    }
}
