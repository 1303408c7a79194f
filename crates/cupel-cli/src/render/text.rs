//! Numbers and excerpts.

use std::io::IsTerminal;

use unicode_width::UnicodeWidthChar;

/// How wide lines may be: the terminal's width, or what `COLUMNS` says, or 100.
pub(crate) fn width() -> usize {
    const NARROWEST: usize = 40;
    const USUAL: usize = 100;
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || {
        std::io::stdout()
            .is_terminal()
            .then(terminal_size::terminal_size)
            .flatten()
            .map(|(terminal_size::Width(columns), _)| usize::from(columns))
    };
    told.or_else(seen).unwrap_or(USUAL).max(NARROWEST)
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
        if char.is_whitespace() || char.is_control() {
            space = true;
            continue;
        }
        let char_width = char.width().unwrap_or(0) + usize::from(space);
        if used + char_width > columns {
            shown.truncate(last_fitting);
            shown.push('…');
            return shown;
        }
        if space {
            shown.push(' ');
            space = false;
        }
        shown.push(char);
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
    let room = columns.saturating_sub(indent).max(20);
    let (mut lines, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let wide = word.chars().count();
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
        assert_eq!(excerpt("  a\n\tb\u{1b}[31m  c ", 20), "a b [31m c");
        assert_eq!(excerpt("abcdef", 6), "abcdef");
        assert_eq!(excerpt("abcdefg", 6), "abcde…");
        assert_eq!(excerpt("日本語です", 6), "日本…");
        assert_eq!(excerpt("", 6), "");
    }
}
