//! LangChain in a process of its own, asked for one turn at a time.

use serde_json::json;

use crate::python::Python;

/// What LangChain took for a request, in seconds on the processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trimmed {
    pub(crate) plain: f64,
    /// With a counter that counts every message once a call.
    pub(crate) remembering: f64,
    /// What it counted before trimming.
    pub(crate) tokens: i64,
}

pub(crate) struct Peer(Python);

impl Peer {
    pub(crate) fn start() -> Result<Self, String> {
        Python::start("trim_messages.py").map(Self)
    }

    /// One turn.
    pub(crate) fn trim(&mut self, text: &str, budget: i64) -> Result<Trimmed, String> {
        let answer = self.0.ask(&json!({"text": text, "budget": budget}))?;
        let seconds = |of: &str| answer[of].as_f64().ok_or(format!("no {of}: {answer}"));
        Ok(Trimmed {
            plain: seconds("plain")?,
            remembering: seconds("remembering")?,
            tokens: answer["tokens"].as_i64().ok_or(format!("no tokens: {answer}"))?,
        })
    }
}
