//! `cupel batch`

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::{cupel, json_lines, stdout_of};

pub(crate) fn request(number: usize) -> String {
    format!(
        "{{\"items\":[{{\"content\":\"{number}\",\"tokens\":1}},{{\"content\":\"big\",\"tokens\":99}}],\
         \"budget\":{{\"maxTokens\":10,\"targetTokens\":10}},\"policy\":\"chat\"}}\n"
    )
}

#[test]
fn every_line_has_its_answer_in_its_place() {
    let mut input: String = (1..=500).map(request).collect();
    input += "{oops\n\n";
    input += request(503).trim_end();
    let assert = cupel().args(["batch"]).write_stdin(input).assert().code(1);
    let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let responses = json_lines(&out);
    assert_eq!(responses.len(), 503);
    for (at, response) in responses.iter().enumerate() {
        match at + 1 {
            501 | 502 => {
                assert_eq!(response["error"]["code"], "InvalidRequest");
                let message = response["error"]["message"].as_str().unwrap();
                assert!(message.contains(&format!("line {},", at + 1)), "{message}");
            }
            number => assert_eq!(response["items"][0]["content"], number.to_string()),
        }
    }
    assert.stderr(
        contains("2 of 503 requests failed")
            .and(contains("error: the first: line 501: InvalidRequest: "))
            .and(contains("line 502").not()),
    );
}

#[test]
fn refusals_keep_their_code() {
    let pinned = "{\"items\":[{\"content\":\"a\",\"tokens\":9,\"pinned\":true}],\
                  \"budget\":{\"maxTokens\":1,\"targetTokens\":1},\"policy\":\"chat\"}\n";
    let assert = cupel().args(["batch", "-"]).write_stdin(pinned).assert().code(1);
    assert.stdout(contains("\"code\":\"PinnedExceedsBudget\""));
}

#[test]
fn without_timings_equal_requests_have_equal_responses() {
    let out = stdout_of(
        cupel().args(["batch", "--no-timings", "--jobs", "3"]).write_stdin(request(1).repeat(50)),
    );
    assert!(out.lines().all(|line| Some(line) == out.lines().next()));
}

#[test]
fn no_lines_have_no_answers() {
    cupel().args(["batch"]).write_stdin("").assert().success().stdout("");
}

#[test]
fn unknown_keys_in_policies_pass_leniently() {
    let line = "{\"items\":[],\"budget\":{\"maxTokens\":1,\"targetTokens\":1},\
                \"policy\":{\"scorers\":[{\"type\":\"recency\",\"weight\":1}],\"x\":1}}\n";
    cupel().args(["batch"]).write_stdin(line).assert().code(1);
    cupel().args(["batch", "--lenient"]).write_stdin(line).assert().success();
}

#[test]
fn lines_over_the_limit_are_errors_in_place() {
    let input = format!("{}{}{}", request(1), "x".repeat(5_000_000) + "\n", request(3));
    let mut command = cupel();
    let assert = command.args(["batch", "--max-line", "1000"]).write_stdin(input).assert().code(1);
    let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let responses = json_lines(&out);
    let message = responses[1]["error"]["message"].as_str().unwrap();
    assert_eq!(message, "line 2 is longer than 1000 bytes; raise --max-line");
    assert_eq!(responses[2]["items"][0]["content"], "3");
}

#[test]
fn files_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.jsonl"), folder.path().join("out.jsonl"));
    std::fs::write(&input, (1..=20).map(request).collect::<String>()).unwrap();
    cupel()
        .arg("batch")
        .arg(&input)
        .arg("-o")
        .arg(&output)
        .assert()
        .success()
        .stdout("")
        .stderr("");
    assert_eq!(std::fs::read_to_string(&output).unwrap().lines().count(), 20);
}

#[test]
fn an_answer_is_there_before_the_next_question() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cupel"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 1..=3 {
        stdin.write_all(request(number).as_bytes()).unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.contains(&format!("\"content\":\"{number}\"")));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn items_keep_their_own_keys_and_requests_their_name() {
    let line = "{\"id\":\"q1\",\"items\":[{\"id\":7,\"role\":\"user\",\"content\":\"a\",\"tokens\":1}],\
                \"budget\":{\"maxTokens\":9},\"policy\":\"chat\"}\n";
    let out = stdout_of(cupel().arg("batch").write_stdin(line));
    let response = &json_lines(&out)[0];
    assert_eq!((&response["id"], &response["items"][0]["id"]), (&"q1".into(), &7.into()));
    assert_eq!(response["items"][0]["role"], "user");
    let failed = line.replace("chat", "chta");
    let assert = cupel().arg("batch").write_stdin(failed).assert().code(1);
    assert
        .stdout(contains("{\"id\":\"q1\",\"error\":"))
        .stderr(contains("1 of 1 request failed").and(contains("did you mean \"chat\"?")));
}

#[test]
fn missing_tokens_are_counted_by_flag_or_by_request() {
    let line = |more: &str| {
        format!(
            "{{{more}\"items\":[{{\"content\":\"hello world\"}},{{\"content\":\"x\",\"tokens\":5}}],\
             \"budget\":{{\"maxTokens\":9}},\"policy\":\"chat\"}}\n"
        )
    };
    let total = |command: &mut assert_cmd::Command| {
        json_lines(&stdout_of(command))[0]["totalTokens"].clone()
    };
    assert_eq!(total(cupel().args(["batch", "-t", "cl100k_base"]).write_stdin(line(""))), 7);
    let named = line("\"count\":\"o200k_base\",");
    assert_eq!(total(cupel().arg("batch").write_stdin(named)), 7);
    let by_model = line("\"count\":\"openai/gpt-4o-mini\",");
    assert_eq!(total(cupel().arg("batch").write_stdin(by_model)), 7);
    for named in ["gpt-4o", "o200k_base"] {
        let mut batch = cupel();
        assert_eq!(total(batch.args(["batch", "-t", named]).write_stdin(line(""))), 7);
    }
    let neither = cupel().arg("batch").write_stdin(line("")).assert().code(1);
    neither.stderr(contains("missing key \"tokens\"").and(contains("--tokenizer o200k_base")));
    let unknown = cupel().arg("batch").write_stdin(line("\"count\":\"latin\",")).assert().code(1);
    unknown.stderr(contains("\"latin\""));
}

#[test]
fn a_shorter_form_keeps_the_keys_of_the_whole() {
    let line = "{\"items\":[{\"id\":1,\"content\":\"a long text\",\"tokens\":50,\
                \"variants\":[{\"content\":\"short\",\"tokens\":5}]}],\
                \"budget\":{\"maxTokens\":10},\"policy\":\"chat\"}\n";
    let response = json_lines(&stdout_of(cupel().arg("batch").write_stdin(line))).remove(0);
    assert_eq!(
        (&response["items"][0]["id"], &response["items"][0]["content"]),
        (&1.into(), &"short".into())
    );
}
