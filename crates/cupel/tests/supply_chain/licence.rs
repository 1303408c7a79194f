//! Licence expressions, as far as they occur.

/// Licences that ask for no more than to be named.
const PERMISSIVE: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether one of the alternatives is permissive in all its parts. `/` is an old way to write `OR`.
pub(crate) fn is_permissive(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    alternatives(&expression, " OR ").any(|part| {
        alternatives(part, " AND ").all(|licence| match enclosed(licence) {
            Some(inner) => is_permissive(inner),
            None => PERMISSIVE.contains(&licence.trim()),
        })
    })
}

fn enclosed(licence: &str) -> Option<&str> {
    licence.trim().strip_prefix('(')?.strip_suffix(')')
}

/// The parts between `word`, where it stands in no parentheses.
fn alternatives<'e>(expression: &'e str, word: &'e str) -> impl Iterator<Item = &'e str> {
    let mut rest = Some(expression);
    std::iter::from_fn(move || {
        let text = rest?;
        let outside = |at: &usize| {
            let before = &text[..*at];
            before.matches('(').count() == before.matches(')').count()
        };
        match text.match_indices(word).map(|(at, _)| at).find(outside) {
            Some(at) => {
                rest = Some(&text[at + word.len()..]);
                Some(&text[..at])
            }
            None => rest.take(),
        }
    })
}

#[test]
fn expressions_are_understood() {
    for good in ["MIT", "GPL-3.0 OR MIT", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_permissive(good), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-2.0", "none", ""] {
        assert!(!is_permissive(bad), "{bad}");
    }
}
