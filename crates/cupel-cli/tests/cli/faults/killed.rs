//! Killed at any moment, which no handler hears of.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::{partial_files, plain_cupel, request, workplace, writers};

/// How often each command is killed; more of it with `CUPEL_KILLS=1000`.
fn attempts() -> u32 {
    std::env::var("CUPEL_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(25).max(5)
}

#[test]
fn killed_at_any_moment_every_command_leaves_the_old_file_or_the_complete_new_one() {
    let folder = workplace();
    let out = folder.path().join("out");
    let (mut killed, mut finished, mut midway) = (0, 0, 0);
    for writer in writers(folder.path()) {
        let (name, mut command) = (writer.name, writer.to(&out));
        let started = Instant::now();
        assert!(command.status().unwrap().success(), "{name}");
        let usual = started.elapsed();
        let complete = fs::read(&out).unwrap();
        for attempt in 0..attempts() {
            fs::write(&out, "old").unwrap();
            let mut child = command.stderr(Stdio::null()).spawn().unwrap();
            // Every moment from the start to a little after the usual end.
            thread::sleep(usual * attempt / (attempts() - 3));
            child.kill().unwrap();
            let survived = child.wait().unwrap().success();
            let found = fs::read(&out).unwrap();
            assert!(
                found == complete || (found == b"old" && !survived),
                "{name}, attempt {attempt}: {} bytes of {}",
                found.len(),
                complete.len()
            );
            *(if survived { &mut finished } else { &mut killed }) += 1;
            for left in partial_files(folder.path()) {
                midway += 1;
                assert!(left.file_name().unwrap().to_str().unwrap().starts_with(".out."));
                fs::remove_file(left).unwrap();
            }
        }
    }
    println!("{killed} killed, {midway} of them while writing; {finished} were done before");
    assert!(killed > 0 && midway > 0, "{killed} killed, {midway} of them while writing");
}

#[test]
fn killed_in_the_middle_of_a_batch_what_is_written_stays_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("answers.jsonl");
    fs::write(&out, "old").unwrap();
    let mut child =
        plain_cupel().args(["batch", "-o"]).arg(&out).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for number in 0..50 {
        stdin.write_all(request(number).as_bytes()).unwrap();
    }
    let written = |path: &Path| fs::metadata(path).is_ok_and(|it| it.len() > 0);
    let started = Instant::now();
    while !partial_files(folder.path()).iter().any(|path| written(path)) {
        assert!(started.elapsed() < Duration::from_secs(20), "nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    let left = partial_files(folder.path());
    assert_eq!(left.len(), 1);
    let name = left[0].file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(".answers.jsonl.") && name.ends_with(".partial"), "{name}");
}
