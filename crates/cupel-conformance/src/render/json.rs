//! JSON.

use serde::Serialize;

use crate::compare::Difference;
use crate::runner::{Checked, Failure, Summary, Verdict};
use crate::suite::Level;

/// A whole run, ready to be serialized.
#[derive(Debug, Serialize)]
pub struct JsonReport<'r> {
    engine: &'r str,
    /// The version of the suite, if the vectors are of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'r str>,
    passed: usize,
    failed: usize,
    skipped: usize,
    vectors: Vec<JsonVector<'r>>,
}

impl<'r> JsonReport<'r> {
    /// A report of `summary` and all the vectors behind it.
    pub fn new(summary: &'r Summary, vectors: &'r [Checked]) -> Self {
        Self {
            engine: &summary.engine,
            suite: summary.suite.as_deref(),
            passed: summary.passed,
            failed: summary.failed,
            skipped: summary.skipped,
            vectors: vectors.iter().map(JsonVector::new).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonVector<'r> {
    path: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'r str>,
    verdict: &'static str,
    /// The engine's paths that answered.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    paths: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<JsonDifference<'r>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unknown_fields: &'r [String],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonDifference<'r> {
    what: &'r str,
    expected: &'r str,
    actual: &'r str,
    paths: &'r [String],
}

impl<'r> JsonVector<'r> {
    fn new(checked: &'r Checked) -> Self {
        let mut vector = Self {
            path: &checked.path,
            level: checked.level,
            name: checked.name.as_deref(),
            verdict: "passed",
            paths: &[],
            reason: None,
            differences: Vec::new(),
            unknown_fields: &checked.unknown_fields,
        };
        match &checked.verdict {
            Verdict::Passed(paths) => vector.paths = paths,
            Verdict::Skipped(reason) => {
                vector.verdict = "skipped";
                vector.reason = Some(reason);
            }
            Verdict::Failed(failure) => {
                vector.verdict = "failed";
                match failure {
                    Failure::Unreadable(reason) | Failure::Broken(reason) => {
                        vector.reason = Some(reason);
                    }
                    Failure::Differs(differences) => {
                        vector.differences = differences.iter().map(JsonDifference::new).collect();
                    }
                }
            }
        }
        vector
    }
}

impl<'r> JsonDifference<'r> {
    fn new(difference: &'r Difference) -> Self {
        Self {
            what: &difference.what,
            expected: &difference.expected,
            actual: &difference.actual,
            paths: &difference.paths,
        }
    }
}
