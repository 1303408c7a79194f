//! What an item is, and that a run leaves it alone.

use std::collections::HashMap;

use chrono::DateTime;
use cupel::{
    ChronologicalPlacer, ContextItem, ContextKind, ContextSource, CupelError, ExclusionReason,
    FrequencyScorer, Placer, RecencyScorer, ScoredItem, TagScorer, UShapedPlacer,
};

use crate::shorthand::{
    assert_says, at, budget, contents, dated, greedy, hinted, named, pinned, plain, scores, sized,
    tagged,
};

/// Rule [ContextItem]: content must not be empty; such an item is refused
#[test]
fn an_item_without_content_is_refused() {
    let error = ContextItem::builder("", 1).build().unwrap_err();
    assert_eq!(error, CupelError::EmptyContent);
    assert_says(&error, &["content is empty (\"\")", "at least one byte"]);
}

#[test]
fn an_item_that_could_not_be_written_is_refused() {
    let on = |time| named("dated").timestamp(time).build();
    let (first, last) = (at("0000-01-01T00:00:00Z"), at("9999-12-31T23:59:59.999999999Z"));
    assert!(on(first).is_ok() && on(last).is_ok());
    let nanosecond = chrono::TimeDelta::nanoseconds(1);
    for timestamp in [first - nanosecond, last + nanosecond, DateTime::<chrono::Utc>::MAX_UTC] {
        let error = on(timestamp).unwrap_err();
        assert_eq!(error, CupelError::TimestampOutOfRange { timestamp });
        assert_says(&error, &["years 0000 to 9999", "another, or none", &format!("{timestamp:?}")]);
    }
}

/// Rule [ContextItem]: only the empty string is empty
#[test]
fn whitespace_is_content() {
    for content in [" ", "\n", "\u{3000}", "\0"] {
        assert_eq!(sized(content, 1).content(), content);
    }
}

/// Rule [ContextItem]: content and tokens are required, the rest has the listed defaults
#[test]
fn everything_but_content_and_tokens_has_a_default() {
    let item = ContextItem::builder("hello", 3).build().unwrap();
    assert_eq!(item.kind().as_str(), "Message");
    assert_eq!(item.source().as_str(), "Chat");
    assert_eq!(item.priority(), None);
    assert!(item.tags().is_empty());
    assert!(item.metadata().is_empty());
    assert_eq!(item.timestamp(), None);
    assert_eq!(item.future_relevance_hint(), None);
    assert!(!item.pinned());
    assert_eq!(item.original_tokens(), None);
}

/// Rule [ContextItem]: every field is kept as given
#[test]
fn every_field_is_given_back_as_it_was_set() {
    let item = ContextItem::builder("hello", 3)
        .kind(ContextKind::memory())
        .source(ContextSource::rag())
        .priority(-7)
        .tags(vec!["b".to_owned(), "A".to_owned(), "b".to_owned()])
        .metadata(HashMap::from([("author".to_owned(), "Ada".to_owned())]))
        .timestamp(at("2025-06-01T09:00:00.123456789Z"))
        .future_relevance_hint(0.25)
        .pinned(true)
        .original_tokens(900)
        .build()
        .unwrap();
    assert_eq!((item.content(), item.tokens()), ("hello", 3));
    assert_eq!((item.kind().as_str(), item.source().as_str()), ("Memory", "Rag"));
    assert_eq!(item.priority(), Some(-7));
    assert_eq!(item.tags(), ["b", "A", "b"]);
    assert_eq!(item.metadata()["author"], "Ada");
    assert_eq!(item.timestamp(), Some(at("2025-06-01T09:00:00.123456789Z")));
    assert_eq!(item.future_relevance_hint(), Some(0.25));
    assert!(item.pinned());
    assert_eq!(item.original_tokens(), Some(900));
}

#[test]
fn a_number_that_is_zero_is_not_one_that_is_absent() {
    let absent = || ContextItem::builder("text", 1);
    let item = absent().priority(0).future_relevance_hint(0.0).original_tokens(0).build().unwrap();
    assert_eq!(item.priority(), Some(0));
    assert_eq!(item.future_relevance_hint(), Some(0.0));
    assert_eq!(item.original_tokens(), Some(0));
    for zero in
        [absent().priority(0), absent().future_relevance_hint(0.0), absent().original_tokens(0)]
    {
        assert_ne!(zero.build().unwrap(), absent().build().unwrap());
    }
}

