//! Lines of any number and of bounded length.

use std::io::{self, BufRead, BufReader, Read};

/// One line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) text: Text,
    /// How many bytes it is, its end included.
    pub(crate) bytes: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// Without its end.
    Whole(Vec<u8>),
    /// More than this many bytes, which were not kept.
    LongerThan(usize),
}

/// Splits input into lines without ever keeping more than the longest allowed one.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    longest: usize,
    number: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, longest: usize) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), longest, number: 0 }
    }

    /// The first byte that is not white space. Blank lines before it are passed over.
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            let text = buffer.strip_prefix(BYTE_ORDER_MARK).unwrap_or(buffer);
            if let Some(first) = text.trim_ascii_start().first() {
                return Ok(Some(*first));
            }
            let blank = buffer.len();
            self.number += buffer.iter().filter(|byte| **byte == b'\n').count();
            self.input.consume(blank);
        }
    }

    /// What was read ahead: a beginning of all that comes.
    pub(crate) fn buffered(&self) -> &[u8] {
        self.input.buffer()
    }

    /// All that was not read yet, with the line ends that were passed over.
    pub(crate) fn rest(mut self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![b'\n'; self.number];
        self.input.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The next line; `None` after the last. A final line need not have an end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        // Room for a carriage return and the end, besides the longest line.
        let enough = (self.longest as u64).saturating_add(2);
        let mut bytes = (&mut self.input).take(enough).read_until(b'\n', &mut text)? as u64;
        if bytes == 0 {
            return Ok(None);
        }
        self.number += 1;
        if text.last() == Some(&b'\n') {
            text.pop();
        } else if bytes == enough {
            bytes += self.input.skip_until(b'\n')? as u64;
        }
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
    fn all_bytes_are_counted_those_not_kept_too() {
        let mut lines = Lines::new("abc\r\nabcdefgh\nab".as_bytes(), 3);
        let bytes = std::iter::from_fn(|| lines.next().unwrap()).map(|line| line.bytes);
        assert_eq!(bytes.collect::<Vec<_>>(), [5, 9, 2]);
    }

    #[test]
    fn the_end_of_a_line_does_not_count_towards_its_length() {
        assert_eq!(texts("abc\r\nabc\nabc\r", 3), [whole("abc"), whole("abc"), whole("abc")]);
        assert_eq!(texts("abcd\r\nabc\r\r\n", 3), [Text::LongerThan(3), Text::LongerThan(3)]);
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
    fn a_look_ahead_passes_over_nothing_but_blank_lines() {
        let mut lines = Lines::new("\u{feff}\n\n  [1]\n".as_bytes(), 9);
        assert_eq!(lines.peek().unwrap(), Some(b'['));
        assert_eq!(lines.rest().unwrap(), "\u{feff}\n\n  [1]\n".as_bytes());
        // One byte at a time, as a pipe may give them.
        let slow = b"\n\n {}\n"
            .chunks(1)
            .fold(Box::new(io::empty()) as Box<dyn Read>, |all, byte| Box::new(all.chain(byte)));
        let mut lines = Lines::new(slow, 9);
        assert_eq!(lines.peek().unwrap(), Some(b'{'));
        assert_eq!(lines.next().unwrap().unwrap().number, 3);
        assert_eq!(Lines::new(" \n".as_bytes(), 9).peek().unwrap(), None);
    }

    #[test]
    fn no_limit_is_too_large() {
        assert_eq!(texts("abc\n", usize::MAX), [whole("abc")]);
    }
}
