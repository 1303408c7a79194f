//! `cupel eval`: is what answers need in the window?

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use crate::{cupel, root, stdout_of};

const SET: &str = "examples/eval/library.jsonl";

/// Two questions about three items, of which one is not found by its words.
const SMALL: &str = r#"{"pool": "desk", "items": [{"id": "a", "content": "Members borrow books for four weeks.", "document": "rules", "position": 0}, {"id": "b", "content": "The projector is for staff only.", "document": "rules", "position": 1}, {"id": "c", "content": "Lunch is at noon.", "document": "hours", "position": 0}]}
{"question": "How long may members keep books?", "pool": "desk", "id": "loan", "gold": ["a"]}
{"question": "When do we eat?", "pool": "desk", "id": "eating", "gold": ["c"]}
"#;

fn small(arguments: &[&str]) -> String {
    let mut command = cupel();
    command.env("COLUMNS", "100").args(["eval", "--budgets", "9,18"]).args(arguments);
    stdout_of(command.write_stdin(SMALL))
}

#[test]
fn recall_is_told_with_intervals_and_comparisons() {
    insta::assert_snapshot!(small(&[]));
}

#[test]
fn tables_are_for_documents() {
    insta::assert_snapshot!(small(&["--markdown", "--missed"]));
}

#[test]
fn what_was_missed_is_told_with_rank_reason_remedy_and_finder() {
    let told =
        small(&["--missed=1", "--missed-at", "9", "--policy", "answer", "--policy", "last-n"]);
    insta::assert_snapshot!(told);
}

#[test]
fn json_has_every_number_of_every_question() {
    let told: Value = serde_json::from_str(&small(&["--json", "--missed"])).unwrap();
    assert_eq!(told["set"]["questions"], 2);
    assert_eq!(told["budgets"], serde_json::json!(["9", "18"]));
    let policies = told["policies"].as_array().unwrap();
    let names: Vec<_> = policies.iter().map(|it| it["policy"].as_str().unwrap()).collect();
    assert_eq!(names, ["answer", "rag", "last-n", "ceiling"]);
    for (at, policy) in policies.iter().enumerate() {
        for budget in 0..2 {
            let of_question = |it: &Value| it["policies"][at]["recall"][budget].as_f64().unwrap();
            let sum: f64 = told["questions"].as_array().unwrap().iter().map(of_question).sum();
            let mean = policy["recall"][budget]["mean"].as_f64().unwrap();
            assert!((sum / 2.0 - mean).abs() < 1e-12, "{policy}");
        }
    }
    let comparison = &told["comparisons"][0];
    assert_eq!((&comparison["policy"], &comparison["against"]), (&"rag".into(), &"answer".into()));
    let all: i64 =
        ["better", "worse", "equal"].iter().map(|it| comparison[it].as_i64().unwrap()).sum();
    assert_eq!(all, 2);
    let missed = &told["missed"]["questions"][0];
    assert_eq!((&missed["id"], &missed["missed"][0]["item"]), (&"eating".into(), &"c".into()));
    assert!(missed["missed"][0]["reason"].is_string() && missed["missed"][0]["rank"].is_u64());
}

#[test]
fn answer_leads_and_finds_more_than_the_others_in_our_own_set() {
    let told = stdout_of(cupel().args(["eval", SET, "--json", "--budgets", "500,1000"]));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["policies"][0]["policy"], "answer");
    for comparison in &told["comparisons"].as_array().unwrap()[..2] {
        assert!(comparison["overall"]["high"].as_f64().unwrap() < -0.2, "{comparison}");
    }
}

#[test]
fn equal_seeds_give_equal_bytes_on_any_number_of_threads() {
    let told = |more: &[&str]| {
        stdout_of(cupel().args(["eval", SET, "--json", "--budgets", "250,10%"]).args(more))
    };
    let one = told(&["--jobs", "1"]);
    assert_eq!(one, told(&["--jobs", "5"]));
    assert_ne!(one, told(&["--seed", "1"]));
}

#[test]
fn fewer_questions_are_chosen_by_the_seed() {
    let told = |more: &[&str]| -> Value {
        let told = stdout_of(cupel().args(["eval", SET, "--json", "--limit", "7"]).args(more));
        serde_json::from_str(&told).unwrap()
    };
    let some = told(&[]);
    assert_eq!(some["questions"].as_array().unwrap().len(), 7);
    assert_ne!(some["questions"], told(&["--seed", "9"])["questions"]);
}

#[test]
fn a_policy_may_stand_twice_under_labels_of_its_own() {
    let told = small(&["-p", "answer", "-p", "answer"]);
    assert!(told.contains("B  answer (2)") && told.contains("not clearly different"), "{told}");
}

