//! What a stream does that a run over a list does not, one example each.

use cupel::{
    ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice, CupelError, GreedySlice,
    InputOrderPlacer, ItemVariant, OverflowStrategy, Pipeline, QuotaEntry, QuotaSlice,
    RecencyScorer, ScarcityBehavior, StreamOutcome, StreamRun,
};

use super::shorthand::{budget, dated, greedy, hinted, named, pinned, sized};

fn in_order() -> Pipeline {
    greedy().placer(InputOrderPlacer).build().unwrap()
}

fn stream(items: &[ContextItem], batch_size: usize, tokens: i64) -> StreamOutcome {
    in_order().run_stream(items.iter().cloned(), batch_size, &budget(tokens)).unwrap()
}

fn names(outcome: &StreamOutcome) -> Vec<&str> {
    outcome.included.iter().map(|it| it.item.content()).collect()
}

fn member(name: &str, group: &str) -> ContextItem {
    named(name).group(group).build().unwrap()
}

/// Rule [StreamSlice]: items are processed as they arrive, and no more of them than can be used
#[test]
fn no_more_is_pulled_than_can_be_used() {
    let mut pulled = 0;
    let endless = (0..).map(|n| {
        pulled += 1;
        sized(&format!("note {n}"), 10)
    });
    let outcome = in_order().run_stream(endless, 4, &budget(60)).unwrap();
    assert_eq!((outcome.seen, outcome.tokens_seen, outcome.batches), (8, 80, 2));
    assert!(outcome.is_full);
    assert_eq!(outcome.excluded.get("BudgetExceeded"), Some(&2));
    assert_eq!(pulled, 8);
}

#[test]
fn what_leaves_a_little_room_is_read_to_its_end() {
    let items: Vec<_> = (0..9).map(|n| sized(&format!("note {n}"), 10)).collect();
    let outcome = stream(&items, 2, 55);
    assert_eq!((outcome.seen, outcome.is_full, outcome.included.len()), (9, false, 5));
}

/// Rule [StreamSlice]: what is taken stays (ours)
#[test]
fn what_is_taken_stays_though_something_better_comes() {
    let items = [hinted("first", 10, 0.1), hinted("best", 10, 1.0)];
    assert_eq!(names(&stream(&items, 1, 10)), ["first"]);
    assert_eq!(names(&stream(&items, 2, 10)), ["best"]);
}

/// Rule [StreamSlice]: scores are relative to the batch (ours)
#[test]
fn scores_are_relative_to_the_batch() {
    let days = ["2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z", "2025-01-03T00:00:00Z"];
    let items = days.map(|day| dated(day, day));
    let pipeline = greedy().scorer(RecencyScorer).build().unwrap();
    let scores = |batch_size| -> Vec<f64> {
        let outcome = pipeline.run_stream(items.clone(), batch_size, &budget(100)).unwrap();
        outcome.included.iter().map(|it| it.score).collect()
    };
    assert_eq!(scores(3), [0.0, 0.5, 1.0]);
    assert_eq!(scores(2), [0.0, 1.0, 1.0]);
}

#[test]
fn an_index_is_a_place_in_the_stream() {
    let items = [sized("a", 9), sized("b", 60), sized("c", 9), pinned("d", 9)];
    let outcome = stream(&items, 1, 50);
    let indices: Vec<_> = outcome.included.iter().map(|it| it.index).collect();
    assert_eq!(indices, [Some(0), Some(2), Some(3)]);
}

/// Rule [StreamSlice]: pinned items are in, whichever batch they come in (ours)
#[test]
fn pinned_items_of_later_batches_push_out_what_was_taken() {
    let items = [hinted("good", 10, 0.9), hinted("fair", 10, 0.5), pinned("rules", 12)];
    let mut heard = Vec::new();
    let (pipeline, budget) = (in_order(), budget(25));
    let mut run = StreamRun::new(&pipeline, &budget)
        .unwrap()
        .batch_size(2)
        .unwrap()
        .on_excluded(|entry| heard.push((entry.index, entry.reason.name())));
    items.into_iter().for_each(|item| run.push(item).unwrap());
    let outcome = run.finish().unwrap();
    assert_eq!(names(&outcome), ["good", "rules"]);
    assert_eq!(heard, [(Some(1), "BudgetExceeded")]);
}

