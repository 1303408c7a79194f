//! Priorities as bytes, which items carry: what a run has to fetch for each candidate is the better part
//! of counting them.

/// Priorities below this and not below 0 are levels: most callers use a few, up to ten or a hundred.
pub(crate) const LEVELS: u8 = 128;

/// Stands for no priority.
pub(crate) const NONE: u8 = LEVELS;

/// Stands for a priority that is no level.
pub(crate) const BEYOND: u8 = LEVELS + 1;

/// The level that a priority is, or [`BEYOND`].
pub(super) fn level(priority: i64) -> u8 {
    u8::try_from(priority).ok().filter(|level| *level < LEVELS).unwrap_or(BEYOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_keep_their_order_and_other_priorities_are_beyond() {
        assert_eq!([0, 1, 126, 127].map(level), [0, 1, 126, 127]);
        for beyond in [-1, 128, 129, 255, 256, i64::MIN, i64::MAX] {
            assert_eq!(level(beyond), BEYOND, "{beyond}");
        }
    }
}
