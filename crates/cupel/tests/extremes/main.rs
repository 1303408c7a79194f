//! The ends of every range, through every built-in strategy.
//!
//! Nothing here may panic, wrap, hang or overflow the stack, and what comes out must still be a
//! proper selection: traced and untraced alike, every candidate accounted for, within the budget.

mod depth;
mod numbers;
mod sizes;
mod strategies;
mod units;

use cupel::{
    ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, InclusionReason,
    OverflowStrategy, Pipeline, RunContext, Scorer, SelectionReport, TraceDetailLevel,
};
use strategies::{placers, scorers, slicers};

fn tokens<'a>(items: impl IntoIterator<Item = &'a ContextItem>) -> i128 {
    items.into_iter().map(|item| i128::from(item.tokens())).sum()
}

fn budget(tokens: i64) -> ContextBudget {
    ContextBudget::builder(tokens).build().unwrap()
}

fn score_all(scorer: &dyn Scorer, items: &[ContextItem]) -> Vec<f64> {
    scorer.score_batch(items, &RunContext::default()).unwrap()
}

/// Every combination of built-in strategies and switches, with a name for messages.
fn every_pipeline(mut check: impl FnMut(&str, &Pipeline, OverflowStrategy)) {
    use OverflowStrategy::{Proceed, Throw, Truncate};
    for (scorer_name, scorer) in &scorers() {
        for (slicer_name, slicer) in &slicers() {
            for (placer_name, placer) in &placers() {
                for (overflow, deduplication) in
                    [(Throw, true), (Truncate, true), (Truncate, false), (Proceed, false)]
                {
                    let pipeline = Pipeline::builder()
                        .scorer(scorer.clone())
                        .slicer(slicer.clone())
                        .placer(placer.clone())
                        .deduplication(deduplication)
                        .overflow_strategy(overflow)
                        .build()
                        .unwrap();
                    let name = format!(
                        "{scorer_name}, {slicer_name}, {placer_name}, {overflow:?}, \
                         deduplication {deduplication}"
                    );
                    check(&name, &pipeline, overflow);
                }
            }
        }
    }
}

/// Runs it in the three ways there are, which must agree, and holds the result to what is true of
/// any.
#[track_caller]
fn check(
    name: &str,
    pipeline: &Pipeline,
    overflow: OverflowStrategy,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Result<SelectionReport, CupelError> {
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Item);
    let traced = pipeline.run_traced(items, budget, &mut collector);
    let plain = pipeline.run(items, budget);
    let dry = pipeline.dry_run(items, budget);
    let (plain, dry) = match (plain, dry, traced) {
        (Ok(plain), Ok(dry), Ok(traced)) => {
            assert!(same(plain.iter(), traced.iter()), "{name}");
            (plain, dry)
        }
        (plain, dry, traced) => {
            let error = plain.expect_err(name);
            assert_eq!(Some(&error), dry.as_ref().err(), "{name}");
            assert_eq!(Some(&error), traced.as_ref().err(), "{name}");
            return Err(error);
        }
    };
    assert!(same(plain.iter(), dry.included.iter().map(|entry| &entry.item)), "{name}");
    assert_eq!(dry.included.len() + dry.excluded.len(), items.len(), "{name}");
    let all = tokens(items).clamp(i64::MIN.into(), i64::MAX.into());
    assert_eq!(i128::from(dry.total_tokens_considered), all, "{name}");
    let limit =
        i128::from(budget.target_tokens().min(budget.max_tokens() - budget.output_reserve()));
    let pinned = dry.included.iter().filter(|entry| entry.reason == InclusionReason::Pinned);
    let pinned = tokens(pinned.map(|entry| &entry.item));
    if overflow != OverflowStrategy::Proceed && pinned <= limit {
        assert!(tokens(&plain) <= limit, "{name}: {} tokens in {limit}", tokens(&plain));
    }
    Ok(dry)
}

fn same<'a>(
    a: impl ExactSizeIterator<Item = &'a ContextItem>,
    b: impl ExactSizeIterator<Item = &'a ContextItem>,
) -> bool {
    let same = |a: &ContextItem, b: &ContextItem| {
        a.whole().is_same_instance(b.whole()) && a.tokens() == b.tokens()
    };
    a.len() == b.len() && a.zip(b).all(|(a, b)| same(a, b))
}
