//! Characters that have no shape, given one.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` in which every character that a page would not show, or that would reorder what stands
/// beside it, is spelled out. Tabs and line ends stay.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(unseen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\r' if chars.peek() == Some(&'\n') => {}
            char if unseen(char) => {
                let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(char));
            }
            char => shown.push(char),
        }
    }
    Cow::Owned(shown)
}

/// Control characters, direction marks, zero-width spaces and tags. Joiners stay: scripts and emoji
/// need them.
fn unseen(char: char) -> bool {
    match char {
        '\t' | '\n' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        char => char.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_shape_is_spelled_out() {
        assert_eq!(visible("pay \u{202e}001$\u{7}"), "pay ⟨U+202E⟩001$⟨U+0007⟩");
        assert_eq!(visible("\u{1b}[31m \u{2066}x\u{2069}"), "⟨U+001B⟩[31m ⟨U+2066⟩x⟨U+2069⟩");
        assert_eq!(visible("hidden\u{e0041}"), "hidden⟨U+E0041⟩");
    }

    #[test]
    fn texts_of_all_scripts_stay_as_they_are() {
        for text in ["a\n\tb", "שלום", "می\u{200c}خواهم", "👩\u{200d}🔬", "日本語"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
        assert_eq!(visible("one\r\ntwo\rthree"), "one\ntwo⟨U+000D⟩three");
    }
}
