//! Which of what came now was there before?

use std::collections::{BTreeMap, BTreeSet};

/// How far the like of something that occurs several times is looked for.
const LOOK_AHEAD: usize = 64;

/// What became of what was known, by position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Alignment {
    /// Of everything that came now: what it was before.
    pub(crate) known: Vec<Option<usize>>,
    /// Where, among what came now, something is missing that was there before: what, and
    /// the position behind what stood before it.
    pub(crate) gone: Vec<(usize, usize)>,
}

/// Aligns a conversation, whose order stands: what is common at both ends first, then what occurs once on both sides of the
/// rest, in order.
pub(crate) fn in_order(before: &[u64], now: &[u64]) -> Alignment {
    let head = before.iter().zip(now).take_while(|(one, other)| one == other).count();
    let longest = before.len().min(now.len()) - head;
    let tail = before.iter().rev().zip(now.iter().rev());
    // A conversation grows at its end: only if something is missing or changed does the end tell anything.
    let tail = if head == before.len() {
        0
    } else {
        tail.take(longest).take_while(|(one, other)| one == other).count()
    };
    let mut known: Vec<Option<usize>> = vec![None; now.len()];
    known.iter_mut().take(head).enumerate().for_each(|(at, known)| *known = Some(at));
    for back in 1..=tail {
        known[now.len() - back] = Some(before.len() - back);
    }
    let middle_before = head..before.len() - tail;
    let mut anchors: BTreeMap<u64, Option<usize>> = BTreeMap::new();
    for at in middle_before.clone() {
        anchors.entry(before[at]).and_modify(|it| *it = None).or_insert(Some(at));
    }
    let mut seen = BTreeSet::new();
    let mut twice = BTreeSet::new();
    for hash in &now[head..now.len() - tail] {
        if !seen.insert(*hash) {
            twice.insert(*hash);
        }
    }
    let mut from = middle_before.start;
    for at in head..now.len() - tail {
        let anchor = anchors.get(&now[at]).copied().flatten().filter(|_| !twice.contains(&now[at]));
        if let Some(anchor) = anchor.filter(|anchor| *anchor >= from) {
            known[at] = Some(anchor);
            from = anchor + 1;
        }
    }
    between_anchors(before, now, &mut known);
    let gone = gone(before.len(), &known);
    Alignment { known, gone }
}

/// What occurs several times is matched with the next of its like before the next anchor.
fn between_anchors(before: &[u64], now: &[u64], known: &mut [Option<usize>]) {
    let mut from = 0;
    let mut ends: Vec<usize> = vec![before.len(); now.len()];
    let mut end = before.len();
    for at in (0..now.len()).rev() {
        ends[at] = end;
        end = known[at].unwrap_or(end);
    }
    for at in 0..now.len() {
        match known[at] {
            Some(known) => from = known + 1,
            None => {
                let next = (from..ends[at]).take(LOOK_AHEAD).find(|was| before[*was] == now[at]);
                if let Some(next) = next {
                    known[at] = Some(next);
                    from = next + 1;
                }
            }
        }
    }
}

/// Aligns candidates, whose order says nothing: each with the next of the same content.
pub(crate) fn as_a_set(before: &[u64], now: &[u64]) -> Alignment {
    let mut places: BTreeMap<u64, std::collections::VecDeque<usize>> = BTreeMap::new();
    for (at, hash) in before.iter().enumerate() {
        places.entry(*hash).or_default().push_back(at);
    }
    let known: Vec<_> =
        now.iter().map(|hash| places.get_mut(hash).and_then(|places| places.pop_front())).collect();
    let gone = gone(before.len(), &known);
    Alignment { known, gone }
}

fn gone(before: usize, known: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut at_of = vec![None; before];
    for (at, known) in known.iter().enumerate() {
        if let Some(known) = known {
            at_of[*known] = Some(at);
        }
    }
    let mut next = 0;
    let mut gone = Vec::new();
    for (was, at) in at_of.iter().enumerate() {
        match at {
            Some(at) => next = at + 1,
            None => gone.push((was, next)),
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_behind_is_new() {
        let aligned = in_order(&[1, 2, 2], &[1, 2, 2, 2, 3]);
        assert_eq!(aligned.known, [Some(0), Some(1), Some(2), None, None]);
        assert!(aligned.gone.is_empty());
    }

    #[test]
    fn what_was_taken_out_is_gone_and_the_rest_is_known() {
        let aligned = in_order(&[1, 2, 3, 4, 5], &[1, 4, 5, 6]);
        assert_eq!(aligned.known, [Some(0), Some(3), Some(4), None]);
        assert_eq!(aligned.gone, [(1, 1), (2, 1)]);
    }

    #[test]
    fn what_was_changed_is_gone_and_new() {
        let aligned = in_order(&[1, 2, 3], &[1, 9, 3]);
        assert_eq!(aligned.known, [Some(0), None, Some(2)]);
        assert_eq!(aligned.gone, [(1, 1)]);
    }

    #[test]
    fn sets_are_aligned_in_any_order() {
        let aligned = as_a_set(&[1, 2, 2], &[2, 3, 1, 2]);
        assert_eq!(aligned.known, [Some(1), None, Some(0), Some(2)]);
        assert_eq!(as_a_set(&[7], &[8]).gone, [(0, 0)]);
    }
}
