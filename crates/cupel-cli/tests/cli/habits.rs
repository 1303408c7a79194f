//! What one expects of any command: pipes, files, interruption.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use predicates::str::contains;

use crate::{CHAT, cupel, root, stdout_of};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn output_files_appear_complete_and_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("window.jsonl");
    fs::write(&out, "old").unwrap();
    cupel().args(["select", CHAT, "-b", "800", "-o"]).arg(&out).assert().success().stdout("");
    let expected = stdout_of(cupel().args(["select", CHAT, "-b", "800"]));
    assert_eq!(fs::read_to_string(&out).unwrap(), expected);
    assert_eq!(names(folder.path()), ["window.jsonl"]);
}

#[test]
fn a_failure_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("window.jsonl");
    fs::write(&out, "old").unwrap();
    let input = "{\"content\":\"a\",\"tokens\":50,\"pinned\":true}\n";
    let mut command = cupel();
    command.args(["select", "-b", "10", "-o"]).arg(&out).write_stdin(input).assert().code(1);
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(names(folder.path()), ["window.jsonl"]);
}

#[test]
fn a_file_may_be_written_over_its_own_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chat.jsonl");
    fs::copy(root().join(CHAT), &file).unwrap();
    cupel().arg("select").arg(&file).args(["-b", "800", "-o"]).arg(&file).assert().success();
    let expected = stdout_of(cupel().args(["select", CHAT, "-b", "800"]));
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);
}

#[test]
fn places_that_cannot_be_written_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = cupel();
    let assert = command.args(["select", CHAT, "-b", "9", "-o"]).arg(folder.path()).assert();
    assert.code(2).stderr(contains("this is a folder"));
    let nowhere = folder.path().join("no/such/folder/out");
    let assert = cupel().args(["select", CHAT, "-b", "99", "-o"]).arg(nowhere).assert().code(2);
    assert.stderr(contains("its folder does not exist"));
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};

    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    cupel().args(["select", CHAT, "-b", "800", "-o"]).arg(&link).assert().success();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_ne!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);

    cupel().args(["select", CHAT, "-b", "800", "-o", "/dev/null"]).assert().success();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_the_work() {
    let assert = cupel().args(["select", CHAT, "-b", "800", "-o", "/dev/full"]).assert().code(1);
    assert.stderr(contains("cannot be written"));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cupel"))
        .args(["batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{}\n").unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    // Until it notices, it goes on reading.
    let line = format!("{{\"items\": [{}]}}\n", "0,".repeat(1000));
    while stdin.write_all(line.as_bytes()).is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn interruption_leaves_no_file_behind() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["INT", "TERM"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cupel"))
            .args(["batch", "-o"])
            .arg(folder.path().join("out.jsonl"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"{}\n{}\n").unwrap();
        let started = Instant::now();
        while names(folder.path()).is_empty() && started.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(names(folder.path()).len(), 1, "the partial file is there while it works");
        std::thread::sleep(Duration::from_millis(100));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(names(folder.path()), [] as [&str; 0], "{signal}");
    }
}

#[test]
fn a_dash_is_a_stream_on_both_sides() {
    let input = "{\"content\":\"a\",\"tokens\":1}\n";
    let mut command = cupel();
    let out = stdout_of(command.args(["select", "-", "-b", "9", "-o", "-"]).write_stdin(input));
    assert_eq!(out, input);
}

#[test]
fn nothing_but_the_result_is_on_stdout_and_nothing_on_stderr_without_a_terminal() {
    cupel().args(["select", CHAT, "-b", "800"]).assert().success().stderr("");
    cupel().args(["count", CHAT]).assert().success().stderr("");
    cupel().args(["min-budget", CHAT, "--item", "3"]).assert().success().stderr("");
}
