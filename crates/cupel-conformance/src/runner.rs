//! Running vectors against an engine.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::compare::{self, Difference, Ledger};
use crate::engine::{Engine, Unanswered};
use crate::suite::{Level, Source};
use crate::vector::{Read, Vector};

/// What came of one vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The file's path.
    pub path: String,
    /// The level it belongs to.
    pub level: Option<Level>,
    /// The vector's name, if the file could be read.
    pub name: Option<String>,
    /// How it went.
    pub verdict: Verdict,
    /// Fields of the file that are not part of the format, and were ignored.
    pub unknown_fields: Vec<String>,
}

/// How a vector went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Everything it asserts was told by these paths of the engine, and is so.
    Passed(Vec<String>),
    /// It failed.
    Failed(Failure),
    /// The engine cannot be held to it, for this reason.
    Skipped(String),
}

/// Why a vector failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The file is not a vector; says where and why.
    Unreadable(String),
    /// The engine gave no answer; says why.
    Broken(String),
    /// The engine's answers differ from what is expected.
    Differs(Vec<Difference>),
}

/// How all vectors went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// What the engine calls itself.
    pub engine: String,
    /// The version of the suite, if all vectors are of the same.
    pub suite: Option<String>,
    /// Vectors passed.
    pub passed: usize,
    /// Vectors failed.
    pub failed: usize,
    /// Vectors skipped.
    pub skipped: usize,
    /// The same for each level there was a vector of.
    pub levels: Vec<LevelSummary>,
}

/// How the vectors of one level went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelSummary {
    /// The level.
    pub level: Level,
    /// Vectors passed.
    pub passed: usize,
    /// Vectors failed.
    pub failed: usize,
    /// Vectors skipped.
    pub skipped: usize,
}

/// Runs vectors against an engine and tells `each` how every single one went.
///
/// An engine that panics fails the vector at hand; the run goes on.
pub fn run(
    engine: &mut dyn Engine,
    vectors: impl IntoIterator<Item = Source>,
    mut each: impl FnMut(&Checked),
) -> Summary {
    let (passed, failed, skipped, levels) = (0, 0, 0, Vec::new());
    let mut summary =
        Summary { engine: engine.name(), suite: None, passed, failed, skipped, levels };
    for source in vectors {
        if summary.total() == 0 {
            summary.suite.clone_from(&source.suite);
        } else if summary.suite != source.suite {
            summary.suite = None;
        }
        let checked = run_one(engine, source);
        summary.count(&checked);
        each(&checked);
    }
    summary.levels.sort_by_key(|it| it.level);
    summary
}

/// Runs one vector against an engine.
pub fn run_one(engine: &mut dyn Engine, source: Source) -> Checked {
    let Source { path, level, text, .. } = source;
    match Vector::parse(&text) {
        Ok(Read { vector, unknown_fields }) => {
            let verdict = check(engine, &vector);
            Checked { path, level, name: Some(vector.name), verdict, unknown_fields }
        }
        Err(error) => {
            let verdict = Verdict::Failed(Failure::Unreadable(error.to_string()));
            Checked { path, level, name: None, verdict, unknown_fields: Vec::new() }
        }
    }
}

/// Holds an engine to one vector.
pub fn check(engine: &mut dyn Engine, vector: &Vector) -> Verdict {
    let mut ledger = Ledger::default();
    let asked = AssertUnwindSafe(|| compare::check(vector, engine, &mut ledger));
    let paths = match catch_unwind(asked) {
        Ok(Ok(paths)) => paths,
        Ok(Err(Unanswered::NotSupported(reason))) => return Verdict::Skipped(reason),
        Ok(Err(Unanswered::Broken(reason))) => return Verdict::Failed(Failure::Broken(reason)),
        Err(panic) => {
            let reason = format!("the engine panicked: {}", panic_message(panic.as_ref()));
            return Verdict::Failed(Failure::Broken(reason));
        }
    };
    let untold = ledger.untold().join(", ");
    if !ledger.differences.is_empty() {
        Verdict::Failed(Failure::Differs(ledger.differences))
    } else if !untold.is_empty() {
        Verdict::Skipped(format!("what the engine tells is right, but it does not tell: {untold}"))
    } else if ledger.asserts_nothing() {
        Verdict::Skipped("the vector asserts nothing".to_owned())
    } else {
        Verdict::Passed(paths)
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

impl Summary {
    /// Number of vectors run.
    pub fn total(&self) -> usize {
        self.passed + self.failed + self.skipped
    }

    /// What the engine may call itself, provided that these were all the vectors there are.
    pub fn title(&self) -> Option<&'static str> {
        let holds = |level| {
            let of_level = self.levels.iter().find(|it| it.level == level);
            of_level.is_some_and(|it| it.failed == 0 && it.skipped == 0)
        };
        match (holds(Level::Required), holds(Level::Optional)) {
            (true, true) => Some("Cupel Fully Conformant"),
            (true, false) => Some("Cupel Conformant"),
            (false, _) => None,
        }
    }

    fn count(&mut self, checked: &Checked) {
        let (passed, failed, skipped) = match checked.verdict {
            Verdict::Passed(_) => (1, 0, 0),
            Verdict::Failed(_) => (0, 1, 0),
            Verdict::Skipped(_) => (0, 0, 1),
        };
        self.passed += passed;
        self.failed += failed;
        self.skipped += skipped;
        let Some(level) = checked.level else { return };
        match self.levels.iter_mut().find(|it| it.level == level) {
            Some(known) => {
                known.passed += passed;
                known.failed += failed;
                known.skipped += skipped;
            }
            None => self.levels.push(LevelSummary { level, passed, failed, skipped }),
        }
    }
}
