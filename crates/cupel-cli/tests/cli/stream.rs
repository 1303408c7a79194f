//! Lines that are read as they are needed, under a policy that streams.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use tempfile::TempDir;

use super::{CHAT, RAG, cupel, json_lines, stdout_of};

/// A policy file with these keys besides its scorer.
fn policy(keys: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("policy.json");
    let text = format!(r#"{{"scorers": [{{"type": "recency", "weight": 1}}], {keys}}}"#);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn item(number: usize, more: &str) -> String {
    format!("{{\"id\":{number},\"content\":\"note {number}\",\"tokens\":10{more}}}\n")
}

/// The numbers of the items that are selected from `input` in batches of two.
fn selected(input: &str, flags: &[&str]) -> Vec<u64> {
    let (_folder, policy) = policy(r#""slicerType": "stream", "streamBatchSize": 2"#);
    let mut command = cupel();
    command.args(["select", "-q", "-p"]).arg(policy).args(flags).write_stdin(input);
    json_lines(&stdout_of(&mut command)).iter().map(|it| it["id"].as_u64().unwrap()).collect()
}

#[test]
fn one_batch_of_everything_gives_what_greedy_gives_to_the_byte() {
    let (_folder, stream) = policy(r#""slicerType": "stream", "streamBatchSize": 1000"#);
    let (_other, greedy) = policy(r#""slicerType": "greedy""#);
    for format in ["jsonl", "json", "text", "markdown"] {
        let run = |policy: &PathBuf| {
            let mut command = cupel();
            command.args(["select", CHAT, "-b", "600", "-q", "-f", format, "-p"]).arg(policy);
            stdout_of(&mut command)
        };
        assert_eq!(run(&stream), run(&greedy), "{format}");
    }
}

#[test]
fn items_are_given_back_as_they_were_written() {
    let line = r#"{"mine": [1, {"a": "b"}],  "content":"é\u0041", "tokens" : 3}"#;
    let (_folder, policy) = policy(r#""slicerType": "stream""#);
    let mut command = cupel();
    command.args(["select", "-b", "9", "-p"]).arg(policy);
    assert_eq!(stdout_of(command.write_stdin(format!("\n{line}\r\n\n"))), format!("{line}\n"));
}

#[test]
fn a_shorter_form_has_the_keys_of_the_whole() {
    let more = ",\"variants\":[{\"content\":\"short\",\"tokens\":4}]";
    assert_eq!(selected(&item(7, more), &["-b", "5"]), [7]);
}

#[test]
fn arrays_are_read_whole() {
    let (_folder, stream) = policy(r#""slicerType": "stream", "streamBatchSize": 1"#);
    let (_other, greedy) = policy(r#""slicerType": "greedy""#);
    let run = |policy: &PathBuf| {
        stdout_of(cupel().args(["select", RAG, "-b", "300", "-q", "-p"]).arg(policy))
    };
    assert_eq!(run(&stream), run(&greedy));
}

/// `cupel` as a running program.
fn running(flags: &[&str], policy: &PathBuf) -> Child {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cupel"));
    command.args(["select", "-q", "-p"]).arg(policy).args(flags);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_stream_without_end_is_read_until_the_window_is_full() {
    let (_folder, policy) = policy(r#""slicerType": "stream""#);
    let mut child = running(&["-b", "500"], &policy);
    let mut input = child.stdin.take().unwrap();
    // Nobody closes the input: it ends when nobody reads it any more.
    let written = (0..).take_while(|number| input.write_all(item(*number, "").as_bytes()).is_ok());
    let written = written.count();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 50);
    assert!(written > 50);
}

#[test]
fn a_full_window_says_so_and_reads_on_for_pinned_items_if_told_to() {
    let notes: String = (0..6).map(|number| item(number, "")).collect();
    let input = format!("{notes}{}", item(9, ",\"pinned\":true"));
    assert_eq!(selected(&input, &["-b", "20"]), [0, 1]);
    assert_eq!(selected(&input, &["-b", "20", "--to-end"]), [9, 0]);
    let (_folder, policy) = policy(r#""slicerType": "stream", "streamBatchSize": 2"#);
    let mut command = cupel();
    command.args(["select", "-b", "20", "-p"]).arg(policy).write_stdin(input);
    command.assert().success().stderr(contains("full after 2 items").and(contains("--to-end")));
}

#[test]
fn a_bad_line_is_named_by_its_number_and_nothing_is_written() {
    let notes: String = (0..5).map(|number| item(number, "")).collect();
    let cases = [
        (r#"{"content": 5, "tokens": 1}"#.as_bytes(), ":7:13: content: expected a string"),
        (b"[{\"content\": \"a\", \"tokens\": 1}]", ":7:1: expected an item object"),
        (b"{\"content\": \"a\xff\", \"tokens\": 1}", ":7:15: the byte 0xff is not valid UTF-8"),
        (b"{\"content\": \"a\"", ":7:16: "),
    ];
    let (folder, policy) = policy(r#""slicerType": "stream", "streamBatchSize": 3"#);
    let output = folder.path().join("window.jsonl");
    for (line, problem) in cases {
        let input = [notes.as_bytes(), b"\n", line, b"\n"].concat();
        let mut command = cupel();
        command.args(["select", "-b", "1000", "-p"]).arg(&policy).arg("-o").arg(&output);
        let refused = command.write_stdin(input).assert().code(2);
        refused.stderr(contains(problem)).stdout(is_empty());
        assert!(!output.exists());
    }
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "nothing but the policy");
}

#[test]
fn slips_of_the_pen_are_told_once_with_their_first_line() {
    let input: String = (0..5).map(|number| item(number, ",\"timstamp\":1")).collect();
    let (_folder, policy) = policy(r#""slicerType": "stream", "streamBatchSize": 2"#);
    let mut command = cupel();
    command.args(["select", "-b", "1000", "-p"]).arg(policy).write_stdin(format!("\n{input}"));
    let told = contains("<stdin>:2:").and(contains("\"timstamp\" (and in 4 more items)"));
    command.assert().success().stderr(told);
}

#[test]
fn members_of_a_group_that_are_too_far_apart_are_refused_with_a_remedy() {
    let mut lines: Vec<_> = (0..9).map(|number| item(number, "")).collect();
    lines[1] = item(1, ",\"group\":\"tool 7\"");
    lines[3] = item(3, ",\"group\":\"tool 7\"");
    assert_eq!(selected(&lines.concat(), &["-b", "50"]), [0, 1, 3, 2, 4]);
    lines.swap(3, 8);
    let (_folder, policy) = policy(r#""slicerType": "stream", "streamBatchSize": 2"#);
    let mut command = cupel();
    command.args(["select", "-b", "1000", "-p"]).arg(policy).write_stdin(lines.concat());
    let told = contains("item 9 of the stream").and(contains("raise \"streamBatchSize\""));
    command.assert().code(2).stderr(told);
}

#[test]
fn count_quotas_need_the_whole_list_and_say_so() {
    let keys = r#""slicerType": "stream", "countQuotas": [{"kind": "Message", "capCount": 2}]"#;
    let (_folder, policy) = policy(keys);
    let input: String = (0..5).map(|number| item(number, "")).collect();
    let mut command = cupel();
    command.args(["select", "-b", "1000", "-p"]).arg(policy).write_stdin(input);
    let told = command.assert().success().stderr(contains("count quotas need the whole list"));
    assert_eq!(String::from_utf8_lossy(&told.get_output().stdout).lines().count(), 2);
}

#[test]
fn an_empty_window_says_why() {
    let (_folder, policy) = policy(r#""slicerType": "stream""#);
    let mut command = cupel();
    command.args(["select", "-b", "5", "-p"]).arg(policy).write_stdin(item(1, "") + &item(2, ""));
    let told = contains("nothing was selected: of 2 candidates none got in: BudgetExceeded 2");
    command.assert().success().stderr(told);
}

/// The most memory that a process had resident so far, in kB.
#[cfg(target_os = "linux")]
fn peak(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let (_folder, policy) = policy(r#""slicerType": "stream""#);
    let mut child = running(&["-b", "1000", "--to-end"], &policy);
    let mut input = child.stdin.take().unwrap();
    let mut write = |numbers: std::ops::Range<usize>| {
        for number in numbers {
            let long = format!(",\"note\":\"{}\"", "x".repeat(900));
            input.write_all(item(number, &long).as_bytes()).unwrap();
        }
    };
    write(0..2_000);
    let early = peak(&child);
    write(2_000..14_000);
    let late = peak(&child);
    drop(input);
    assert!(child.wait_with_output().unwrap().status.success());
    // Twelve megabytes went by.
    assert!(late < early + 2_000, "{early} kB, then {late} kB");
}
