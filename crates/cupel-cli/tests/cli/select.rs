//! `cupel select`

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use crate::{CHAT, RAG, cupel, json_lines, root, stdout_of};

#[test]
fn what_is_selected_is_what_was_written_byte_for_byte() {
    let odd = concat!(
        "{\"id\":1.50e+3 ,\"content\":\"caf\\u00e9\\/\", \"tokens\" : 3,  \"x\":{\"a\": [ ]}}\n",
        "{ \"tokens\": 900, \"content\": \"too long\" }\n",
        "\r\n",
        "{\"content\":\"b\",\"tokens\":1,\"timestamp\":\"2025-01-01T00:00:00+02:00\"}\r\n",
    );
    let lines: Vec<_> = odd.lines().collect();
    cupel()
        .args(["select", "--budget", "10"])
        .write_stdin(odd)
        .assert()
        .success()
        .stdout(format!("{}\n{}\n", lines[3], lines[0]));
}

#[test]
fn every_selected_line_is_a_line_of_the_input() {
    let input = fs::read_to_string(root().join(CHAT)).unwrap();
    let window = stdout_of(cupel().args(["select", CHAT, "-b", "800"]));
    assert!(window.lines().count() > 10);
    assert!(window.lines().all(|line| input.lines().any(|other| other == line)));
}

#[test]
fn an_array_and_json_lines_give_the_same_window() {
    let lines = "{\"content\":\"a\",\"tokens\":1}\n{\"content\":\"b\",\"tokens\":1}\n";
    let array = format!(" [{} ]", lines.trim().replace('\n', " ,\n"));
    let run = |text: &str| stdout_of(cupel().args(["select", "-b", "5"]).write_stdin(text));
    assert_eq!(run(lines), run(&array));
    assert_eq!(run(lines), run(&format!("\u{feff}{lines}")));
    assert_eq!(run("[]"), "");
}

#[test]
fn objects_over_several_lines_come_out_on_one() {
    let window = stdout_of(cupel().args(["select", RAG, "--budget", "400", "--policy", "rag"]));
    let items = json_lines(&window);
    assert_eq!(items[0]["id"], "system");
    assert_eq!(items.last().unwrap()["id"], "question");
}

#[test]
fn every_part_of_the_budget_counts() {
    let input = (1..=9).map(|n| format!("{{\"content\":\"{n}\",\"tokens\":10}}\n"));
    let input: String = input.collect();
    let kept = |flags: &[&str]| {
        let out = stdout_of(cupel().arg("select").args(flags).write_stdin(input.clone()));
        out.lines().count()
    };
    assert_eq!(kept(&["--budget", "50"]), 5);
    assert_eq!(kept(&["-b", "5_0"]), 5);
    assert_eq!(kept(&["--budget", "50", "--output-reserve", "20"]), 3);
    assert_eq!(kept(&["--max-tokens", "50"]), 5);
    assert_eq!(kept(&["--max-tokens", "50", "--target-tokens", "40"]), 4);
    assert_eq!(kept(&["--budget", "50", "--reserve", "Memory=10", "--reserve", "note=10"]), 3);
    assert_eq!(kept(&["--budget", "50", "--safety-margin", "20"]), 4);
    assert_eq!(kept(&["--budget", "50", "--safety-margin", "20%"]), 4);
    assert_eq!(kept(&["--budget", "0.05k"]), 5);
    assert_eq!(kept(&["--max-tokens", "8k", "--output-reserve", "7.95K"]), 5);
    assert_eq!(kept(&["--budget", "50", "--reserve", "Memory=50"]), 0);
    assert_eq!(kept(&["--budget", "0"]), 0);
}

