//! The answer to a request.

use std::fmt;

use cupel::{ContextItem, CupelError, OverflowEvent, SelectionReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{INVALID_REQUEST, PolicyError};

/// What a request was answered with: a window, or why there is none.
///
/// Written, it is either the fields of [`Selected`] or `{ "error": { "code", "message" } }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(description = "What a request was answered with: a window, or why there is none.")]
pub enum Response {
    /// The window.
    Selected(Box<Selected>),
    /// Why there is none.
    Failed {
        /// What went wrong.
        error: Failure,
    },
}

/// A window, and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Selected {
    /// The window, in its order.
    pub items: Vec<ContextItem>,
    /// Sum of its tokens.
    #[serde(alias = "total_tokens")]
    pub total_tokens: i64,
    /// What was decided about every candidate.
    pub report: SelectionReport,
    /// By how much the window is too large, where the policy lets that pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflow: Option<OverflowEvent>,
}

/// Why there is no window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Failure {
    /// The name of the [`CupelError`] variant behind it, or [`INVALID_REQUEST`]: for programs.
    #[schemars(
        description = "Who refused: the name of an error of the engine, or InvalidRequest."
    )]
    pub code: String,
    /// What is wrong, and where: for people.
    pub message: String,
}

impl Response {
    /// The window, if there is one.
    pub fn selected(&self) -> Option<&Selected> {
        match self {
            Self::Selected(selected) => Some(selected),
            Self::Failed { .. } => None,
        }
    }

    /// Why there is none, if there is none.
    pub fn error(&self) -> Option<&Failure> {
        match self {
            Self::Selected(_) => None,
            Self::Failed { error } => Some(error),
        }
    }

    /// The response on one line.
    ///
    /// An item whose timestamp JSON cannot write, which no request read from JSON has, gives an
    /// error response.
    pub fn to_json(&self) -> String {
        let written = serde_json::to_string(self);
        written.unwrap_or_else(|error| {
            let failure = Self::invalid(format!("the response cannot be written: {error}"));
            serde_json::to_string(&failure).unwrap_or_default()
        })
    }

    pub(crate) fn invalid(message: String) -> Self {
        Self::Failed { error: Failure { code: INVALID_REQUEST.to_owned(), message } }
    }
}

impl From<CupelError> for Response {
    fn from(error: CupelError) -> Self {
        let (code, message) = (error.name().to_owned(), error.to_string());
        Self::Failed { error: Failure { code, message } }
    }
}

impl From<PolicyError> for Response {
    fn from(error: PolicyError) -> Self {
        let (code, message) = (error.code().to_owned(), error.to_string());
        Self::Failed { error: Failure { code, message } }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}
