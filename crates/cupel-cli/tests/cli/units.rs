//! What stays together, and what gets shorter, in every command.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::{cupel, json_lines, stdout_of};

const TURNS: [&str; 3] =
    ["examples/data/archive-agent.jsonl", "--policy", "examples/policies/agent-turns.json"];

fn run(command: &str, flags: &[&str]) -> String {
    stdout_of(cupel().env("COLUMNS", "100").arg(command).args(TURNS).args(flags))
}

fn explained(budget: &str) -> Value {
    serde_json::from_str(&run("explain", &["--json", "--no-timings", "-b", budget])).unwrap()
}

#[test]
fn units_are_joined_and_shortened_items_marked() {
    insta::assert_snapshot!("units_shortened", run("explain", &["-b", "1200"]));
    insta::assert_snapshot!("units_left_out", run("explain", &["-b", "400"]));
}

#[test]
fn members_that_do_not_stand_next_to_each_other_are_joined_past_others() {
    let input = r#"[
        {"content": "call a", "tokens": 5, "group": "a"},
        {"content": "call b", "tokens": 5, "group": "b"},
        {"content": "result a", "tokens": 5, "group": "a"},
        {"content": "result b", "tokens": 5, "group": "b"}
    ]"#;
    let mut command = cupel();
    command.args(["explain", "-b", "90", "-q", "-p", "examples/policies/agent-turns.json"]);
    let told = stdout_of(command.write_stdin(input));
    let margins: Vec<_> = told
        .lines()
        .filter(|line| line.contains("call") || line.contains("result"))
        .map(|line| line.chars().take(2).collect::<String>())
        .collect();
    assert_eq!(margins, ["┌ ", "│┌", "└│", " └"], "{told}");
}

#[test]
fn no_line_is_wider_than_the_terminal_with_margins_and_forms() {
    for columns in [24, 40, 60, 80, 120] {
        for budget in ["300", "560", "1200"] {
            let mut command = cupel();
            command.env("COLUMNS", columns.to_string()).arg("explain").args(TURNS);
            let told = stdout_of(command.args(["-b", budget]));
            for line in told.lines() {
                assert!(line.width() <= columns, "{columns}: {line:?}");
            }
            assert!(told.contains('┌') && told.contains('└'));
        }
    }
}

#[test]
fn json_tells_group_unit_form_and_what_brings_it_back() {
    let told = explained("1200");
    let item = |number: usize| &told["items"][number - 1];
    assert_eq!(
        (&item(18)["group"], &item(18)["unit"], &item(18)["unitTokens"]),
        (&json!("call_07"), &json!([18, 19]), &json!(59))
    );
    assert_eq!(item(19)["shortened"], json!({ "form": 1, "forms": 1, "tokensSaved": 928 }));
    assert_eq!(item(19)["tokens"], 48);
    assert_eq!((&item(7)["group"], &item(7)["unit"]), (&Value::Null, &Value::Null));
    let remedy = &item(19)["toLetItInWhole"];
    assert_eq!(remedy["form"], 0);

    // What it says is so, and less would not do.
    let more = remedy["additionalTokens"].as_i64().unwrap();
    assert_eq!(remedy["exact"], true);
    let is_whole = |budget: i64| explained(&budget.to_string())["items"][18]["shortened"].is_null();
    assert!(is_whole(1200 + more) && !is_whole(1200 + more - 1));
}

#[test]
fn what_lets_a_unit_in_is_told_for_all_of_it_shortened_and_whole() {
    let told = explained("400");
    let out: Vec<_> =
        told["items"].as_array().unwrap().iter().filter(|it| it["included"] == false).collect();
    assert!(!out.is_empty() && out.iter().all(|it| !it["group"].is_null()), "{out:#?}");
    let (call, result) = (&told["items"][4], &told["items"][5]);
    assert_eq!(call["toLetItIn"]["additionalTokens"], result["toLetItIn"]["additionalTokens"]);
    assert_eq!(result["toLetItIn"]["form"], 2);
    let budget = 400 + result["toLetItIn"]["additionalTokens"].as_i64().unwrap();
    let after = explained(&budget.to_string());
    assert_eq!(
        (&after["items"][4]["included"], &after["items"][5]["shortened"]["form"]),
        (&json!(true), &json!(2))
    );
    let budget = 400 + result["toLetItInWhole"]["additionalTokens"].as_i64().unwrap();
    let after = explained(&budget.to_string());
    assert_eq!(
        (&after["items"][5]["included"], &after["items"][5]["shortened"]),
        (&json!(true), &Value::Null)
    );
}

