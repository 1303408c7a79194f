//! Values that a text uses: ids, paths, numbers, names.

use std::collections::HashSet;

/// The distinctive words of a text, lower-cased: those with a digit, an underscore, a slash, an at sign, an inner dot or
/// capital, and capitalised ones that do not begin a sentence. Short ones say little and are left out.
pub(super) fn values(text: &str) -> HashSet<String> {
    let mut values = HashSet::new();
    let mut begins_sentence = true;
    for word in text.split(|it: char| it.is_whitespace() || "\"'`()[]{}<>,;=|*!?".contains(it)) {
        let bare = word.trim_matches(|it: char| !it.is_alphanumeric() && it != '/' && it != '_');
        if !bare.is_empty() {
            if is_value(bare) || (!begins_sentence && is_name(bare)) {
                values.insert(bare.to_lowercase());
            }
            begins_sentence = word.ends_with(['.', ':', '!', '?']);
        }
    }
    values
}

fn is_value(word: &str) -> bool {
    const SHORTEST: usize = 4;
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let inner_capital = || {
        word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase())
    };
    let marked = || digits > 0 || word.contains(['_', '/', '@', '.', '#']) || inner_capital();
    word.chars().count() >= SHORTEST && word.chars().any(char::is_alphanumeric) && marked()
}

fn is_name(word: &str) -> bool {
    const SHORTEST: usize = 3;
    word.chars().count() >= SHORTEST
        && word.chars().next().is_some_and(char::is_uppercase)
        && word.chars().skip(1).all(|it| it.is_lowercase() || it == '-')
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn ids_paths_numbers_and_names_are_values_and_plain_words_are_not() {
        let found = values(
            "Then Marta opened src/app.rs, saw order #W4711 (total: 1234.50) and sendMail. The end.",
        );
        let mut found: Vec<_> = found.iter().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, ["1234.50", "marta", "sendmail", "src/app.rs", "w4711"]);
    }
}
