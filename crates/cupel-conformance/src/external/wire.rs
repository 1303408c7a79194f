//! Requests and responses as JSON. `PROTOCOL.md` is the reference for people.

use serde::{Deserialize, Serialize};

use crate::engine::{
    Answer, Entry, MarginalItemsTask, MinBudgetTask, PlaceTask, Refusal, RunTask, ScoreTask,
    SensitivityTask, SliceTask,
};

/// The version both sides must speak.
pub const PROTOCOL_VERSION: u32 = 1;

/// One line to the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Request {
    /// Given back in the response.
    pub(super) id: u64,
    #[serde(flatten)]
    pub(super) question: Question,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "operation", content = "task", rename_all = "snake_case")]
pub(super) enum Question {
    Hello(Hello),
    Score(ScoreTask),
    Slice(SliceTask),
    Place(PlaceTask),
    Run(RunTask),
    MarginalItems(MarginalItemsTask),
    FindMinBudget(MinBudgetTask),
    Sensitivity(SensitivityTask),
}

impl Question {
    /// What makes no sense about it, although it is written correctly.
    pub(super) fn nonsense(&self) -> Option<String> {
        match self {
            Self::Hello(_) => None,
            Self::Score(task) => stray(&task.items, task.list.iter().chain(&task.wanted)),
            Self::Slice(task) => stray(&task.items, []).or(uneven(&task.items, &task.scores)),
            Self::Place(task) => stray(&task.items, []).or(uneven(&task.items, &task.scores)),
            Self::Run(task) => stray(&task.items, []),
            Self::MarginalItems(task) => stray(&task.items, []),
            Self::FindMinBudget(task) => stray(&task.items, [&task.target]),
            Self::Sensitivity(task) => stray(&task.items, []),
        }
    }
}

/// A position that is named and does not exist, or not yet.
fn stray<'t>(entries: &[Entry], named: impl IntoIterator<Item = &'t usize>) -> Option<String> {
    let not_earlier = entries.iter().enumerate().find_map(|(at, entry)| match entry {
        Entry::SameAs { same_as } if *same_as >= at => Some(same_as),
        _ => None,
    });
    let stray = not_earlier.or_else(|| named.into_iter().find(|at| **at >= entries.len()))?;
    Some(format!("position {stray} names no item, or a later one"))
}

fn uneven(entries: &[Entry], scores: &[f64]) -> Option<String> {
    let (items, scores) = (entries.len(), scores.len());
    (items != scores).then(|| format!("there are {scores} scores for {items} items"))
}

/// Who is there?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) protocol: u32,
}

/// The answer to a [`Hello`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Welcome {
    pub(super) id: u64,
    pub(super) protocol: u32,
    pub(super) engine: String,
}

/// One line from the program: answers, or why there are none.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Response<T> {
    pub(super) id: u64,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<Vec<WireAnswer<T>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_supported: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) broken: Option<String>,
}

/// A default that does not ask for one of `T`.
fn none<T>() -> Option<T> {
    None
}

/// An [`Answer`] with its two outcomes as two fields, of which one is there.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireAnswer<T> {
    path: String,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    result: Option<T>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Refusal>,
}

impl<T> From<Answer<T>> for WireAnswer<T> {
    fn from(answer: Answer<T>) -> Self {
        let (result, error) = match answer.outcome {
            Ok(result) => (Some(result), None),
            Err(refusal) => (None, Some(refusal)),
        };
        Self { path: answer.path, result, error }
    }
}

impl<T> TryFrom<WireAnswer<T>> for Answer<T> {
    type Error = String;

    fn try_from(answer: WireAnswer<T>) -> Result<Self, String> {
        match (answer.result, answer.error) {
            (Some(result), None) => Ok(Self::new(answer.path, Ok(result))),
            (None, Some(refusal)) => Ok(Self::new(answer.path, Err(refusal))),
            _ => Err(format!("answer {:?} needs either a result or an error", answer.path)),
        }
    }
}
