//! Reading a tree: collect every problem, stop at none.
//!
//! A reader takes a node and the path to it, returns what it read, and on `None` has said why.

mod fields;
mod names;
mod slips;
mod values;

pub(crate) use fields::Fields;
pub(crate) use names::{Spelled, is_slip, suggestion};
pub use slips::Slip;
pub(crate) use slips::Slips;
pub(crate) use values::*;

use cupel::CupelError;

use crate::error::{ProblemKind, Problems};
use crate::json::{Node, Path};
use crate::policy::Parts;

/// What all readers of one document share.
pub(crate) struct Context<'c> {
    parts: Parts<'c>,
    /// Whether unknown keys are only warned of.
    pub(crate) lenient: bool,
    pub(crate) problems: Problems,
    pub(crate) warnings: Problems,
    /// Of objects whose unknown keys are kept.
    pub(crate) slips: Slips,
}

impl<'c> Context<'c> {
    pub(crate) fn new(parts: Parts<'c>) -> Self {
        let (problems, warnings) = (Problems::default(), Problems::default());
        Self { parts, lenient: false, problems, warnings, slips: Slips::default() }
    }

    /// What strategies are made of.
    pub(crate) fn parts(&self) -> Parts<'c> {
        self.parts
    }

    pub(crate) fn problem(&mut self, node: &Node<'_>, path: &Path<'_>, kind: ProblemKind) {
        self.problems.add(node.at, path, kind);
    }

    /// What a constructor made, or its refusal as a problem with `node`.
    pub(crate) fn accepted<T>(
        &mut self,
        node: &Node<'_>,
        path: &Path<'_>,
        made: Result<T, CupelError>,
    ) -> Option<T> {
        made.map_err(|error| self.problem(node, path, ProblemKind::Refused(error))).ok()
    }
}
