//! The map from rules to tests names tests that exist.

use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn map() -> String {
    let path = workspace().join("docs/conformance-map.md");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A row of the map: a rule and the tests of it, each as `file::function`.
struct Row<'a> {
    rule: &'a str,
    tests: Vec<&'a str>,
}

/// The rows of the tables in `text`.
fn rows(text: &str) -> Vec<Row<'_>> {
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with('|'));
    let cells = lines.filter_map(|line| line.trim_matches('|').rsplit_once('|'));
    let content = cells.filter(|(rule, _)| !rule.starts_with("---") && rule.trim() != "rule");
    let quoted = |cell| str::split(cell, '`').skip(1).step_by(2).collect();
    content.map(|(rule, tests)| Row { rule: rule.trim(), tests: quoted(tests) }).collect()
}

/// What is wrong with a row, if anything.
fn problem(row: &Row<'_>) -> Option<String> {
    if row.tests.is_empty() {
        return Some(format!("{:?} names no test", row.rule));
    }
    row.tests.iter().find_map(|test| {
        let Some((file, function)) = test.split_once("::") else {
            return Some(format!("{test:?} is not of the form file::function"));
        };
        match fs::read_to_string(workspace().join(file)) {
            Err(error) => Some(format!("{file}: {error}")),
            Ok(source) if !has_test(&source, function) => {
                Some(format!("{file} has no test {function}"))
            }
            Ok(_) => None,
        }
    })
}

/// Whether `source` defines `function` with a `#[test]` among the attributes before it.
fn has_test(source: &str, function: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let head = format!("fn {function}(");
    let defined = (0..lines.len()).filter(|&at| lines[at].starts_with(&head));
    defined.into_iter().any(|at| {
        let before = lines[..at].iter().rev();
        before.take_while(|line| line.starts_with(['#', '/'])).any(|line| *line == "#[test]")
    })
}

#[test]
fn every_named_test_exists() {
    let map = map();
    let problems: Vec<String> = rows(&map).iter().filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_chapter_has_rules() {
    let map = map();
    let chapters: Vec<&str> = map.split("\n## ").skip(1).collect();
    assert!(chapters.len() > 1, "the map has {} chapters", chapters.len());
    for chapter in chapters {
        assert!(!rows(chapter).is_empty(), "{:?} has no rules", chapter.lines().next());
    }
}

#[test]
fn a_test_that_does_not_exist_is_noticed() {
    let here = "crates/cupel/tests/conformance_map.rs";
    let problem_of = |cell: &str| {
        let table = format!("| rule | test |\n|---|---|\n| a rule | {cell} |\n");
        let rows = rows(&table);
        assert_eq!(rows.len(), 1);
        problem(&rows[0])
    };
    assert_eq!(problem_of(&format!("`{here}::every_named_test_exists`")), None);
    let cases = [
        (String::new(), "names no test"),
        (format!("`{here}`"), "not of the form"),
        ("`crates/cupel/tests/nowhere.rs::lost`".to_owned(), "nowhere.rs: "),
        (format!("`{here}::every_named_test_exist`"), "has no test"),
        (format!("`{here}::workspace`"), "has no test workspace"),
        (format!("`{here}::every_chapter_has_rules`<br>`{here}::lost`"), "has no test lost"),
    ];
    for (cell, expected) in cases {
        let problem = problem_of(&cell).unwrap_or_default();
        assert!(problem.contains(expected), "{cell}: {problem:?}");
    }
}
