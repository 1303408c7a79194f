//! What goes wrong around a command: disks, permissions, signals, files that change, pipes.
//!
//! Whatever happens, a file under the name that was asked for is the old one or the complete new
//! one.

mod changing_input;
mod killed;
mod streams;
mod unwritable;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::root;

/// Says so where no test runner hides it: a test that did not run must not look like one that did.
fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED, {what}");
}

/// A command that writes results to a file.
struct Writer {
    name: &'static str,
    arguments: Vec<String>,
    /// What to put before the name of the file.
    flag: &'static str,
}

impl Writer {
    fn new(name: &'static str, line: &str, flag: &'static str) -> Self {
        Self { name, arguments: line.split(' ').map(str::to_owned).collect(), flag }
    }

    /// The command with `out` as its output.
    fn to(&self, out: &Path) -> Command {
        let mut command = plain_cupel();
        command.args(&self.arguments).arg(self.flag).arg(out);
        command
    }
}

/// Every command that writes files.
fn writers(folder: &Path) -> Vec<Writer> {
    let items = format!("{} --budget 4000", folder.join("items.jsonl").display());
    let requests = folder.join("requests.jsonl").display().to_string();
    let in_folder = |command: &str| format!("{command} {items}");
    vec![
        Writer::new("select", &in_folder("select"), "-o"),
        Writer::new("explain", &in_folder("explain --all"), "-o"),
        Writer::new("explain --json", &in_folder("explain --json --no-timings"), "-o"),
        Writer::new("explain --html", &in_folder("explain"), "--html"),
        Writer::new("compare", &in_folder("compare --policy chat --policy rag"), "-o"),
        Writer::new("marginal", &in_folder("marginal --slack 2000"), "-o"),
        Writer::new("batch", &format!("batch --no-timings {requests}"), "-o"),
        Writer::new(
            "count",
            &format!("count --fill {}", folder.join("items.jsonl").display()),
            "-o",
        ),
        Writer::new("conformance", "conformance", "-o"),
    ]
}

/// Every command that prints results.
fn printers(folder: &Path) -> Vec<Vec<String>> {
    let writers = writers(folder).into_iter().filter(|writer| writer.flag == "-o");
    let items = folder.join("items.jsonl").display().to_string();
    let others = [
        &format!("min-budget --item 3 {items}"),
        "presets",
        "presets rag",
        "schema item",
        "completions bash",
        "man",
    ];
    let others = others.map(|line| line.split(' ').map(str::to_owned).collect());
    writers.map(|writer| writer.arguments).chain(others).collect()
}

/// A folder with candidates and requests to work on.
fn workplace() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let items: String = (0..400).map(item).collect();
    fs::write(folder.path().join("items.jsonl"), items).unwrap();
    let requests: String = (0..40).map(request).collect();
    fs::write(folder.path().join("requests.jsonl"), requests).unwrap();
    folder
}

fn item(number: usize) -> String {
    let text = "lorem ipsum ".repeat(1 + number % 20);
    let tokens = 3 * (1 + number % 20);
    let time = format!("2025-01-01T{:02}:{:02}:00Z", number / 60 % 24, number % 60);
    format!(
        "{{\"content\": \"{number} {text}\", \"tokens\": {tokens}, \"timestamp\": \"{time}\"}}\n"
    )
}

fn request(number: usize) -> String {
    let items: Vec<_> = (0..20).map(|at| item(100 * number + at).trim().to_owned()).collect();
    let budget = "{\"maxTokens\": 400, \"targetTokens\": 400}";
    format!("{{\"items\": [{}], \"budget\": {budget}, \"policy\": \"chat\"}}\n", items.join(", "))
}

/// `cupel` with nothing of `assert_cmd`, to be spawned, killed and limited.
fn plain_cupel() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupel"));
    command.current_dir(root());
    command
}

/// The hidden files of outputs that were never finished.
fn partial_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|it| it == "partial")).collect()
}
