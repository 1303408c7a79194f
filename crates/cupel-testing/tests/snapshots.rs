//! Snapshots show decisions, stay put, and say what changed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice,
    CountRequirementShortfall, DiagnosticTraceCollector, ExcludedItem, ExclusionReason,
    GreedySlice, IncludedItem, InclusionReason, OverflowStrategy, Pipeline, ReflexiveScorer,
    ScarcityBehavior, SelectionReport, TraceDetailLevel,
};
use cupel_testing::ReportSnapshot;
use cupel_testing::snapshot::{SnapshotError, UPDATE_VARIABLE};

/// A conversation that has something of everything a snapshot shows.
fn report(detail_level: TraceDetailLevel) -> SelectionReport {
    let item = ContextItem::builder;
    let items = [
        item("You repair bikes.", 6).kind(ContextKind::system_prompt()).pinned(true),
        item("Does Tuesday\nsuit you?", 7).future_relevance_hint(0.9),
        item("Does Tuesday\nsuit you?", 7).future_relevance_hint(0.3),
        item("the whole catalogue", 900).kind(ContextKind::document()).future_relevance_hint(0.5),
        item("Tuesday 10:00", 4).kind(ContextKind::tool_output()).future_relevance_hint(1.0 / 3.0),
        item("Wednesday 9:00", 4).kind(ContextKind::tool_output()).future_relevance_hint(0.2),
        item("(a bell rings)", 0).future_relevance_hint(0.1),
        item("miscounted", -3),
    ]
    .map(|builder| builder.build().unwrap());
    let entries = vec![
        CountQuotaEntry::new(ContextKind::tool_output(), 1, 1).unwrap(),
        CountQuotaEntry::new(ContextKind::memory(), 2, 4).unwrap(),
    ];
    let slicer = CountQuotaSlice::new(entries, Box::new(GreedySlice), ScarcityBehavior::Degrade);
    let pipeline = Pipeline::builder()
        .scorer(Box::new(ReflexiveScorer))
        .slicer(Box::new(slicer.unwrap()))
        .placer(Box::new(ChronologicalPlacer))
        .overflow_strategy(OverflowStrategy::Truncate)
        .build()
        .unwrap();
    let mut collector = DiagnosticTraceCollector::new(detail_level);
    let budget = ContextBudget::builder(100).build().unwrap();
    pipeline.run_traced(&items, &budget, &mut collector).unwrap();
    collector.into_report()
}

const EXPECTED: &str = r#"candidates: 8 (925 tokens)
stages: Classify 8, Score 6, Deduplicate 6, Slice 5, Place 4

included: 4 (17 tokens)
- "You repair bikes." (SystemPrompt, 6 tokens) 0.000000 Pinned
- "Does Tuesday\nsuit you?" (Message, 7 tokens) 0.900000 Scored
- "Tuesday 10:00" (ToolOutput, 4 tokens) 0.333333 Scored
- "(a bell rings)" (Message, 0 tokens) 0.000000 ZeroToken

excluded: 4 (908 tokens)
- "the whole catalogue" (Document, 900 tokens) 0.500000 BudgetExceeded: 900 tokens requested, 83 available
- "Does Tuesday\nsuit you?" (Message, 7 tokens) 0.300000 Deduplicated: same content as "Does Tuesday\nsuit you?"
- "Wednesday 9:00" (ToolOutput, 4 tokens) 0.200000 CountCapExceeded: 1 ToolOutput items selected, cap 1
- "miscounted" (Message, -3 tokens) 0.000000 NegativeTokens: -3 tokens

shortfalls:
- Memory: 0 of 2
"#;

#[test]
fn a_snapshot_shows_every_decision() {
    assert_eq!(ReportSnapshot::of(&report(TraceDetailLevel::Stage)).as_str(), EXPECTED);
}

#[test]
fn neither_durations_nor_the_detail_level_change_a_snapshot() {
    let mut timed = report(TraceDetailLevel::Item);
    assert!(timed.events.len() > 5, "there are item events");
    timed.events.iter_mut().for_each(|event| event.duration_ms = 1e9);
    assert_eq!(ReportSnapshot::of(&timed).as_str(), EXPECTED);
}

