//! Sensitivity reports: pairs become objects that name their parts.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::by_way_of;
use crate::{ItemStatus, PolicySensitivityDiffEntry, PolicySensitivityReport, SelectionReport};

/// The same candidates under several policies.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "a sensitivity report object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SensitivityDefinition<'a> {
    /// One report per variant.
    variants: Vec<Variant<'a>>,
    /// The contents on which at least two variants disagree.
    diffs: Cow<'a, [PolicySensitivityDiffEntry]>,
}

/// A variant and what it decided.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Variant<'a> {
    /// The variant's name.
    label: Cow<'a, str>,
    /// What it decided.
    report: Cow<'a, SelectionReport>,
}

by_way_of!(PolicySensitivityReport, SensitivityDefinition);

impl<'a> From<&'a PolicySensitivityReport> for SensitivityDefinition<'a> {
    fn from(report: &'a PolicySensitivityReport) -> Self {
        let variants = report
            .variants
            .iter()
            .map(|(label, report)| Variant { label: label.into(), report: Cow::Borrowed(report) });
        Self { variants: variants.collect(), diffs: report.diffs.as_slice().into() }
    }
}

impl From<SensitivityDefinition<'_>> for PolicySensitivityReport {
    fn from(read: SensitivityDefinition<'_>) -> Self {
        let pair = |it: Variant<'_>| (it.label.into_owned(), it.report.into_owned());
        Self {
            variants: read.variants.into_iter().map(pair).collect(),
            diffs: read.diffs.into_owned(),
        }
    }
}

/// A content on which variants disagree.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "a difference object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DiffDefinition<'a> {
    /// The content.
    content: Cow<'a, str>,
    /// One status per variant, in their order.
    statuses: Vec<LabelledStatus<'a>>,
}

/// A variant and whether its window holds the content.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LabelledStatus<'a> {
    /// The variant's name.
    label: Cow<'a, str>,
    /// Whether its window holds the content.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    status: ItemStatus,
}

by_way_of!(PolicySensitivityDiffEntry, DiffDefinition);

impl<'a> From<&'a PolicySensitivityDiffEntry> for DiffDefinition<'a> {
    fn from(entry: &'a PolicySensitivityDiffEntry) -> Self {
        let statuses = entry.statuses.iter();
        let labelled = |(label, status): &'a (String, ItemStatus)| LabelledStatus {
            label: label.into(),
            status: *status,
        };
        Self { content: entry.content.as_str().into(), statuses: statuses.map(labelled).collect() }
    }
}

impl From<DiffDefinition<'_>> for PolicySensitivityDiffEntry {
    fn from(read: DiffDefinition<'_>) -> Self {
        let pair = |it: LabelledStatus<'_>| (it.label.into_owned(), it.status);
        Self {
            content: read.content.into_owned(),
            statuses: read.statuses.into_iter().map(pair).collect(),
        }
    }
}
