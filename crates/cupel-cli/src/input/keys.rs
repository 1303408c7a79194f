//! The keys of an item, and what was probably meant by others.

/// Every key that means something, in both spellings.
const KNOWN: [&str; 13] = [
    "content",
    "tokens",
    "kind",
    "source",
    "priority",
    "tags",
    "metadata",
    "timestamp",
    "futureRelevanceHint",
    "future_relevance_hint",
    "pinned",
    "originalTokens",
    "original_tokens",
];

/// What others call the two keys that must be there.
const OTHER_NAMES: [(&str, &[&str]); 2] = [
    ("content", &["text", "body", "message", "value", "page_content", "data"]),
    ("tokens", &["token_count", "tokenCount", "num_tokens", "n_tokens", "length", "size"]),
];

/// Whether a key means something to an item.
pub(super) fn is_known(key: &str) -> bool {
    KNOWN.contains(&key)
}

/// The known key that `key` looks like a misspelling of.
///
/// Other people's keys are not misspellings: `id`, `source_id` and `content_hash` are left in peace.
pub(super) fn misspelt(key: &str) -> Option<&'static str> {
    const LONGEST: usize = 40;
    if key.len() > LONGEST {
        return None;
    }
    let given = folded(key);
    KNOWN.into_iter().find(|known| {
        let known = folded(known);
        let tolerated = if known.len() >= 8 { 2 } else { 1 };
        given == known || (given.len() >= 3 && strsim::osa_distance(&given, &known) <= tolerated)
    })
}

/// Which of `keys` probably holds what `required` should.
pub(super) fn other_name_of<'k>(
    required: &str,
    mut keys: impl Iterator<Item = &'k str>,
) -> Option<&'k str> {
    let names = OTHER_NAMES.iter().find(|(key, _)| *key == required)?.1;
    keys.find(|key| names.contains(key))
}

fn folded(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(misspelt(slip), Some(meant), "{slip}");
        }
    }

    #[test]
    fn keys_of_the_callers_own_are_left_in_peace() {
        for key in ["id", "source_id", "content_hash", "role", "name", "url", "score", "page", "x"]
        {
            assert_eq!(misspelt(key), None, "{key}");
        }
    }
}
