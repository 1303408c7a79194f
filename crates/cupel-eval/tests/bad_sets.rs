//! What is said to a line that is wrong: a table, held by a snapshot.

use std::fmt::Write;

use cupel_eval::{Set, SetReader};

const POOL: &str = r#"{"pool": "p", "items": [{"id": "a", "content": "Fines are waived."}, {"id": 7, "content": "We open at nine.", "document": "hours.md", "start": 10}, {"id": "c", "content": "order W4711 is late", "variants": [{"content": "order W4711"}]}]}"#;

/// Each wrong in one thing, after a pool that is right.
const WRONG: &[(&str, &str)] = &[
    ("no JSON", "Hello."),
    ("cut off", r#"{"question": "When?", "pool": "p", "#),
    ("a list", r#"[1, 2]"#),
    ("neither pool nor question", r#"{"text": "When?"}"#),
    ("both", r#"{"question": "When?", "pool": "p", "items": []}"#),
    ("a key twice", r#"{"question": "When?", "question": "Why?", "pool": "p", "gold": ["a"]}"#),
    ("items without a name", r#"{"items": [{"id": "a", "content": "x"}]}"#),
    ("a name that is none", r#"{"pool": " ", "items": [{"id": "a", "content": "x"}]}"#),
    ("a pool twice", r#"{"pool": "p", "items": [{"id": "a", "content": "x"}]}"#),
    ("items that are no list", r#"{"pool": "q", "items": {"id": "a", "content": "x"}}"#),
    ("no items", r#"{"pool": "q", "items": []}"#),
    ("an item without content", r#"{"pool": "q", "items": [{"id": "a"}]}"#),
    ("an item that is a text", r#"{"pool": "q", "items": ["x"]}"#),
    ("an empty content", r#"{"pool": "q", "items": [{"id": "a", "content": ""}]}"#),
    ("an item without id", r#"{"pool": "q", "items": [{"content": "x"}]}"#),
    ("an id that is a list", r#"{"pool": "q", "items": [{"id": ["a"], "content": "x"}]}"#),
    (
        "an id twice",
        r#"{"pool": "q", "items": [{"id": "a", "content": "x"}, {"id": "a", "content": "y"}]}"#,
    ),
    (
        "a start that is a text",
        r#"{"pool": "q", "items": [{"id": "a", "content": "x", "document": "d", "start": "five"}]}"#,
    ),
    (
        "a start in metadata that is none",
        r#"{"pool": "q", "items": [{"id": "a", "content": "x", "document": "d", "metadata": {"start": "five"}}]}"#,
    ),
    (
        "an end before its start",
        r#"{"pool": "q", "items": [{"id": "a", "content": "x", "document": "d", "start": 9, "end": 4}]}"#,
    ),
    ("a question that is a number", r#"{"question": 5, "pool": "p", "gold": ["a"]}"#),
    ("a blank question", r#"{"question": " ", "pool": "p", "gold": ["a"]}"#),
    ("a question of nothing", r#"{"question": "When?", "gold": ["a"]}"#),
    ("an unknown pool", r#"{"question": "When?", "pool": "q", "gold": ["a"]}"#),
    ("an id that is an object", r#"{"question": "When?", "pool": "p", "id": {}, "gold": ["a"]}"#),
    ("no gold", r#"{"question": "When?", "pool": "p"}"#),
    ("gold that is a text", r#"{"question": "When?", "pool": "p", "gold": "a"}"#),
    ("gold that is empty", r#"{"question": "When?", "pool": "p", "gold": []}"#),
    ("gold that is not there", r#"{"question": "When?", "pool": "p", "gold": ["a", "b"]}"#),
    ("gold twice", r#"{"question": "When?", "pool": "p", "gold": ["a", 7, "a"]}"#),
    (
        "gold of two sorts",
        r#"{"question": "When?", "pool": "p", "gold": ["a", {"document": "hours.md", "start": 10, "end": 12}]}"#,
    ),
    ("gold that is null", r#"{"question": "When?", "pool": "p", "gold": [null]}"#),
    (
        "an object without an item",
        r#"{"question": "When?", "pool": "p", "gold": [{"says": ["a"]}]}"#,
    ),
    (
        "an item that does not say it",
        r#"{"question": "When?", "pool": "p", "gold": [{"item": "c", "says": ["W4712"]}]}"#,
    ),
    (
        "characters without an end",
        r#"{"question": "When?", "pool": "p", "gold": [{"document": "hours.md", "start": 10}]}"#,
    ),
    (
        "no characters",
        r#"{"question": "When?", "pool": "p", "gold": [{"document": "hours.md", "start": 12, "end": 12}]}"#,
    ),
    (
        "characters that nobody holds",
        r#"{"question": "When?", "pool": "p", "gold": [{"document": "hours.md", "start": 0, "end": 10}]}"#,
    ),
    ("before the first", r#"{"question": "When?", "pool": "p", "before": "a", "gold": ["a"]}"#),
    (
        "before what is not there",
        r#"{"question": "When?", "pool": "p", "before": "z", "gold": ["a"]}"#,
    ),
    ("gold behind before", r#"{"question": "When?", "pool": "p", "before": 7, "gold": ["c"]}"#),
    ("a vector of words", r#"{"question": "When?", "pool": "p", "gold": ["a"], "vector": ["x"]}"#),
    (
        "a vector too large for a float",
        r#"{"question": "When?", "pool": "p", "gold": ["a"], "vector": [1e300]}"#,
    ),
];

#[test]
fn every_wrong_line_is_told_with_place_value_rule_and_remedy() {
    let mut table = String::new();
    for (name, line) in WRONG {
        let mut reader = SetReader::new();
        reader.line(POOL).unwrap();
        let error = reader.line(line).unwrap_err();
        assert_eq!(error.line, 2, "{name}");
        assert!(error.column >= 1 && error.column <= line.chars().count() + 1, "{name}");
        assert!(!error.remedy.is_empty(), "{name}: {error}");
        writeln!(table, "{name}\n  {error}").unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn columns_are_characters_and_blank_lines_count() {
    let mut reader = SetReader::new();
    reader.line(POOL).unwrap();
    reader.line("").unwrap();
    let error = reader.line(r#"{"question": "Où?", "pool": "p", "gold": ["né"]}"#).unwrap_err();
    assert_eq!((error.line, error.column), (3, 43));
}

#[test]
fn a_question_twice_and_none_at_all_are_told() {
    let asked = r#"{"question": "When?", "pool": "p", "id": "q1", "gold": [7]}"#;
    let error = Set::parse(&[POOL, asked, asked].join("\n")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3, column 42: id: there is a question \"q1\" already; give each question an id of its own, or none"
    );
    let error = Set::parse(POOL).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("line 1, column 1: there is no question; add a line such as {"),
        "{error}"
    );
    assert!(Set::parse("").is_err());
}

#[test]
fn what_is_right_is_read_with_marks_numbers_and_keys_of_the_callers_own() {
    let asked = r#"{"question": "When?", "pool": "p", "gold": [7], "source": "desk"}"#;
    let set = Set::parse(&format!("\u{feff}{POOL}\n\n{asked}\n")).unwrap();
    let question = &set.questions()[0];
    assert_eq!((question.id(), question.query().text()), ("line 3", "When?"));
    assert_eq!(set.pool_of(question).id(1), "7");
    assert_eq!(set.candidates(question)[1].tokens(), 4);
}
