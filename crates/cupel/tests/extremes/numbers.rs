//! No candidates, one, equal ones, NaN, and integers at both ends.

use chrono::{DateTime, TimeDelta, Utc};
use cupel::{ContextBudget, ContextItem, ContextItemBuilder, ContextKind, CupelError};

use crate::{budget, check, every_pipeline};

fn item(content: impl Into<String>, tokens: i64) -> ContextItemBuilder {
    ContextItem::builder(content, tokens)
}

fn refused_as_specified(name: &str, error: &CupelError) {
    let expected = matches!(
        error,
        CupelError::PinnedExceedsBudget { .. }
            | CupelError::Overflow { .. }
            | CupelError::TableTooLarge { .. }
    );
    assert!(expected, "{name}: {error}");
}

#[test]
fn no_candidates_are_no_window() {
    for budget in [budget(0), budget(1), budget(i64::MAX)] {
        every_pipeline(|name, pipeline, overflow| {
            let report = check(name, pipeline, overflow, &[], &budget).expect(name);
            assert_eq!(report.total_candidates, 0, "{name}");
        });
    }
}

#[test]
fn one_candidate_of_any_size_is_in_or_out() {
    for tokens in [i64::MIN, -1, 0, 1, 100, i64::MAX - 1, i64::MAX] {
        for pinned in [false, true] {
            let items = [item("alone", tokens).pinned(pinned).build().unwrap()];
            for max in [0, 100, i64::MAX] {
                let budget = budget(max);
                every_pipeline(|name, pipeline, overflow| {
                    match check(name, pipeline, overflow, &items, &budget) {
                        Ok(report) if tokens < 0 => assert!(report.included.is_empty(), "{name}"),
                        Ok(report) if pinned => assert_eq!(report.included.len(), 1, "{name}"),
                        Ok(_) => {}
                        Err(error) => refused_as_specified(name, &error),
                    }
                });
            }
        }
    }
}

#[test]
fn candidates_that_nothing_tells_apart_are_taken_in_their_order() {
    let now = DateTime::UNIX_EPOCH;
    let items: Vec<ContextItem> = (0..60)
        .map(|at| item(format!("{at}"), 100).timestamp(now).priority(1).tag("a"))
        .map(|builder| builder.future_relevance_hint(0.5).metadata_entry("k", "v"))
        .map(|builder| builder.build().unwrap())
        .collect();
    every_pipeline(|name, pipeline, overflow| {
        let report = check(name, pipeline, overflow, &items, &budget(2_000)).expect(name);
        // A score of 0 is worth nothing to a knapsack; with any other, equal scores fill a prefix.
        let placed_oldest_first = name.contains("chronological");
        if placed_oldest_first && !name.contains("knapsack") {
            let window: Vec<_> = report.included.iter().map(|entry| entry.item.content()).collect();
            let prefix: Vec<_> = items[..window.len()].iter().map(|item| item.content()).collect();
            assert_eq!(window, prefix, "{name}");
        }
    });
}

#[test]
fn scores_that_are_no_numbers_select_deterministically() {
    for hint in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let items: Vec<ContextItem> = (0..40)
            .map(|at| item(format!("{}", at / 2), 1 + at % 7).future_relevance_hint(hint))
            .map(|builder| builder.build().unwrap())
            .collect();
        every_pipeline(|name, pipeline, overflow| {
            let once = check(name, pipeline, overflow, &items, &budget(40)).expect(name);
            let again = check(name, pipeline, overflow, &items, &budget(40)).expect(name);
            assert_eq!(contents(&once), contents(&again), "{name}");
        });
    }
}

fn contents(report: &cupel::SelectionReport) -> Vec<String> {
    report.included.iter().map(|entry| entry.item.content().to_owned()).collect()
}

#[test]
fn a_number_beats_every_score_that_is_none() {
    let hints = [f64::NAN, f64::NEG_INFINITY, 0.0, f64::NAN, -1.0];
    let items = hints.map(|hint| item(format!("{hint}"), 1).future_relevance_hint(hint));
    let items = items.map(|builder| builder.build().unwrap());
    let (_, raw) = crate::scorers().into_iter().find(|(name, _)| *name == "raw hint").unwrap();
    let pipeline = cupel::Pipeline::builder()
        .scorer(raw)
        .slicer(cupel::GreedySlice)
        .placer(cupel::UShapedPlacer)
        .build()
        .unwrap();
    let report = pipeline.dry_run(&items, &budget(3)).unwrap();
    assert_eq!(contents(&report), ["0", "-inf", "-1"]);
}

/// Items with every integer and every instant at one of its ends, or next to it.
fn extreme_items() -> Vec<ContextItem> {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    let times: [DateTime<Utc>; 3] =
        ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"]
            .map(|time| time.parse().unwrap());
    let kinds = [ContextKind::message(), ContextKind::memory(), ContextKind::document()];
    let mut items = Vec::new();
    for (at, tokens) in ends.iter().enumerate() {
        for (other, end) in ends.iter().enumerate() {
            let builder = item(format!("{}", items.len() / 2), *tokens)
                .priority(*end)
                .original_tokens(*end)
                .timestamp(times[(at + other) % 3] - TimeDelta::zero())
                .future_relevance_hint(*end as f64)
                .kind(kinds[other % 3].clone());
            items.push(builder.build().unwrap());
        }
    }
    items
}

fn extreme_budgets() -> Vec<ContextBudget> {
    let mut budgets = Vec::new();
    for max in [0, 1, 100_000, i64::MAX - 1, i64::MAX] {
        for reserve in [0, max / 2, max] {
            for slot in [0, i64::MAX] {
                for margin in [0.0, 1e-300, 100.0] {
                    let slots = [ContextKind::message(), ContextKind::memory()];
                    let slots = slots.into_iter().map(|kind| (kind, slot));
                    budgets.push(ContextBudget::new(max, max, reserve, slots, margin).unwrap());
                }
            }
        }
    }
    budgets
}

#[test]
fn integers_at_both_ends_neither_wrap_nor_panic() {
    let items = extreme_items();
    let budgets = extreme_budgets();
    let mut at = 0;
    every_pipeline(|name, pipeline, overflow| {
        // Every pipeline meets three budgets, every budget many pipelines.
        for _ in 0..3 {
            at = (at + 7) % budgets.len();
            if let Err(error) = check(name, pipeline, overflow, &items, &budgets[at]) {
                refused_as_specified(name, &error);
            }
        }
    });
}

#[test]
fn pinned_items_at_both_ends_neither_wrap_nor_panic() {
    let pin = |item: ContextItem| {
        let builder = ContextItem::builder(item.content(), item.tokens()).pinned(true);
        builder.build().unwrap()
    };
    let items: Vec<_> = extreme_items().into_iter().map(pin).collect();
    every_pipeline(|name, pipeline, overflow| {
        let error = check(name, pipeline, overflow, &items, &budget(i64::MAX)).expect_err(name);
        let CupelError::PinnedExceedsBudget { pinned_tokens, available } = error else {
            panic!("{name}: {error}")
        };
        assert_eq!((pinned_tokens, available), (i64::MAX, i64::MAX), "{name}");
    });
}
