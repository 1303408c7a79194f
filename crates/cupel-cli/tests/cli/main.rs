//! The command as its users see it: arguments in; stdout, stderr, files and exit code out.

mod bad_input;
mod batch;
mod compare;
mod count;
mod eval;
mod explain;
#[cfg(target_os = "linux")]
mod faults;
mod habits;
mod marginal;
mod messages;
mod min_budget;
mod quality;
mod query;
mod reference;
mod schemas;
mod select;
mod sessions;
mod stream;
mod terminal;
mod units;
mod warnings;

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// `cupel` in a clean environment, run from the root of the workspace.
fn cupel() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupel"));
    command.current_dir(root());
    for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
        command.env_remove(variable);
    }
    command
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a successful run prints.
fn stdout_of(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("output is UTF-8")
}

/// Lines of JSON, read.
fn json_lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

const CHAT: &str = "examples/data/support-chat.jsonl";
const RAG: &str = "examples/data/rag-candidates.json";
const AGENT: &str = "examples/data/agent-log.jsonl";
