//! What would other policies have done?

use std::sync::Arc;

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, CupelError, GreedySlice, ItemStatus, Pipeline,
    Policy, PolicyBuilder, PriorityScorer, ReflexiveScorer, Scorer, SelectionReport,
    policy_sensitivity, policy_sensitivity_from_pipelines,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::small;

/// Content by content in order of first appearance: which variants have it in their window?
fn swings(items: &[ContextItem], reports: &[SelectionReport]) -> Vec<(String, Vec<ItemStatus>)> {
    let mut swings: Vec<(String, Vec<ItemStatus>)> = Vec::new();
    for item in items {
        if swings.iter().any(|(content, _)| content == item.content()) {
            continue;
        }
        let status = |report: &SelectionReport| match report
            .included
            .iter()
            .any(|entry| entry.item.whole().content() == item.content())
        {
            true => ItemStatus::Included,
            false => ItemStatus::Excluded,
        };
        swings.push((item.content().to_owned(), reports.iter().map(status).collect()));
    }
    swings.retain(|(_, statuses)| {
        statuses.contains(&ItemStatus::Included) && statuses.contains(&ItemStatus::Excluded)
    });
    swings
}

/// A report without the one thing that differs from run to run. Printed, because NaN scores make
/// reports unequal to themselves.
fn timeless(report: &SelectionReport) -> String {
    let mut report = report.clone();
    for event in &mut report.events {
        event.duration_ms = 0.0;
    }
    format!("{report:?}")
}

mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Rule [Policy Sensitivity]: one report per variant, in the order given, whether policies or pipelines
        /// Rule [Policy Sensitivity]: in order of first appearance among the candidates (ours)
        #[test]
        fn variants_are_runs_and_diffs_are_where_they_disagree(
            (items, budget) in small::problems(),
            specs in vec(small::policies(), 2..=4),
        ) {
            let policies: Vec<Policy> =
                specs.iter().map(|it| it.policy()).collect::<Result<_, _>>()?;
            let labels: Vec<String> = (0..specs.len()).map(|at| format!("variant {at}")).collect();
            let variants: Vec<(&String, &Policy)> = labels.iter().zip(&policies).collect();
            let pipelines: Vec<Pipeline> =
                policies.iter().map(|policy| Pipeline::from(policy.clone())).collect();
            let piped: Vec<(&String, &Pipeline)> = labels.iter().zip(&pipelines).collect();

            let runs: Result<Vec<SelectionReport>, CupelError> =
                pipelines.iter().map(|pipeline| pipeline.dry_run(&items, &budget)).collect();
            for actual in [
                policy_sensitivity(&items, &budget, &variants),
                policy_sensitivity_from_pipelines(&items, &budget, &piped),
            ] {
                let (actual, runs) = match (actual, &runs) {
                    (Ok(actual), Ok(runs)) => (actual, runs),
                    (actual, runs) => {
                        prop_assert_eq!(actual.err(), runs.clone().err());
                        continue;
                    }
                };
                prop_assert_eq!(actual.variants.len(), labels.len());
                for ((label, report), (expected, run)) in
                    actual.variants.iter().zip(labels.iter().zip(runs))
                {
                    prop_assert_eq!(label, expected);
                    prop_assert_eq!(timeless(report), timeless(run));
                }
                let expected = swings(&items, runs);
                prop_assert_eq!(actual.diffs.len(), expected.len());
                for (diff, (content, statuses)) in actual.diffs.iter().zip(expected) {
                    prop_assert_eq!(&diff.content, &content);
                    let labelled: Vec<_> = labels.iter().cloned().zip(statuses).collect();
                    prop_assert_eq!(&diff.statuses, &labelled);
                }
            }
        }
    }
}

fn policy(scorer: impl Scorer + 'static) -> Policy {
    PolicyBuilder::new()
        .scorer(Arc::new(scorer))
        .slicer(Arc::new(GreedySlice))
        .placer(Arc::new(ChronologicalPlacer))
        .build()
        .unwrap()
}

fn item(content: &str, priority: i64, hint: f64) -> ContextItem {
    let item = ContextItem::builder(content, 40).priority(priority).future_relevance_hint(hint);
    item.build().unwrap()
}

