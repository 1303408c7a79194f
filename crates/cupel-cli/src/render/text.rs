//! Numbers and excerpts.

use std::borrow::Cow;
use std::io::IsTerminal;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How wide lines may be: what `COLUMNS` says, or else the terminal's width. What goes to a pipe or
/// a file has no width: nothing is cut or wrapped there.
pub(crate) fn width(to_stdout: bool) -> usize {
    const NARROWEST: usize = 20;
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || {
        (to_stdout && std::io::stdout().is_terminal())
            .then(terminal_size::terminal_size)
            .flatten()
            .map(|(terminal_size::Width(columns), _)| usize::from(columns))
    };
    match told.or_else(seen).unwrap_or(0) {
        0 => usize::MAX,
        columns => columns.max(NARROWEST),
    }
}

/// How many columns a text takes on a terminal, its colours aside.
pub(crate) fn columns_of(text: &str) -> usize {
    anstream::adapter::strip_str(text).map(UnicodeWidthStr::width).sum()
}

/// A text with spaces before it, so that it ends at `columns`.
pub(crate) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(columns_of(text))))
}

/// A text with spaces after it, up to `columns`.
pub(crate) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(columns_of(text))))
}

/// A text whose control characters can be seen and do nothing. Line breaks stay.
///
/// Besides commands to the terminal these are the characters that turn the direction of what
/// follows, and those that take no room: with them a text can look like another.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let acts = |char: char| char != '\n' && stand_in(char).is_some();
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().map(|char| match acts(char) {
        true => stand_in(char).unwrap_or_default(),
        false => char.to_string(),
    });
    Cow::Owned(shown.collect())
}

/// What is shown for a character that would act instead of being seen.
pub(crate) fn stand_in(char: char) -> Option<String> {
    match char {
        '\0'..='\x1f' => char::from_u32(0x2400 + char as u32).map(String::from),
        '\x7f' => Some('\u{2421}'.to_string()),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => Some(format!("<U+{:04X}>", char as u32)),
        _ => None,
    }
}

/// A number with its thousands set apart.
pub(crate) fn grouped(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number that counts things.
pub(crate) fn count(number: usize) -> String {
    grouped(number as i128)
}

/// `1 item`, `2 items`.
pub(crate) fn plural(number: usize, one: &str) -> String {
    format!("{} {one}{}", count(number), if number == 1 { "" } else { "s" })
}

/// The beginning of a text on one line, at most `columns` wide.
pub(crate) fn excerpt(text: &str, columns: usize) -> String {
    let mut shown = String::new();
    let (mut used, mut last_fitting) = (0, 0);
    let mut space = false;
    for char in text.trim().chars() {
        if char.is_whitespace() {
            space = true;
            continue;
        }
        let instead = stand_in(char);
        let char_width = match &instead {
            Some(instead) => instead.width(),
            None => char.width().unwrap_or(0),
        } + usize::from(space);
        if used + char_width > columns {
            shown.truncate(last_fitting);
            shown.push('…');
            return shown;
        }
        if space {
            shown.push(' ');
            space = false;
        }
        match instead {
            Some(instead) => shown.push_str(&instead),
            None => shown.push(char),
        }
        used += char_width;
        // Room for the ellipsis.
        if used < columns {
            last_fitting = shown.len();
        }
    }
    shown
}

/// A text broken into lines of at most `columns`, each after the first indented.
pub(crate) fn wrapped(text: &str, columns: usize, indent: usize) -> String {
    let room = columns.saturating_sub(indent).max(12);
    let (mut lines, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let wide = columns_of(word);
        if used > 0 && used + 1 + wide > room {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += wide;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(-1_234_567), "-1,234,567");
        assert_eq!(grouped(i64::MIN), "-9,223,372,036,854,775,808");
        assert_eq!(count(999), "999");
    }

    #[test]
    fn texts_wrap_between_words() {
        assert_eq!(wrapped("aa bb cc", 26, 6), "aa bb cc");
        assert_eq!(wrapped("one two three four five", 25, 5), "one two three four\n     five");
    }

    #[test]
    fn excerpts_are_one_line_and_fit() {
        assert_eq!(excerpt("  a\n\tb\u{1b}[31m  c ", 20), "a b␛[31m c");
        assert_eq!(excerpt("abcdef", 6), "abcdef");
        assert_eq!(excerpt("abcdefg", 6), "abcde…");
        assert_eq!(excerpt("日本語です", 6), "日本…");
        assert_eq!(excerpt("", 6), "");
        assert_eq!(excerpt("日本語です", usize::MAX), "日本語です");
    }

    #[test]
    fn what_would_act_on_a_terminal_is_shown_instead() {
        assert_eq!(excerpt("a\u{202e}b", 20), "a<U+202E>b");
        assert_eq!(excerpt("a\u{202e}b", 6), "a…");
        assert_eq!(visible("a\u{9b}31m\u{7}\nb"), "a<U+009B>31m␇\nb");
        assert_eq!(visible("é 日本 👩\u{200d}🚀"), "é 日本 👩\u{200d}🚀");
    }

    #[test]
    fn columns_are_what_a_terminal_shows() {
        assert_eq!(right("日本", 6), "  日本");
        assert_eq!(left("\u{1b}[1m日本\u{1b}[0m", 6), "\u{1b}[1m日本\u{1b}[0m  ");
    }
}