#[test]
fn empty_metadata_is_none() {
    let item = ContextItem::builder("text", 1).metadata_entry("replaced", "by nothing");
    let item = item.metadata(HashMap::new()).build().unwrap();
    assert!(item.metadata().is_empty());
    assert_eq!(item, sized("text", 1));
}

/// Rule [ContextItem]: any integer is a token count
#[test]
fn any_token_count_can_be_given() {
    for tokens in [i64::MIN, -1, 0, 1, i64::MAX] {
        assert_eq!(sized("text", tokens).tokens(), tokens);
    }
}

/// Rule [ContextItem]: token counts are the caller's; nothing is tokenized
#[test]
fn tokens_are_taken_on_trust() {
    let long = sized(&"word ".repeat(1_000), 1);
    let short = sized("word", 1_000);
    let window = greedy().build().unwrap().run(&[long.clone(), short], &budget(1)).unwrap();
    assert_eq!(window.len(), 1);
    assert!(window[0].is_same_instance(&long));
}

/// Rule [ContextItem]: negative token counts are excluded in Classify
#[test]
fn an_item_with_negative_tokens_is_left_out() {
    let items = [sized("broken", -1), sized("fine", 1)];
    let report = greedy().build().unwrap().dry_run(&items, &budget(10)).unwrap();
    assert_eq!(contents(report.included.iter().map(|it| &it.item)), ["fine"]);
    assert_eq!(report.excluded[0].item.content(), "broken");
    assert_eq!(report.excluded[0].reason, ExclusionReason::NegativeTokens { tokens: -1 });
}

/// Rule [ContextItem]: negative token counts are excluded in Classify
#[test]
fn a_pinned_item_with_negative_tokens_is_excluded_not_pinned() {
    let report = greedy().build().unwrap().dry_run(&[pinned("broken", -5)], &budget(10)).unwrap();
    assert!(report.included.is_empty());
    assert_eq!(report.excluded[0].reason, ExclusionReason::NegativeTokens { tokens: -5 });
}

/// Rule [ContextItem]: pinned items are in whatever their score
#[test]
fn a_pinned_item_is_in_the_window_whatever_its_score() {
    let kept = ContextItem::builder("rules", 90).future_relevance_hint(0.0).pinned(true);
    let items = [hinted("best", 20, 1.0), kept.build().unwrap()];
    let window = greedy().build().unwrap().run(&items, &budget(100)).unwrap();
    assert_eq!(contents(&window), ["rules"]);
}

/// Rule [ContextItem]: tags compare without ASCII case (TagScorer on request, see there)
#[test]
fn tags_are_one_tag_in_any_ascii_case() {
    let items = [tagged("a", &["Important"]), tagged("b", &["important"])];
    assert_eq!(scores(&FrequencyScorer, &items), [1.0, 1.0]);

    let weights = HashMap::from([("IMPORTANT".to_owned(), 2.0)]);
    let folding = TagScorer::case_insensitive(weights).unwrap();
    assert_eq!(scores(&folding, &items), [1.0, 1.0]);
}

/// Rule [ContextItem]: metadata is preserved on output
#[test]
fn metadata_survives_a_run() {
    let item = named("a")
        .metadata_entry("cupel:trust", "0.9")
        .metadata_entry("app:id", "42")
        .metadata_entry("", "")
        .build()
        .unwrap();
    let window = greedy().build().unwrap().run(&[item], &budget(100)).unwrap();
    let expected = [("cupel:trust", "0.9"), ("app:id", "42"), ("", "")];
    let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(*window[0].metadata(), HashMap::from(expected));
}

/// Rule [ContextItem]: stages neither read nor interpret metadata
#[test]
fn metadata_decides_nothing_on_its_own() {
    let marks = [("cupel:trust", "0.0"), ("cupel:priority", "low"), ("pinned", "true")];
    let bare = [hinted("a", 10, 0.9), hinted("b", 10, 0.5), hinted("c", 10, 0.1)];
    let marked = bare.clone().map(|item| {
        let hint = item.future_relevance_hint().unwrap();
        let mut builder = named(item.content()).future_relevance_hint(hint);
        for (key, value) in marks {
            builder = builder.metadata_entry(key, value);
        }
        builder.build().unwrap()
    });
    let pipeline = greedy().build().unwrap();
    assert_eq!(contents(&pipeline.run(&bare, &budget(20)).unwrap()), ["a", "b"]);
    assert_eq!(contents(&pipeline.run(&marked, &budget(20)).unwrap()), ["a", "b"]);
}