#[test]
fn what_is_pushed_out_may_stay_in_a_shorter_form() {
    let long = named("a long one").variant(ItemVariant::new("short", 3)).build().unwrap();
    let outcome = stream(&[long, pinned("rules", 12)], 1, 15);
    assert_eq!(names(&outcome), ["short", "rules"]);
    assert_eq!(outcome.included[0].shortened.unwrap().tokens_saved, 7);
}

/// Rule [StreamSlice]: pinned items over the ceiling are an error at once (ours)
#[test]
fn pinned_items_over_the_ceiling_are_an_error_as_soon_as_they_are_known() {
    let mut pulled = 0;
    let endless = (0..).map(|n| {
        pulled += 1;
        pinned(&format!("rule {n}"), 30)
    });
    let error = in_order().run_stream(endless, 2, &budget(100)).unwrap_err();
    assert_eq!(error, CupelError::PinnedExceedsBudget { pinned_tokens: 120, available: 100 });
    assert_eq!(pulled, 4);
}

/// Rule [StreamSlice]: pinned items are in, whichever batch they come in (ours)
#[test]
fn a_full_run_takes_pinned_items_and_nothing_else() {
    let (pipeline, budget) = (in_order(), budget(20));
    let mut run = StreamRun::new(&pipeline, &budget).unwrap().batch_size(1).unwrap();
    run.push(sized("a", 20)).unwrap();
    assert!(run.is_full());
    for item in [sized("b", 1), sized("free", 0), pinned("rules", 5)] {
        run.push(item).unwrap();
    }
    let outcome = run.finish().unwrap();
    assert_eq!(names(&outcome), ["rules"]);
    assert_eq!((outcome.seen, outcome.excluded["BudgetExceeded"]), (4, 3));
}

#[test]
fn items_that_cost_nothing_are_in_while_anything_is_left() {
    let items = [sized("a", 9), sized("free", 0), sized("b", 1), sized("too late", 0)];
    assert_eq!(names(&stream(&items, 1, 10)), ["a", "free", "b"]);
}

#[test]
fn items_that_cost_nothing_leave_when_pinned_items_take_everything() {
    let items = [sized("free", 0), pinned("rules", 10)];
    for batch_size in [1, 2] {
        assert_eq!(names(&stream(&items, batch_size, 10)), ["rules"], "as in a run");
    }
}

#[test]
fn overflow_is_handled_as_in_a_run() {
    // Pinned items may take more than the target, up to the ceiling.
    let budget = cupel::ContextBudget::new(100, 10, 0, [], 0.0).unwrap();
    let run = |strategy| {
        let pipeline = greedy().overflow_strategy(strategy).build().unwrap();
        pipeline.run_stream([sized("a", 5), pinned("rules", 30)], 1, &budget)
    };
    let error = run(OverflowStrategy::Throw).unwrap_err();
    assert_eq!(error, CupelError::Overflow { merged_tokens: 30, target_tokens: 10 });
    let outcome = run(OverflowStrategy::Truncate).unwrap();
    assert_eq!(names(&outcome), ["rules"]);
    assert_eq!(outcome.excluded.get("PinnedOverride"), Some(&1));
    let outcome = run(OverflowStrategy::Proceed).unwrap();
    assert_eq!(outcome.overflow.unwrap().tokens_over_budget, 20);
}

/// Rule [StreamSlice]: duplicates are those of the batch and of what is held (ours)
#[test]
fn duplicates_of_what_is_held_are_left_out_and_of_what_is_not_are_new() {
    let items = [sized("a", 10), sized("b", 90), sized("a", 10), sized("b", 20)];
    let outcome = stream(&items, 1, 50);
    assert_eq!(names(&outcome), ["a", "b"]);
    assert_eq!(outcome.included[1].index, Some(3));
    assert_eq!((outcome.excluded["Deduplicated"], outcome.excluded["BudgetExceeded"]), (1, 1));
    let keeping = greedy().deduplication(false).build().unwrap();
    assert_eq!(keeping.run_stream(items, 1, &budget(50)).unwrap().included.len(), 3);
}

