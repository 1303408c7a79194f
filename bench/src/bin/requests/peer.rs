//! LangChain in a process of its own, asked for one turn at a time.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// What LangChain took for a request, in seconds on the processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trimmed {
    pub(crate) plain: f64,
    /// With a counter that counts every message once a call.
    pub(crate) remembering: f64,
    /// What it counted before trimming.
    pub(crate) tokens: i64,
}

pub(crate) struct Peer {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    pub(crate) fn start() -> Result<Self, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("trim_messages.py");
        let command = Command::new("python3")
            .arg(&script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut process =
            command.map_err(|error| format!("python3: {error}; `--alone` does without it"))?;
        let requests = process.stdin.take().expect("it is piped");
        let answers = BufReader::new(process.stdout.take().expect("it is piped"));
        Ok(Self { process, requests, answers })
    }

    /// One turn.
    pub(crate) fn trim(&mut self, text: &str, budget: i64) -> Result<Trimmed, String> {
        self.ask(text, budget).ok_or_else(|| {
            "LangChain's process gave no answer; `--alone` does without it".to_owned()
        })
    }

    fn ask(&mut self, text: &str, budget: i64) -> Option<Trimmed> {
        writeln!(self.requests, "{}", json!({"text": text, "budget": budget})).ok()?;
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        let answer: Value = serde_json::from_str(&line).ok()?;
        Some(Trimmed {
            plain: answer["plain"].as_f64()?,
            remembering: answer["remembering"].as_f64()?,
            tokens: answer["tokens"].as_i64()?,
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends by itself when nobody can ask any more; not even that is needed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
