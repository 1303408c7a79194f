//! Timestamps as integers of the same order.

use chrono::{DateTime, Utc};

use super::ContextItem;
use crate::order::Places;

/// Stands for a timestamp that has no integer of its own.
const FAR: u64 = u64::MAX;

/// An integer of the same order, greater than 0 and less than [`FAR`], for a timestamp from 1833 to
/// 2106; [`FAR`] for others.
pub(super) fn instant(timestamp: DateTime<Utc>) -> u64 {
    const MOST_SECONDS: i64 = 1 << 32;
    let seconds = timestamp.timestamp();
    if seconds <= -MOST_SECONDS || seconds >= MOST_SECONDS {
        return FAR;
    }
    // A leap second makes the sub-second part reach two billion, still under 2^31.
    let nanos = u64::from(timestamp.timestamp_subsec_nanos());
    (seconds + MOST_SECONDS).cast_unsigned() << 31 | nanos
}

/// Maps the timestamps of some items to integers of the same order.
#[derive(Default)]
pub(crate) enum Instants {
    /// All have an integer of their own. Tried first, and given up on if the greatest integer turns
    /// out [`not to be one`](Self::is_wrong), which spares a look at every item.
    #[default]
    Near,
    /// By place: some are centuries away.
    Among(Places<DateTime<Utc>>),
}

impl Instants {
    /// A mapping for any items.
    pub(crate) fn among<'a>(items: impl Iterator<Item = &'a ContextItem>) -> Self {
        Self::Among(Places::new(items.filter_map(ContextItem::timestamp)))
    }

    /// The integer for one of them; 0 if it has no timestamp.
    pub(crate) fn value(&self, item: &ContextItem) -> u64 {
        match self {
            Self::Near => item.instant(),
            Self::Among(places) => item.timestamp().map_or(0, |timestamp| places.of(&timestamp)),
        }
    }

    /// Whether this mapping does not do for items of which `greatest` is the greatest integer.
    pub(crate) fn is_wrong(&self, greatest: u64) -> bool {
        matches!(self, Self::Near) && greatest == FAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_keep_their_order_near_and_far() {
        let at = |seconds, nanos| DateTime::from_timestamp(seconds, nanos).unwrap();
        let near = [
            at(-(1 << 32) + 1, 0),
            at(-1, 0),
            at(-1, 999_999_999),
            at(0, 0),
            at(59, 0),
            at(59, 1_500_000_000), // within a leap second
            at(60, 0),
            at((1 << 32) - 1, 999_999_999),
        ];
        let far = [at(-(1 << 32), 0), DateTime::<Utc>::MIN_UTC];
        let (later, latest) = (at(1 << 32, 0), DateTime::<Utc>::MAX_UTC);
        let all = [&[far[1], far[0]], &near[..], &[later, latest]].concat();
        for (ordered, are_near) in [(&near[..], true), (&all[..], false)] {
            let item = |it: &DateTime<Utc>| ContextItem::builder("x", 0).timestamp(*it).build();
            let items: Vec<_> = ordered.iter().map(|it| item(it).unwrap()).collect();
            let greatest = items.iter().map(|it| Instants::Near.value(it)).max().unwrap();
            assert_eq!(Instants::Near.is_wrong(greatest), !are_near);
            let among = Instants::among(items.iter());
            for instants in [&Instants::Near, &among].into_iter().skip(usize::from(!are_near)) {
                let values: Vec<_> = items.iter().map(|it| instants.value(it)).collect();
                assert!(values[0] > 0 && values.is_sorted_by(|a, b| a < b), "{values:?}");
            }
        }
    }
}
