//! Texts of many items: arrays and JSON Lines, strict or with keys of the caller's own.

use cupel_policy::{ItemReader, Items, MAX_DEPTH, MAX_PROBLEMS, PolicyError, ProblemKind};

/// As the command reads: unknown keys are kept, and nothing is counted.
fn kept(text: &str) -> Result<Items, PolicyError> {
    ItemReader::new().keep_unknown_keys().read(text)
}

/// Counts seven tokens for everything.
fn counted(text: &str) -> Result<Items, PolicyError> {
    let count = |contents: &[&str]| vec![7; contents.len()];
    ItemReader::new().keep_unknown_keys().count_with(&count).read(text)
}

fn contents(items: &Items) -> Vec<&str> {
    items.items.iter().map(|item| item.content()).collect()
}

/// Line, column and message of every problem.
fn told(read: Result<Items, PolicyError>) -> Vec<(usize, usize, String)> {
    let error = read.expect_err("a problem");
    let told = error.problems().iter().map(|it| (it.line(), it.column(), it.kind().to_string()));
    told.collect()
}

const A: &str = r#"{"content": "a", "tokens": 1}"#;
const B: &str = r#"{ "tokens":2,"content":"b\u00e9" }"#;

#[test]
fn arrays_and_lines_give_the_same_items_where_they_stand() {
    for text in [
        format!("{A}\n{B}"),
        format!("{A}\r\n\r\n \t\n  {B} \r\n"),
        format!("[{A},{B}]"),
        format!("\n [ {A} ,\n{B}\n] \n"),
    ] {
        for text in [text.clone(), format!("\u{feff}{text}")] {
            let read = ItemReader::new().read(&text).unwrap();
            assert_eq!(contents(&read), ["a", "bé"], "{text:?}");
            let objects: Vec<_> = read.objects.iter().map(|it| &text[it.clone()]).collect();
            assert_eq!(objects, [A, B], "{text:?}");
        }
    }
    for nothing in ["", " \n\r\n", "[]", " [ ] ", "\u{feff}"] {
        assert_eq!(ItemReader::new().read(nothing), Ok(Items::default()), "{nothing:?}");
    }
}

#[test]
fn unknown_keys_are_refused_or_kept_and_the_rest_is_validated_either_way() {
    let text = r#"{"id": {"a": [1]}, "content": "x", "\u0069d": 1, "tokens": 3}"#;
    assert_eq!(told(ItemReader::new().read(text)).len(), 2);
    let read = kept(text).unwrap();
    assert_eq!((read.items[0].content(), read.items[0].tokens()), ("x", 3));
    assert_eq!((&read.have_counts[..], &read.slips[..]), (&[true][..], &[][..]));
    for refused in [
        r#"{"content": "x"}"#,
        r#"{"content": "", "tokens": 1}"#,
        r#"{"content": "x", "tokens": 1, "tokens": 1}"#,
        r#"{"content": "x", "tokens": 1.0}"#,
        r#"[["x", 1]]"#,
        r#"{"content": "x", "originalTokens": 1, "original_tokens": 1, "tokens": 1}"#,
    ] {
        assert!(kept(refused).is_err(), "{refused}");
    }
}

#[test]
fn a_key_that_looks_like_a_slip_is_listed_once() {
    let text = "{\"content\": \"é\", \"timstamp\": 1, \"tokens\": 1, \"id\": 1}\n\
                {\"content\": \"b\", \"\\u0074ag\": 1, \"tokens\": 1, \"timstamp\": 2}\n";
    let slips = kept(text).unwrap().slips;
    let told: Vec<_> = slips
        .iter()
        .map(|it| (it.problem.path(), it.problem.line(), it.problem.column(), it.times))
        .collect();
    assert_eq!(told, [("$.timstamp", 1, 18, 2), ("$.tag", 2, 18, 1)]);
    assert!(slips[0].problem.kind().to_string().contains("did you mean \"timestamp\"?"));

    let line = |n: usize| format!("{{\"content\": \"a\", \"tokens\": 1, \"token{n}\": 1}}\n");
    let slips = kept(&(0..10).map(line).collect::<String>()).unwrap().slips;
    assert_eq!(slips.len(), 10);
    let key = |n: u32| char::from_u32(0x4e00 + n).unwrap();
    let line = |n| format!("{{\"content\": \"a\", \"tokens\": 1, \"token{}\": 1}}\n", key(n));
    let slips = kept(&(0..1_000).map(line).collect::<String>()).unwrap().slips;
    assert_eq!(slips.len(), MAX_PROBLEMS);
}