#[test]
fn the_page_has_curves_tables_and_what_was_missed_and_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("quality.html");
    let told = small(&["--html", page.to_str().unwrap(), "--missed"]);
    assert!(told.contains("A  answer"), "the page does not take the place of the tables");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.contains("<svg")
            && page.contains("Missed by answer")
            && page.contains("When do we eat?")
    );
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("@import"));
}

#[test]
fn what_callers_wrote_is_text_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("quality.html");
    let set = SMALL
        .replace("desk", "<b>desk</b>")
        .replace("When do we eat?", "<img src=x onerror=alert(1)>");
    let mut command = cupel();
    command.args(["eval", "-b", "9", "--missed", "--html"]).arg(&page).write_stdin(set);
    command.assert().success();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(!page.contains("<img") && page.contains("&lt;img"), "not escaped");
}

#[test]
fn an_imported_set_can_be_saved_and_measured_with_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("set.jsonl");
    let source = ["--import", "transcripts", "examples/eval/transcripts"];
    let mut save = cupel();
    save.arg("eval").args(source).arg("--save").arg(&saved);
    save.assert().success().stdout("").stderr(contains("26 questions were left out for a step"));
    let numbers = ["--json", "--budgets", "20%", "--policy", "recentFirst", "--policy", "last-n"];
    let told = |command: &mut assert_cmd::Command| -> Value {
        serde_json::from_str(&stdout_of(command.args(numbers))).unwrap()
    };
    let (direct, again) =
        (told(cupel().arg("eval").args(source)), told(cupel().arg("eval").arg(&saved)));
    assert_eq!(direct["questions"], again["questions"]);
    assert_eq!(direct["policies"], again["policies"]);
}

/// What a set says otherwise than the engine: exit code 2, nothing on stdout.
#[test]
fn bad_sets_and_flags_are_told() {
    let bad = |arguments: &[&str], input: &str| {
        let output =
            cupel().arg("eval").args(arguments).write_stdin(input.to_owned()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        format!(
            "{} <<< {:.60}\nexit {}\n{told}\n",
            arguments.join(" "),
            input.replace('\n', " "),
            output.status.code().unwrap()
        )
    };
    let table = [
        bad(&[], ""),
        bad(
            &[],
            "{\"pool\": \"p\", \"items\": [{\"id\": \"a\", \"content\": \"x\"}]}\n{\"question\": \"?\", \"pool\": \"p\", \"gold\": [\"b\"]}",
        ),
        bad(&["nowhere.jsonl"], ""),
        bad(&["--policy", "anser"], SMALL),
        bad(&["--budgets", "0"], SMALL),
        bad(&["--budgets", "ten"], SMALL),
        bad(&["--missed", "--missed-at", "7"], SMALL),
        bad(&["--missed-at", "500"], SMALL),
        bad(&["--limit", "0"], SMALL),
        bad(&["--json", "--markdown"], SMALL),
        bad(&["--import", "squad", "x.json"], ""),
        bad(&["--import", "locomo"], ""),
        bad(&["--import", "locomo", "nowhere.json"], ""),
        bad(&["--import", "hotpotqa", "examples/requests/chat.json"], ""),
        bad(&["--save", "x.jsonl"], SMALL),
        bad(&["--no-shorten"], SMALL),
        bad(&["--import", "transcripts", "examples/eval/transcripts", "--asked", "model"], ""),
        bad(&["--html", "nowhere/x.html"], SMALL),
    ];
    insta::assert_snapshot!(table.concat());
}

#[test]
fn a_policy_that_refuses_a_run_is_told_with_question_and_budget() {
    let set = SMALL
        .replace("\"content\": \"Lunch", "\"pinned\": true, \"tokens\": 50, \"content\": \"Lunch");
    let refused = cupel().args(["eval", "-b", "9"]).write_stdin(set).assert().code(1).stdout("");
    refused.stderr(
        contains("question \"loan\", answer at 9 tokens").and(contains("larger --budgets")),
    );
}

#[test]
fn every_importer_has_a_sample_that_the_command_takes() {
    let samples = root().join("crates/cupel-eval/tests/samples");
    for (source, file) in [
        ("locomo", "locomo.json"),
        ("qmsum", "qmsum.jsonl"),
        ("chunking", "chunking"),
        ("hotpotqa", "hotpotqa.json"),
        ("transcripts", "transcript.openai.json"),
    ] {
        let mut command = cupel();
        command.args(["eval", "--import", source, "-b", "100"]).arg(samples.join(file));
        assert!(stdout_of(&mut command).contains("A  answer"), "{source}");
    }
}

#[test]
fn a_difference_of_nothing_has_no_sign() {
    let set =
        SMALL.replace("How long may members keep books?", "books").replace("\"c\"]", "\"b\"]");
    let mut command = cupel();
    command.args(["eval", "-b", "9", "-p", "answer", "-p", "last-n"]);
    let told = stdout_of(command.write_stdin(set));
    assert!(told.contains("less, 0.0 to 100.0") && !told.contains("-0.0"), "{told}");
}
