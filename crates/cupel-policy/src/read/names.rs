//! Matching names, and guessing what was meant by those that do not match.

/// A name in camelCase, which may also be spelled in snake_case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelled<'a>(pub(crate) &'a str);

impl Spelled<'_> {
    /// Whether `key` is this name exactly, or in snake_case.
    #[inline]
    pub(crate) fn is_key(self, key: &str) -> bool {
        // Both spellings begin alike, which most other keys do not.
        let may_be = key.as_bytes().first() == self.0.as_bytes().first();
        may_be && (key == self.0 || is_snake_case_of(self.0, key))
    }

    /// Whether `name` is this name in any case, in snake_case or not.
    pub(crate) fn is_name(self, name: &str) -> bool {
        name.eq_ignore_ascii_case(self.0) || is_snake_case_of(self.0, &name.to_ascii_lowercase())
    }
}

fn is_snake_case_of(camel: &str, key: &str) -> bool {
    let mut rest = key.bytes();
    camel.bytes().all(|byte| {
        let underscored = !byte.is_ascii_uppercase() || rest.next() == Some(b'_');
        underscored && rest.next() == Some(byte.to_ascii_lowercase())
    }) && rest.next().is_none()
}

/// The candidate that `given` is most likely a misspelling of.
pub(crate) fn suggestion<'a>(
    given: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    const LONGEST: usize = 64;
    if given.len() > LONGEST {
        return None;
    }
    let given = given.to_ascii_lowercase();
    let distance = |name: &str| strsim::osa_distance(&given, &name.to_ascii_lowercase());
    let near = candidates
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(distance, name)| *distance <= name.len().max(given.len()) / 3);
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name.to_owned())
}

/// Whether `given` looks like a slip of the pen for the key `meant`.
///
/// Less is tolerated than a [`suggestion`] would, because keys of other people are not misspellings:
/// `id`, `source_id` and `content_hash` are left in peace.
pub(crate) fn is_slip(given: &str, meant: &str) -> bool {
    const LONGEST: usize = 40;
    if given.len() > LONGEST {
        return false;
    }
    let (given, meant) = (folded(given), folded(meant));
    let tolerated = if meant.len() >= 8 { 2 } else { 1 };
    given == meant || (given.len() >= 3 && strsim::osa_distance(&given, &meant) <= tolerated)
}

fn folded(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_camel_or_snake_case() {
        let key = Spelled("knapsackBucketSize");
        assert!(key.is_key("knapsackBucketSize") && key.is_key("knapsack_bucket_size"));
        for other in ["KnapsackBucketSize", "knapsack_bucketSize", "knapsackbucketsize", ""] {
            assert!(!key.is_key(other), "{other}");
        }
        assert!(!Spelled("type").is_key("typ") && !Spelled("type").is_key("types"));
    }

    #[test]
    fn names_are_matched_in_any_case() {
        for name in ["uShaped", "UShaped", "ushaped", "u_shaped", "U_SHAPED"] {
            assert!(Spelled("uShaped").is_name(name), "{name}");
        }
        assert!(!Spelled("uShaped").is_name("u-shaped"));
    }

    #[test]
    fn near_misses_are_recognised_and_far_ones_are_not() {
        let names = ["recency", "priority", "frequency"];
        assert_eq!(suggestion("recentcy", names).as_deref(), Some("recency"));
        assert_eq!(suggestion("PRIORTY", names).as_deref(), Some("priority"));
        assert_eq!(suggestion("bm25", names), None);
        assert_eq!(suggestion("", names), None);
        assert_eq!(suggestion(&"recency".repeat(100), names), None);
    }

    #[test]
    fn slips_are_recognised() {
        for (slip, meant) in [
            ("token", "tokens"),
            ("Tokens", "tokens"),
            ("timstamp", "timestamp"),
            ("time_stamp", "timestamp"),
            ("futureRelevanceHnit", "futureRelevanceHint"),
            ("original-tokens", "originalTokens"),
            ("tag", "tags"),
            ("pined", "pinned"),
        ] {
            assert!(is_slip(slip, meant), "{slip}");
        }
    }

    #[test]
    fn keys_of_other_people_are_no_slips() {
        let known = ["content", "tokens", "kind", "source", "priority", "tags", "timestamp"];
        for key in ["id", "source_id", "content_hash", "role", "name", "url", "score", "page", "x"]
        {
            assert!(!known.iter().any(|known| is_slip(key, known)), "{key}");
        }
    }
}
