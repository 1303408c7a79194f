//! Lines and columns.

/// A position in a text, both counted from 1; columns are characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    /// The place of the byte at `offset`.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        Self::START.after(&text[..text.floor_char_boundary(offset)])
    }

    /// Where a text starts.
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// The place after `text`, if that starts here.
    pub(crate) fn after(self, text: &str) -> Self {
        match text.rfind('\n') {
            None => Self { column: self.column + text.chars().count(), ..self },
            Some(newline) => Self {
                line: self.line + text.matches('\n').count(),
                column: text[newline + 1..].chars().count() + 1,
            },
        }
    }

    /// This place, given within a text that itself starts at `start`.
    pub(crate) fn from(self, start: Self) -> Self {
        match self.line {
            1 => Self { line: start.line, column: start.column + self.column - 1 },
            _ => Self { line: start.line + self.line - 1, column: self.column },
        }
    }

    /// `file:line:column`, as editors understand it.
    pub(crate) fn within(self, file: &str) -> String {
        format!("{file}:{}:{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters_and_lines_start_anew() {
        assert_eq!(Place::of("añb\ncd", 3), Place { line: 1, column: 3 });
        assert_eq!(Place::of("añb\ncd", 6), Place { line: 2, column: 2 });
        assert_eq!(Place::of("ab", 99), Place { line: 1, column: 3 });
    }

    #[test]
    fn a_place_within_a_part_is_a_place_in_the_whole() {
        let start = Place { line: 4, column: 7 };
        assert_eq!(Place { line: 1, column: 3 }.from(start), Place { line: 4, column: 9 });
        assert_eq!(Place { line: 2, column: 3 }.from(start), Place { line: 5, column: 3 });
    }
}
