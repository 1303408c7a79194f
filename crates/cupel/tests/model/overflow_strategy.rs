//! What happens to a selection larger than its window.

use cupel::{CupelError, DiagnosticTraceCollector, OverflowStrategy, TraceDetailLevel};

use crate::shorthand::{assert_says, budget, choosing_all, contents, greedy, hinted, pinned};

/// Rule [OverflowStrategy]: Throw is the default
#[test]
fn throw_is_the_default() {
    assert_eq!(OverflowStrategy::default(), OverflowStrategy::Throw);
    assert_eq!(greedy().build().unwrap().policy().overflow_strategy(), OverflowStrategy::Throw);
}

/// Rule [OverflowStrategy]: Throw is an error over the target
#[test]
fn throw_refuses_a_selection_over_the_target() {
    let items = [hinted("a", 60, 0.9), pinned("b", 41)];
    let error = choosing_all(OverflowStrategy::Throw).run(&items, &budget(100)).unwrap_err();
    assert_eq!(error, CupelError::Overflow { merged_tokens: 101, target_tokens: 100 });
    assert_says(&error, &["Selected items require 101 tokens", "exceeding target budget of 100"]);
}

/// Rule [OverflowStrategy]: overflow is more than the target, not the target itself
#[test]
fn a_selection_exactly_at_the_target_is_no_overflow() {
    let items = [hinted("a", 60, 0.9), pinned("b", 40)];
    for overflow in [OverflowStrategy::Throw, OverflowStrategy::Truncate, OverflowStrategy::Proceed]
    {
        let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
        let window = choosing_all(overflow).run_traced(&items, &budget(100), &mut collector);
        assert_eq!(window.unwrap().len(), 2);
        assert_eq!(collector.overflow(), None);
    }
}

/// Rule [OverflowStrategy]: Truncate removes the lowest-scored items until the rest fits
#[test]
fn truncate_removes_the_lowest_scored_first() {
    let items = [hinted("worst", 40, 0.1), hinted("best", 40, 0.9), hinted("good", 40, 0.5)];
    let window = choosing_all(OverflowStrategy::Truncate).run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["best", "good"]);
}

/// Rule [OverflowStrategy]: Truncate never removes pinned items
#[test]
fn truncate_never_removes_a_pinned_item() {
    let items = [hinted("best", 10, 1.0), pinned("rules", 60), pinned("more rules", 40)];
    let window = choosing_all(OverflowStrategy::Truncate).run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["rules", "more rules"]);
}

/// Rule [OverflowStrategy]: Proceed removes nothing and reports
#[test]
fn proceed_removes_nothing_and_reports() {
    let items = [hinted("a", 60, 0.9), hinted("b", 50, 0.1), pinned("c", 20)];
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    let pipeline = choosing_all(OverflowStrategy::Proceed);
    let window = pipeline.run_traced(&items, &budget(100), &mut collector).unwrap();
    assert_eq!(contents(&window), ["c", "a", "b"]);
    assert_eq!(collector.overflow().unwrap().tokens_over_budget, 30);
    assert!(collector.into_report().excluded.is_empty());
}