#[test]
fn the_four_formats() {
    let input = "{\"content\":\"one\\n\",\"tokens\":1,\"timestamp\":\"2025-01-01T00:00:00Z\"}\n\
                 {\"content\":\"a ``` b\",\"tokens\":1,\"kind\":\"ToolOutput\",\"source\":\"db\"}\n";
    let run = |format: &str| {
        let mut command = cupel();
        stdout_of(command.args(["select", "-b", "9", "--format", format]).write_stdin(input))
    };
    assert_eq!(run("jsonl"), input);
    let array: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(array.as_array().unwrap().len(), 2);
    assert_eq!(run("text"), "one\n\na ``` b\n");
    assert_eq!(
        run("markdown"),
        "## 1. Message\n\n```\none\n```\n\n## 2. ToolOutput, db\n\n````\na ``` b\n````\n"
    );
    let empty = stdout_of(cupel().args(["select", "-b", "9", "-f", "json"]).write_stdin("[]"));
    assert_eq!(empty, "[]\n");
}

#[test]
fn policies_are_presets_in_any_case_or_files() {
    let run = |policy: &str| stdout_of(cupel().args(["select", RAG, "-b", "400", "-p", policy]));
    assert_eq!(run("rag"), run("RAG"));
    assert_ne!(run("rag"), run("chat"));
    assert!(!run("examples/policies/retrieval.json").is_empty());
}

#[test]
fn a_policy_may_be_written_out() {
    let flags = ["select", CHAT, "--budget", "800", "--policy"];
    let chat = stdout_of(cupel().args(["presets", "chat"]));
    let written = stdout_of(cupel().args(flags).arg(chat));
    assert_eq!(written, stdout_of(cupel().args(flags).arg("chat")));
    let wrong = cupel().args(flags).arg("{\"scorers\": 3}").assert().code(2);
    wrong.stderr(contains("policy:1:13: scorers"));
}

#[test]
fn a_lenient_policy_warns_instead_of_refusing() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("p.json");
    fs::write(&policy, "{\"scorers\":[{\"type\":\"recency\",\"weight\":1}],\"version\":2}")
        .unwrap();
    let policy = policy.to_str().unwrap();
    let strict = cupel().args(["select", CHAT, "-b", "99", "-p", policy]).assert().code(2);
    strict
        .stdout(is_empty())
        .stderr(contains("unknown key \"version\"").and(contains("p.json:1:")));
    let lenient = cupel().args(["select", CHAT, "-b", "99", "-p", policy, "--lenient"]).assert();
    lenient.success().stderr(contains("warning: ").and(contains("\"version\"")));
}

#[test]
fn a_key_that_looks_misspelt_is_warned_of_once_and_kept() {
    let input = "{\"content\":\"a\",\"tokens\":1,\"id\":1,\"timstamp\":\"x\"}\n\
                 {\"content\":\"b\",\"tokens\":1,\"timstamp\":\"y\"}\n";
    let assert = cupel().args(["select", "-b", "9"]).write_stdin(input).assert().success();
    assert
        .stdout(input)
        .stderr(contains("<stdin>:1:34: unknown key \"timstamp\" (and in 1 more items)"))
        .stderr(contains("did you mean \"timestamp\"?"))
        .stderr(contains("\"id\"").not());
}

#[test]
fn pinned_items_over_the_budget_fail_the_work() {
    let input = "{\"content\":\"a\",\"tokens\":50,\"pinned\":true}\n";
    let assert = cupel().args(["select", "-b", "10"]).write_stdin(input).assert();
    assert.code(1).stdout(is_empty()).stderr(contains("50 tokens, but only 10 are available"));
}

#[test]
fn a_policy_that_proceeds_or_degrades_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("p.json");
    let text = r#"{"scorers":[{"type":"recency","weight":1}],"overflowStrategy":"proceed",
                   "countQuotas":[{"kind":"Memory","requireCount":2,"capCount":3}]}"#;
    fs::write(&policy, text).unwrap();
    let input = "{\"content\":\"a\",\"tokens\":50,\"kind\":\"Memory\"}\n";
    let mut command = cupel();
    let assert = command.args(["select", "-b", "10", "-p", policy.to_str().unwrap()]);
    assert
        .write_stdin(input)
        .assert()
        .success()
        .stdout(input)
        .stderr(contains("40 tokens over its limit"))
        .stderr(contains("requires 2 Memory items, but there are only 1"));
}

