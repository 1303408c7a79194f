//! `cupel explain`

use cupel::SelectionReport;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use unicode_width::UnicodeWidthStr;

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
    stdout_of(cupel().env("COLUMNS", "100").arg("explain").args(arguments).write_stdin(SMALL))
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
    insta::assert_snapshot!("support_chat", stdout_of(cupel().env("COLUMNS", "100").args(chat)));
    let rag = ["explain", RAG, "--budget", "500", "--policy", "rag"];
    insta::assert_snapshot!("rag_candidates", stdout_of(cupel().env("COLUMNS", "100").args(rag)));
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
fn no_line_is_wider_than_the_terminal() {
    let wide = r#"[{"content": "日本語のとても長い文章です。これは一行に収まりません。", "tokens": 8, "kind": "資料"},
        {"content": "short", "tokens": 5, "kind": "a kind with a very long name indeed"},
        {"content": "once more", "tokens": 80}]"#;
    for columns in [24, 40, 60, 80, 100, 200] {
        for flags in [["-b", "73", "--color", "never"].as_slice(), &["-b", "78", "--scores"]] {
            let mut command = cupel();
            command.env("COLUMNS", columns.to_string()).arg("explain").args(flags);
            let told = stdout_of(command.write_stdin(wide));
            let mut chat = cupel();
            chat.env("COLUMNS", columns.to_string()).args(["explain", CHAT]).args(flags);
            let told = told + &stdout_of(chat.args(["--output-reserve", "2"]));
            for line in told.lines() {
                assert!(line.width() <= columns, "{columns}: {line:?}");
            }
        }
        let mut compare = cupel();
        compare.env("COLUMNS", columns.to_string()).args(["compare", CHAT, "-b", "900"]);
        let told = stdout_of(compare.args(["-p", "chat", "-p", "longRunning"]));
        assert!(told.lines().all(|line| line.width() <= columns), "{columns}: {told}");
    }
}

#[test]
fn columns_line_up_where_characters_are_wide() {
    let input = r#"[{"content": "one", "tokens": 1, "kind": "資料"},
                    {"content": "two", "tokens": 1, "kind": "Message"}]"#;
    let mut command = cupel();
    let told = stdout_of(command.args(["explain", "-b", "9"]).write_stdin(input));
    let column = |word: &str| {
        let line = told.lines().find(|line| line.ends_with(word)).unwrap();
        line.strip_suffix(word).unwrap().width()
    };
    assert_eq!(column("one"), column("two"), "{told}");
}

#[test]
fn a_pipe_gets_whole_contents() {
    let long = "word ".repeat(200);
    let input = format!("{{\"content\": \"{long}\", \"tokens\": 1}}\n");
    let mut command = cupel();
    let told = stdout_of(command.args(["explain", "-b", "9"]).write_stdin(input));
    assert!(told.contains(long.trim()), "{told}");
}

#[test]
fn characters_that_act_are_shown_and_do_nothing() {
    let input = r#"[{"content": "safe \u202e\u001b[2J\u009b31m txt.exe", "tokens": 1, "kind": "k\u202ed\u0007"}]"#;
    let mut command = cupel();
    let told = stdout_of(command.args(["explain", "-b", "9"]).write_stdin(input));
    assert!(told.contains("k<U+202E>d␇  safe <U+202E>␛[2J<U+009B>31m txt.exe"), "{told}");
    let acting = |char: char| char != '\n' && (char.is_control() || char == '\u{202e}');
    assert!(!told.contains(acting), "{told:?}");
    let mut refused = cupel();
    let refused = refused.args(["explain", "-b", "9", "a\u{202e}b\u{1b}[2J"]).assert().code(2);
    let told = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(!told.contains(acting) && told.contains("a<U+202E>b␛[2J"), "{told:?}");
}

