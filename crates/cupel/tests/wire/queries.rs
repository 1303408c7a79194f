//! Queries.

use cupel::Query;

use crate::{refusal, survives};

#[test]
fn a_query_is_a_text_or_an_object_with_its_embedding() {
    let plain: Query = survives(r#""When does the job run?""#);
    assert_eq!((plain.text(), plain.vector()), ("When does the job run?", &[][..]));
    let embedded: Query = survives(r#"{"text": "When?", "vector": [0.5, -1.0]}"#);
    assert_eq!((embedded.text(), embedded.vector()), ("When?", &[0.5, -1.0][..]));
}

#[test]
fn without_an_embedding_the_shorter_form_is_written() {
    for text in [r#"{"text": "When?"}"#, r#"{"text": "When?", "vector": []}"#] {
        let query: Query = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&query).unwrap(), r#""When?""#);
    }
}

#[test]
fn what_is_not_a_query_is_refused() {
    let cases =
        ["1", "null", "[\"a\"]", "{}", r#"{"vector": [1]}"#, r#"{"text": "a", "vectr": [1]}"#];
    for json in cases {
        assert!(refusal::<Query>(json).contains("expected a query: a string, or"), "{json}");
    }
    let message = refusal::<Query>(r#"{"text": "a", "vector": [1, 1e39]}"#);
    assert!(message.contains("its number 2 is inf"), "{message}");
}
