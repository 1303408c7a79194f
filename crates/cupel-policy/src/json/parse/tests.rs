use super::string::plain;
use super::*;

fn parse(text: &str) -> Result<Node<'_>, SyntaxError> {
    super::parse(text, Dialect::Json)
}

fn refused(text: &str) -> (usize, String) {
    let error = parse(text).expect_err(text);
    (error.at, error.message)
}

#[test]
fn positions_numbers_and_repeated_keys_are_kept() {
    let text = r#" {"a": 1.50, "a": [true, "x\u00e9\ud83d\ude00\n"]}"#;
    let Value::Object(members) = parse(text).unwrap().value else { panic!("an object") };
    assert_eq!(
        members.iter().map(|it| (&*it.key, it.at)).collect::<Vec<_>>(),
        [("a", 2), ("a", 13)]
    );
    assert_eq!(members[0].value, Node { at: 7, value: Value::Number("1.50") });
    let Value::Array(elements) = &members[1].value.value else { panic!("an array") };
    assert_eq!(elements[1].value, Value::String("xé😀\n".into()));
}

#[test]
fn nan_and_infinities_are_numbers_in_their_dialect_only() {
    let text = "[NaN, Infinity, -Infinity, -1.5]";
    let read = super::parse(text, Dialect::JsonWithNonFinite).unwrap().value;
    let Value::Array(elements) = read else { panic!("an array") };
    assert_eq!(elements[0].value.to_string(), "the number NaN");
    assert_eq!(elements[1].value, Value::NonFinite(f64::INFINITY));
    assert_eq!(elements[2].value, Value::NonFinite(f64::NEG_INFINITY));
    assert_eq!(elements[3].value, Value::Number("-1.5"));
    for dialect in [Dialect::Json, Dialect::Jsonc] {
        for text in ["NaN", "Infinity", "-Infinity"] {
            assert!(super::parse(text, dialect).is_err(), "{text}");
        }
    }
    for text in ["nan", "NaNs", "-NaN", "+Infinity", "Infinity1", "1e999", "[1,]", "// a\n1"] {
        assert!(super::parse(text, Dialect::JsonWithNonFinite).is_err(), "{text}");
    }
}

#[test]
fn strings_end_where_they_end_whatever_the_length() {
    for special in ['"', '\\', '\u{1f}', '\0'] {
        for before in 0..20 {
            for text in ["x".repeat(before), "é".repeat(before), " !]#\u{7f}".repeat(before)] {
                let found = plain(format!("{text}{special}{special}and so on").as_bytes());
                assert_eq!(found, text.len(), "{before} before {special:?}");
            }
        }
    }
    assert_eq!(plain("no end at all".as_bytes()), 13);
}

#[test]
fn what_serde_json_accepts_is_accepted_and_nothing_else() {
    let texts = [
        "null",
        " true\t",
        "false ",
        "0",
        "-0",
        "-1.5e+3",
        "1E9",
        "[]",
        "{}",
        "[1,2]",
        "\"\"",
        r#""\"\\\/\b\f\n\r\tA""#,
        "",
        " ",
        "nul",
        "nulll",
        "True",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "1e999",
        "NaN",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{a:1}",
        "{\"a\":}",
        "{\"a\"",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\ud800\\ud800\"",
        "\"\\udc00\"",
        "\"\\u+123\"",
        "\"\u{1}\"",
        "// c\n1",
        "1 2",
        "\u{a0}1",
        "[true1]",
        "truefalse",
        "1e5x",
    ];
    for text in texts {
        let theirs = serde_json::from_str::<serde_json::Value>(text).is_ok();
        assert_eq!(parse(text).is_ok(), theirs, "{text:?}");
    }
}

#[test]
fn messages_point_at_the_culprit() {
    assert_eq!(refused("").1, "expected a value, found the end of the text");
    assert_eq!(refused("[1, 2,]"), (5, "a comma before the end of an array; remove it".to_owned()));
    assert_eq!(
        refused("[1 // one\n]").1,
        "expected ',' or ']', found a comment, which JSON does not have"
    );
    assert_eq!(refused("{'a': 1}").0, 1);
    assert_eq!(refused("[NaN]"), (1, "expected a value, found NaN".to_owned()));
    assert_eq!(refused("[1e400]"), (1, "the number 1e400 is out of range".to_owned()));
    assert_eq!(refused("[\"abc"), (1, "the string has no end".to_owned()));
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(parse("\u{feff}1").unwrap(), Node { at: 3, value: Value::Number("1") });
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    assert_eq!(refused(&nested(MAX_DEPTH + 1)).0, MAX_DEPTH);
    assert!(parse(&"[".repeat(1_000_000)).is_err());
}

fn with_comments(text: &str) -> Result<Node<'_>, SyntaxError> {
    super::parse(text, Dialect::Jsonc)
}

/// A tree as text; equal for equal values, wherever they stand.
fn spelled(node: &Node<'_>) -> String {
    match &node.value {
        Value::Array(elements) => elements.iter().map(|it| spelled(it) + ";").collect(),
        Value::Object(members) => {
            members.iter().map(|it| format!("{}={};", it.key, spelled(&it.value))).collect()
        }
        other => other.to_string(),
    }
}

#[test]
fn comments_may_stand_between_any_two_tokens() {
    let tokens = ["", "{", "\"a\"", ":", "[", "1", ",", "\"/* no */ // no\"", "]", "}", ""];
    let expected = "a=the number 1;the string \"/* no */ // no\";;";
    for comment in ["// }\n", "//\r\n", "/* ] */", "/**/", "/***/", "/* \" */ // ,\n /* * / */"] {
        let everywhere = tokens.join(comment);
        assert_eq!(spelled(&with_comments(&everywhere).unwrap()), expected, "{everywhere}");
        for at in 1..tokens.len() {
            let text = [&tokens[..at].concat(), comment, &tokens[at..].concat()].concat();
            assert_eq!(spelled(&with_comments(&text).unwrap()), expected, "{text}");
            assert!(refused(&text).1.contains("a comment, which JSON does not have"), "{text}");
        }
    }
    assert!(with_comments("1 // the text may end in one").is_ok());
}

#[test]
fn a_comma_may_trail_where_comments_may_stand() {
    for text in ["[1,]", "{\"a\":1,}", "[[1 , ] /* c */ , // c\n]"] {
        assert!(with_comments(text).is_ok(), "{text}");
        assert!(parse(text).is_err(), "{text}");
    }
    for text in ["[,]", "{,}", "[1,,]", "{\"a\":1,,}", "[,1]"] {
        assert!(with_comments(text).is_err(), "{text}");
    }
}

#[test]
fn what_is_no_comment_is_refused_where_it_stands() {
    let refused = |text: &str| {
        let error = with_comments(text).expect_err(text);
        (error.at, error.message)
    };
    let no_end = "the comment has no end; close it with */".to_owned();
    assert_eq!(refused("{} /* {}"), (3, no_end.clone()));
    assert_eq!(refused("[1, /*/ ]"), (4, no_end));
    assert_eq!(refused("[1 / 2]"), (3, "expected ',' or ']', found '/'".to_owned()));
    assert_eq!(
        refused("# c\n1"),
        (0, "expected a value, found '#'; comments are // or /* */".to_owned())
    );
    assert_eq!(
        refused("// nothing"),
        (10, "expected a value, found the end of the text".to_owned())
    );
}