#[test]
fn an_empty_window_is_said_and_has_no_table() {
    let input = r#"[{"content": "abc", "tokens": 12}, {"content": "abcd", "tokens": 13}]"#;
    let mut command = cupel();
    let told = stdout_of(command.args(["explain", "--budget", "9"]).write_stdin(input));
    let said = "The window is empty: there is room for 9 tokens, and the smallest of 2 candidates takes 12.";
    assert!(told.contains(said), "{told}");
    assert_eq!(told.matches("tokens  score").count(), 1, "{told}");
    let mut command = cupel();
    let told = stdout_of(command.args(["explain", "--budget", "9"]).write_stdin("[]"));
    assert!(told.contains("The window is empty: there are no candidates."), "{told}");
    assert!(!told.contains('#'), "{told}");
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
fn json_has_the_report_as_it_is_within_our_own_words() {
    let run = || explain(&["--budget", "30", "--json", "--no-timings"]);
    let report: SelectionReport = report_in(&run());
    assert_eq!((report.included.len(), report.excluded.len()), (4, 3));
    assert_eq!(run(), run());
    let timed = report_in(&explain(&["-b", "30", "--json"]));
    assert!(timed.events.iter().any(|event| event.duration_ms > 0.0));
    cupel().args(["explain", CHAT, "-b", "9", "--no-timings"]).assert().code(2);
}

fn report_in(json: &str) -> SelectionReport {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    serde_json::from_value(json["report"].clone()).unwrap()
}

#[test]
fn json_says_of_every_item_what_the_text_says() {
    let flags = ["explain", CHAT, "-b", "1500", "--output-reserve", "300", "--json"];
    let json: serde_json::Value = serde_json::from_str(&stdout_of(cupel().args(flags))).unwrap();
    assert_eq!(json["policy"], "chat");
    assert_eq!(json["policyFile"]["scorers"][0]["type"], "recency");
    assert_eq!(json["budget"]["outputReserve"], 300);
    assert_eq!((&json["windowTokens"], &json["totalTokens"]), (&1200.into(), &1191.into()));
    let items = json["items"].as_array().unwrap();
    assert_eq!(items.len(), 62);
    assert_eq!(json["window"].as_array().unwrap().len(), 41);
    let out = &items[58];
    assert_eq!((&out["item"], &out["id"]), (&59.into(), &"msg-059".into()));
    assert_eq!((&out["included"], &out["reason"]), (&false.into(), &"BudgetExceeded".into()));
    assert_eq!((&out["roomAtItsTurn"], &out["beatenBy"]), (&60.into(), &4.into()));
    assert_eq!(out["toLetItIn"]["additionalTokens"], 133);
    assert_eq!(out["toLetItIn"]["displaced"][0], 17);
    let per_token = |item: &serde_json::Value| item["scorePerToken"].as_f64().unwrap();
    assert!(per_token(&items[3]) > per_token(out));
    let parts = out["scores"].as_array().unwrap();
    assert_eq!((&parts[0]["scorer"], &parts[1]["scorer"]), (&"recency".into(), &"kind".into()));
    let sum: f64 = parts.iter().map(|part| part["contribution"].as_f64().unwrap()).sum();
    assert!((sum - out["score"].as_f64().unwrap()).abs() < 1e-9);
    assert_eq!(items[61]["obstacles"][0]["item"], 61);
    assert!(items[0].get("score").is_none(), "a pinned item is not judged");
    let snake_case = |json: &serde_json::Value| {
        let keys = json.as_object().unwrap().keys();
        keys.filter(|key| key.contains('_')).cloned().collect::<Vec<_>>()
    };
    assert!(snake_case(&json).is_empty() && items.iter().all(|item| snake_case(item).is_empty()));
}

#[test]
fn what_a_score_is_made_of_is_shown_on_request() {
    let told = explain(&["--budget", "30", "--scores"]);
    insta::assert_snapshot!(told);
    assert!(!explain(&["--budget", "30"]).contains("+recency"));
}

#[test]
fn a_reason_says_what_really_happened() {
    let (a, b) = ("\"content\": \"a\", \"tokens\": 18", "\"content\": \"b\", \"tokens\": 150");
    let input = format!("[{{{a}}}, {{{b}, \"futureRelevanceHint\": 1}}]");
    let run = |policy: &str| {
        let mut command = cupel();
        stdout_of(command.args(["explain", "-b", "260", "-p", policy]).write_stdin(input.clone()))
    };
    let folder = tempfile::tempdir().unwrap();
    let knapsack = folder.path().join("knapsack.json");
    let policy = r#"{"scorers": [{"type": "reflexive", "weight": 1}],
                     "slicerType": "knapsack", "knapsackBucketSize": 100}"#;
    std::fs::write(&knapsack, policy).unwrap();
    let told = run(knapsack.to_str().unwrap());
    assert!(told.contains("Not in the best packing") && !told.contains("Did not fit"), "{told}");
    assert!(told.contains("Sizes are rounded up to 100 tokens."), "{told}");
    let shares = folder.path().join("shares.json");
    let policy = r#"{"scorers": [{"type": "reflexive", "weight": 1}],
                     "quotas": [{"kind": "Message", "maxPercent": 60}]}"#;
    std::fs::write(&shares, policy).unwrap();
    let told = run(shares.to_str().unwrap());
    assert!(told.contains("Did not fit into the share of its kind"), "{told}");
    let caps = folder.path().join("caps.json");
    let policy = r#"{"scorers": [{"type": "reflexive", "weight": 1}],
                     "countQuotas": [{"kind": "Document", "capCount": 5}]}"#;
    std::fs::write(&caps, policy).unwrap();
    let flags = ["explain", RAG, "-b", "700", "-p", caps.to_str().unwrap()];
    let told = stdout_of(cupel().args(flags));
    assert!(told.contains("Did not fit before caps were applied"), "{told}");
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
fn a_page_of_many_items_is_readable_without_javascript_up_to_a_limit() {
    let item = |at: usize| format!("{{\"content\": \"item {at}\", \"tokens\": 10}}\n");
    let input: String = (0..1500).map(item).collect();
    let mut command = cupel();
    let page = stdout_of(command.args(["explain", "-b", "7000", "--html", "-"]).write_stdin(input));
    let (window, left_out) = page.split_once("id=\"out\"").unwrap();
    for (list, more) in [(window, 200), (left_out, 300)] {
        assert_eq!(list.matches("<details class=row>").count(), 500);
        assert!(list.contains(&format!("And {more} more, which need JavaScript to be shown.")));
    }
}

#[test]
fn json_and_html_can_be_had_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("window.html");
    let mut command = cupel();
    let json = command.args(["explain", CHAT, "-b", "1500", "--json", "--html"]).arg(&path);
    assert_eq!(report_in(&stdout_of(json)).total_candidates, 62);
    assert!(path.exists());
}

#[test]
fn the_first_screen_of_the_readme_is_real() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let shown = readme.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let mut shown = shown.lines();
    let command = shown.next().unwrap().split(" -- ").nth(1).unwrap();
    let printed = stdout_of(cupel().env("COLUMNS", "100").args(command.split(' ')));
    let mut printed = printed.lines();
    for line in shown.filter(|line| !["", "  ..."].contains(line)) {
        assert!(printed.any(|real| real == line), "not printed, or not in this order: {line}");
    }
}
