//! Counts are those of OpenAI's own `tiktoken`, which made the fixture (`scripts/make_fixtures.py`).

use cupel_tokens::{Counter, Vocabulary};
use serde_json::Value;

fn cases() -> Vec<(String, String, Value)> {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/counts.json")).unwrap();
    let cases = fixture["cases"].as_array().unwrap();
    assert!(cases.len() > 40, "{} cases", cases.len());
    let case = |case: &Value| {
        let times = usize::try_from(case["times"].as_u64().unwrap()).unwrap();
        let text = case["unit"].as_str().unwrap().repeat(times);
        (case["name"].as_str().unwrap().to_owned(), text, case["counts"].clone())
    };
    cases.iter().map(case).collect()
}

#[test]
fn every_vocabulary_counts_like_the_reference() {
    for (name, text, counts) in cases() {
        for vocabulary in Vocabulary::ALL {
            let expected = counts[vocabulary.name()].as_i64().unwrap();
            assert_eq!(vocabulary.count(&text), expected, "{name} with {vocabulary}");
        }
    }
}

#[test]
fn limits_are_passed_exactly_where_the_count_is() {
    for (name, text, counts) in cases() {
        // Long texts differ in nothing that a second vocabulary would show.
        let vocabularies = if text.len() > 500_000 { 1 } else { Vocabulary::ALL.len() };
        for vocabulary in &Vocabulary::ALL[..vocabularies] {
            let exact = counts[vocabulary.name()].as_i64().unwrap();
            assert_eq!(vocabulary.count_up_to(&text, exact), Some(exact), "{name}");
            for limit in [exact - 1, exact / 2 - 1, -1, i64::MIN] {
                assert_eq!(vocabulary.count_up_to(&text, limit), None, "{name}, {limit}");
            }
        }
    }
}