/// Rule [StreamSlice]: groups stay whole across batches, or are an error (ours)
#[test]
fn groups_stay_whole_across_batches_also_where_they_interleave() {
    let items = [
        sized("question", 10),
        member("call 1", "1"),
        member("call 2", "2"),
        member("result 1", "1"),
        sized("aside", 10),
        member("result 2", "2"),
        sized("answer", 10),
    ];
    for batch_size in 2..=8 {
        let outcome = stream(&items, batch_size, 1_000);
        assert_eq!(outcome.included.len(), 7, "in batches of {batch_size}");
        for tokens in (10..70).step_by(10) {
            let outcome = stream(&items, batch_size, tokens);
            let names = names(&outcome);
            for (call, result) in [("call 1", "result 1"), ("call 2", "result 2")] {
                let (has_call, has_result) = (names.contains(&call), names.contains(&result));
                assert_eq!(has_call, has_result, "{names:?} in batches of {batch_size}");
            }
        }
    }
}

#[test]
fn a_pinned_group_is_read_to_its_end_though_the_window_is_full() {
    let call = named("call").group("1").pinned(true).build().unwrap();
    let items = [sized("a", 30), call, sized("b", 10), member("result", "1"), sized("c", 10)];
    for batch_size in 1..6 {
        let outcome = stream(&items, batch_size, 30);
        let names = names(&outcome);
        match batch_size {
            // The first item fills the window, and the stream stops before the group.
            1 => assert_eq!(names, ["a"]),
            _ => assert!(names.contains(&"call") && names.contains(&"result"), "{names:?}"),
        }
    }
}

/// Rule [StreamSlice]: groups stay whole across batches, or are an error (ours)
#[test]
fn a_member_that_comes_too_late_is_an_error_that_says_what_to_do() {
    let mut items = vec![member("call", "tool 7")];
    items.extend((0..4).map(|n| sized(&format!("note {n}"), 10)));
    items.push(member("result", "tool 7"));
    let error = in_order().run_stream(items.clone(), 2, &budget(1_000)).unwrap_err();
    assert_eq!(
        error,
        CupelError::GroupSplit { group: "tool 7".to_owned(), index: 5, batch_size: 2 }
    );
    assert_eq!(
        error.to_string(),
        "item 6 of the stream comes more than 2 items after the others of its group \"tool 7\", which are decided \
         about; bring the members of a group together or use larger batches"
    );
    assert_eq!(stream(&items, 5, 1_000).included.len(), 6);
}

/// Rule [StreamSlice]: quotas and empty batches are refused (ours)
#[test]
fn quotas_and_empty_batches_are_refused() {
    let shares = QuotaSlice::new(
        vec![QuotaEntry::new(ContextKind::message(), 10.0, 50.0).unwrap()],
        GreedySlice,
    );
    let counts = CountQuotaSlice::new(
        vec![CountQuotaEntry::new(ContextKind::message(), 1, 2).unwrap()],
        GreedySlice,
        ScarcityBehavior::default(),
    );
    let pipelines = [greedy().slicer(shares.unwrap()), greedy().slicer(counts.unwrap())];
    for pipeline in pipelines {
        let error = pipeline.build().unwrap().run_stream([], 2, &budget(10)).unwrap_err();
        assert!(error.to_string().contains("quotas need the whole list"), "{error}");
    }
    let error = in_order().run_stream([], 0, &budget(10)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid slicer configuration: the stream batch size (0) must be at least 1 item"
    );
}

#[test]
fn a_stream_of_nothing_is_an_empty_window() {
    let outcome = stream(&[], 3, 10);
    assert_eq!((outcome.included.len(), outcome.seen, outcome.batches), (0, 0, 0));
    assert!(!outcome.is_full);
}