fn budget() -> ContextBudget {
    ContextBudget::builder(50).target_tokens(40).build().unwrap()
}

/// Rule [Policy Sensitivity]: a difference names the content and one status per variant, in their order
#[test]
fn two_policies_that_choose_differently_swing_both_items() {
    let items = [item("item-a", 10, 0.1), item("item-b", 1, 0.9)];
    let (by_priority, by_hint) = (policy(PriorityScorer), policy(ReflexiveScorer));
    let variants = [("priority", &by_priority), ("hint", &by_hint)];
    let report = policy_sensitivity(&items, &budget(), &variants).unwrap();

    let told: Vec<_> = report.diffs.iter().map(|it| (it.content.as_str(), &it.statuses)).collect();
    let statuses =
        |priority, hint| vec![("priority".to_owned(), priority), ("hint".to_owned(), hint)];
    let (item_a, item_b) = (
        statuses(ItemStatus::Included, ItemStatus::Excluded),
        statuses(ItemStatus::Excluded, ItemStatus::Included),
    );
    assert_eq!(told, [("item-a", &item_a), ("item-b", &item_b)]);
}

/// Rule [Policy Sensitivity]: only contents on which variants disagree are listed
#[test]
fn variants_that_agree_have_no_diffs() {
    let items = [item("item-a", 10, 0.9), item("item-b", 1, 0.1)];
    let (by_priority, by_hint) = (policy(PriorityScorer), policy(ReflexiveScorer));
    let variants = [("priority", &by_priority), ("hint", &by_hint)];
    let report = policy_sensitivity(&items, &budget(), &variants).unwrap();
    assert!(report.diffs.is_empty());
    assert_eq!(report.variants.len(), 2);
}

/// Rule [Policy Sensitivity]: items are matched by content
#[test]
fn equal_texts_are_one_content_that_is_in_when_any_of_them_is() {
    // Either policy keeps one of the two texts; which one does not matter.
    let items = [item("same", 10, 0.1), item("same", 1, 0.9)];
    let (by_priority, by_hint) = (policy(PriorityScorer), policy(ReflexiveScorer));
    let variants = [("priority", &by_priority), ("hint", &by_hint)];
    assert!(policy_sensitivity(&items, &budget(), &variants).unwrap().diffs.is_empty());
}

/// Rule [Policy Sensitivity]: fewer than two variants are refused, with the specified message
#[test]
fn fewer_than_two_variants_are_refused() {
    let refusal =
        CupelError::PipelineConfig("policy_sensitivity requires at least 2 variants".to_owned());
    let policy = policy(ReflexiveScorer);
    let pipeline = Pipeline::from(policy.clone());
    let none: [(&str, &Policy); 0] = [];
    assert_eq!(policy_sensitivity(&[], &budget(), &none), Err(refusal.clone()));
    assert_eq!(policy_sensitivity(&[], &budget(), &[("one", &policy)]), Err(refusal.clone()));
    let piped = policy_sensitivity_from_pipelines(&[], &budget(), &[("one", &pipeline)]);
    assert_eq!(piped, Err(refusal));
}

/// Rule [Policy Sensitivity]: a difference names the content and one status per variant, in their order
#[test]
fn labels_may_repeat() {
    let policy = policy(ReflexiveScorer);
    let variants = [("same", &policy), ("same", &policy)];
    let report = policy_sensitivity(&[item("a", 1, 0.5)], &budget(), &variants).unwrap();
    let labels: Vec<_> = report.variants.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["same", "same"]);
}

/// Rule [Policy Sensitivity]: the failure of any variant is passed on (ours)
#[test]
fn the_failure_of_any_variant_is_passed_on() {
    let pinned = ContextItem::builder("pinned", 60).pinned(true).build().unwrap();
    let policy = policy(ReflexiveScorer);
    let variants = [("one", &policy), ("two", &policy)];
    let failure = CupelError::PinnedExceedsBudget { pinned_tokens: 60, available: 50 };
    assert_eq!(policy_sensitivity(&[pinned], &budget(), &variants), Err(failure));
}