#[test]
fn a_count_is_supplied_only_where_there_is_none() {
    let text = "{\"content\": \"x\", \"pinned\": true}\n{\"content\": \"x\", \"tokens\": 2}\n";
    let read = counted(text).unwrap();
    let tokens: Vec<_> = read.items.iter().map(|it| (it.tokens(), it.pinned())).collect();
    assert_eq!(tokens, [(7, true), (2, false)]);
    assert_eq!(read.have_counts, [false, true]);
    assert!(counted("{\"content\": \"x\", \"tokens\": null}").is_err());
    assert!(counted("{\"tokens\": 1}").is_err());

    let with_a_slip = "{\"content\": \"x\", \"token\": 3}";
    assert_eq!(counted(with_a_slip).unwrap().slips[0].times, 1);
    let none = |_: &[&str]| Vec::new();
    let refused = ItemReader::new().count_with(&none).read("{\"content\": \"x\"}");
    assert_eq!(told(refused)[0].2, "0 counts were given for 1 contents");
}

#[test]
fn variants_without_a_count_are_counted_with_their_items() {
    let length = |contents: &[&str]| contents.iter().map(|it| it.len() as i64).collect();
    let read = |text: &str| ItemReader::new().count_with(&length).read(text);
    let counts = |text: &str| -> Vec<i64> {
        let item = read(text).unwrap().items.remove(0);
        [item.tokens()].into_iter().chain(item.variants().iter().map(|it| it.tokens())).collect()
    };
    let form =
        r#"[{"content": "abc"}, {"content": "ab", "tokens": 1}, {"content": "", "tokens": 0}]"#;
    assert!(read(&format!(r#"{{"content": "abcdef", "variants": {form}}}"#)).is_err());
    let forms = r#"[{"content": "abc"}, {"content": "x", "tokens": 2}, {"content": "a"}]"#;
    assert_eq!(counts(&format!(r#"{{"content": "abcdef", "variants": {forms}}}"#)), [6, 3, 2, 1]);
    let own = format!(r#"{{"tokens": 9, "variants": {forms}, "content": "abcdef"}}"#);
    assert_eq!(counts(&own), [9, 3, 2, 1]);
    assert!(read(&own).unwrap().have_counts[0]);
    assert_eq!(told(kept(&own)).len(), 2, "two forms without a count and nobody to count");

    // Forms that turn out too long are refused where they stand.
    let lines =
        "{\"content\": \"a\"}\n  {\"content\": \"a\", \"variants\": [{\"content\": \"abc\"}]}\n";
    let problems = told(read(lines));
    assert_eq!((problems.len(), problems[0].0, problems[0].1), (1, 2, 3));
    assert!(problems[0].2.contains("number 1 has 3 tokens"), "{problems:?}");
}

#[test]
fn an_empty_variant_is_refused_in_the_words_of_the_item() {
    let text = r#"{"content": "a", "tokens": 9, "variants": [{"content": "", "tokens": 5}]}"#;
    let error = ItemReader::new().read(text).unwrap_err();
    assert_eq!(error.code(), "InvalidVariants");
    assert!(error.to_string().contains("number 1 has no content"), "{error}");
}

#[test]
fn numbers_that_are_not_finite_are_for_the_item_to_judge_where_they_are_taken() {
    let read = |field: &str| {
        let text = format!(r#"{{"content": "a", "tokens": 1, {field}}}"#);
        assert!(ItemReader::new().read(&text).is_err(), "JSON has no {field}");
        ItemReader::new().take_non_finite().read(&text)
    };
    let hint = |field| read(field).unwrap().items[0].future_relevance_hint().unwrap();
    assert!(hint(r#""futureRelevanceHint": NaN"#).is_nan());
    assert_eq!(hint(r#""futureRelevanceHint": -Infinity"#), f64::NEG_INFINITY);
    for (field, code) in [
        (r#""similarity": Infinity"#, "InvalidSimilarity"),
        (r#""vector": [1, NaN]"#, "InvalidVector"),
        (r#""variants": [{"content": "b", "tokens": 0, "worth": NaN}]"#, "InvalidVariants"),
        (r#""priority": NaN"#, "InvalidRequest"),
        (r#""position": -Infinity"#, "InvalidRequest"),
        (r#""timestamp": NaN"#, "InvalidRequest"),
        (r#""kind": NaN"#, "InvalidRequest"),
    ] {
        assert_eq!(read(field).unwrap_err().code(), code, "{field}");
    }
}

#[test]
fn every_problem_is_told_with_its_place_in_the_text() {
    let lines = "{\"content\": \"é\", \"tokens\": 1.5}\n\n  {\"content\": \"\"}\nnonsense\n1 2\n";
    let places: Vec<_> = told(kept(lines)).into_iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(places, [(1, 28), (3, 3), (3, 15), (4, 1), (5, 3)]);

    let array = "[{\"content\": \"a\", \"tokens\": 1,\n  \"tags\": [1]},\n 7, {]";
    assert_eq!(
        told(kept(array)),
        [
            (2, 12, "expected a string, found the number 1".to_owned()),
            (3, 2, "expected an item object, found the number 7".to_owned()),
            (3, 6, "not JSON: expected a key in double quotes, found ']'".to_owned()),
        ]
    );
    let many = "{}\n".repeat(MAX_PROBLEMS);
    let error = kept(&many).unwrap_err();
    assert_eq!((error.problems().len(), error.more()), (MAX_PROBLEMS, MAX_PROBLEMS));
}

#[test]
fn what_follows_a_line_that_ends_early_is_not_blamed() {
    let read = kept("{\n  \"content\": \"a\",\n  \"tokens\": 1\n}\n").unwrap_err();
    assert_eq!(read.problems().len(), 1);
    assert!(matches!(read.problems()[0].kind(), ProblemKind::Syntax { ended: true, .. }));
    for cut in ["[", "[1,", "[{\"content\": \"a", "[{}", "{\"a\": [", "{\"a\""] {
        let error = kept(cut).unwrap_err();
        let last = error.problems().last().unwrap().kind().clone();
        assert!(matches!(last, ProblemKind::Syntax { ended: true, .. }), "{cut}: {last}");
    }
    let error = kept("[{]").unwrap_err();
    assert!(matches!(error.problems()[0].kind(), ProblemKind::Syntax { ended: false, .. }));
}

#[test]
fn a_missing_key_may_be_there_by_another_name() {
    let suggested = |text: &str| {
        let error = kept(text).unwrap_err();
        let suggestions = error.problems().iter().map(|problem| match problem.kind() {
            ProblemKind::MissingKey { suggestion, .. } => suggestion.clone(),
            other => panic!("{other}"),
        });
        suggestions.collect::<Vec<_>>()
    };
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(suggested("{\"text\": 1, \"token\": 1}"), [some("text"), some("token")]);
    assert_eq!(suggested("{\"contnet\": 1, \"size\": 1}"), [some("contnet"), some("size")]);
    assert_eq!(suggested("{\"id\": 1}"), [None, None]);
}

#[test]
fn a_request_among_items_is_called_one() {
    let request = r#"{"items": [], "budget": {}, "policy": "chat"}"#;
    let expected = (1, 1, "expected an item object, found a request object".to_owned());
    assert_eq!(told(kept(request)), [expected]);
    assert!(kept(r#"{"content": "a", "tokens": 1, "items": []}"#).is_ok());
}

#[test]
fn comments_and_trailing_commas_are_refused() {
    let no_comment = |text: &str| told(kept(text))[0].2.contains("which JSON does not have");
    assert!(no_comment(&format!("// items\n{A}\n")));
    assert!(no_comment(&format!("[{A} /* one */]")));
    assert!(no_comment(&format!("{A} // one\n")));
    assert!(told(kept(&format!("[{A},]")))[0].2.ends_with("remove it"));
}

#[test]
fn an_item_may_be_as_deep_in_an_array_as_on_a_line() {
    let nested = |depth| {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        format!("{{\"content\": \"a\", \"tokens\": 1, \"x\": {value}}}")
    };
    let (fine, too_deep) = (nested(MAX_DEPTH - 1), nested(MAX_DEPTH));
    assert!(kept(&fine).is_ok() && kept(&format!("[{fine}]")).is_ok());
    assert!(kept(&too_deep).is_err() && kept(&format!("[{too_deep}]")).is_err());
    assert!(kept(&"[".repeat(1_000_000)).is_err());
}