#[test]
fn a_broken_group_has_its_own_words() {
    let input = r#"[{"content": "call", "tokens": 5, "group": "a"}, {"content": "result", "tokens": -5, "group": "a"}]"#;
    let mut command = cupel();
    command.args(["explain", "-b", "90", "-q"]).write_stdin(input);
    command.assert().success().stdout(
        contains("Belongs with an item of negative token count  GroupBroken: 1 item")
            .and(contains("Negative token count  NegativeTokens: 1 item")),
    );
    let mut command = cupel();
    let assert = command.args(["min-budget", "--item", "1"]).write_stdin(input).assert().code(1);
    assert.stderr(contains("an item of its group has a negative token count"));
}

#[test]
fn what_less_would_shorten_is_told_apart_from_what_it_would_lose() {
    let told = run("marginal", &["-b", "1500", "--slack", "400"]);
    assert!(told.starts_with("Nothing is lost with 400 tokens less.\n\n1 item would stay in another form, 928 tokens shorter\n"), "{told}");
    let json: Value =
        serde_json::from_str(&run("marginal", &["-b", "1500", "--slack", "400", "--json"]))
            .unwrap();
    assert_eq!(json["lost"], json!([]));
    assert_eq!(
        json["reshaped"],
        json!([{
            "item": 19, "id": "s19", "kind": "ToolOutput", "group": "call_07",
            "is": { "form": 0, "tokens": 976 }, "wouldBe": { "form": 1, "tokens": 48 },
        }])
    );
    let more: Value =
        serde_json::from_str(&run("marginal", &["-b", "700", "--slack", "500", "--json"])).unwrap();
    let lost: Vec<_> = more["lost"].as_array().unwrap().iter().map(|it| &it["item"]).collect();
    assert!(lost.contains(&&json!(18)) && lost.contains(&&json!(19)), "{more:#}");
    let quiet = cupel()
        .arg("marginal")
        .args(TURNS)
        .args(["-b", "1500", "--slack", "400", "-f", "jsonl"])
        .assert();
    quiet.success().stdout("").stderr(contains("1 item would stay in another form"));
}

#[test]
fn the_budget_of_a_member_is_that_of_its_unit_in_any_form_and_whole() {
    let answer =
        |flags: &[&str]| json_lines(&run("min-budget", &[&["--json"], flags].concat())).remove(0);
    let (call, result) = (answer(&["--item", "5"]), answer(&["--item", "6"]));
    assert_eq!(call["unit"], json!([5, 6]));
    assert_eq!(call["unitTokens"], 4_867);
    for key in ["minBudget", "minBudgetWhole", "exact", "exactWhole", "group"] {
        assert_eq!(call[key], result[key], "{key}");
    }
    let window = |budget: i64| {
        let out = run("select", &["-b", &budget.to_string()]);
        json_lines(&out)
            .into_iter()
            .find(|item| item["id"] == "s6")
            .map(|item| item["tokens"].clone())
    };
    let least = call["minBudget"].as_i64().unwrap();
    assert_eq!((window(least - 1), window(least)), (None, Some(json!(29))));
    let whole = call["minBudgetWhole"].as_i64().unwrap();
    assert!(window(whole) == Some(json!(4_839)) && window(whole - 1) != Some(json!(4_839)));
    assert_eq!(run("min-budget", &["--item", "5", "--whole"]).trim(), whole.to_string());
    let too_low = ["--item", "5", "--whole", "--ceiling", "2000"];
    let assert = cupel().arg("min-budget").args(TURNS).args(too_low).assert().code(1);
    assert.stderr(contains("item 5 is whole in the window at no budget up to 2,000"));
    assert!(answer(&["--item", "7"]).get("minBudgetWhole").is_none());
}

#[test]
fn a_window_holds_the_form_and_the_callers_keys_as_they_were() {
    let input = r#"{"x": 1.50, "id": 12345678901234567890123, "content": "a long text", "tokens": 50, "variants": [{"content": "short", "tokens": 5}]}"#;
    let select =
        |flags: &[&str]| stdout_of(cupel().args(["select", "-q"]).args(flags).write_stdin(input));
    assert_eq!(select(&["-b", "60"]).trim(), input);
    assert_eq!(
        select(&["-b", "20"]).trim(),
        r#"{"x": 1.50, "id": 12345678901234567890123, "content": "short", "tokens": 5, "originalTokens": 50}"#
    );
    assert_eq!(select(&["-b", "20", "-f", "text"]), "short\n");
}

