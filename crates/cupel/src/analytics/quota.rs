//! How far each kind uses its quota.

use super::included;
use crate::model::KindMap;
use crate::{ContextBudget, ContextKind, QuotaConstraintMode, QuotaPolicy, SelectionReport};

/// How far one kind uses its quota.
#[derive(Debug, Clone, PartialEq)]
pub struct KindQuotaUtilization {
    /// The kind.
    pub kind: ContextKind,
    /// Whether the numbers are percentages or counts.
    pub mode: QuotaConstraintMode,
    /// At least.
    pub require: f64,
    /// At most.
    pub cap: f64,
    /// What there is: percent of the target tokens, or number of items.
    pub actual: f64,
    /// `actual / cap` within `[0, 1]`; 0 when the cap is 0.
    pub utilization: f64,
}

/// How far each configured kind uses its quota in `report`, in order of the kinds' spelling, byte by
/// byte.
pub fn quota_utilization(
    report: &SelectionReport,
    policy: &dyn QuotaPolicy,
    budget: &ContextBudget,
) -> Vec<KindQuotaUtilization> {
    let mut constraints = policy.quota_constraints();
    constraints.sort_by(|a, b| a.kind.as_str().cmp(b.kind.as_str()));
    let mut of_kinds: KindMap<&ContextKind, (usize, i128)> = KindMap::new();
    for item in included(report) {
        let at = of_kinds.position_or_insert_with(item.kind(), || (0, 0));
        let (count, tokens) = of_kinds.value_mut(at);
        *count += 1;
        *tokens += i128::from(item.tokens());
    }
    let utilization = |constraint: crate::QuotaConstraint| {
        let (count, tokens) = of_kinds.get(&constraint.kind).copied().unwrap_or_default();
        let actual = match constraint.mode {
            QuotaConstraintMode::Count => count as f64,
            QuotaConstraintMode::Percentage if budget.target_tokens() == 0 => 0.0,
            QuotaConstraintMode::Percentage => {
                tokens as f64 / budget.target_tokens() as f64 * 100.0
            }
        };
        let used = if constraint.cap == 0.0 { 0.0 } else { actual / constraint.cap };
        KindQuotaUtilization {
            kind: constraint.kind,
            mode: constraint.mode,
            require: constraint.require,
            cap: constraint.cap,
            actual,
            utilization: used.clamp(0.0, 1.0),
        }
    };
    constraints.into_iter().map(utilization).collect()
}
