//! Keeping account of what was asserted, what was told, and what differed.

use std::collections::BTreeSet;
use std::fmt::Display;

/// One thing that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The engine's paths that have it so.
    pub paths: Vec<String>,
    /// What differs.
    pub what: String,
    /// How it should be.
    pub expected: String,
    /// How it is.
    pub actual: String,
}

/// All that came out of comparing a vector's answers.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) differences: Vec<Difference>,
    asserted: BTreeSet<String>,
    told: BTreeSet<String>,
}

impl Ledger {
    /// What the vector asserts and no path told.
    pub(crate) fn untold(&self) -> Vec<&str> {
        self.asserted.difference(&self.told).map(String::as_str).collect()
    }

    /// Whether the vector asserts anything.
    pub(crate) fn asserts_nothing(&self) -> bool {
        self.asserted.is_empty()
    }

    pub(super) fn of_path<'l>(&'l mut self, path: &'l str) -> Account<'l> {
        Account { ledger: self, path }
    }
}

/// One path's part in a ledger.
pub(super) struct Account<'l> {
    ledger: &'l mut Ledger,
    path: &'l str,
}

impl Account<'_> {
    /// Notes that the vector asserts `what`, and whether this path told; gives what both have.
    pub(super) fn told<E, A>(
        &mut self,
        what: &str,
        expected: Option<E>,
        actual: Option<A>,
    ) -> Option<(E, A)> {
        let expected = expected?;
        self.ledger.asserted.insert(what.to_owned());
        let actual = actual?;
        self.ledger.told.insert(what.to_owned());
        Some((expected, actual))
    }

    pub(super) fn differs(
        &mut self,
        what: impl Into<String>,
        expected: impl Display,
        actual: impl Display,
    ) {
        let (what, expected, actual) = (what.into(), expected.to_string(), actual.to_string());
        let path = self.path.to_owned();
        let same = |it: &&mut Difference| {
            it.what == what && it.expected == expected && it.actual == actual
        };
        match self.ledger.differences.iter_mut().find(same) {
            Some(known) => known.paths.push(path),
            None => {
                let paths = vec![path];
                self.ledger.differences.push(Difference { paths, what, expected, actual });
            }
        }
    }

    pub(super) fn equal<T: PartialEq + Display>(
        &mut self,
        what: impl Into<String>,
        expected: T,
        actual: T,
    ) {
        if expected != actual {
            self.differs(what, expected, actual);
        }
    }
}
