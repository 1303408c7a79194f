//! Items.

use cupel::ContextItem;
use serde_json::{Value, json};

use crate::refusal;

fn read(json: Value) -> ContextItem {
    serde_json::from_value(json).unwrap()
}

#[test]
fn the_shortest_form_gains_its_kind() {
    let item = read(json!({ "content": "hi", "tokens": 12 }));
    assert_eq!(
        serde_json::to_string(&item).unwrap(),
        r#"{"content":"hi","tokens":12,"kind":"Message"}"#
    );
}

#[test]
fn the_longest_form_is_written_in_the_order_of_the_model() {
    let text = concat!(
        r#"{"content":"hi","tokens":12,"kind":"note","source":"chat","priority":-3,"#,
        r#""tags":["b","a"],"metadata":{"a":"1","b":"2","c":"3"},"#,
        r#""timestamp":"2025-01-01T12:00:00.5Z","futureRelevanceHint":0.1,"pinned":true,"#,
        r#""originalTokens":40,"group":"call","variants":[{"content":"h","tokens":1}],"#,
        r#""document":"guide.md","position":-7,"similarity":0.1,"vector":[0.1,-1.0,3.4028235e+38]}"#
    );
    let item: ContextItem = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&item).unwrap(), text);
}

#[test]
fn snake_case_is_read() {
    let item = read(
        json!({"content": "a", "tokens": 1, "future_relevance_hint": 1, "original_tokens": 2}),
    );
    assert_eq!((item.future_relevance_hint(), item.original_tokens()), (Some(1.0), Some(2)));
}

#[test]
fn null_means_absent_where_a_key_is_optional() {
    let item = read(json!({
        "content": "a", "tokens": 1, "kind": null, "source": null, "priority": null,
        "tags": null, "metadata": null, "timestamp": null, "futureRelevanceHint": null,
        "pinned": null, "originalTokens": null, "document": null, "position": null,
        "similarity": null, "vector": null,
    }));
    assert_eq!(item, ContextItem::builder("a", 1).build().unwrap());
}

#[test]
fn an_empty_vector_is_none() {
    let item = read(json!({ "content": "a", "tokens": 1, "vector": [] }));
    assert_eq!(item, ContextItem::builder("a", 1).build().unwrap());
}

