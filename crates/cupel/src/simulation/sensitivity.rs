//! What would other policies have done?

use std::collections::BTreeMap;

use crate::{ContextBudget, ContextItem, CupelError, Pipeline, Policy, SelectionReport};

/// Whether an item is in a variant's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemStatus {
    /// It is.
    Included,
    /// It is not.
    Excluded,
}

/// A content on which variants disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicySensitivityDiffEntry {
    /// The content.
    pub content: String,
    /// One status per variant, in their order: included if any item with this content is, whole or shortened.
    pub statuses: Vec<(String, ItemStatus)>,
}

/// The same candidates under several policies.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicySensitivityReport {
    /// One report per variant, in their order.
    pub variants: Vec<(String, SelectionReport)>,
    /// The contents on which at least two variants disagree, in order of first appearance among
    /// the candidates.
    pub diffs: Vec<PolicySensitivityDiffEntry>,
}

/// Runs the candidates under each policy and lists where they disagree.
///
/// ```
/// use cupel::{
///     ChronologicalPlacer, ContextBudget, ContextItem, GreedySlice, PolicyBuilder, PriorityScorer,
///     ReflexiveScorer, policy_sensitivity,
/// };
///
/// let policy = PolicyBuilder::new().slicer(GreedySlice).placer(ChronologicalPlacer);
/// let by_priority = policy.clone().scorer(PriorityScorer).build()?;
/// let by_hint = policy.scorer(ReflexiveScorer).build()?;
/// let items = [
///     ContextItem::builder("item-a", 40).priority(10).future_relevance_hint(0.1).build()?,
///     ContextItem::builder("item-b", 40).priority(1).future_relevance_hint(0.9).build()?,
/// ];
/// let budget = ContextBudget::builder(50).target_tokens(40).build()?;
///
/// let variants = [("priority", &by_priority), ("hint", &by_hint)];
/// let report = policy_sensitivity(&items, &budget, &variants)?;
/// assert_eq!(report.diffs.len(), 2); // each chose the other item
/// # Ok::<(), cupel::CupelError>(())
/// ```
///
/// # Errors
/// [`CupelError::PipelineConfig`] for fewer than two variants, and the error of any run.
pub fn policy_sensitivity(
    items: &[ContextItem],
    budget: &ContextBudget,
    variants: &[(impl AsRef<str>, &Policy)],
) -> Result<PolicySensitivityReport, CupelError> {
    let variants = variants.iter().map(|(label, policy)| (label.as_ref(), (*policy).clone()));
    let pipelines: Vec<(&str, Pipeline)> =
        variants.map(|(label, policy)| (label, policy.into())).collect();
    let borrowed: Vec<_> = pipelines.iter().map(|(label, pipeline)| (label, pipeline)).collect();
    policy_sensitivity_from_pipelines(items, budget, &borrowed)
}

/// [`policy_sensitivity`] for pipelines.
///
/// # Errors
/// As [`policy_sensitivity`].
pub fn policy_sensitivity_from_pipelines(
    items: &[ContextItem],
    budget: &ContextBudget,
    variants: &[(impl AsRef<str>, &Pipeline)],
) -> Result<PolicySensitivityReport, CupelError> {
    if variants.len() < 2 {
        return Err(CupelError::PipelineConfig(
            "policy_sensitivity requires at least 2 variants".to_owned(),
        ));
    }
    let report = |(label, pipeline): &(_, &Pipeline)| {
        Ok((AsRef::<str>::as_ref(label).to_owned(), pipeline.dry_run(items, budget)?))
    };
    let variants: Vec<(String, SelectionReport)> =
        variants.iter().map(report).collect::<Result<_, CupelError>>()?;
    let diffs = diffs(items, &variants);
    Ok(PolicySensitivityReport { variants, diffs })
}

fn diffs(
    items: &[ContextItem],
    variants: &[(String, SelectionReport)],
) -> Vec<PolicySensitivityDiffEntry> {
    // Contents in order of first appearance, each with whether every variant includes it.
    let mut contents: Vec<(&str, Vec<ItemStatus>)> = Vec::new();
    let mut index: BTreeMap<(u64, &str), usize> = BTreeMap::new();
    for item in items {
        index.entry(item.content_key()).or_insert_with(|| {
            contents.push((item.content(), vec![ItemStatus::Excluded; variants.len()]));
            contents.len() - 1
        });
    }
    for (variant, (_, report)) in variants.iter().enumerate() {
        for included in &report.included {
            if let Some(&at) = index.get(&included.item.whole().content_key()) {
                contents[at].1[variant] = ItemStatus::Included;
            }
        }
    }
    contents.retain(|(_, statuses)| statuses.iter().any(|status| *status != statuses[0]));
    let labelled = |statuses: Vec<ItemStatus>| {
        variants.iter().map(|(label, _)| label.clone()).zip(statuses).collect()
    };
    contents
        .into_iter()
        .map(|(content, statuses)| PolicySensitivityDiffEntry {
            content: content.to_owned(),
            statuses: labelled(statuses),
        })
        .collect()
}
