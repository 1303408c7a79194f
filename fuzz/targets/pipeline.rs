//! Any problem, run every way there is: the engine decides, reports and refuses exactly as the
//! specification's pseudocode does, loses nothing, and keeps within the budget.
#![no_main]

#[path = "../../crates/cupel/tests/oracle/mod.rs"]
mod oracle;

use cupel::{
    ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, InclusionReason,
    OverflowStrategy, Pipeline, SelectionReport, TraceDetailLevel,
};
use cupel_fuzz::problem::Problem;
use libfuzzer_sys::fuzz_target;
use oracle::{Outcome, in_forms, overflow_matches, report_matches, stage_events_match};

fuzz_target!(|problem: Problem| {
    let Problem { items, budget, policy } = &problem;
    let (pipeline, shared) = match (policy.pipeline(), policy.policy()) {
        (Ok(pipeline), Ok(shared)) => (pipeline, shared),
        (one, other) => {
            assert_eq!(one.err(), other.err(), "refused in one form, built in the other");
            return;
        }
    };
    let expected = oracle::run(policy, items, budget);
    let dry_run = pipeline.dry_run(items, budget);
    let elsewhere = Pipeline::from(shared.clone()).dry_run_with_policy(items, budget, &shared);
    check(pipeline.run(items, budget), &expected, |window, expected| {
        in_forms(window, &expected.window, &expected.forms, items)?;
        if policy.overflow != OverflowStrategy::Proceed {
            fits(window, expected, budget);
        }
        Ok(())
    });
    for report in [dry_run, elsewhere] {
        check(report, &expected, |report, expected| {
            nothing_is_lost(report, items);
            stage_events_match(report, expected)?;
            report_matches(report, expected, items)
        });
    }
    for level in [TraceDetailLevel::Stage, TraceDetailLevel::Item] {
        let mut collector = DiagnosticTraceCollector::new(level);
        let window = pipeline.run_traced(items, budget, &mut collector);
        check(window, &expected, |window, expected| {
            let (report, overflow) = collector.into_parts();
            in_forms(window, &expected.window, &expected.forms, items)?;
            overflow_matches(overflow.as_ref(), expected, items, budget)?;
            report_matches(&report, expected, items)
        });
    }
});

/// The same error as the oracle's, or a result that `compare` finds equal to its own.
fn check<T>(
    actual: Result<T, CupelError>,
    expected: &Result<Outcome, CupelError>,
    compare: impl FnOnce(&T, &Outcome) -> Result<(), oracle::Difference>,
) {
    match (actual, expected) {
        (Ok(actual), Ok(expected)) => {
            if let Err(difference) = compare(&actual, expected) {
                panic!("{difference}");
            }
        }
        (actual, expected) => assert_eq!(actual.err().as_ref(), expected.as_ref().err()),
    }
}

/// Within the limit, unless pinned items alone are beyond it.
fn fits(window: &[ContextItem], expected: &Outcome, budget: &ContextBudget) {
    let tokens = |item: &ContextItem| i128::from(item.tokens());
    let total: i128 = window.iter().map(tokens).sum();
    let is_pinned = |at: &usize| expected.included[*at].2 == InclusionReason::Pinned;
    let pinned: i128 = (0..window.len()).filter(is_pinned).map(|at| tokens(&window[at])).sum();
    let ceiling = i128::from(budget.max_tokens() - budget.output_reserve());
    let limit = ceiling.min(budget.target_tokens().into());
    assert!(pinned <= ceiling && total <= limit.max(pinned), "{total} tokens in {limit}");
}

/// Every candidate is told of as often as it was given.
fn nothing_is_lost(report: &SelectionReport, items: &[ContextItem]) {
    let included = report.included.iter().map(|entry| &entry.item);
    let excluded = report.excluded.iter().map(|entry| &entry.item);
    let told: Vec<&ContextItem> = included.chain(excluded).collect();
    assert_eq!(told.len(), items.len());
    for item in items {
        let given = items.iter().filter(|other| other.is_same_instance(item)).count();
        let found = told.iter().filter(|other| other.whole().is_same_instance(item)).count();
        assert_eq!(found, given, "{item:?}");
    }
}
