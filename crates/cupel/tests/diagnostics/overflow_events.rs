//! An overflow that was let through, and only that.

use std::collections::HashMap;

use cupel::{
    ContextBudget, ContextItem, DiagnosticTraceCollector, OverflowEvent, OverflowStrategy,
    Pipeline, TraceCollector, TraceDetailLevel, TraceEvent,
};

use crate::shorthand::{budget, choosing_all, contents, greedy, hinted, pinned};

fn overflow_of(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Option<OverflowEvent> {
    let mut collector = DiagnosticTraceCollector::new(TraceDetailLevel::Stage);
    let _ = pipeline.run_traced(items, budget, &mut collector);
    collector.into_parts().1
}

fn too_many() -> [ContextItem; 4] {
    [hinted("b", 50, 0.1), pinned("p", 20), hinted("a", 60, 0.9), pinned("q", 10)]
}

/// Rule [Events]: an overflow event says by how much, which items and which budget
#[test]
fn proceeding_reports_by_how_much_the_target_is_exceeded() {
    let event = overflow_of(&choosing_all(OverflowStrategy::Proceed), &too_many(), &budget(100));
    assert_eq!(event.unwrap().tokens_over_budget, 40);
}

/// Rule [Events]: an overflow event says by how much, which items and which budget
#[test]
fn proceeding_reports_everything_selected_pinned_items_first() {
    let items = too_many();
    let event =
        overflow_of(&choosing_all(OverflowStrategy::Proceed), &items, &budget(100)).unwrap();
    assert_eq!(contents(&event.overflowing_items), ["p", "q", "a", "b"]);
    assert!(event.overflowing_items[0].is_same_instance(&items[1]));
}

/// Rule [Events]: an overflow event says by how much, which items and which budget
#[test]
fn proceeding_reports_the_budget_as_it_was_given() {
    let given = ContextBudget::new(200, 100, 5, HashMap::new(), 3.0).unwrap();
    let event = overflow_of(&choosing_all(OverflowStrategy::Proceed), &too_many(), &given);
    assert_eq!(event.unwrap().budget, given);
}

/// Rule [Events]: pinned items count
#[test]
fn pinned_items_alone_may_overflow() {
    let given = ContextBudget::new(100, 50, 0, HashMap::new(), 0.0).unwrap();
    let pipeline = greedy().overflow_strategy(OverflowStrategy::Proceed).build().unwrap();
    let event = overflow_of(&pipeline, &[pinned("rules", 60)], &given).unwrap();
    assert_eq!(event.tokens_over_budget, 10);
    assert_eq!(contents(&event.overflowing_items), ["rules"]);
}

/// Rule [Events]: the excess is over min(target, maximum less reserve), exact and clamped (ours)
#[test]
fn an_output_reserve_below_the_target_is_what_is_exceeded() {
    let given = ContextBudget::new(100, 90, 30, HashMap::new(), 0.0).unwrap();
    let items = [hinted("a", 80, 0.9)];
    let event = overflow_of(&choosing_all(OverflowStrategy::Proceed), &items, &given);
    assert_eq!(event.unwrap().tokens_over_budget, 10);
}

/// Rule [Events]: the excess is over min(target, maximum less reserve), exact and clamped (ours)
#[test]
fn an_excess_beyond_the_numbers_range_is_clamped_not_wrapped() {
    let items = [hinted("a", i64::MAX, 0.9), hinted("b", i64::MAX, 0.5)];
    let event = overflow_of(&choosing_all(OverflowStrategy::Proceed), &items, &budget(100));
    assert_eq!(event.unwrap().tokens_over_budget, i64::MAX);
}

/// Rule [Events]: only Proceed produces one
#[test]
fn throwing_and_truncating_report_no_overflow() {
    for overflow in [OverflowStrategy::Throw, OverflowStrategy::Truncate] {
        assert_eq!(overflow_of(&choosing_all(overflow), &too_many(), &budget(100)), None);
    }
}

/// Rule [Events]: only an overflow does
#[test]
fn a_selection_that_fits_reports_no_overflow() {
    for overflow in [OverflowStrategy::Throw, OverflowStrategy::Truncate, OverflowStrategy::Proceed]
    {
        assert_eq!(overflow_of(&choosing_all(overflow), &too_many(), &budget(140)), None);
    }
}

/// Rule [Events]: it reaches any collector (ours)
#[test]
fn a_custom_collector_is_told_of_the_overflow_once() {
    #[derive(Default)]
    struct Listening(Vec<i64>);

    impl TraceCollector for Listening {
        fn is_enabled(&self) -> bool {
            true
        }

        fn record_stage_event(&mut self, _event: TraceEvent) {}

        fn record_item_event(&mut self, _event: TraceEvent) {}

        fn record_overflow(&mut self, event: OverflowEvent) {
            self.0.push(event.tokens_over_budget);
        }
    }

    let mut collector = Listening::default();
    let pipeline = choosing_all(OverflowStrategy::Proceed);
    pipeline.run_traced(&too_many(), &budget(100), &mut collector).unwrap();
    assert_eq!(collector.0, [40]);
}
