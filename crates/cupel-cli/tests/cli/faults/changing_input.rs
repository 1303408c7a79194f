//! Files that shrink, grow or are replaced while they are read.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};

use super::{plain_cupel, request};

const LINES: usize = 600;

/// A file of many requests, and how long the first half of it is.
fn requests(path: &Path) -> u64 {
    let mut file = File::create(path).unwrap();
    let mut half = 0;
    for number in 0..LINES {
        let line = request(number);
        half += if number < LINES / 2 { line.len() as u64 } else { 0 };
        file.write_all(line.as_bytes()).unwrap();
    }
    half
}

/// A batch that has given its first answer and waits, because nobody takes the others: most of its
/// input is still to be read.
fn waiting_batch(input: &Path) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = plain_cupel()
        .args(["batch", "--no-timings", "--jobs", "1"])
        .arg(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    answers.read_line(&mut first).unwrap();
    (child, answers)
}

fn finish(mut child: Child, answers: BufReader<std::process::ChildStdout>) -> (usize, i32, String) {
    let lines = 1 + answers.lines().count();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    (lines, child.wait().unwrap().code().unwrap(), told)
}

#[test]
fn input_that_shrinks_between_two_lines_does_not_pass_for_complete() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("requests.jsonl");
    let half = requests(&input);
    let (child, answers) = waiting_batch(&input);
    File::options().write(true).open(&input).unwrap().set_len(half).unwrap();
    let (lines, code, told) = finish(child, answers);
    assert_eq!((lines, code), (LINES / 2, 2), "{told}");
    assert!(told.contains("it shrank meanwhile"), "{told}");
}

#[test]
fn input_that_grows_is_read_to_its_new_end() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("requests.jsonl");
    requests(&input);
    let (child, answers) = waiting_batch(&input);
    let mut file = File::options().append(true).open(&input).unwrap();
    file.write_all(request(LINES).as_bytes()).unwrap();
    let (lines, code, told) = finish(child, answers);
    assert_eq!((lines, code), (LINES + 1, 0), "{told}");
}

#[test]
fn input_that_is_replaced_is_read_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (input, other) = (folder.path().join("requests.jsonl"), folder.path().join("other"));
    requests(&input);
    fs::write(&other, "{}\n").unwrap();
    let (child, answers) = waiting_batch(&input);
    fs::rename(&other, &input).unwrap();
    let (lines, code, told) = finish(child, answers);
    assert_eq!((lines, code), (LINES, 0), "{told}");
}

#[test]
fn input_that_is_removed_is_read_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("requests.jsonl");
    requests(&input);
    let (child, answers) = waiting_batch(&input);
    fs::remove_file(&input).unwrap();
    let (lines, code, told) = finish(child, answers);
    assert_eq!((lines, code), (LINES, 0), "{told}");
}

#[test]
fn bytes_that_are_no_text_in_the_middle_of_much_input_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("items.jsonl");
    let mut bytes: Vec<u8> = (0..1_000).map(super::item).collect::<String>().into_bytes();
    let place = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(499).unwrap().0;
    bytes[place + 20] = 0xff;
    fs::write(&input, &bytes).unwrap();
    let output = plain_cupel().args(["select", "-b", "99"]).arg(&input).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("items.jsonl:501:20: the byte 0xff is not valid UTF-8"), "{told}");

    // A batch goes on with the next line.
    let lines = [request(0).as_bytes(), b"{\"items\": \"\xff\"}\n", request(2).as_bytes()].concat();
    fs::write(&input, lines).unwrap();
    let output = plain_cupel().arg("batch").arg(&input).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let answers = crate::json_lines(std::str::from_utf8(&output.stdout).unwrap());
    assert_eq!(answers[1]["error"]["code"], "InvalidRequest");
    assert!(answers[0]["items"].is_array() && answers[2]["items"].is_array());
}
