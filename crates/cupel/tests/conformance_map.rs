//! `docs/conformance-map.md` says what the tests say of themselves.
//!
//! A test that holds a rule of the specification has it in a line above, chapter in brackets: "Rule
//! [ContextBudget]: maxTokens >= 0". The map is those lines, by chapter:
//!
//! ```console
//! $ UPDATE_CONFORMANCE_MAP=1 cargo test -p cupel --test conformance_map   # writes it anew
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// The specification's chapters in its order, then ours.
#[rustfmt::skip]
const CHAPTERS: [&str; 50] = [
    "Numeric precision",
    "ContextItem", "ContextBudget", "ContextKind", "ContextSource", "OverflowStrategy", "ScoredItem",
    "Pipeline", "Stage 1: Classify", "Stage 2: Score", "Stage 3: Deduplicate", "Stage 4: Sort",
    "Stage 5: Slice", "Stage 6: Place",
    "Scorers", "RecencyScorer", "PriorityScorer", "KindScorer", "TagScorer", "FrequencyScorer",
    "ReflexiveScorer", "CompositeScorer", "ScaledScorer", "MetadataTrustScorer", "DecayScorer",
    "MetadataKeyScorer",
    "Slicers", "GreedySlice", "KnapsackSlice", "QuotaSlice", "CountQuotaSlice",
    "CountConstrainedKnapsackSlice", "StreamSlice",
    "Placers", "ChronologicalPlacer", "UShapedPlacer",
    "Diagnostics", "TraceCollector", "Events", "Exclusion reasons", "SelectionReport", "Completion hook",
    "Size, memory and threads",
    "Budget Simulation", "Policy Sensitivity", "Analytics", "OpenTelemetry",
    "Testing vocabulary", "Vector format", "Running the suite",
];

const HEAD: &str = "\
# Conformance map

Which test holds the engine to which rule of the specification, chapter by chapter. Rules are in our
own words; those marked \"ours\" fill a place the specification leaves open. A test is named by its
file, from the root of the workspace, and its function; several tests of one rule stand one below the
other. Each rule is written above its tests, and this file is made from there by
`UPDATE_CONFORMANCE_MAP=1 cargo test -p cupel --test conformance_map`.
";

const RULE: &str = "/// Rule ";

/// A rule as a test states it.
#[derive(Debug, PartialEq)]
struct Rule {
    chapter: String,
    text: String,
    /// `file::function`
    test: String,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files below `folder`, in the order of their names.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|it| panic!("{}: {it}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    let files = paths.into_iter().flat_map(below);
    files.filter(|path| path.extension().is_some_and(|it| it == "rs")).collect()
}

/// The rules that the tests in `source` state, or what is wrong with one.
fn rules(file: &str, source: &str) -> Result<Vec<Rule>, String> {
    let mut rules = Vec::new();
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(stated) = line.strip_prefix(RULE) else { continue };
        let wrong = |problem: &str| format!("{file}:{}: {problem}: {line}", at + 1);
        let parts = stated.strip_prefix('[').and_then(|it| it.split_once("]: "));
        let (chapter, text) = parts.ok_or(wrong("not of the form \"Rule [chapter]: rule\""))?;
        if !CHAPTERS.contains(&chapter) {
            return Err(wrong("there is no such chapter"));
        }
        let function = tested(&lines[at..]).ok_or(wrong("not above a test"))?;
        let test = format!("{file}::{function}");
        rules.push(Rule { chapter: chapter.to_owned(), text: text.to_owned(), test });
    }
    Ok(rules)
}

/// The test function that `lines` begin with, comments and attributes before it.
fn tested<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let before = lines.iter().take_while(|line| line.starts_with(['#', '/'])).count();
    let is_test = lines[..before].contains(&"#[test]");
    let name = lines.get(before)?.strip_prefix("fn ")?.split('(').next();
    name.filter(|_| is_test)
}

/// The map, in which a rule stands where its first test does.
fn map(rules: &[Rule]) -> String {
    let mut map = HEAD.to_owned();
    for chapter in CHAPTERS {
        map += &format!("\n## {chapter}\n\n| rule | test |\n|---|---|\n");
        let mut rows: Vec<(&str, Vec<String>)> = Vec::new();
        for Rule { text, test, .. } in rules.iter().filter(|rule| rule.chapter == chapter) {
            let test = format!("`{test}`");
            match rows.iter_mut().find(|row| row.0 == text) {
                Some(row) => row.1.push(test),
                None => rows.push((text, vec![test])),
            }
        }
        assert!(!rows.is_empty(), "no test states a rule of the chapter {chapter:?}");
        for (text, tests) in rows {
            map += &format!("| {text} | {} |\n", tests.join("<br>"));
        }
    }
    map
}

#[test]
fn the_map_is_what_the_tests_say() {
    let root = workspace();
    let mut all = Vec::new();
    for path in sources(&root.join("crates")) {
        let file = path.strip_prefix(&root).unwrap().display().to_string().replace('\\', "/");
        let source = fs::read_to_string(&path).unwrap();
        all.extend(rules(&file, &source).unwrap_or_else(|problem| panic!("{problem}")));
    }
    let expected = map(&all);
    let path = root.join("docs/conformance-map.md");
    if std::env::var_os("UPDATE_CONFORMANCE_MAP").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap();
    let only_in = |one: &str, other: &str| {
        let lost = one.lines().filter(|line| !other.lines().any(|it| it == *line));
        lost.map(|line| format!("  {line}\n")).collect::<String>()
    };
    assert!(
        written == expected,
        "docs/conformance-map.md is not what the tests say. \
         `UPDATE_CONFORMANCE_MAP=1 cargo test -p cupel --test conformance_map` writes it anew.\n\
         Only the tests say:\n{}Only the file says:\n{}",
        only_in(&expected, &written),
        only_in(&written, &expected)
    );
}

#[test]
fn a_rule_belongs_to_the_test_below_it() {
    let source = "/// Why.\n///\n/// Rule [Events]: one\n/// Rule [Scorers]: two: three (ours)\n\
        #[test]\n#[ignore]\nfn holds() {}\n";
    let rule = |chapter: &str, text: &str| Rule {
        chapter: chapter.to_owned(),
        text: text.to_owned(),
        test: "a/b.rs::holds".to_owned(),
    };
    let expected = [rule("Events", "one"), rule("Scorers", "two: three (ours)")];
    assert_eq!(rules("a/b.rs", source).unwrap(), expected);
}

#[test]
fn a_rule_that_no_test_holds_is_noticed() {
    let cases = [
        ("/// Rule Events: one\n#[test]\nfn it() {}", "b.rs:1: not of the form"),
        ("/// Rule [Events] one\n#[test]\nfn it() {}", "b.rs:1: not of the form"),
        ("\n/// Rule [Event]: one\n#[test]\nfn it() {}", "b.rs:2: there is no such chapter"),
        ("/// Rule [Events]: one\nfn it() {}\n#[test]\nfn next() {}", "b.rs:1: not above a test"),
        ("/// Rule [Events]: one\n\n#[test]\nfn it() {}", "b.rs:1: not above a test"),
        ("/// Rule [Events]: one", "b.rs:1: not above a test"),
    ];
    for (source, expected) in cases {
        let problem = rules("b.rs", source).unwrap_err();
        assert!(problem.starts_with(expected), "{source:?}: {problem}");
    }
}
