//! `--query`: what the window is to answer.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::{cupel, stdout_of};

const QUESTION: &str = "When does the reminder job run?";

const NOTES: &str = r#"{"content": "Reminders are sent by a nightly job. The reminder job writes to the log.", "tokens": 16, "document": "ops.md", "position": 1}
{"content": "The coffee machine is on the second floor.", "tokens": 9, "document": "ops.md", "position": 2}
{"content": "The job runs at half past two, and the reminder job reads the table of loans.", "tokens": 17, "document": "ops.md", "position": 3}
{"content": "Members borrow books for four weeks.", "tokens": 8, "document": "rules.md", "position": 1, "id": "borrowing"}
"#;

fn about_notes(arguments: &[&str]) -> String {
    let mut command = cupel();
    command.env("COLUMNS", "100").args(arguments).args(["--policy", "answer"]);
    stdout_of(command.write_stdin(NOTES))
}

fn explained(arguments: &[&str]) -> Value {
    let all = [&["explain", "--budget", "30", "--json", "--no-timings"], arguments].concat();
    serde_json::from_str(&about_notes(&all)).unwrap()
}

#[test]
fn what_answers_the_query_is_selected() {
    let night = about_notes(&["select", "--budget", "20", "--query", QUESTION]);
    assert!(night.contains("half past two") && night.contains("\"position\": 3"), "{night}");
    let borrowing = about_notes(&["select", "--budget", "20", "--query", "borrowing books"]);
    assert!(borrowing.contains("\"id\": \"borrowing\""), "{borrowing}");
}

#[test]
fn a_query_may_stand_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("question.txt");
    std::fs::write(&file, format!("{QUESTION}\n")).unwrap();
    let given = format!("@{}", file.display());
    let from_file = about_notes(&["select", "--budget", "20", "--query", &given]);
    assert_eq!(from_file, about_notes(&["select", "--budget", "20", "--query", QUESTION]));

    let missing = cupel().args(["select", "-b", "20", "--query", "@nowhere.txt"]).assert();
    missing.code(2).stderr(contains("nowhere.txt cannot be read"));
}

#[test]
fn a_policy_that_needs_a_query_says_how_to_give_one() {
    for command in ["select", "explain"] {
        let mut cupel = cupel();
        cupel.args([command, "--budget", "20", "--policy", "answer"]).write_stdin(NOTES);
        let told = cupel.assert().code(2).stdout("");
        told.stderr(contains("the scorer relevance judges").and(contains("--query \"...\"")));
    }
}

#[test]
fn an_explanation_tells_which_words_matched() {
    insta::assert_snapshot!(about_notes(&["explain", "--budget", "30", "--query", QUESTION]));
}

#[test]
fn with_scores_it_tells_what_each_word_added() {
    let flags = ["explain", "--budget", "30", "--query", QUESTION, "--scores"];
    insta::assert_snapshot!(about_notes(&flags));
}

#[test]
fn narrow_terminals_have_no_column_of_words() {
    let mut command = cupel();
    command.env("COLUMNS", "60").args(["explain", "-b", "30", "-p", "answer", "--query", QUESTION]);
    let told = stdout_of(command.write_stdin(NOTES));
    assert!(!told.contains("matched") && told.contains("to answer: When does"), "{told}");
}

#[test]
fn json_has_the_query_and_what_scorers_found() {
    let told = explained(&["--query", QUESTION]);
    assert_eq!(told["query"], QUESTION);
    let details = told["items"][0]["scores"][0]["details"].as_array().unwrap();
    assert_eq!((&details[0]["what"], &details[0]["times"]), (&json!("reminder"), &json!(2)));
    let added: f64 = details.iter().map(|it| it["added"].as_f64().unwrap()).sum();
    let score = told["items"][0]["score"].as_f64().unwrap();
    assert!((added - score).abs() < 1e-9, "{details:?}");
    let of_document = |it: &&Value| it["what"] == "document" && it.get("times").is_none();
    assert_eq!(details.iter().filter(of_document).count(), 1, "{details:?}");
}

#[test]
fn the_page_tells_them_too() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    about_notes(&["explain", "-b", "30", "--query", QUESTION, "--html", page.to_str().unwrap()]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("\"matched\":\"reminder ×2 0."), "no words on the page");
    assert!(page.contains(&format!("to answer: <bdi>{QUESTION}</bdi>")), "no query on the page");
}

#[test]
fn simulations_see_the_query() {
    let smallest = about_notes(&["min-budget", "--item", "4", "--query", "borrowing books"]);
    assert_eq!(smallest.trim(), "8");
    let lost = ["marginal", "--budget", "40", "--slack", "20", "--query", QUESTION, "--json"];
    let lost: Value = serde_json::from_str(&about_notes(&lost)).unwrap();
    assert_eq!(lost["lost"][0]["item"], 1, "{lost}");
    let flags = ["compare", "-b", "20", "-p", "rag", "--query", QUESTION, "--json"];
    let compared: Value = serde_json::from_str(&about_notes(&flags)).unwrap();
    assert_eq!(compared["variants"][1]["items"], json!([3]), "{compared}");
}

#[test]
fn lines_of_a_batch_have_their_own_query_or_that_of_the_command() {
    let line = |query: Value| {
        let items: Vec<Value> =
            NOTES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        json!({ "items": items, "budget": { "maxTokens": 17 }, "policy": "answer", "query": query })
    };
    let lines = format!("{}\n{}\n", line(Value::Null), line(json!("borrowing books")));
    let mut batch = cupel();
    batch.args(["batch", "--query", QUESTION, "--no-timings"]).write_stdin(lines.clone());
    let answers = stdout_of(&mut batch);
    let contents: Vec<String> = answers
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["items"][0]["content"].to_string())
        .collect();
    assert!(contents[0].contains("half past two"), "{contents:?}");
    assert!(contents[1].contains("borrow books"), "{contents:?}");

    let without = cupel().args(["batch", "--no-timings"]).write_stdin(lines).assert().code(1);
    without.stdout(contains("\"code\":\"MissingQuery\"").and(contains("add \\\"query\\\"")));
}