/// Rule [ContextItem]: original tokens are preserved and unused
#[test]
fn original_tokens_and_source_are_kept_and_not_used() {
    let shortened = ContextItem::builder("summary", 10)
        .original_tokens(1_000_000)
        .source(ContextSource::tool())
        .build()
        .unwrap();
    let window = greedy().build().unwrap().run(&[shortened], &budget(10)).unwrap();
    assert_eq!(window[0].original_tokens(), Some(1_000_000));
    assert_eq!(*window[0].source(), ContextSource::tool());
}

/// Rule [ContextItem]: timestamps are UTC instants, compared in time
#[test]
fn timestamps_are_instants_not_spellings() {
    let in_paris = DateTime::parse_from_rfc3339("2025-06-01T11:00:00+02:00").unwrap().to_utc();
    let in_london = DateTime::parse_from_rfc3339("2025-06-01T10:30:00+01:00").unwrap().to_utc();
    let items = [
        named("09:00 UTC").timestamp(in_paris).build().unwrap(),
        named("09:30 UTC").timestamp(in_london).build().unwrap(),
        dated("09:00 UTC too", "2025-06-01T09:00:00Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [0.0, 1.0, 0.0]);
}

/// Rule [ContextItem]: instants keep their precision
#[test]
fn timestamps_differ_by_a_nanosecond() {
    let items = [
        dated("later", "2025-06-01T09:00:00.000000002Z"),
        dated("earlier", "2025-06-01T09:00:00.000000001Z"),
    ];
    assert_eq!(scores(&RecencyScorer, &items), [1.0, 0.0]);
    let window = greedy().build().unwrap().run(&items, &budget(20)).unwrap();
    assert_eq!(contents(&window), ["earlier", "later"]);
}

/// Rule [ContextItem]: the hint's range is a convention, not a rule
#[test]
fn a_hint_outside_the_convention_is_kept_as_given() {
    for hint in [-3.0, 1.7, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(hinted("a", 1, hint).future_relevance_hint(), Some(hint));
    }
    assert!(hinted("a", 1, f64::NAN).future_relevance_hint().unwrap().is_nan());
}

/// Rule [ContextItem]: no stage mutates an item
#[test]
fn a_run_hands_back_the_instances_it_was_given() {
    let items = [hinted("a", 10, 0.2), pinned("b", 10), hinted("c", 0, 0.9)];
    let fields = format!("{items:?}");
    let window = greedy().build().unwrap().run(&items, &budget(30)).unwrap();
    assert_eq!(window.len(), 3);
    for item in &items {
        assert!(window.iter().any(|chosen| chosen.is_same_instance(item)), "{item:?}");
    }
    assert_eq!(format!("{items:?}"), fields);
}

/// Rule [ContextItem]: no stage copies one (ours)
#[test]
fn cloning_an_item_copies_no_text() {
    let item = named("some text")
        .kind(ContextKind::new("Custom").unwrap())
        .tag("tag")
        .metadata_entry("key", "value")
        .build()
        .unwrap();
    let clone = item.clone();
    assert_eq!(clone.content().as_ptr(), item.content().as_ptr());
    assert_eq!(clone.kind().as_str().as_ptr(), item.kind().as_str().as_ptr());
    assert_eq!(clone.tags()[0].as_ptr(), item.tags()[0].as_ptr());
    assert_eq!(clone.metadata()["key"].as_ptr(), item.metadata()["key"].as_ptr());
    assert!(clone.is_same_instance(&item));
}

/// Rule [ContextItem]: no stage copies one (ours)
#[test]
fn neither_a_run_nor_a_placer_copies_text() {
    let item = plain("some text");
    let text = item.content().as_ptr();
    let report = greedy().build().unwrap().dry_run(std::slice::from_ref(&item), &budget(100));
    assert_eq!(report.unwrap().included[0].item.content().as_ptr(), text);
    let scored = [ScoredItem { item, score: 0.5 }];
    assert_eq!(ChronologicalPlacer.place(&scored)[0].content().as_ptr(), text);
    assert_eq!(UShapedPlacer.place(&scored)[0].content().as_ptr(), text);
}

/// Rule [ContextItem]: identity is instance identity, equality is by value (ours)
#[test]
fn equal_fields_make_equal_items_but_not_one_instance() {
    let (one, other) = (plain("same"), plain("same"));
    assert_eq!(one, other);
    assert!(!one.is_same_instance(&other));
    assert_ne!(one.content().as_ptr(), other.content().as_ptr());
    assert_ne!(one, sized("same", 11));
}
