//! Lines and columns.

use cupel_policy::Problem;

/// A position in a text, both counted from 1; columns are characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    /// Where a problem stands.
    pub(crate) fn of(problem: &Problem) -> Self {
        Self { line: problem.line(), column: problem.column() }
    }

    /// The end of `text`.
    pub(crate) fn after(text: &str) -> Self {
        let last = text.rsplit('\n').next().unwrap_or_default();
        Self { line: text.matches('\n').count() + 1, column: last.chars().count() + 1 }
    }

    /// `file:line:column`, as editors understand it.
    pub(crate) fn within(self, file: &str) -> String {
        format!("{file}:{}:{}", self.line, self.column)
    }
}

/// What messages call an input, and how many of its lines come before the part at hand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'n> {
    pub(crate) name: &'n str,
    pub(crate) lines_before: usize,
}

impl<'n> Origin<'n> {
    /// The beginning of an input.
    pub(crate) fn start(name: &'n str) -> Self {
        Self { name, lines_before: 0 }
    }

    /// `file:line:column` of a place in the part.
    pub(crate) fn locate(self, place: Place) -> String {
        Place { line: place.line + self.lines_before, ..place }.within(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters_and_lines_start_anew() {
        assert_eq!(Place::after("añ"), Place { line: 1, column: 3 });
        assert_eq!(Place::after("añb\nc"), Place { line: 2, column: 2 });
        assert_eq!(Place::after(""), Place { line: 1, column: 1 });
    }
}
