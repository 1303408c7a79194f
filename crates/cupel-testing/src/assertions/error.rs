//! What an assertion says when it does not hold.

use std::fmt;

/// An assertion that did not hold. Its [`Display`](fmt::Display) is the message that
/// [`should`](super::SelectionReportAssertions::should) panics with.
///
/// ```
/// use cupel::SelectionReport;
/// use cupel_testing::SelectionReportAssertions;
///
/// let report = SelectionReport::default();
/// let error = report.try_should().have_at_least_n_exclusions(2).unwrap_err();
/// assert_eq!(error.assertion(), "HaveAtLeastNExclusions");
/// assert_eq!(error.expectation(), "at least 2 excluded items");
/// assert_eq!(error.finding(), "Excluded had 0.");
/// assert_eq!(
///     error.to_string(),
///     "HaveAtLeastNExclusions(2) failed: expected at least 2 excluded items, but Excluded had 0."
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SelectionReportAssertionError {
    assertion: &'static str,
    /// As the message shows them, without parentheses.
    arguments: Option<String>,
    expectation: String,
    finding: String,
    /// Whether the message repeats the expectation; some leave it to the name and the arguments.
    states_expectation: bool,
}

impl SelectionReportAssertionError {
    /// `{assertion} failed: {finding}`
    pub(super) fn new(
        assertion: &'static str,
        expectation: impl Into<String>,
        finding: impl Into<String>,
    ) -> Self {
        Self {
            assertion,
            arguments: None,
            expectation: expectation.into(),
            finding: finding.into(),
            states_expectation: false,
        }
    }

    /// `{assertion}({arguments}) failed: ...`
    pub(super) fn called_with(self, arguments: impl fmt::Display) -> Self {
        Self { arguments: Some(arguments.to_string()), ..self }
    }

    /// `... failed: expected {expectation}, but {finding}`
    pub(super) fn stating_expectation(self) -> Self {
        Self { states_expectation: true, ..self }
    }

    /// The assertion's name, such as `IncludeItemWithKind`.
    pub fn assertion(&self) -> &str {
        self.assertion
    }

    /// What was asked for.
    pub fn expectation(&self) -> &str {
        &self.expectation
    }

    /// What the report holds instead.
    pub fn finding(&self) -> &str {
        &self.finding
    }
}

impl fmt::Display for SelectionReportAssertionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.assertion)?;
        if let Some(arguments) = &self.arguments {
            write!(f, "({arguments})")?;
        }
        f.write_str(" failed: ")?;
        if self.states_expectation {
            write!(f, "expected {}, but ", self.expectation)?;
        }
        f.write_str(&self.finding)
    }
}

impl fmt::Debug for SelectionReportAssertionError {
    /// The message: it is what `unwrap` and a test that returns the error show.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SelectionReportAssertionError {}
