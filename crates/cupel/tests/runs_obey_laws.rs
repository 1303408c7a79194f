//! What holds of any run, said without reference to how it is computed.

use cupel::{
    ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, InclusionReason,
    OverflowStrategy, Pipeline, ScoreBreakdown, SelectionReport, TraceDetailLevel,
};
use cupel_testing::SelectionReportAssertions;
use cupel_testing::generate::{policies, problems};
use cupel_testing::laws::check_run;
use proptest::prelude::*;

type Traced = (Vec<ContextItem>, SelectionReport);

/// The window and the report, durations zeroed.
fn traced(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Result<Traced, CupelError> {
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
    let window = pipeline.run_traced(items, budget, &mut collector)?;
    let mut report = collector.into_report();
    for event in &mut report.events {
        event.duration_ms = 0.0;
    }
    Ok((window, report))
}

fn tokens<'a>(items: impl IntoIterator<Item = &'a ContextItem>) -> i128 {
    items.into_iter().map(|item| i128::from(item.tokens())).sum()
}

fn same_instances<'a>(
    a: impl ExactSizeIterator<Item = &'a ContextItem>,
    b: impl ExactSizeIterator<Item = &'a ContextItem>,
) -> bool {
    let same = |a: &ContextItem, b: &ContextItem| {
        a.whole().is_same_instance(b.whole())
            && a.content() == b.content()
            && a.tokens() == b.tokens()
    };
    a.len() == b.len() && a.zip(b).all(|(a, b)| same(a, b))
}

/// Whether an item competes: neither it nor a member of its group is pinned or has negative tokens.
fn is_scored(item: &ContextItem, items: &[ContextItem]) -> bool {
    let competes = |it: &ContextItem| it.tokens() >= 0 && !it.pinned();
    let in_group = |it: &&ContextItem| item.group().is_some() && it.group() == item.group();
    competes(item) && items.iter().filter(in_group).all(competes)
}

fn occurrences<'a>(item: &ContextItem, among: impl IntoIterator<Item = &'a ContextItem>) -> usize {
    among.into_iter().filter(|other| other.whole().is_same_instance(item)).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn tracing_changes_nothing((items, budget) in problems(40), policy in policies()) {
        let pipeline = policy.pipeline()?;
        match (pipeline.run(&items, &budget), traced(&pipeline, &items, &budget)) {
            (Ok(window), Ok((traced, report))) => {
                prop_assert!(same_instances(window.iter(), traced.iter()));
                let included = report.included.iter().map(|entry| &entry.item);
                prop_assert!(same_instances(window.iter(), included));
            }
            (untraced, traced) => prop_assert_eq!(untraced.err(), traced.err()),
        }
    }

    #[test]
    fn every_candidate_is_accounted_for_once(
        (items, budget) in problems(40),
        policy in policies(),
    ) {
        let Ok((_, report)) = traced(&policy.pipeline()?, &items, &budget) else { return Ok(()) };
        prop_assert_eq!(report.total_candidates, items.len());
        prop_assert_eq!(report.included.len() + report.excluded.len(), items.len());
        let included = report.included.iter().map(|entry| &entry.item);
        let excluded = report.excluded.iter().map(|entry| &entry.item);
        let told: Vec<&ContextItem> = included.chain(excluded).collect();
        for item in &items {
            prop_assert_eq!(occurrences(item, told.iter().copied()), occurrences(item, &items));
        }
        let exact = tokens(&items).clamp(i64::MIN.into(), i64::MAX.into());
        prop_assert_eq!(i128::from(report.total_tokens_considered), exact);
    }

    #[test]
    fn windows_fit_the_budget((items, budget) in problems(40), policy in policies()) {
        let Ok((window, report)) = traced(&policy.pipeline()?, &items, &budget) else {
            return Ok(());
        };
        let ceiling = budget.max_tokens() - budget.output_reserve();
        let limit = i128::from(budget.target_tokens().min(ceiling));
        let pinned = report.included.iter().filter(|it| it.reason == InclusionReason::Pinned);
        let pinned = tokens(pinned.map(|it| &it.item));
        prop_assert!(pinned <= i128::from(ceiling));
        if policy.overflow != OverflowStrategy::Proceed && pinned <= limit {
            prop_assert!(tokens(&window) <= limit, "{} tokens in {limit}", tokens(&window));
        }
    }

    #[test]
    fn no_unit_is_split_and_no_item_is_in_two_forms(
        (items, budget) in problems(40),
        policy in policies(),
    ) {
        check_run(&policy.pipeline()?, &items, &budget)?;
        if let Ok(report) = policy.pipeline()?.dry_run(&items, &budget) {
            report.try_should().keep_groups_whole()?;
        }
    }

    /// Rule [Budget Simulation]: dry runs, and so simulations, give equal output for equal input
    #[test]
    fn equal_input_gives_equal_output((items, budget) in problems(40), policy in policies()) {
        let once = format!("{:?}", traced(&policy.pipeline()?, &items, &budget));
        let again = format!("{:?}", traced(&policy.pipeline()?, &items, &budget));
        prop_assert_eq!(once, again);
    }
    #[test]
    fn the_parts_of_a_score_add_up_to_what_the_run_gives(
        (items, budget) in problems(40),
        policy in policies(),
    ) {
        let pipeline = policy.pipeline()?;
        let told = pipeline.score_breakdown(&items)?;
        let scored = items.iter().filter(|item| is_scored(item, &items)).count();
        prop_assert_eq!(told.len(), scored);
        for ScoreBreakdown { score, parts, .. } in &told {
            let sum: f64 = parts.iter().map(|part| part.contribution).sum();
            let size: f64 = parts.iter().map(|part| part.contribution.abs()).sum();
            if score.is_finite() {
                let tolerance = 1e-300_f64.max(1e-9 * size);
                prop_assert!((sum - score).abs() <= tolerance, "{sum}, not {score}, of {parts:?}");
            } else {
                prop_assert!(!sum.is_finite(), "{score} of {parts:?}");
            }
        }

        let Ok((_, report)) = traced(&pipeline, &items, &budget) else { return Ok(()) };
        let same = |item: &ContextItem, score: f64| {
            let own = told.iter().filter(|it| items[it.index].is_same_instance(item.whole()));
            own.map(|it| it.score.to_bits()).all(|bits| bits == score.to_bits())
        };
        for entry in report.included.iter().filter(|it| it.reason == InclusionReason::Scored) {
            prop_assert!(same(&entry.item, entry.score), "{entry:?} in {told:?}");
        }
        for entry in &report.excluded {
            prop_assert!(same(&entry.item, entry.score), "{entry:?} in {told:?}");
        }
    }
}
