//! The unit of work for batches, servers and bindings: items, budget and policy in one object.

mod budget;
mod item;

pub(crate) use budget::budget;
pub(crate) use item::{ItemRules, item, item_by};

use cupel::{ContextBudget, ContextItem};
use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{Node, Path};
use crate::policy::{PolicyDefinition, PolicyFile};
use crate::preset::Preset;
use crate::read::{Context, Fields, list};
use crate::{Loader, PolicyError};

/// What to select from, how much, and how.
///
/// ```
/// use cupel_policy::Request;
///
/// let request = Request::from_json(
///     r#"{
///         "items": [{ "content": "hello", "tokens": 2 }],
///         "budget": { "maxTokens": 100, "targetTokens": 80 },
///         "policy": "chat"
///     }"#,
/// )?;
/// assert_eq!(request.items.len(), 1);
/// # Ok::<(), cupel_policy::PolicyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request {
    /// The candidates.
    pub items: Vec<ContextItem>,
    /// How much may be selected.
    pub budget: ContextBudget,
    /// How it is selected.
    pub policy: PolicySource,
}

/// A policy where one is expected: a preset by name, or all of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PolicySource {
    /// A preset.
    Preset(Preset),
    /// A policy.
    File(Box<PolicyFile>),
}

impl PolicySource {
    /// The policy, spelled out.
    pub fn to_policy_file(&self) -> PolicyFile {
        match self {
            Self::Preset(preset) => preset.policy_file(),
            Self::File(file) => PolicyFile::clone(file),
        }
    }

    /// The same without a copy.
    pub fn into_policy_file(self) -> PolicyFile {
        match self {
            Self::Preset(preset) => preset.policy_file(),
            Self::File(file) => *file,
        }
    }
}

impl From<Preset> for PolicySource {
    fn from(preset: Preset) -> Self {
        Self::Preset(preset)
    }
}

impl From<PolicyFile> for PolicySource {
    fn from(file: PolicyFile) -> Self {
        Self::File(Box::new(file))
    }
}

impl Request {
    /// Reads a request whose policy has built-in strategies only; see
    /// [`Loader::parse_request`](crate::Loader::parse_request) for custom ones.
    ///
    /// # Errors
    /// With every problem of the request, each with its place.
    pub fn from_json(json: &str) -> Result<Self, PolicyError> {
        Loader::new().parse_request(json)
    }
}

/// Reads a request.
pub(crate) fn request(
    loader: &Loader,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Request> {
    let mut fields = Fields::of(node, path, "a request object", context)?;
    let items = fields.required("items", context, list(item));
    let budget = fields.required("budget", context, budget);
    let policy = fields.required("policy", context, |node, path, context| {
        loader.read_policy_or_preset(node, path, context)
    });
    fields.finish(context);
    Some(Request { items: items?, budget: budget?, policy: policy? })
}

/// What to select from, how much, and how.
#[derive(JsonSchema)]
#[schemars(rename = "Request", deny_unknown_fields)]
#[expect(dead_code, reason = "describes requests to the schema generator")]
pub(crate) struct RequestDefinition<'a> {
    /// The candidates.
    items: Vec<ContextItem>,
    /// How much may be selected.
    budget: ContextBudget,
    /// How it is selected: the name of a preset, or a policy.
    policy: PolicySourceDefinition<'a>,
}

#[derive(JsonSchema)]
#[schemars(inline, untagged)]
#[expect(dead_code, reason = "describes requests to the schema generator")]
enum PolicySourceDefinition<'a> {
    Preset(Preset),
    Policy(Box<PolicyDefinition<'a>>),
}
