//! Pipes that close, streams that may not be read or written, policies without end.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use super::{plain_cupel, printers, workplace};
use crate::{CHAT, root};

#[test]
fn whoever_reads_only_the_first_line_hears_no_complaint() {
    let folder = workplace();
    for arguments in printers(folder.path()) {
        let output = Command::new("bash")
            .args(["-c", "\"$@\" | head -1 > /dev/null; exit ${PIPESTATUS[0]}", "bash"])
            .arg(env!("CARGO_BIN_EXE_cupel"))
            .args(&arguments)
            .current_dir(root())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn standard_output_that_may_not_be_written_to_is_an_error() {
    let read_only = File::open("/dev/null").unwrap();
    let output =
        plain_cupel().args(["select", CHAT, "-b", "800"]).stdout(read_only).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"), "{output:?}");
}

#[test]
fn standard_output_may_be_named_as_a_file() {
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let mut command = plain_cupel();
        let output = command.args(["select", CHAT, "-b", "800", "-o", name]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 33);
    }
}

#[test]
fn standard_input_that_holds_nothing_to_read_is_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let write_only = File::create(folder.path().join("file")).unwrap();
    for stdin in [Stdio::null(), Stdio::from(write_only)] {
        let output = plain_cupel().args(["select", "-b", "9"]).stdin(stdin).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
    }
    for command in ["select", "batch"] {
        let stdin = File::open(folder.path()).unwrap();
        let mut cupel = plain_cupel();
        let cupel = if command == "select" {
            cupel.args(["select", "-b", "9"])
        } else {
            cupel.arg(command)
        };
        let output = cupel.stdin(stdin).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
    }
}

#[test]
fn a_policy_without_end_is_refused_after_its_first_megabytes() {
    const WINDOWS: usize = 1_000_000_000;
    let mut child = plain_cupel()
        .args(["select", CHAT, "-b", "800", "--policy", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let start = b"{\"scorers\": [{\"type\": \"decay\", \"weight\": 1, \"curve\": {\"type\": \"step\", \"windows\": [";
    stdin.write_all(start).unwrap();
    let thousand = "{\"maxAgeSeconds\": 1, \"score\": 1},".repeat(1_000);
    let mut written = 0;
    for _ in 0..WINDOWS / 1_000 {
        match stdin.write_all(thousand.as_bytes()) {
            Ok(()) => written += thousand.len(),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::BrokenPipe);
                break;
            }
        }
    }
    let output = child.wait_with_output().unwrap();
    assert!(written < 6 << 20, "{written} bytes were read");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("longer than 4194304 bytes"), "{told}");
}

#[test]
fn an_item_of_a_hundred_megabytes_passes_through() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("items.jsonl"), folder.path().join("out"));
    let text = "x".repeat(100 << 20);
    let line = format!("{{\"content\": \"{text}\", \"tokens\": 1}}\n");
    fs::write(&input, &line).unwrap();
    let mut command = plain_cupel();
    let output =
        command.args(["select", "-b", "9"]).arg(&input).arg("-o").arg(&out).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read(&out).unwrap() == line.as_bytes());
}
