//! `cupel explain`

use cupel::SelectionReport;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use crate::{CHAT, RAG, cupel, root, stdout_of};

const SMALL: &str = r#"[
  {"content": "You are kind.", "tokens": 4, "kind": "SystemPrompt", "pinned": true},
  {"content": "Hi, where is my order 4711?\nI ordered it last week.", "tokens": 14, "timestamp": "2025-06-01T09:00:00Z"},
  {"content": "{\"order\": 4711, \"state\": \"shipped\"}", "tokens": 13, "kind": "ToolOutput", "timestamp": "2025-06-01T09:01:00Z"},
  {"content": "It is on its way.", "tokens": 6, "timestamp": "2025-06-01T09:02:00Z"},
  {"content": "It is on its way.", "tokens": 6, "timestamp": "2025-06-01T09:03:00Z"},
  {"content": "a count gone wrong", "tokens": -4},
  {"content": "a free hint", "tokens": 0, "kind": "note"}
]"#;

fn explain(arguments: &[&str]) -> String {
    stdout_of(cupel().arg("explain").args(arguments).write_stdin(SMALL))
}

#[test]
fn a_window_is_explained_in_words() {
    insta::assert_snapshot!(explain(&["--budget", "30", "--output-reserve", "5"]));
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let plain = explain(&["--budget", "30"]);
    assert!(!plain.contains('\x1b'));
    let coloured = explain(&["--budget", "30", "--color", "always"]);
    insta::assert_snapshot!(coloured.replace('\x1b', "␛"));
    let forced = cupel()
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .args(["explain", "--budget", "30"])
        .write_stdin(SMALL)
        .assert()
        .success();
    forced.stdout(contains("\x1b").not());
}

#[test]
fn the_samples_explained() {
    let chat = ["explain", CHAT, "--budget", "1500", "--output-reserve", "300"];
    insta::assert_snapshot!("support_chat", stdout_of(cupel().args(chat)));
    let rag = ["explain", RAG, "--budget", "500", "--policy", "rag"];
    insta::assert_snapshot!("rag_candidates", stdout_of(cupel().args(rag)));
}

#[test]
fn reservations_and_margins_are_told() {
    let flags = ["--budget", "40", "--reserve", "Memory=5", "--safety-margin", "10"];
    let told = explain(&flags);
    assert!(told.contains("5 kept for reserved kinds, 10% safety margin"), "{told}");
}

#[test]
fn searched_remedies_say_that_less_may_do() {
    let told = explain(&["--budget", "20", "--policy", "documentQa"]);
    assert!(told.contains("≤+"), "{told}");
}

#[test]
fn narrow_terminals_get_narrow_lines() {
    let narrow =
        stdout_of(cupel().env("COLUMNS", "60").args(["explain", CHAT, "--budget", "1500"]));
    assert!(narrow.lines().all(|line| line.chars().count() <= 70), "{narrow}");
}

#[test]
fn long_tables_are_cut_unless_all_is_wanted() {
    let item = |n| format!("{{\"content\":\"item {n}\",\"tokens\":1}}\n");
    let many: String = (0..1000).map(item).collect();
    let run = |flags: &[&str]| {
        let mut command = cupel();
        stdout_of(command.args(["explain", "-b", "300"]).args(flags).write_stdin(many.clone()))
    };
    let cut = run(&[]);
    assert!(cut.contains("... and 100 more; --all shows them"), "{cut}");
    assert!(cut.contains("... and 500 more; --all shows them"), "{cut}");
    let all = run(&["--all"]);
    assert!(!all.contains("--all") && all.lines().count() > 1000);
}

#[test]
fn very_many_exclusions_come_without_remedies() {
    let item = |n| format!("{{\"content\":\"item {n}\",\"tokens\":1}}\n");
    let many: String = (0..10_100).map(item).collect();
    let told = stdout_of(cupel().args(["explain", "-b", "5"]).write_stdin(many));
    assert!(told.contains("is not computed for so many") && !told.contains("to let it in"));
}

#[test]
fn nothing_left_out_is_said() {
    let told = stdout_of(
        cupel().args(["explain", "--budget", "9"]).write_stdin("{\"content\":\"a\",\"tokens\":1}"),
    );
    assert!(told.contains("Nothing was left out."), "{told}");
}

#[test]
fn json_is_the_report() {
    let run = || explain(&["--budget", "30", "--json", "--no-timings"]);
    let report: SelectionReport = serde_json::from_str(&run()).unwrap();
    assert_eq!((report.included.len(), report.excluded.len()), (4, 3));
    assert_eq!(run(), run());
    let timed: SelectionReport = serde_json::from_str(&explain(&["-b", "30", "--json"])).unwrap();
    assert!(timed.events.iter().any(|event| event.duration_ms > 0.0));
    cupel().args(["explain", CHAT, "-b", "9", "--no-timings"]).assert().code(2);
}

#[test]
fn the_page_is_one_file_without_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.html");
    let mut command = cupel();
    command.args(["explain", CHAT, "--budget", "1500", "--html"]).arg(&path);
    command.assert().success().stdout(is_empty());
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("default-src 'none'"));
    for outside in ["src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("{{"));
}

#[test]
fn hostile_contents_stay_text_on_the_page() {
    let input =
        r#"[{"content": "</script><script>alert(1)</script>{{js}}", "tokens": 1, "kind": "<b>"}]"#;
    let mut command = cupel();
    let page = stdout_of(command.args(["explain", "-b", "9", "--html", "-"]).write_stdin(input));
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<b>\"") && page.contains("\\u003c/script>"));
}

#[test]
fn json_and_html_can_be_had_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.html");
    let mut command = cupel();
    let json = command.args(["explain", CHAT, "-b", "1500", "--json", "--html"]).arg(&path);
    serde_json::from_str::<SelectionReport>(&stdout_of(json)).unwrap();
    assert!(path.exists());
}

#[test]
fn the_first_screen_of_the_readme_is_real() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let shown = readme.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let mut shown = shown.lines();
    let command = shown.next().unwrap().split(" -- ").nth(1).unwrap();
    let printed = stdout_of(cupel().args(command.split(' ')));
    let mut printed = printed.lines();
    for line in shown.filter(|line| !["", "  ..."].contains(line)) {
        assert!(printed.any(|real| real == line), "not printed, or not in this order: {line}");
    }
}
