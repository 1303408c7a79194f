//! What a kind must and may have.

use crate::model::KindMap;
use crate::{ContextKind, CupelError};

/// How much of the budget one kind gets at least and at most, in percent.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotaEntry {
    pub(super) kind: ContextKind,
    pub(super) require: f64,
    pub(super) cap: f64,
}

impl QuotaEntry {
    /// `0 <= require <= cap <= 100`.
    pub fn new(kind: ContextKind, require: f64, cap: f64) -> Result<Self, CupelError> {
        for (name, percent) in [("require", require), ("cap", cap)] {
            if !(0.0..=100.0).contains(&percent) {
                return Err(CupelError::SlicerConfig(format!(
                    "{name} of kind {kind} ({percent}) must be between 0 and 100 percent"
                )));
            }
        }
        if require > cap {
            return Err(CupelError::SlicerConfig(format!(
                "require of kind {kind} ({require}) must not exceed its cap ({cap})"
            )));
        }
        Ok(Self { kind, require, cap })
    }

    /// The kind.
    pub fn kind(&self) -> &ContextKind {
        &self.kind
    }

    /// Least share in percent.
    pub fn require(&self) -> f64 {
        self.require
    }

    /// Greatest share in percent.
    pub fn cap(&self) -> f64 {
        self.cap
    }
}

/// Whether a constraint speaks of shares or of numbers of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuotaConstraintMode {
    /// Percent of the target tokens.
    Percentage,
    /// Number of items.
    Count,
}

/// One kind's least and greatest, in the unit that `mode` says.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotaConstraint {
    /// The kind.
    pub kind: ContextKind,
    /// The unit.
    pub mode: QuotaConstraintMode,
    /// At least.
    pub require: f64,
    /// At most.
    pub cap: f64,
}

/// A slicer that can list its constraints per kind, for
/// [`quota_utilization`](crate::analytics::quota_utilization).
pub trait QuotaPolicy {
    /// The constraints, in configured order.
    fn quota_constraints(&self) -> Vec<QuotaConstraint>;
}

/// Refuses a kind that is configured twice.
pub(in crate::slicer) fn refuse_duplicate_kinds<'a>(
    kinds: impl Iterator<Item = &'a ContextKind>,
) -> Result<(), CupelError> {
    let mut seen = KindMap::new();
    for kind in kinds {
        let before = seen.len();
        seen.position_or_insert_with(kind, || ());
        if seen.len() == before {
            return Err(CupelError::SlicerConfig(format!(
                "kind {kind} has two entries; kinds are compared without case, keep one"
            )));
        }
    }
    Ok(())
}
