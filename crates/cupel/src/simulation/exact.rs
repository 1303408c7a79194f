//! The smallest budget for an item among others that are each taken exactly when they fit.

/// The search took more steps than it was given.
#[derive(Debug)]
pub(super) struct GaveUp;

/// The least argument in `least..=most` of the non-decreasing `target_at` at which an item of
/// `tokens`, tried after items of `before`, is taken; found in at most `most_steps`.
pub(super) fn least_budget(
    before: &[i64],
    tokens: i64,
    least: i64,
    most: i64,
    most_steps: u64,
    target_at: impl Fn(i64) -> i64,
) -> Result<Option<i64>, GaveUp> {
    // A slicer takes nothing, not even what costs nothing, from a target of 0.
    let targets = (target_at(least).max(1), target_at(most));
    let whole = Range { tried: 0, left: targets, taken: 0 };
    let mut ranges = Ranges { before, tokens, open: vec![whole], steps_left: most_steps };
    while let Some((first, last)) = ranges.next()? {
        let at = first_reaching(first, least, most, &target_at);
        if target_at(at) <= last {
            return Ok(Some(at));
        }
        // A safety margin makes the target jump; it jumped over this range.
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

/// The ranges of targets at which the item is taken, ascending.
struct Ranges<'a> {
    before: &'a [i64],
    tokens: i64,
    /// Ranges still to be followed, the smallest last.
    open: Vec<Range>,
    steps_left: u64,
}

/// Targets on which the first `tried` decisions are the same.
struct Range {
    tried: usize,
    /// What those decisions leave, at the ends of the range.
    left: (i64, i64),
    /// What they take.
    taken: i64,
}

impl Ranges<'_> {
    fn next(&mut self) -> Result<Option<(i64, i64)>, GaveUp> {
        while let Some(mut range) = self.open.pop() {
            loop {
                // What is left only ever falls, so it must suffice for the item at every step.
                range.left.0 = range.left.0.max(self.tokens);
                if range.left.0 > range.left.1 {
                    break;
                }
                let Some(&cost) = self.before.get(range.tried) else {
                    let (first, last) = range.left;
                    return Ok(Some((first + range.taken, last + range.taken)));
                };
                self.steps_left = self.steps_left.checked_sub(1).ok_or(GaveUp)?;
                range.tried += 1;
                let (first, last) = range.left;
                if last < cost {
                    continue; // too large everywhere
                }
                let with = Range {
                    tried: range.tried,
                    left: (first.max(cost) - cost, last - cost),
                    taken: range.taken + cost,
                };
                if first >= cost {
                    range = with; // taken everywhere
                } else {
                    self.open.push(with);
                    range.left.1 = cost - 1;
                }
            }
        }
        Ok(None)
    }
}
