//! Texts on the page: nothing in them acts, but tabs and line ends are what they are.

use std::borrow::Cow;

use crate::render::stand_in;

/// `text` in which every character that a page would not show, or that would reorder what stands
/// beside it, is spelled out.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    let acts = |char| !matches!(char, '\t' | '\n') && stand_in(char).is_some();
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let shown = text.chars().map(|char| match acts(char) {
        true => stand_in(char).unwrap_or_default(),
        false => char.to_string(),
    });
    Cow::Owned(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_spelled_out() {
        assert_eq!(visible("pay \u{202e}001$\u{7}"), "pay <U+202E>001$␇");
        assert_eq!(visible("\u{1b}[31m \u{2066}x\u{2069}"), "␛[31m <U+2066>x<U+2069>");
        assert_eq!(visible("hidden\u{e0041}"), "hidden<U+E0041>");
    }

    #[test]
    fn texts_of_all_scripts_stay_as_they_are() {
        for text in ["a\n\tb", "שלום", "می\u{200c}خواهم", "👩\u{200d}🔬", "日本語"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
        assert_eq!(visible("one\r\ntwo\rthree"), "one\ntwo␍three");
    }
}
