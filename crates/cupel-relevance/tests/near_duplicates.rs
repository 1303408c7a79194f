//! What repeats a chosen item comes last, or not at all.

use cupel::{
    ContextBudget, ContextItem, ExclusionReason, InputOrderPlacer, Pipeline, RankSlice,
    ReflexiveScorer, SelectionReport,
};
use cupel_relevance::{DistinctSlice, NearDuplicateTreatment, NearDuplicates};
use proptest::prelude::*;

const ORIGINAL: &str = "the reminder job runs every night at half past two";
const COPY: &str = "The reminder job runs every night, at half past two!";
const OTHER: &str = "coffee is served on the second floor until five";

fn item(text: &str, tokens: i64, score: f64) -> ContextItem {
    let item = ContextItem::builder(text, tokens).future_relevance_hint(score);
    item.build().expect("a valid item")
}

fn pipeline(treatment: NearDuplicateTreatment) -> Pipeline {
    let mut near_duplicates = NearDuplicates::default();
    near_duplicates.treatment = treatment;
    pipeline_with(near_duplicates)
}

fn pipeline_with(near_duplicates: NearDuplicates) -> Pipeline {
    let slicer = DistinctSlice::new(RankSlice::default(), near_duplicates);
    Pipeline::builder()
        .scorer(ReflexiveScorer)
        .slicer(slicer.expect("valid settings"))
        .placer(InputOrderPlacer)
        .deduplication(false)
        .build()
        .expect("a whole pipeline")
}

fn budget(tokens: i64) -> ContextBudget {
    ContextBudget::builder(tokens).build().expect("a valid budget")
}

fn report(
    items: &[ContextItem],
    tokens: i64,
    treatment: NearDuplicateTreatment,
) -> SelectionReport {
    pipeline(treatment).dry_run(items, &budget(tokens)).expect("a run")
}

fn texts(report: &SelectionReport) -> Vec<&str> {
    report.included.iter().map(|it| it.item.content()).collect()
}

#[test]
fn a_repetition_gives_way_to_what_is_new() {
    let items = [item(ORIGINAL, 10, 0.9), item(COPY, 10, 0.8), item(OTHER, 10, 0.1)];
    let report = report(&items, 20, NearDuplicateTreatment::Last);
    assert_eq!(texts(&report), [ORIGINAL, OTHER]);
    let expected =
        ExclusionReason::NearDuplicate { near_duplicate_of: ORIGINAL.to_owned(), overlap: 1.0 };
    assert_eq!(report.excluded[0].reason, expected);
}

#[test]
fn a_repetition_is_in_when_there_is_room_for_all_unless_it_is_left_out_by_choice() {
    let items = [item(ORIGINAL, 10, 0.9), item(COPY, 10, 0.8), item(OTHER, 10, 0.1)];
    assert_eq!(texts(&report(&items, 30, NearDuplicateTreatment::Last)), [ORIGINAL, COPY, OTHER]);
    let left_out = report(&items, 30, NearDuplicateTreatment::LeaveOut);
    assert_eq!(texts(&left_out), [ORIGINAL, OTHER]);
    assert!(matches!(left_out.excluded[0].reason, ExclusionReason::NearDuplicate { .. }));
}

#[test]
fn what_repeats_an_item_that_did_not_get_in_is_not_held_back() {
    let items = [item(ORIGINAL, 100, 0.9), item(COPY, 10, 0.8), item(OTHER, 10, 0.1)];
    for treatment in [NearDuplicateTreatment::Last, NearDuplicateTreatment::LeaveOut] {
        let report = report(&items, 20, treatment);
        assert_eq!(texts(&report), [COPY, OTHER], "{treatment:?}");
        assert!(matches!(report.excluded[0].reason, ExclusionReason::BudgetExceeded { .. }));
    }
}

#[test]
fn of_two_repetitions_of_what_did_not_get_in_one_is_enough() {
    let items = [item(ORIGINAL, 100, 0.9), item(COPY, 10, 0.8), item(ORIGINAL, 10, 0.7)];
    let report = report(&items, 50, NearDuplicateTreatment::LeaveOut);
    assert_eq!(texts(&report), [COPY]);
}

#[test]
fn what_costs_nothing_may_repeat_what_it_likes() {
    let items = [item(ORIGINAL, 10, 0.9), item(COPY, 0, 0.8)];
    assert_eq!(texts(&report(&items, 10, NearDuplicateTreatment::LeaveOut)), [ORIGINAL, COPY]);
}