#[test]
fn numbers_of_a_vector_are_read_to_the_bit_and_written_in_their_shortest_form() {
    // Read as a double first, the last would be rounded twice.
    let text = r#"{"content":"a","tokens":1,"vector":[1,0.1,16777217,1.00000005960464477540]}"#;
    let item: ContextItem = serde_json::from_str(text).unwrap();
    assert_eq!(item.vector(), [1.0, 0.1, 16_777_216.0, 1.000_000_1]);
    let written = serde_json::to_string(&item).unwrap();
    assert!(written.ends_with(r#""vector":[1.0,0.1,16777216.0,1.0000001]}"#), "{written}");
}

#[test]
fn timestamps_are_normalised_to_utc_with_no_digit_too_many() {
    let cases = [
        ("2025-01-01T14:00:00+02:00", "2025-01-01T12:00:00Z"),
        ("2025-01-01T12:00:00.000Z", "2025-01-01T12:00:00Z"),
        ("2025-01-01T12:00:00.120Z", "2025-01-01T12:00:00.12Z"),
        ("2025-01-01T12:00:00.000000001Z", "2025-01-01T12:00:00.000000001Z"),
        ("2024-12-31T23:30:00-01:00", "2025-01-01T00:30:00Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    ];
    for (given, expected) in cases {
        let item = read(json!({ "content": "a", "tokens": 1, "timestamp": given }));
        assert_eq!(serde_json::to_value(&item).unwrap()["timestamp"], expected);
    }
}

#[test]
fn a_year_that_rfc_3339_cannot_name_is_refused_and_the_last_ones_survive() {
    let item = r#"{"content": "a", "tokens": 1, "timestamp": "9999-12-31T23:59:59-01:00"}"#;
    assert!(refusal::<ContextItem>(item).contains("years 0000 to 9999"));
    for end in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"] {
        let item = json!({ "content": "a", "tokens": 1, "kind": "Message", "timestamp": end });
        crate::survives::<ContextItem>(&item.to_string());
    }
}

#[test]
fn numbers_that_are_not_finite_are_written_by_name() {
    for (hint, name) in
        [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")]
    {
        let item = ContextItem::builder("a", 1).future_relevance_hint(hint).build().unwrap();
        let json = serde_json::to_value(&item).unwrap();
        assert_eq!(json["futureRelevanceHint"], name);
        let read = read(json).future_relevance_hint().unwrap();
        assert!(read == hint || read.is_nan() && hint.is_nan());
    }
}

#[test]
fn what_is_not_an_item_is_refused() {
    let cases = [
        (r#"{"tokens": 1}"#, "missing field `content`"),
        (r#"{"content": "a"}"#, "missing field `tokens`"),
        (r#"{"content": "", "tokens": 1}"#, "content is empty"),
        (r#"{"content": null, "tokens": 1}"#, "invalid type: null"),
        (r#"{"content": "a", "tokens": null}"#, "invalid type: null"),
        (r#"{"content": "a", "tokens": 12.0}"#, "invalid type: floating point"),
        (r#"{"content": "a", "tokens": 1e2}"#, "invalid type: floating point"),
        (r#"{"content": "a", "tokens": 9223372036854775808}"#, "invalid value"),
        (r#"{"content": "a", "tokens": "1"}"#, "invalid type: string"),
        (r#"{"content": "a", "tokens": 1, "kind": " "}"#, "kind is blank"),
        (r#"{"content": "a", "tokens": 1, "source": ""}"#, "source is blank"),
        (r#"{"content": "a", "tokens": 1, "knid": "b"}"#, "unknown field `knid`"),
        (r#"{"content": "a", "tokens": 1, "tokens": 2}"#, "duplicate field `tokens`"),
        (
            r#"{"content": "a", "tokens": 1, "originalTokens": 1, "original_tokens": 1}"#,
            "duplicate field `originalTokens`",
        ),
        (r#"{"content": "a", "tokens": 1, "tags": "x"}"#, "invalid type: string"),
        (r#"{"content": "a", "tokens": 1, "tags": [null]}"#, "invalid type: null"),
        (r#"{"content": "a", "tokens": 1, "metadata": {"k": 1}}"#, "expected a string"),
        (r#"{"content": "a", "tokens": 1, "metadata": {"k": null}}"#, "expected a string"),
        (
            r#"{"content": "a", "tokens": 1, "metadata": {"k": "1", "k": "1"}}"#,
            "duplicate metadata key \"k\"",
        ),
        (r#"{"content": "a", "tokens": 1, "timestamp": "yesterday"}"#, "not an RFC 3339"),
        (r#"{"content": "a", "tokens": 1, "timestamp": "2025-01-01T12:00:00"}"#, "not an RFC"),
        (r#"{"content": "a", "tokens": 1, "timestamp": 1735732800}"#, "invalid type: integer"),
        (r#"{"content": "a", "tokens": 1, "futureRelevanceHint": "nan"}"#, "invalid value"),
        (r#"{"content": "a", "tokens": 1, "pinned": "yes"}"#, "invalid type: string"),
        (r#"{"content": "a", "tokens": 1, "document": " "}"#, "document is blank"),
        (r#"{"content": "a", "tokens": 1, "position": 1.0}"#, "invalid type: floating point"),
        (r#"{"content": "a", "tokens": 1, "similarity": "NaN"}"#, "invalid type: string"),
        (r#"{"content": "a", "tokens": 1, "vector": [null]}"#, "invalid type: null"),
        (r#"{"content": "a", "tokens": 1, "vector": [1e39]}"#, "number out of range"),
        (r#"["a", 1]"#, "expected an item object"),
    ];
    for (json, expected) in cases {
        let message = refusal::<ContextItem>(json);
        assert!(message.contains(expected), "{json}: {message}");
    }
}