/// A conversation of which only one old exchange is about the last question.
fn request(budgeted: &str) -> String {
    let mut messages = vec![
        json!({ "role": "user", "content": "Where do the overdue reminders come from?" }),
        json!({ "role": "assistant", "content": "A job sends the reminders, at half past two each night." }),
    ];
    for number in 0..6 {
        messages.push(json!({ "role": "user", "content": format!("Tell me joke number {number}, please, a long one.") }));
        messages.push(json!({ "role": "assistant", "content": format!("A librarian walks into a bar for the time number {number}.") }));
    }
    messages.push(json!({ "role": "user", "content": budgeted }));
    json!({ "model": "gpt-5", "messages": messages }).to_string()
}

#[test]
fn of_a_request_the_query_is_what_the_user_said_last_unless_given() {
    let flags = ["select", "--budget", "80", "--policy", "answer"];
    let select = |more: &[&str]| {
        let mut command = cupel();
        command.args(flags).args(more).write_stdin(request("When are reminders sent?"));
        stdout_of(&mut command)
    };
    let own = select(&[]);
    assert!(own.contains("half past two"), "{own}");
    let joke = select(&["--query", "joke number 3, a librarian in a bar"]);
    assert!(joke.contains("joke number 3") && !joke.contains("half past two"), "{joke}");
}

#[test]
fn the_messages_of_a_request_are_explained_by_their_words() {
    let mut command = cupel();
    command.env("COLUMNS", "120").args(["explain", "--budget", "80", "--policy", "answer"]);
    let told = stdout_of(command.write_stdin(request("When are reminders sent?")));
    assert!(told.contains("scored: "), "{told}");
    let mut command = cupel();
    command.args(["explain", "--budget", "80", "--policy", "answer", "--json"]);
    let told = stdout_of(command.write_stdin(request("When are reminders sent?")));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["query"], "When are reminders sent?");
    let details = &told["messages"][1]["scores"][0]["details"];
    assert!(details.to_string().contains("reminders"), "{told}");
}

#[test]
fn what_repeats_the_window_is_told_as_such() {
    let policy = r#"{ "scorers": [{ "type": "relevance", "weight": 1 }],
        "slicerType": { "type": "distinct", "treatment": "leaveOut", "shingleWords": 3 } }"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("distinct.json");
    std::fs::write(&file, policy).unwrap();
    let items = r#"[{"content": "the reminder job runs at half past two in the night", "tokens": 11},
        {"content": "the reminder job runs at half past two in the night, indeed", "tokens": 12},
        {"content": "members borrow books", "tokens": 3}]"#;
    let explain = |more: &[&str]| {
        let mut command = cupel();
        command.env("COLUMNS", "100").args(["explain", "-b", "100", "--query", "reminder job"]);
        command.arg("--policy").arg(&file).args(more);
        stdout_of(command.write_stdin(items))
    };
    let told = explain(&[]);
    assert!(
        told.contains("Says little that is not in the window  NearDuplicate: 1 item"),
        "{told}"
    );
    assert!(told.contains("% of it in #"), "{told}");
    let told: Value = serde_json::from_str(&explain(&["--json"])).unwrap();
    let items = told["items"].as_array().unwrap();
    let left_out = items.iter().find(|it| it["included"] == false).unwrap();
    assert_eq!(left_out["reason"], "NearDuplicate");
    assert_eq!(left_out["obstacles"][0]["type"], "nearDuplicateOf");
}

/// What is said on standard error to a run that succeeds.
fn warned(arguments: &[&str], input: &str) -> String {
    let output = cupel().args(arguments).write_stdin(input.to_owned()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_policy_that_does_not_read_the_query_says_so_and_names_those_that_do() {
    for command in ["select", "explain"] {
        for policy in ["chat", "rag"] {
            let said = warned(&[command, "-b", "20", "-p", policy, "--query", QUESTION], NOTES);
            let problem = format!("warning: policy {policy} does not read the query\n");
            assert!(said.contains(&problem) && said.contains("--policy answer finds"), "{said}");
        }
        let said = warned(&[command, "-b", "20", "-p", "answer", "--query", QUESTION], NOTES);
        assert!(!said.contains("does not read"), "{said}");
        let said = warned(&[command, "-b", "900", "-p", "chat", "--query", QUESTION], NOTES);
        assert_eq!(said, "", "everything fits");
    }
}

#[test]
fn requests_are_warned_of_it_too() {
    let request = request("When are reminders sent?");
    for command in ["select", "explain"] {
        let said = warned(&[command, "-b", "80", "--query", QUESTION], &request);
        assert!(said.contains("policy recentFirst does not read the query"), "{said}");
        for quiet in [&["-b", "80"][..], &["-b", "80", "-p", "agent", "--query", QUESTION]] {
            let said = warned(&[&[command], quiet].concat(), &request);
            assert!(!said.contains("does not read"), "{said}");
        }
    }
}

#[test]
fn whoever_uses_rag_without_hints_is_told_about_answer() {
    let said = warned(&["select", "-b", "20", "-p", "rag"], NOTES);
    assert!(
        said.contains("with a question, --policy answer --query \"...\" finds what answers it"),
        "{said}"
    );
    let presets = stdout_of(cupel().arg("presets"));
    assert!(presets.contains("with a query at hand, the preset answer finds more"), "{presets}");
}
