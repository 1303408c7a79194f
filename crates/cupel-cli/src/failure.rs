//! How a command ends when it does not end well.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use cupel::CupelError;

use crate::render::{Palette, columns_of, visible, wrapped};

/// What every command returns.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Why a command did not do what it was asked, and the exit code that says so.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request or the input makes no sense: exit code 2.
    BadInput(Vec<Complaint>),
    /// The request made sense but the work failed: exit code 1.
    Failed(Complaint),
    /// The work is done, what it found is already said, and it was not good: exit code 1.
    AlreadyReported,
    /// Whoever reads our output has seen enough: exit code 0.
    ClosedPipe,
}

/// One thing that is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// File, line and column, as far as they are known.
    pub(crate) place: Option<String>,
    /// What is wrong.
    pub(crate) problem: String,
    /// What to do about it.
    pub(crate) remedy: Option<String>,
}

impl Complaint {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self { place: None, problem: problem.into(), remedy: None }
    }

    /// Says where.
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Says what to do.
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl Failure {
    /// A single complaint about the request or the input.
    pub(crate) fn bad_input(complaint: Complaint) -> Self {
        Self::BadInput(vec![complaint])
    }

    /// Tells the person, and gives the exit code.
    pub(crate) fn report(self) -> u8 {
        match self {
            Self::BadInput(complaints) => {
                for (at, complaint) in complaints.iter().enumerate() {
                    let next = complaints.get(at + 1);
                    // What helps against several in a row is said once, after the last of them.
                    let said_later = next.is_some_and(|next| next.remedy == complaint.remedy);
                    let remedy = complaint.remedy.as_deref().filter(|_| !said_later);
                    print("error", complaint, remedy);
                }
                2
            }
            Self::Failed(complaint) => {
                print("error", &complaint, complaint.remedy.as_deref());
                1
            }
            Self::AlreadyReported => 1,
            Self::ClosedPipe => 0,
        }
    }
}

static QUIET: AtomicBool = AtomicBool::new(false);

/// Takes the user's word on whether to hear anything but errors.
pub(crate) fn be_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Warns on stderr.
pub(crate) fn warn(complaint: &Complaint) {
    if !is_quiet() {
        print("warning", complaint, complaint.remedy.as_deref());
    }
}

/// Tells of an error on stderr, where the work goes on.
pub(crate) fn report(complaint: &Complaint) {
    print("error", complaint, complaint.remedy.as_deref());
}

/// Says on stderr what was done, where the output alone would leave a reader wondering.
pub(crate) fn note(text: &str) {
    if !is_quiet() {
        anstream::eprintln!("{}", fitted(text));
    }
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

fn print(severity: &str, complaint: &Complaint, remedy: Option<&str>) {
    let palette = Palette::PEOPLE;
    let style = if severity == "error" { palette.error } else { palette.warning };
    let complaint = complaint.to_string();
    let line = format!("{style}{severity}:{style:#} {}", visible(&complaint));
    anstream::eprintln!("{}", fitted(&line));
    if let Some(remedy) = remedy {
        let strong = palette.strong;
        let line = format!("{strong}help:{strong:#} {}", visible(remedy));
        anstream::eprintln!("  {}", fitted(&line));
    }
}

/// A line wrapped between its words where a terminal would break it anywhere. The lines after the
/// first are indented, and all leave room for an indentation.
fn fitted(line: &str) -> String {
    const INDENT: usize = 2;
    let width = terminal_size::terminal_size_of(io::stderr())
        .map_or(usize::MAX, |(terminal_size::Width(columns), _)| usize::from(columns));
    match columns_of(line) + INDENT <= width {
        true => line.to_owned(),
        false => wrapped(line, width, INDENT),
    }
}

/// Whether a person watches stderr and wants to be told.
pub(crate) fn watched() -> bool {
    !is_quiet() && io::stderr().is_terminal()
}

impl From<CupelError> for Failure {
    /// What a run refuses. Refusals of the budget or of the question are the caller's to mend.
    fn from(error: CupelError) -> Self {
        let complaint = Complaint::new(error.to_string());
        match error {
            CupelError::PinnedExceedsBudget { .. } => Self::Failed(complaint.remedy(
                "raise --budget (or --max-tokens), lower --output-reserve, or pin fewer items",
            )),
            CupelError::MissingQuery { scorer } => {
                let problem =
                    format!("the scorer {scorer} judges items by a query, and there is none");
                let remedy = "say what the window is to answer: --query \"...\"; or choose a --policy without that scorer";
                Self::bad_input(Complaint::new(problem).remedy(remedy))
            }
            CupelError::GroupSplit { .. } => {
                Self::bad_input(complaint.remedy("raise \"streamBatchSize\" in the policy"))
            }
            CupelError::InvalidBudget(_) | CupelError::PipelineConfig(_) => {
                Self::bad_input(complaint)
            }
            _ => Self::Failed(complaint),
        }
    }
}
