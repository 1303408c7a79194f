//! Quota entries.

use serde::{Deserialize, Serialize};

use super::by_way_of;
use crate::{ContextKind, CountQuotaEntry, CupelError, QuotaEntry};

/// How much of the budget one kind gets, in percent.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a quota entry object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct QuotaDefinition {
    /// The kind.
    kind: ContextKind,
    /// Least share.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    require: f64,
    /// Greatest share.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    cap: f64,
}

by_way_of!(QuotaEntry, QuotaDefinition);

impl From<&QuotaEntry> for QuotaDefinition {
    fn from(entry: &QuotaEntry) -> Self {
        Self { kind: entry.kind().clone(), require: entry.require(), cap: entry.cap() }
    }
}

impl TryFrom<QuotaDefinition> for QuotaEntry {
    type Error = CupelError;

    fn try_from(read: QuotaDefinition) -> Result<Self, CupelError> {
        Self::new(read.kind, read.require, read.cap)
    }
}

/// How many items of one kind there must and may be.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "a count quota entry object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CountQuotaDefinition {
    /// The kind.
    kind: ContextKind,
    /// At least so many.
    #[serde(alias = "require_count")]
    require_count: usize,
    /// At most so many.
    #[serde(alias = "cap_count")]
    cap_count: usize,
}

by_way_of!(CountQuotaEntry, CountQuotaDefinition);

impl From<&CountQuotaEntry> for CountQuotaDefinition {
    fn from(entry: &CountQuotaEntry) -> Self {
        Self {
            kind: entry.kind().clone(),
            require_count: entry.require_count(),
            cap_count: entry.cap_count(),
        }
    }
}

impl TryFrom<CountQuotaDefinition> for CountQuotaEntry {
    type Error = CupelError;

    fn try_from(read: CountQuotaDefinition) -> Result<Self, CupelError> {
        Self::new(read.kind, read.require_count, read.cap_count)
    }
}
