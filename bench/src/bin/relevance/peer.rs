//! bm25s and rank_bm25 in a process of their own.

use serde_json::{Value, json};

use crate::python::Python;
use crate::turn::Asked;

pub(crate) struct Peers(Python);

/// What both took and found.
#[derive(Debug)]
pub(crate) struct Theirs {
    pub(crate) bm25s: Asked,
    pub(crate) rank_bm25: Asked,
}

impl Peers {
    pub(crate) fn start() -> Result<Self, String> {
        Python::start("search_passages.py").map(Self)
    }

    pub(crate) fn index(&mut self, passages: &[String]) -> Result<(), String> {
        self.0.ask(&json!({"passages": passages})).map(|_| ())
    }

    /// One turn.
    pub(crate) fn ask(&mut self, questions: &[String]) -> Result<Theirs, String> {
        let answer = self.0.ask(&json!({"questions": questions}))?;
        let asked = |name: &str| asked(&answer[name]).ok_or(format!("no {name}: {answer}"));
        Ok(Theirs { bm25s: asked("bm25s")?, rank_bm25: asked("rank_bm25")? })
    }
}

fn asked(answer: &Value) -> Option<Asked> {
    let top = answer["top"].as_array()?.iter().flat_map(Value::as_u64);
    Some(Asked {
        cold: answer["cold"].as_f64()?,
        kept: answer["kept"].as_f64()?,
        top: top.map(|at| at as usize).collect(),
    })
}
