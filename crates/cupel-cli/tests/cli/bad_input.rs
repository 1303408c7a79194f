//! What is said to bad input: a table, held by a snapshot.

use std::fmt::Write;
use std::fs;

use crate::cupel;

/// What `cupel select` says to these bytes in a file called `input`, and with which exit code.
fn told(bytes: &[u8], flags: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input"), bytes).unwrap();
    let mut command = cupel();
    command.current_dir(folder.path()).args(["select", "input"]);
    if flags.is_empty() {
        command.args(["--budget", "10"]);
    }
    let output = command.args(flags).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    format!("exit {}\n{stderr}", output.status.code().unwrap())
}

#[test]
fn every_bad_input_gets_its_message() {
    let cases: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("blank", b" \n\t\n"),
        ("binary", b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\xff\xfe\xfd"),
        ("UTF-16", b"\xff\xfe[\x00]\x00"),
        ("UTF-16 without a mark", b"[\x00{\x00\"\x00c\x00"),
        ("UTF-16 the other way round", b"\x00[\x00{\x00\"\x00c"),
        ("invalid UTF-8", b"{\"content\": \"caf\xe9\", \"tokens\": 1}\n"),
        ("truncated array", b"[{\"content\": \"a\", \"tokens\": 1},\n {\"content\": \"b"),
        ("truncated line", b"{\"content\": \"a\", \"tokens\": 1}\n{\"content\": \"b\", \"tok"),
        ("objects over lines", b"{\n  \"content\": \"a\",\n  \"tokens\": 1\n}\n"),
        ("no JSON", b"Hello, these are my notes.\nNo JSON here.\n"),
        ("trailing comma", b"[{\"content\": \"a\", \"tokens\": 1},]"),
        ("two arrays", b"[]\n[]"),
        ("a number", b"42\n"),
        ("not objects", b"[1, \"two\", null, [\"content\", 1]]"),
        ("a request", b"{\"items\": [], \"budget\": {}, \"policy\": \"chat\"}\n"),
        ("wrong types", b"{\"content\": 1, \"tokens\": \"12\", \"tags\": \"x\", \"pinned\": 1}\n"),
        ("deep wrong types", b"[\n  {\"content\": \"a\", \"tokens\": 1,\n   \"tags\": [\"ok\", 2], \"metadata\": {\"k\": {}}}\n]"),
        ("fractional tokens", b"{\"content\": \"a\", \"tokens\": 12.0}\n"),
        ("huge number", b"{\"content\": \"a\", \"tokens\": 99999999999999999999}\n"),
        ("bad timestamp", b"{\"content\": \"a\", \"tokens\": 1, \"timestamp\": \"yesterday\"}\n"),
        ("timestamp without a zone", b"{\"content\": \"a\", \"tokens\": 1, \"timestamp\": \"2025-06-01T09:00:00\"}\n"),
        ("timestamp in seconds", b"{\"content\": \"a\", \"tokens\": 1, \"timestamp\": 1735732800}\n"),
        ("timestamp in milliseconds", b"{\"content\": \"a\", \"tokens\": 1, \"timestamp\": \"1735732800000\"}\n"),
        ("empty content", b"{\"content\": \"\", \"tokens\": 1}\n"),
        ("blank kind", b"{\"content\": \"a\", \"tokens\": 1, \"kind\": \" \"}\n"),
        ("null tokens", b"{\"content\": \"a\", \"tokens\": null}\n"),
        ("missing tokens", b"{\"content\": \"a\"}\n"),
        ("misspelt tokens", b"{\"content\": \"a\", \"token\": 3}\n"),
        ("another name", b"{\"text\": \"a\", \"token_count\": 3}\n"),
        ("doubled key", b"{\"content\": \"a\", \"tokens\": 1, \"tokens\": 1}\n"),
        ("two spellings", b"{\"content\": \"a\", \"tokens\": 1, \"originalTokens\": 1, \"original_tokens\": 1}\n"),
    ];
    let mut table = String::new();
    for (name, bytes) in cases {
        writeln!(table, "## {name}\n{}", told(bytes, &[])).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn every_bad_flag_gets_its_message() {
    let input = b"{\"content\": \"a\", \"tokens\": 1}\n";
    let cases: &[&[&str]] = &[
        &["--budget", "10", "--budget", "20"],
        &["--policy", "chat"],
        &["--budget", "ten"],
        &["--budget", "99999999999999999999"],
        &["--budget", "-5"],
        &["--budget", "10", "--max-tokens", "10"],
        &["--target-tokens", "10"],
        &["--max-tokens", "10", "--target-tokens", "20"],
        &["--budget", "10", "--output-reserve", "11"],
        &["--budget", "10", "--reserve", "Memory"],
        &["--budget", "10", "--reserve", "=5"],
        &["--budget", "10", "--reserve", "Memory=x"],
        &["--budget", "10", "--reserve", "Memory=-1"],
        &["--budget", "10", "--reserve", "Memory=1", "--reserve", "memory=2"],
        &["--budget", "500", "--reserve", "Foo=1000"],
        &[
            "--budget",
            "1k",
            "--output-reserve",
            "300",
            "--reserve",
            "Foo=400",
            "--reserve",
            "Bar=301",
        ],
        &["--budget", "1.5"],
        &["--budget", "8g"],
        &["--budget", "10", "--safety-margin", "ten"],
        &["--budget", "10", "--safety-margin", "101"],
        &["--budget", "10", "--safety-margin", "NaN"],
        &["--budget", "10", "--policy", "chta"],
        &["--budget", "10", "--policy", "no/such/file.json"],
        &["--budget", "10", "--policy", "input"],
        &["--budget", "10", "--format", "xml"],
        &["--budget", "10", "--tokenizer", "gpt4o"],
        &["--budget", "10", "--bugdet", "10"],
        &["--budget", "10", "second-file"],
    ];
    let mut table = String::new();
    for flags in cases {
        writeln!(table, "## {}\n{}", flags.join(" "), told(input, flags)).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn missing_files_and_folders_get_their_message() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = String::new();
    for path in ["missing.jsonl", "."] {
        let mut command = cupel();
        let command = command.current_dir(folder.path()).args(["select", path, "-b", "9"]);
        let assert = command.assert().code(2).stdout("");
        table += &String::from_utf8_lossy(&assert.get_output().stderr);
    }
    insta::assert_snapshot!(table);
}

#[test]
fn many_problems_are_told_up_to_a_point() {
    let many = "{\"content\": \"a\"}\n".repeat(50);
    let told = told(many.as_bytes(), &[]);
    assert_eq!(told.matches("missing key").count(), 10);
    assert!(told.contains("and 40 more problems"), "{told}");
}

#[test]
fn a_line_of_ten_megabytes_is_a_line_like_any_other() {
    let long = "x".repeat(10 << 20);
    let good = format!("{{\"content\": \"{long}\", \"tokens\": 3}}\n");
    let mut command = cupel();
    command.args(["select", "-b", "10"]).write_stdin(good.clone()).assert().success().stdout(good);
    let bad = told(format!("{{\"content\": \"{long}\", \"tokens\": true}}\n").as_bytes(), &[]);
    assert!(bad.contains("input:1:10485787: tokens: expected a whole number, found true"), "{bad}");
    assert!(bad.len() < 500);
}

#[test]
fn deep_nesting_is_refused_not_survived_by_luck() {
    let deep = format!("{{\"content\": \"a\", \"tokens\": 1, \"x\": {}}}", "[".repeat(100_000));
    let told = told(deep.as_bytes(), &[]);
    assert!(told.starts_with("exit 2\nerror: input:1:"), "{told}");
}
