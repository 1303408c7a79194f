//! What reading the text costs whoever looks for words in it.

use cupel::ContextItem;

/// Cuts every text once at what is neither letter, digit nor underscore, as the standard library does it, and counts the words
/// and their bytes. Nothing is looked up, compared or kept.
pub(crate) fn split(items: &[ContextItem]) -> (usize, usize) {
    let (mut words, mut bytes) = (0, 0);
    for item in items {
        let is_between = |char: char| !char.is_alphanumeric() && char != '_';
        for word in item.content().split(is_between).filter(|word| !word.is_empty()) {
            words += 1;
            bytes += word.len();
        }
    }
    (words, bytes)
}