#[test]
fn settings_out_of_range_are_refused_with_the_value() {
    let refused = |threshold: f64, shingle_words: usize| {
        let mut near_duplicates = NearDuplicates::default();
        near_duplicates.threshold = threshold;
        near_duplicates.shingle_words = shingle_words;
        DistinctSlice::new(RankSlice::default(), near_duplicates).unwrap_err().to_string()
    };
    assert!(refused(0.0, 5).contains("(0)"));
    assert!(refused(1.5, 5).contains("(1.5)"));
    assert!(refused(f64::NAN, 5).contains("(NaN)"));
    assert!(refused(0.5, 0).contains("shingleWords (0)"));
}

proptest! {
    #[test]
    fn the_window_fits_and_without_repetitions_nothing_changes(
        sizes in prop::collection::vec((0_i64..40, 0_u8..6, 0_u8..4), 0..12),
        tokens in 0_i64..120,
    ) {
        let words = ["alpha beta gamma delta", "one two three four", "red green blue grey", "north south east west"];
        let items: Vec<_> = sizes
            .iter()
            .map(|(tokens, score, text)| item(words[usize::from(*text)], *tokens, f64::from(*score)))
            .collect();
        for treatment in [NearDuplicateTreatment::Last, NearDuplicateTreatment::LeaveOut] {
            let report = report(&items, tokens, treatment);
            let used: i64 = report.included.iter().map(|it| it.item.tokens()).sum();
            prop_assert!(used <= tokens);
            prop_assert_eq!(report.included.len() + report.excluded.len(), items.len());
        }
        let distinct: Vec<_> = sizes
            .iter()
            .enumerate()
            .map(|(at, (tokens, score, _))| item(&format!("text number{at} says{at} own{at} things{at}"), *tokens, f64::from(*score)))
            .collect();
        let plain = Pipeline::builder()
            .scorer(ReflexiveScorer)
            .slicer(RankSlice::default())
            .placer(InputOrderPlacer)
            .deduplication(false)
            .build()
            .expect("a whole pipeline");
        prop_assert_eq!(
            pipeline(NearDuplicateTreatment::Last).run(&distinct, &budget(tokens)),
            plain.run(&distinct, &budget(tokens))
        );
    }
}

/// The runs of `length` words in a text, each once; a shorter text is one.
fn literal_shingles(text: &str, length: usize) -> std::collections::BTreeSet<Vec<&str>> {
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(length.min(words.len())).map(<[&str]>::to_vec).collect()
}

proptest! {
    /// Of up to 32 texts the overlaps are exact: each text, best first, is compared with every kept one.
    #[test]
    fn repetitions_are_those_of_the_definition(
        words in prop::collection::vec(prop::collection::vec(prop::sample::select(vec!["a", "b", "c"]), 1..12), 1..12),
        length in 1_usize..5,
        threshold in prop::sample::select(vec![0.1, 0.5, 0.8, 1.0]),
    ) {
        let contents: Vec<String> = words.iter().map(|words| words.join(" ")).collect();
        let items: Vec<_> = contents.iter().enumerate().map(|(at, text)| item(text, 1, 1.0 - at as f64 / 100.0)).collect();
        let mut kept: Vec<&str> = Vec::new();
        let mut repeated: Vec<(String, String, f64)> = Vec::new();
        for text in &contents {
            let own = literal_shingles(text, length);
            let overlap = |other: &str| own.intersection(&literal_shingles(other, length)).count() as f64 / own.len() as f64;
            // The first of those that have most of it.
            let most = kept.iter().map(|other| overlap(other)).fold(0.0, f64::max);
            match kept.iter().find(|other| overlap(other) == most).filter(|_| most >= threshold) {
                Some(other) => repeated.push((text.clone(), (*other).to_owned(), most)),
                None => kept.push(text),
            }
        }
        let mut near_duplicates = NearDuplicates::default();
        near_duplicates.treatment = NearDuplicateTreatment::LeaveOut;
        (near_duplicates.threshold, near_duplicates.shingle_words) = (threshold, length);
        let report = pipeline_with(near_duplicates).dry_run(&items, &budget(100)).expect("a run");
        prop_assert_eq!(texts(&report), kept);
        let told: Vec<_> = report.excluded.iter().map(|it| match &it.reason {
            ExclusionReason::NearDuplicate { near_duplicate_of, overlap } => (it.item.content().to_owned(), near_duplicate_of.clone(), *overlap),
            other => panic!("{other:?}"),
        }).collect();
        prop_assert_eq!(told, repeated);
    }
}
