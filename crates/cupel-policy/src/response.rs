//! The answer to a request.

use std::fmt;

use cupel::{ContextItem, CupelError, OverflowEvent, SelectionReport};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::own_keys::Complete;
use crate::{INVALID_REQUEST, OwnKeys, PolicyError, RequestId};

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
        /// What its request calls itself, as far as that could be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<RequestId>,
        /// What went wrong.
        error: Failure,
    },
}

/// A window, and how it came about.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Selected {
    /// What its request calls itself.
    pub id: Option<RequestId>,
    /// The window, in its order.
    #[schemars(schema_with = "items_with_own_keys")]
    pub items: Vec<ContextItem>,
    /// Keys of the caller's own, for each item of the window; empty where they are not passed
    /// through. Written, they stand in the items.
    #[serde(skip)]
    pub own_keys: Vec<OwnKeys>,
    /// Sum of its tokens.
    #[serde(alias = "total_tokens")]
    pub total_tokens: i64,
    /// What was decided about every candidate.
    pub report: SelectionReport,
    /// By how much the window is too large, where the policy lets that pass.
    pub overflow: Option<OverflowEvent>,
    /// The state of the request's session, for the next request.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub session: Option<serde_json::Value>,
    /// What the turn of the session was: what was done, what became of the prefix, what it costs.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub turn: Option<serde_json::Value>,
}

impl Serialize for Selected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sessions = usize::from(self.session.is_some()) + usize::from(self.turn.is_some());
        let optional = usize::from(self.id.is_some()) + usize::from(self.overflow.is_some());
        let optional = optional + sessions;
        let mut written = serializer.serialize_struct("Selected", 3 + optional)?;
        if let Some(id) = &self.id {
            written.serialize_field("id", id)?;
        }
        match self.own_keys.len() == self.items.len() {
            true => {
                let items = self.items.iter().zip(&self.own_keys);
                let items: Vec<_> = items.map(|(item, own)| Complete(item, own)).collect();
                written.serialize_field("items", &items)?;
            }
            false => written.serialize_field("items", &self.items)?,
        }
        written.serialize_field("totalTokens", &self.total_tokens)?;
        written.serialize_field("report", &self.report)?;
        if let Some(overflow) = &self.overflow {
            written.serialize_field("overflow", overflow)?;
        }
        if let Some(session) = &self.session {
            written.serialize_field("session", session)?;
        }
        if let Some(turn) = &self.turn {
            written.serialize_field("turn", turn)?;
        }
        written.end()
    }
}

/// Items that may have keys of the caller's own.
fn items_with_own_keys(generator: &mut SchemaGenerator) -> Schema {
    let mut item = ContextItem::json_schema(generator);
    item.remove("additionalProperties");
    json_schema!({ "type": "array", "items": item })
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
            Self::Failed { error, .. } => Some(error),
        }
    }

    /// What its request calls itself.
    pub fn id(&self) -> Option<&RequestId> {
        match self {
            Self::Selected(selected) => selected.id.as_ref(),
            Self::Failed { id, .. } => id.as_ref(),
        }
    }

    /// The same response to a request of that name.
    #[must_use]
    pub fn called(mut self, name: Option<RequestId>) -> Self {
        match &mut self {
            Self::Selected(selected) => selected.id = name,
            Self::Failed { id, .. } => *id = name,
        }
        self
    }

    /// The response on one line.
    ///
    /// An item whose timestamp JSON cannot write, which no request read from JSON has, gives an
    /// error response.
    pub fn to_json(&self) -> String {
        let written = serde_json::to_string(self);
        written.unwrap_or_else(|error| {
            let failure = Self::invalid(format!("the response cannot be written: {error}"))
                .called(self.id().cloned());
            serde_json::to_string(&failure).unwrap_or_default()
        })
    }

    pub(crate) fn invalid(message: String) -> Self {
        Self::Failed { id: None, error: Failure { code: INVALID_REQUEST.to_owned(), message } }
    }
}

impl From<CupelError> for Response {
    fn from(error: CupelError) -> Self {
        let message = match &error {
            CupelError::MissingQuery { scorer } => format!(
                "the scorer {scorer} judges items by a query, and this request has none; add \"query\": \"...\" to the \
                 request, or choose a policy without that scorer"
            ),
            other => other.to_string(),
        };
        Self::Failed { id: None, error: Failure { code: error.name().to_owned(), message } }
    }
}

impl From<PolicyError> for Response {
    fn from(error: PolicyError) -> Self {
        let (code, message) = (error.code().to_owned(), error.to_string());
        Self::Failed { id: None, error: Failure { code, message } }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}
