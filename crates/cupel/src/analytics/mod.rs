//! Numbers about a report.
//!
//! ```
//! use cupel::analytics::{budget_utilization, kind_diversity, timestamp_coverage};
//! use cupel::{ContextBudget, ContextItem, IncludedItem, InclusionReason, SelectionReport};
//!
//! let item = ContextItem::builder("a document", 250).build()?;
//! let included = vec![IncludedItem::new(item, 0.9, InclusionReason::Scored)];
//! let report = SelectionReport::new(vec![], included, vec![], vec![]);
//!
//! let budget = ContextBudget::builder(1_000).build()?;
//! assert_eq!(budget_utilization(&report, &budget), 0.25);
//! assert_eq!(kind_diversity(&report), 1);
//! assert_eq!(timestamp_coverage(&report), 0.0);
//! # Ok::<(), cupel::CupelError>(())
//! ```

mod quota;

pub use quota::{KindQuotaUtilization, quota_utilization};

pub use crate::simulation::{
    ItemStatus, PolicySensitivityDiffEntry, PolicySensitivityReport, policy_sensitivity,
    policy_sensitivity_from_pipelines,
};

use crate::model::{KindMap, sum_tokens};
use crate::{ContextBudget, ContextItem, SelectionReport};

/// The included tokens as a share of `max_tokens`; 0 when nothing is included.
pub fn budget_utilization(report: &SelectionReport, budget: &ContextBudget) -> f64 {
    match sum_tokens(included(report)) {
        0 => 0.0,
        tokens => tokens as f64 / budget.max_tokens() as f64,
    }
}

/// How many different kinds are included.
pub fn kind_diversity(report: &SelectionReport) -> usize {
    let mut kinds = KindMap::new();
    for item in included(report) {
        kinds.position_or_insert_with(item.kind(), || ());
    }
    kinds.len()
}

/// The share of included items that have a timestamp; 0 when nothing is included.
pub fn timestamp_coverage(report: &SelectionReport) -> f64 {
    if report.included.is_empty() {
        return 0.0;
    }
    let with_timestamp = included(report).filter(|item| item.timestamp().is_some()).count();
    with_timestamp as f64 / report.included.len() as f64
}

fn included(report: &SelectionReport) -> impl Iterator<Item = &ContextItem> {
    report.included.iter().map(|included| &included.item)
}