#[test]
fn missing_counts_are_counted_on_request() {
    let input = "{\"content\":\"hello world\"}\n{\"content\":\"one two three\",\"tokens\":1}\n";
    let refused = cupel().args(["select", "-b", "9"]).write_stdin(input).assert().code(2);
    refused.stderr(contains("missing key \"tokens\"").and(contains("--tokenizer o200k_base")));
    for tokenizer in
        ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "p50k_edit", "r50k_base"]
    {
        let mut command = cupel();
        let counted = command.args(["select", "-b", "3", "--tokenizer", tokenizer]);
        assert_eq!(stdout_of(counted.write_stdin(input)), input, "{tokenizer}");
        let mut command = cupel();
        let too_small = command.args(["select", "-b", "2", "-t", tokenizer]).write_stdin(input);
        assert_eq!(stdout_of(too_small).lines().count(), 1, "{tokenizer}");
    }
}

/// How many tokens a text is, as the command counts them.
fn tokens_in(text: &str) -> usize {
    let count = stdout_of(cupel().args(["count", "--text"]).write_stdin(text));
    count.trim().parse().unwrap()
}

#[test]
fn the_budget_holds_for_what_is_written_where_we_count() {
    let uncounted: String = fs::read_to_string(root().join(CHAT))
        .unwrap()
        .lines()
        .map(|line| {
            let mut item: serde_json::Value = serde_json::from_str(line).unwrap();
            item.as_object_mut().unwrap().remove("tokens");
            format!("{item}\n")
        })
        .collect();
    for format in ["text", "markdown"] {
        for budget in [200, 500, 1_500] {
            let mut command = cupel();
            let flags = ["select", "-t", "o200k_base", "-f", format, "-b", &budget.to_string()];
            let assert = command.args(flags).write_stdin(uncounted.clone()).assert().success();
            let output = assert.get_output();
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
            let written = tokens_in(&String::from_utf8_lossy(&output.stdout));
            assert!(written <= budget, "{format}: {written} for {budget}");
            assert!(written > budget * 8 / 10, "{format}: only {written} for {budget}");
        }
    }
}

#[test]
fn markdown_around_the_callers_own_counts_is_pointed_out() {
    let run = |flags: &[&str]| {
        let assert = cupel().args(["select", CHAT, "-b", "500"]).args(flags).assert().success();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    let told = run(&["-f", "markdown"]);
    assert!(told.contains("not in your token counts") && told.contains("--tokenizer"), "{told}");
    assert_eq!(run(&["-f", "markdown", "-q"]), "");
    assert_eq!(run(&["-f", "markdown", "-t", "o200k_base"]), "");
    assert_eq!(run(&["-f", "text"]), "");
}

#[test]
fn no_content_breaks_out_of_its_fence_and_no_source_out_of_its_heading() {
    let input = r#"[{"content": "```\n# not a heading\n`````", "tokens": 1, "source": "a\n# b", "kind": "k\n# c"}]"#;
    let mut command = cupel();
    let out = stdout_of(command.args(["select", "-b", "9", "-f", "markdown"]).write_stdin(input));
    assert_eq!(out, "## 1. k # c, a # b\n\n``````\n```\n# not a heading\n`````\n``````\n");
}

#[test]
fn a_shorter_form_takes_the_place_of_the_whole() {
    let input = r#"[{"id": 1, "content": "a very long text", "tokens": 50, "kind": "Note",
                     "variants": [{"content": "short", "tokens": 5}]},
                    {"content": "q", "tokens": 3}]"#;
    let run = |arguments: &[&str]| stdout_of(cupel().args(arguments).write_stdin(input));
    let window = json_lines(&run(&["select", "-b", "10", "-q"]));
    let short = window.iter().find(|item| item["id"] == 1).unwrap();
    assert_eq!((&short["content"], &short["tokens"]), (&"short".into(), &5.into()));
    assert_eq!(short["originalTokens"], 50);
    assert!(run(&["select", "-b", "10", "-q", "-f", "text"]).contains("short\n"));
    assert!(run(&["explain", "-b", "10", "-q"]).contains("short"));
    let json: serde_json::Value =
        serde_json::from_str(&run(&["explain", "-b", "10", "-q", "--json"])).unwrap();
    assert_eq!((&json["items"][0]["id"], &json["items"][0]["included"]), (&1.into(), &true.into()));
}