const UNCOUNTED: &str = r#"{"content": "hello hello hello hello world", "variants": [{"content": "hello world"}, {"content": "hello"}]}"#;

#[test]
fn variants_without_a_count_are_counted_or_refused() {
    let refused = cupel().args(["select", "-b", "9"]).write_stdin(UNCOUNTED).assert().code(2);
    refused.stderr(contains("tokens").and(contains("<stdin>:1:")).and(contains("--tokenizer")));
    let half = r#"{"content": "x", "tokens": 9, "variants": [{"content": "y"}]}"#;
    let refused = cupel().args(["select", "-b", "9"]).write_stdin(half).assert().code(2);
    refused.stderr(contains("variants[0]").and(contains("tokens")));

    let select = |budget| {
        let mut command = cupel();
        command.args(["select", "-q", "-t", "o200k_base", "-b", budget]);
        json_lines(&stdout_of(command.write_stdin(UNCOUNTED))).remove(0)
    };
    assert_eq!(select("9")["content"], "hello hello hello hello world");
    assert_eq!(
        (&select("4")["content"], &select("4")["tokens"]),
        (&json!("hello world"), &json!(2))
    );
    assert_eq!(select("1")["content"], "hello");

    let longer = r#"{"content": "hello", "variants": [{"content": "hello hello hello"}]}"#;
    let mut command = cupel();
    let refused =
        command.args(["select", "-b", "9", "-t", "o200k_base"]).write_stdin(longer).assert();
    refused.code(2).stderr(contains("number 1 has 3 tokens").and(contains("<stdin>:1:1")));
}

#[test]
fn filling_fills_variants_too() {
    let fill = |flags: &[&str], input: &str| {
        stdout_of(cupel().args(["count", "--fill", "-q"]).args(flags).write_stdin(input.to_owned()))
    };
    let filled = fill(&[], UNCOUNTED);
    assert_eq!(
        filled.trim(),
        r#"{"content": "hello hello hello hello world", "variants": [{"content": "hello world", "tokens": 2}, {"content": "hello", "tokens": 1}], "tokens": 5}"#
    );
    assert_eq!(fill(&[], &filled), filled);
    let wrong = filled.replace("\"tokens\": 2", "\"tokens\": 3");
    assert_eq!(fill(&["--recount"], &wrong), filled);
}

#[test]
fn the_sample_carries_true_counts() {
    let filled = stdout_of(cupel().args(["count", "--fill", "--recount", TURNS[0]]));
    let sample = std::fs::read_to_string(crate::root().join(TURNS[0])).unwrap();
    assert_eq!(filled, sample);
}

#[test]
fn a_batch_counts_variants_and_answers_with_the_form() {
    let item: Value = serde_json::from_str(UNCOUNTED).unwrap();
    let request = json!({ "items": [item], "budget": { "maxTokens": 4 }, "policy": "chat", "count": "o200k_base" });
    let out = stdout_of(cupel().args(["batch", "-q"]).write_stdin(request.to_string()));
    let answer = &json_lines(&out)[0];
    assert_eq!(answer["items"][0]["content"], "hello world", "{answer:#}");
    assert_eq!(answer["totalTokens"], 2);
}

#[test]
fn policies_differ_in_forms_too() {
    let policies = ["-p", "chat", "-p", "documentQa"];
    let compare = |flags: &[&str]| {
        let mut command = cupel();
        command.env("COLUMNS", "80").args(["compare", TURNS[0], "-b", "900"]).args(policies);
        stdout_of(command.args(flags))
    };
    let told = compare(&[]);
    assert!(told.contains("2 shortened") && told.contains("\n  1 2  6  2026-03-05T08"), "{told}");
    let json: Value = serde_json::from_str(&compare(&["--json"])).unwrap();
    let log = json["diffs"].as_array().unwrap().iter().find(|it| it["items"] == json!([6]));
    let statuses = &log.expect("the log is in one window alone")["statuses"];
    let shortened = json["variants"].as_array().unwrap().iter().map(|it| &it["shortened"]);
    for (status, shortened) in statuses.as_array().unwrap().iter().zip(shortened) {
        let form = shortened.as_array().unwrap().iter().find(|it| it["item"] == 6);
        assert_eq!(form.map(|it| &it["form"]), status.get("form"), "{json:#}");
    }
}
