//! Counting only until the answer is known.
//!
//! A text is cut where its tokens are certain to be cut as well, and its parts are counted one
//! after the other until the limit is passed. Text without such a place is counted whole, but never
//! more of it than the limit could possibly hold.

use crate::Vocabulary;

/// The least and the most that is counted at once. Below, looking for a cut costs more than it
/// saves; above, there is nothing left to gain.
const PART: std::ops::RangeInclusive<usize> = 256..=65_536;

/// Bytes that a token is taken to have, to guess how much will pass the limit.
const BYTES_PER_TOKEN: usize = 4;

/// What `count` says of all of `text`, or `None` if that is more than `limit`.
pub(crate) fn count_up_to(
    vocabulary: Vocabulary,
    text: &str,
    limit: i64,
    mut count: impl FnMut(&str) -> i64,
) -> Option<i64> {
    let limit_or_none = usize::try_from(limit).ok()?;
    if text.len() > limit_or_none.saturating_mul(vocabulary.longest_token()) {
        return None;
    }
    let (mut rest, mut total) = (text, 0);
    while !rest.is_empty() {
        let left = usize::try_from(limit - total).unwrap_or(0);
        let enough = left.saturating_add(1).saturating_mul(BYTES_PER_TOKEN);
        let (part, behind) =
            rest.split_at(cut(vocabulary, rest, enough.clamp(*PART.start(), *PART.end())));
        total += count(part);
        if total > limit {
            return None;
        }
        rest = behind;
    }
    Some(total)
}

/// The first place at or after `from` where the text can be cut without changing its tokens; its
/// end if there is none.
fn cut(vocabulary: Vocabulary, text: &str, from: usize) -> usize {
    let from = text.ceil_char_boundary(from);
    let mut before = text[..from].chars().next_back();
    for (at, char) in text[from..].char_indices() {
        if before.is_some_and(|before| is_cut(vocabulary, before, char)) {
            return from + at;
        }
        before = Some(char);
    }
    text.len()
}

/// Whether tokens are cut between these two characters, whatever stands around them.
///
/// Texts are first split into pieces by a pattern, and tokens never cross pieces. No alternative of
/// any pattern goes on with a space after something that is not white space, and none looks back, so
/// a piece ends before such a space and what follows is split as if it stood alone. What comes
/// before ends with something other than white space, so that looking ahead (`\s+(?!\S)`) never
/// reaches beyond the cut. Newer patterns also take line breaks together, to the last of them, and
/// only o200k goes on after them, with a slash.
fn is_cut(vocabulary: Vocabulary, before: char, after: char) -> bool {
    let space = after == ' ' && !before.is_whitespace();
    let line = before == '\n' && !after.is_whitespace() && after != '/';
    space || (line && vocabulary.splits_at_line_breaks())
}

#[cfg(test)]
mod tests {
    use super::{count_up_to, cut};
    use crate::{Counter, Vocabulary};

    const PROSE: &str = "The window is finite, so something has to stay outside.\n";

    /// The answer, and how many bytes were counted to find it.
    fn work(text: &str, limit: i64) -> (Option<i64>, usize) {
        let (vocabulary, mut bytes) = (Vocabulary::O200kBase, 0);
        let answer = count_up_to(vocabulary, text, limit, |part| {
            bytes += part.len();
            vocabulary.count(part)
        });
        (answer, bytes)
    }

    #[test]
    fn work_grows_with_the_limit_and_not_with_the_text() {
        let text = PROSE.repeat(20_000);
        for limit in [0, 10, 100, 1_000, 10_000] {
            let (answer, bytes) = work(&text, limit);
            assert_eq!(answer, None);
            let enough = usize::try_from(limit).unwrap() * 6 + 512;
            assert!(bytes <= enough, "{bytes} bytes to find more than {limit} tokens");
        }
        assert_eq!(work(&text, i64::MAX), (Some(Vocabulary::O200kBase.count(&text)), text.len()));
    }

    #[test]
    fn what_cannot_fit_is_refused_without_counting() {
        assert_eq!(work(&"a".repeat(2_000_000), 1_000), (None, 0));
        assert_eq!(work("a", 0), (None, 0));
        assert_eq!(work("", 0), (Some(0), 0));
        assert_eq!(work("a", -1), (None, 0));
        assert_eq!(work("", -1), (None, 0));
    }

    #[test]
    fn texts_are_cut_before_spaces_and_after_lines() {
        let at = |vocabulary, text, from| cut(vocabulary, text, from);
        assert_eq!(at(Vocabulary::R50kBase, "one two", 0), 3);
        assert_eq!(at(Vocabulary::R50kBase, "one  two", 4), 8);
        assert_eq!(at(Vocabulary::R50kBase, "one\ntwo", 0), 7);
        assert_eq!(at(Vocabulary::O200kBase, "one\ntwo", 0), 4);
        assert_eq!(at(Vocabulary::O200kBase, "one\n/two", 0), 8);
        assert_eq!(at(Vocabulary::O200kBase, "字 x", 1), 3);
    }
}
