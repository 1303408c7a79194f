//! Stage 3: of items with the same content, keep the best.

use cupel::{ContextItem, ContextSource, ExclusionReason, GreedySlice};

use crate::fixtures::custom::ScoreBy;
use crate::fixtures::spies::spy_slicer;
use crate::fixtures::{
    budget, contents, excluded, hinted, hinted_builder, included, item, kind, pinned, plain,
};

fn same_as(content: &str) -> ExclusionReason {
    ExclusionReason::Deduplicated { deduplicated_against: content.to_owned() }
}

/// What reaches the slicer, best first.
fn survivors(items: &[ContextItem]) -> Vec<(String, f64)> {
    let (slicer, sliced) = spy_slicer(GreedySlice);
    let pipeline = plain().slicer(slicer).build().unwrap();
    pipeline.run(items, &budget(1_000_000)).unwrap();
    sliced.only().candidates
}

/// Rule [Stage 3: Deduplicate]: disabled: the input unchanged
#[test]
fn when_disabled_everything_is_kept() {
    let pipeline = plain().deduplication(false).build().unwrap();
    let items = [hinted("twin", 10, 0.9), hinted("twin", 10, 0.1), hinted("twin", 10, 0.9)];
    let report = pipeline.dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["twin", "twin", "twin"]);
    assert!(report.excluded.is_empty());
}

/// Rule [Stage 3: Deduplicate]: empty input: an empty list
#[test]
fn no_items_stay_no_items() {
    assert!(survivors(&[]).is_empty());
}

/// Rule [Stage 3: Deduplicate]: no duplicates: the input
#[test]
fn unique_items_pass_unchanged() {
    let items = [hinted("a", 10, 0.9), hinted("b", 10, 0.5), hinted("c", 10, 0.1)];
    let expected = [("a".to_owned(), 0.9), ("b".to_owned(), 0.5), ("c".to_owned(), 0.1)];
    assert_eq!(survivors(&items), expected);
}

/// Rule [Stage 3: Deduplicate]: all identical: the highest score survives
#[test]
fn of_identical_items_the_best_survives() {
    let items = [hinted("twin", 10, 0.3), hinted("twin", 20, 0.8), hinted("twin", 30, 0.5)];
    let window = plain().build().unwrap().run(&items, &budget(100)).unwrap();
    assert!(window.len() == 1 && window[0].is_same_instance(&items[1]));
}

/// Rule [Stage 3: Deduplicate]: all identical and tied: the lowest index survives
#[test]
fn of_equally_good_identical_items_the_first_survives() {
    let items = [hinted("twin", 10, 0.5), hinted("twin", 20, 0.5), hinted("twin", 30, 0.5)];
    let window = plain().build().unwrap().run(&items, &budget(100)).unwrap();
    assert!(window.len() == 1 && window[0].is_same_instance(&items[0]));
}

/// Rule [Stage 3: Deduplicate]: only content is compared; the survivor keeps its fields
#[test]
fn only_content_is_compared_and_the_survivor_keeps_its_fields() {
    let items = [
        hinted_builder("twin", 10, 0.2).kind(kind("Document")).tag("old").build().unwrap(),
        hinted_builder("twin", 12, 0.9)
            .kind(kind("Memory"))
            .source(ContextSource::new("Archive").unwrap())
            .priority(7)
            .tag("new")
            .metadata_entry("page", "3")
            .build()
            .unwrap(),
    ];
    let window = plain().build().unwrap().run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["twin"]);
    let survivor = &window[0];
    assert_eq!((survivor.kind().as_str(), survivor.source().as_str()), ("Memory", "Archive"));
    assert_eq!((survivor.tokens(), survivor.priority()), (12, Some(7)));
    assert_eq!(survivor.tags(), ["new"]);
    assert_eq!(survivor.metadata()["page"], "3");
}

/// Rule [Stage 3: Deduplicate]: comparison is byte-exact: no normalization, folding or trimming
#[test]
fn contents_are_compared_byte_by_byte() {
    let texts = [
        "café",           // one code point
        "cafe\u{301}",    // the same letter, composed
        "Café",           // case
        "café ",          // trailing whitespace
        " café",          // leading whitespace
        "\u{feff}café",   // byte order mark
        "café\n",         // line end
        "café\r\n",       // another line end
        "caf\u{e9}\u{0}", // a trailing zero byte
        "ｃａｆé",        // compatibility forms
    ];
    let items: Vec<ContextItem> = texts.iter().map(|text| item(text, 1)).collect();
    assert_eq!(survivors(&items).len(), texts.len());
    let again: Vec<ContextItem> = texts.iter().chain(&texts).map(|it| item(it, 1)).collect();
    assert_eq!(survivors(&again).len(), texts.len());
}

