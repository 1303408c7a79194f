//! A Python program in a process of its own, asked one question at a time.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

/// Answers a line of JSON with a line of JSON.
pub(crate) struct Python {
    script: &'static str,
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Python {
    /// Starts a script of this folder.
    pub(crate) fn start(script: &'static str) -> Result<Self, String> {
        let command = Command::new("python3")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut process =
            command.map_err(|error| format!("python3: {error}; `--alone` does without it"))?;
        let questions = process.stdin.take().expect("it is piped");
        let answers = BufReader::new(process.stdout.take().expect("it is piped"));
        Ok(Self { script, process, questions, answers })
    }

    pub(crate) fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let mut line = String::new();
        let asked = writeln!(self.questions, "{question}");
        let answered = asked.and_then(|()| self.answers.read_line(&mut line));
        answered
            .ok()
            .and_then(|_| serde_json::from_str(&line).ok())
            .ok_or_else(|| format!("{} gave no answer; `--alone` does without it", self.script))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It ends by itself when nobody can ask any more; not even that is needed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
