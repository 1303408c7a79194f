//! Text.

use std::io::{self, Write};

use crate::runner::{Checked, Failure, LevelSummary, Summary, Verdict};

/// Writes what there is to say about one vector: nothing if it passed and all of it was understood.
pub fn write_checked(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    let path = &checked.path;
    for field in &checked.unknown_fields {
        writeln!(out, "warning: {path}: unknown field {field} is ignored")?;
    }
    let name = checked.name.as_deref().map(|name| format!("  {name}\n")).unwrap_or_default();
    match &checked.verdict {
        Verdict::Passed(_) => Ok(()),
        Verdict::Skipped(reason) => writeln!(out, "skipped {path}: {reason}"),
        Verdict::Failed(Failure::Unreadable(problem)) => {
            writeln!(out, "FAILED  {path}, {problem}")
        }
        Verdict::Failed(Failure::Broken(reason)) => {
            writeln!(out, "FAILED  {path}\n{name}  {}", reason.replace('\n', "\n  "))
        }
        Verdict::Failed(Failure::Differs(differences)) => {
            write!(out, "FAILED  {path}\n{name}")?;
            for it in differences {
                writeln!(out, "  {} by {}", it.what, it.paths.join(", "))?;
                writeln!(out, "    expected {}", it.expected)?;
                writeln!(out, "      actual {}", it.actual)?;
            }
            Ok(())
        }
    }
}

/// Writes how all vectors went, by level, and closes with the counts on a line of their own.
///
/// `whole_suite` says that no vector of the levels shown was left out; then the title that the engine
/// has earned is stated.
pub fn write_summary(out: &mut impl Write, summary: &Summary, whole_suite: bool) -> io::Result<()> {
    writeln!(out, "engine: {}", summary.engine)?;
    if let Some(version) = &summary.suite {
        writeln!(out, "suite: {version}")?;
    }
    for it in &summary.levels {
        let LevelSummary { level, passed, failed, skipped } = it;
        writeln!(out, "{level:8} {passed:4} passed {failed:4} failed {skipped:4} skipped")?;
    }
    if let Some(title) = summary.title().filter(|_| whole_suite) {
        writeln!(out, "{title}")?;
    }
    writeln!(
        out,
        "{} passed, {} failed, {} skipped",
        summary.passed, summary.failed, summary.skipped
    )
}