/// Rule [Stage 3: Deduplicate]: survivors keep their relative order
#[test]
fn survivors_keep_their_relative_order() {
    // Equal scores, so that the order after sorting is the order after deduplication.
    let items = ["a", "x", "x", "b", "x", "y", "y", "c"].map(|text| hinted(text, 10, 0.5));
    let kept: Vec<String> = survivors(&items).into_iter().map(|(content, _)| content).collect();
    assert_eq!(kept, ["a", "x", "b", "y", "c"]);
}

/// Rule [Stage 3: Deduplicate]: NaN loses to any number; both zeros tie (ours)
#[test]
fn a_number_survives_against_no_number() {
    let scores = |item: &ContextItem| match item.tokens() {
        1 => f64::NAN,
        2 => f64::NEG_INFINITY,
        _ => f64::NAN,
    };
    let pipeline = plain().scorer(ScoreBy(scores)).build().unwrap();
    let window = pipeline.run(&[item("twin", 1), item("twin", 2)], &budget(100)).unwrap();
    assert_eq!(window[0].tokens(), 2);
    let window = pipeline.run(&[item("twin", 3), item("twin", 1)], &budget(100)).unwrap();
    assert_eq!(window[0].tokens(), 3, "of two without a number the first survives");
}

/// Rule [Stage 3: Deduplicate]: NaN loses to any number; both zeros tie (ours)
#[test]
fn both_zeros_are_one_score() {
    let scores = |item: &ContextItem| if item.tokens() == 1 { -0.0 } else { 0.0 };
    let pipeline = plain().scorer(ScoreBy(scores)).build().unwrap();
    let window = pipeline.run(&[item("twin", 1), item("twin", 2)], &budget(100)).unwrap();
    assert_eq!(window[0].tokens(), 1);
}

/// Rule [Stage 3: Deduplicate]: pinned items take no part
#[test]
fn pinned_items_are_never_deduplicated() {
    let items = [pinned("twin", 10), pinned("twin", 10), item("twin", 10)];
    let window = plain().build().unwrap().run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["twin", "twin", "twin"]);
}

/// Rule [Stage 3: Deduplicate]: what is dropped carries its score and the survivor's content (ours)
#[test]
fn what_is_dropped_names_the_content_kept_and_carries_its_own_score() {
    let items = [hinted("twin", 10, 0.3), hinted("other", 10, 0.9), hinted("twin", 10, 0.8)];
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    assert_eq!(included(&report), ["other", "twin"]);
    assert_eq!(excluded(&report), [("twin", same_as("twin"))]);
    assert_eq!(report.excluded[0].score, 0.3);
    assert!(report.excluded[0].item.is_same_instance(&items[0]));
}

/// Rule [Stage 3: Deduplicate]: exclusions happen in input order (ours)
#[test]
fn equally_good_duplicates_are_reported_in_input_order() {
    let items =
        ["a", "b", "b", "a", "a"].iter().zip(1..).map(|(text, tokens)| hinted(text, tokens, 0.5));
    let items: Vec<ContextItem> = items.collect();
    let report = plain().build().unwrap().dry_run(&items, &budget(100)).unwrap();
    let dropped: Vec<i64> = report.excluded.iter().map(|entry| entry.item.tokens()).collect();
    assert_eq!(dropped, [3, 4, 5]);
}

/// Rule [Stage 3: Deduplicate]: comparison is byte-exact: no normalization, folding or trimming
#[test]
fn many_items_are_told_apart_as_well_as_few() {
    // Two hundred texts of one length and with one head, middle and tail, each three times, the
    // second time best.
    let text = |n: usize| format!("{}{n:03}{}{}", "a".repeat(40), "b".repeat(200), "c".repeat(40));
    let mut items = Vec::new();
    for (round, hint) in [(1, 0.2), (2, 0.7), (3, 0.7)] {
        items.extend((0..200).map(|n| hinted(&text(n), round, hint)));
    }
    let report = plain().build().unwrap().dry_run(&items, &budget(100_000)).unwrap();
    assert_eq!(report.included.len(), 200);
    assert!(report.included.iter().all(|entry| entry.item.tokens() == 2));
    assert_eq!(included(&report), (0..200).map(text).collect::<Vec<_>>());
}
