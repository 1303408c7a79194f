//! Whole runs, and what they report, against the specification's pseudocode.

mod oracle;

use cupel::{
    ContextBudget, ContextItem, DiagnosticTraceCollector, ExclusionReason, OverflowStrategy,
    Pipeline, PipelineStage, SelectionReport, StageTraceSnapshot, TraceCollector, TraceDetailLevel,
    TraceEvent,
};
use cupel_policy::{PlacerConfig, ScorerConfig, SlicerConfig};
use cupel_testing::generate::{PolicyConfig, policies, problems};
use oracle::{
    Exclusion, STAGES, in_forms, overflow_matches, report_matches, same_items, same_score,
    stage_events_match,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn pipeline(policy: &PolicyConfig) -> Pipeline {
    policy.pipeline().expect("generated policies are valid")
}

/// A report without the one thing that differs from run to run.
fn timeless(mut report: SelectionReport) -> SelectionReport {
    for event in &mut report.events {
        event.duration_ms = 0.0;
    }
    report
}

/// A collector that keeps what it is told at the end, and how often.
#[derive(Debug, Default)]
struct Completions {
    reports: Vec<SelectionReport>,
    snapshots: Vec<StageTraceSnapshot>,
}

impl TraceCollector for Completions {
    fn is_enabled(&self) -> bool {
        true
    }

    fn record_stage_event(&mut self, _event: TraceEvent) {}

    fn record_item_event(&mut self, _event: TraceEvent) {}

    fn on_pipeline_completed(
        &mut self,
        report: &SelectionReport,
        _budget: &ContextBudget,
        stages: &[StageTraceSnapshot],
    ) {
        self.reports.push(report.clone());
        self.snapshots = stages.to_vec();
    }
}

/// Many candidates, most of them with a content of their own, the others with one of a few.
fn mostly_unique() -> impl Strategy<Value = Vec<ContextItem>> {
    let hint = prop::sample::select(vec![0.0, -0.0, 0.5, 1.0, f64::NAN]);
    let content = prop_oneof![9 => any::<u32>().prop_map(Ok), 1 => (0..8u32).prop_map(Err)];
    let drafts = prop::collection::vec((content, hint), 25..300);
    (any::<u32>(), drafts).prop_map(|(shared, drafts)| {
        let item = |(content, hint): (Result<u32, u32>, f64)| {
            let content = content.unwrap_or_else(|number| shared ^ number);
            let builder = ContextItem::builder(format!("note {content}"), 1);
            builder.future_relevance_hint(hint).build().expect("it has a content")
        };
        drafts.into_iter().map(item).collect()
    })
}

/// Fails unless the item-level events of one stage are those of these exclusions, in order.
fn exclusion_events_match(
    events: &[TraceEvent],
    expected: &[Exclusion],
) -> Result<(), TestCaseError> {
    prop_assert_eq!(events.len(), expected.len(), "item-level events: {:?}", events);
    for (event, (_, _, reason)) in events.iter().zip(expected) {
        let message = event.message.as_deref().unwrap_or_default();
        let name = match reason {
            ExclusionReason::BudgetExceeded { item_tokens, available_tokens } => {
                let exact = format!(
                    "BudgetExceeded: {item_tokens} tokens requested, {available_tokens} available"
                );
                prop_assert_eq!(message, exact);
                "BudgetExceeded"
            }
            ExclusionReason::Deduplicated { .. } => "Deduplicated",
            ExclusionReason::NegativeTokens { .. } => "NegativeTokens",
            ExclusionReason::PinnedOverride { .. } => "PinnedOverride",
            ExclusionReason::CountCapExceeded { .. } => "CountCapExceeded",
            ExclusionReason::GroupBroken { .. } => "GroupBroken",
            other => return Err(TestCaseError::fail(format!("{other:?} is never given"))),
        };
        prop_assert!(message.starts_with(&format!("{name}: ")), "{name} told as {message:?}");
    }
    Ok(())
}

fn snapshot_matches(
    snapshot: &StageTraceSnapshot,
    counts: (usize, usize),
    exclusions: &[Exclusion],
    items: &[ContextItem],
) -> Result<(), TestCaseError> {
    let stage = snapshot.stage;
    prop_assert_eq!((snapshot.item_count_in, snapshot.item_count_out), counts, "{:?}", stage);
    prop_assert_eq!(snapshot.excluded.len(), exclusions.len(), "{:?}", stage);
    for (found, (position, score, reason)) in snapshot.excluded.iter().zip(exclusions) {
        prop_assert!(found.item.is_same_instance(&items[*position]), "{stage:?}: {found:?}");
        prop_assert!(same_score(found.score, *score), "{stage:?}: {found:?}");
        prop_assert_eq!(&found.reason, reason);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn a_run_returns_the_specified_window(
        (items, budget) in problems(40),
        policy in policies(),
    ) {
        let actual = pipeline(&policy).run(&items, &budget);
        match (actual, oracle::run(&policy, &items, &budget)) {
            (Ok(window), Ok(expected)) => in_forms(&window, &expected.window, &expected.forms, &items)?,
            (actual, expected) => prop_assert_eq!(actual.err(), expected.err()),
        }
    }

    #[test]
    fn a_traced_run_reports_what_was_decided(
        (items, budget) in problems(40),
        policy in policies(),
        level in prop_oneof![Just(TraceDetailLevel::Stage), Just(TraceDetailLevel::Item)],
    ) {
        let mut collector = DiagnosticTraceCollector::new(level);
        let actual = pipeline(&policy).run_traced(&items, &budget, &mut collector);
        match (actual, oracle::run(&policy, &items, &budget)) {
            (Ok(window), Ok(expected)) => {
                in_forms(&window, &expected.window, &expected.forms, &items)?;
                overflow_matches(collector.overflow(), &expected, &items, &budget)?;
                report_matches(&collector.into_report(), &expected, &items)?;
            }
            (actual, expected) => prop_assert_eq!(actual.err(), expected.err()),
        }
    }

    #[test]
    fn a_dry_run_is_the_report_of_a_run(
        (items, budget) in problems(40),
        policy in policies(),
    ) {
        let actual = pipeline(&policy).dry_run(&items, &budget);
        match (actual, oracle::run(&policy, &items, &budget)) {
            (Ok(report), Ok(expected)) => {
                report_matches(&report, &expected, &items)?;
                stage_events_match(&report, &expected)?;
            }
            (actual, expected) => prop_assert_eq!(actual.err(), expected.err()),
        }
    }

    /// So many that only contents that may occur twice are looked up.
    #[test]
    fn many_candidates_are_deduplicated_as_specified(items in mostly_unique()) {
        let policy = PolicyConfig {
            scorer: ScorerConfig::Reflexive,
            slicer: SlicerConfig::Greedy,
            placer: PlacerConfig::Chronological,
            deduplication: true,
            overflow: OverflowStrategy::Throw,
        };
        let budget = ContextBudget::builder(1_000).build()?;
        let expected = oracle::run(&policy, &items, &budget)?;
        same_items(&pipeline(&policy).run(&items, &budget)?, &expected.window, &items)?;
        report_matches(&pipeline(&policy).dry_run(&items, &budget)?, &expected, &items)?;
    }

    /// Rule [Policy Sensitivity]: a dry run with a policy is that of a pipeline with it
    #[test]
    fn a_policy_decides_whatever_pipeline_it_is_run_with(
        (items, budget) in problems(40),
        policy in policies(),
        other in policies(),
    ) {
        let built = policy.policy().expect("generated policies are valid");
        let own = pipeline(&policy).dry_run(&items, &budget);
        let borrowed = pipeline(&other).dry_run_with_policy(&items, &budget, &built);
        let [own, borrowed] = [own, borrowed].map(|run| format!("{:?}", run.map(timeless)));
        prop_assert_eq!(own, borrowed);
    }

    #[test]
    fn events_follow_the_stages((items, budget) in problems(40), policy in policies()) {
        let expected = oracle::run(&policy, &items, &budget);
        prop_assume!(expected.is_ok());
        let expected = expected?;
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
        pipeline(&policy).run_traced(&items, &budget, &mut collector)?;
        let events = collector.into_report().events;

        let mut rest = &events[..];
        for (index, stage) in STAGES.into_iter().enumerate() {
            let (entering, _) = expected.stage_counts[index];
            let own = rest.iter().take_while(|event| event.stage == stage).count();
            let (of_stage, later) = rest.split_at(own);
            let Some((last, item_events)) = of_stage.split_last() else {
                return Err(TestCaseError::fail(format!("no event of {stage:?}: {events:?}")));
            };
            prop_assert_eq!(last.item_count, entering, "{:?}", stage);
            prop_assert!(last.duration_ms >= 0.0);
            for event in item_events {
                prop_assert_eq!((event.item_count, event.duration_ms), (1, 0.0));
            }
            if stage == PipelineStage::Score {
                prop_assert_eq!(item_events.len(), entering, "one event per scored item");
            } else {
                exclusion_events_match(item_events, &expected.excluded_by_stage[index])?;
            }
            rest = later;
        }
        prop_assert!(rest.is_empty(), "events after the last stage: {rest:?}");
    }

    /// Rule [Completion hook]: called once after a run that succeeds, never after one that fails
    #[test]
    fn snapshots_count_items_in_and_out((items, budget) in problems(40), policy in policies()) {
        let mut collector = Completions::default();
        let actual = pipeline(&policy).run_traced(&items, &budget, &mut collector);
        match (actual, oracle::run(&policy, &items, &budget)) {
            (Ok(_), Ok(expected)) => {
                prop_assert_eq!(collector.reports.len(), 1);
                report_matches(&collector.reports[0], &expected, &items)?;
                let stages: Vec<_> = collector.snapshots.iter().map(|taken| taken.stage).collect();
                prop_assert_eq!(stages, STAGES);
                for (index, snapshot) in collector.snapshots.iter().enumerate() {
                    let exclusions = &expected.excluded_by_stage[index];
                    snapshot_matches(snapshot, expected.stage_counts[index], exclusions, &items)?;
                }
            }
            (actual, expected) => {
                prop_assert!(collector.reports.is_empty(), "a failed run does not complete");
                prop_assert_eq!(actual.err(), expected.err());
            }
        }
    }
}
