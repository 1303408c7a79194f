//! Lines of any number and of bounded length.

use std::io::{self, BufRead, BufReader, Read};

/// One line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) text: Text,
    /// How many bytes it is, its end included.
    pub(super) bytes: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// Without its end.
    Whole(Vec<u8>),
    /// More than this many bytes, which were not kept.
    LongerThan(usize),
}

/// Splits input into lines without ever keeping more than the longest allowed one.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: BufReader<R>,
    longest: usize,
    number: usize,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R, longest: usize) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), longest, number: 0 }
    }

    /// The next line; `None` after the last. A final line need not have an end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let (mut text, mut bytes, mut ended) = (Vec::new(), 0_u64, false);
        while !ended {
            let part = match self.input.fill_buf() {
                Ok(part) => part,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if part.is_empty() {
                if bytes == 0 {
                    return Ok(None);
                }
                break;
            }
            let newline = part.iter().position(|byte| *byte == b'\n');
            let (kept, taken) = newline.map_or((part.len(), part.len()), |at| (at, at + 1));
            // Two bytes over the limit are enough to know: one of them may belong to the line's end.
            let room = self.longest.saturating_add(2).saturating_sub(text.len());
            text.extend_from_slice(&part[..kept.min(room)]);
            ended = newline.is_some();
            bytes += taken as u64;
            self.input.consume(taken);
        }
        self.number += 1;
        if text.last() == Some(&b'\r') {
            text.pop();
        }
        let text = match text.len() > self.longest {
            true => Text::LongerThan(self.longest),
            false => Text::Whole(text),
        };
        Ok(Some(Line { number: self.number, text, bytes }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &str, longest: usize) -> Vec<Text> {
        let mut lines = Lines::new(input.as_bytes(), longest);
        std::iter::from_fn(|| lines.next().unwrap()).map(|line| line.text).collect()
    }

    fn whole(text: &str) -> Text {
        Text::Whole(text.into())
    }

    #[test]
    fn every_line_is_one_whatever_its_end() {
        assert_eq!(texts("a\nb\r\n\nc", 9), [whole("a"), whole("b"), whole(""), whole("c")]);
        assert_eq!(texts("a\n", 9), [whole("a")]);
        assert_eq!(texts("", 9), []);
    }

    #[test]
    fn lines_over_the_limit_are_skipped_and_the_next_one_is_whole() {
        let long = "x".repeat(200_000);
        let input = format!("{long}\nab\nabc\nabcd\n");
        let too_long = || Text::LongerThan(3);
        assert_eq!(texts(&input, 3), [too_long(), whole("ab"), whole("abc"), too_long()]);
    }

    #[test]
    fn a_carriage_return_at_the_limit_ends_a_line_only_if_it_is_the_end() {
        assert_eq!(texts("abc\r\n", 3), [whole("abc")]);
        assert_eq!(texts("abc\rd\n", 3), [Text::LongerThan(3)]);
        assert_eq!(texts("abc\r\r\n", 3), [Text::LongerThan(3)]);
    }

    #[test]
    fn no_limit_is_too_large() {
        assert_eq!(texts("abc\n", usize::MAX), [whole("abc")]);
    }
}
