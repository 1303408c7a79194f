//! Reports.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::by_way_of;
use crate::{CountRequirementShortfall, ExcludedItem, IncludedItem, SelectionReport, TraceEvent};

/// Everything a run decided: every candidate is in exactly one of the two lists.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "a report object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ReportDefinition<'a> {
    /// What happened, in order.
    events: Cow<'a, [TraceEvent]>,
    /// The window, in its order.
    included: Cow<'a, [IncludedItem]>,
    /// What was left out, best score first.
    excluded: Cow<'a, [ExcludedItem]>,
    /// The number of included and excluded items together.
    #[serde(alias = "totalCandidates")]
    total_candidates: usize,
    /// Sum of all candidates' tokens.
    #[serde(alias = "totalTokensConsidered")]
    total_tokens_considered: i64,
    /// Count requirements that were not met; omitted when all were.
    #[serde(alias = "countRequirementShortfalls", skip_serializing_if = "Option::is_none")]
    count_requirement_shortfalls: Option<Cow<'a, [CountRequirementShortfall]>>,
}

by_way_of!(SelectionReport, ReportDefinition);

impl<'a> From<&'a SelectionReport> for ReportDefinition<'a> {
    fn from(report: &'a SelectionReport) -> Self {
        let shortfalls = &report.count_requirement_shortfalls;
        Self {
            events: report.events.as_slice().into(),
            included: report.included.as_slice().into(),
            excluded: report.excluded.as_slice().into(),
            total_candidates: report.total_candidates,
            total_tokens_considered: report.total_tokens_considered,
            count_requirement_shortfalls: (!shortfalls.is_empty())
                .then(|| shortfalls.as_slice().into()),
        }
    }
}

impl TryFrom<ReportDefinition<'_>> for SelectionReport {
    type Error = String;

    fn try_from(read: ReportDefinition<'_>) -> Result<Self, String> {
        let (included, excluded) = (read.included.len(), read.excluded.len());
        if read.total_candidates != included + excluded {
            return Err(format!(
                "total_candidates ({}) must be the number of included ({included}) and excluded \
                 ({excluded}) items together",
                read.total_candidates
            ));
        }
        Ok(Self {
            events: read.events.into_owned(),
            included: read.included.into_owned(),
            excluded: read.excluded.into_owned(),
            total_candidates: read.total_candidates,
            total_tokens_considered: read.total_tokens_considered,
            count_requirement_shortfalls: read
                .count_requirement_shortfalls
                .map(Cow::into_owned)
                .unwrap_or_default(),
        })
    }
}