#[test]
fn insta_takes_a_snapshot_as_it_is() {
    let included = IncludedItem::new(
        ContextItem::builder("Can you do Tuesday?", 5).build().unwrap(),
        0.8,
        InclusionReason::Scored,
    );
    let report = SelectionReport::new(Vec::new(), vec![included], Vec::new(), Vec::new());
    insta::assert_snapshot!(ReportSnapshot::of(&report), @r#"
    candidates: 1 (5 tokens)

    included: 1 (5 tokens)
    - "Can you do Tuesday?" (Message, 5 tokens) 0.800000 Scored

    excluded: 0 (0 tokens)
    "#);
}

fn excluded(content: &str, kind: &str, tokens: i64, score: f64) -> ExcludedItem {
    let kind = ContextKind::new(kind).unwrap();
    let item = ContextItem::builder(content, tokens).kind(kind).build().unwrap();
    ExcludedItem::new(item, score, ExclusionReason::Filtered { filter_name: "f".to_owned() })
}

#[test]
fn ties_among_excluded_items_are_shown_in_one_order_whatever_order_they_arrived_in() {
    let mut entries = vec![
        excluded("b", "Note", 2, 0.5),
        excluded("a", "note", 2, 0.5 - 1e-9), // the same six decimals
        excluded("a", "Note", 2, 0.5),
        excluded("a", "Note", 1, 0.5),
        excluded("z", "Note", 1, 0.75),
        excluded("d", "Note", 1, f64::NAN),
        excluded("n", "Note", 1, -1e-9), // shown as zero, without its sign
        excluded("m", "Note", 1, 0.0),
        excluded("l", "Note", 1, -0.0),
        excluded("e", "Note", 1, f64::NEG_INFINITY),
    ];
    let expected = r#"candidates: 10 (13 tokens)

included: 0 (0 tokens)

excluded: 10 (13 tokens)
- "z" (Note, 1 tokens) 0.750000 Filtered: by f
- "a" (Note, 1 tokens) 0.500000 Filtered: by f
- "a" (Note, 2 tokens) 0.500000 Filtered: by f
- "a" (note, 2 tokens) 0.500000 Filtered: by f
- "b" (Note, 2 tokens) 0.500000 Filtered: by f
- "l" (Note, 1 tokens) 0.000000 Filtered: by f
- "m" (Note, 1 tokens) 0.000000 Filtered: by f
- "n" (Note, 1 tokens) 0.000000 Filtered: by f
- "e" (Note, 1 tokens) -inf Filtered: by f
- "d" (Note, 1 tokens) NaN Filtered: by f
"#;
    for _ in 0..entries.len() {
        entries.rotate_left(1);
        let report = SelectionReport::new(Vec::new(), Vec::new(), entries.clone(), Vec::new());
        assert_eq!(ReportSnapshot::of(&report).as_str(), expected);
    }
}

#[test]
fn shortfalls_keep_the_order_they_were_configured_in() {
    let shortfalls = vec![
        CountRequirementShortfall::new("Note", 3, 1),
        CountRequirementShortfall::new("Memory", 2, 0),
    ];
    let report = SelectionReport::new(Vec::new(), Vec::new(), Vec::new(), shortfalls);
    let snapshot = ReportSnapshot::of(&report).to_string();
    assert!(snapshot.ends_with("\nshortfalls:\n- Note: 1 of 3\n- Memory: 0 of 2\n"), "{snapshot}");
}

/// A path in this test run's own folder, with nothing there yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("snapshots").join(name);
    if path.exists() {
        fs::remove_file(&path).unwrap();
    }
    path
}

#[test]
fn a_file_with_the_same_text_matches_whatever_its_line_endings() {
    let path = fresh("same.txt");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for stored in [EXPECTED.to_owned(), EXPECTED.replace('\n', "\r\n")] {
        fs::write(&path, stored).unwrap();
        ReportSnapshot::of(&report(TraceDetailLevel::Stage)).assert_matches_file(&path);
    }
}

#[test]
fn a_missing_file_is_not_written_but_asked_for() {
    let path = fresh("missing.txt");
    let error = ReportSnapshot::of(&SelectionReport::default()).matches_file(&path).unwrap_err();
    assert!(matches!(error, SnapshotError::Missing { .. }));
    assert_eq!(
        error.to_string(),
        format!(
            "there is no snapshot {} yet; run with CUPEL_UPDATE_SNAPSHOTS=1 to write it",
            path.display()
        )
    );
    assert!(!path.exists());
}

#[test]
fn a_difference_is_shown_line_by_line() {
    let path = fresh("different.txt");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, EXPECTED).unwrap();
    let mut report = report(TraceDetailLevel::Stage);
    report.included.swap(1, 2);
    let error = ReportSnapshot::of(&report).matches_file(&path).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            r#"the report is not the one in {}:
--- stored
+++ now
@@ -3,8 +3,8 @@
 
 included: 4 (17 tokens)
 - "You repair bikes." (SystemPrompt, 6 tokens) 0.000000 Pinned
+- "Tuesday 10:00" (ToolOutput, 4 tokens) 0.333333 Scored
 - "Does Tuesday\nsuit you?" (Message, 7 tokens) 0.900000 Scored
-- "Tuesday 10:00" (ToolOutput, 4 tokens) 0.333333 Scored
 - "(a bell rings)" (Message, 0 tokens) 0.000000 ZeroToken
 
 excluded: 4 (908 tokens)

If that is as it should be, run with CUPEL_UPDATE_SNAPSHOTS=1 to store it"#,
            path.display()
        )
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), EXPECTED, "the file is left alone");
}

/// The environment belongs to the whole process, so the update happens in another one: this test
/// binary again, asked for this one test.
#[test]
fn the_update_variable_writes_the_file() {
    const NAME: &str = "the_update_variable_writes_the_file";
    const PATH: &str = "CUPEL_TEST_SNAPSHOT_PATH";
    let snapshot = ReportSnapshot::of(&report(TraceDetailLevel::Stage));
    if let Some(path) = std::env::var_os(PATH) {
        snapshot.assert_matches_file(path);
        return;
    }

    let path = fresh("in/a/new/folder/updated.txt");
    let run = |update: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([NAME, "--exact"]).env(PATH, &path).env(UPDATE_VARIABLE, update);
        command.output().unwrap().status.success()
    };
    assert!(!run("") && !run("0"), "nothing is written unless asked");
    assert!(!path.exists());
    assert!(run("1"));
    assert_eq!(fs::read_to_string(&path).unwrap(), EXPECTED);
    fs::write(&path, "something else").unwrap();
    assert!(!run("0"));
    assert!(run("yes"));
    assert_eq!(fs::read_to_string(&path).unwrap(), EXPECTED);
    assert!(run("0"), "and now it matches");
}
