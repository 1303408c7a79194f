//! The unit of work for batches, servers and bindings: items, budget and policy in one object.

mod budget;
mod id;
mod item;
mod query;

pub(crate) use budget::budget;
pub use id::RequestId;
pub(crate) use id::id_in;
pub(crate) use item::{Counts, ItemRules, ReadItem, Uncounted, item, item_by};

use chrono::{DateTime, Utc};
use cupel::{ContextBudget, ContextItem, Query, RunContext};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::error::ProblemKind;
use crate::json::{Node, Path, Value};
use crate::own_keys::OwnKeys;
use crate::policy::{PolicyDefinition, PolicyFile};
use crate::preset::Preset;
use crate::read::{Context, Fields, list, string, timestamp};
use crate::time::Time;
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
    /// What the caller calls it; its response is called the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<RequestId>,
    /// The candidates.
    pub items: Vec<ContextItem>,
    /// How much may be selected.
    pub budget: ContextBudget,
    /// How it is selected.
    pub policy: PolicySource,
    /// What the window is to answer, for scorers that judge by a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<Query>,
    /// When the run happens, whatever the clock shows.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_time")]
    pub now: Option<DateTime<Utc>>,
    /// The state of a session, for programs that keep one over many requests; see
    /// [`Responder::sessions`](crate::Responder::sessions).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<serde_json::Value>,
}

fn as_time<S: serde::Serializer>(
    now: &Option<DateTime<Utc>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    now.map(Time).serialize(serializer)
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

    /// What its run happens in: at its time, for its query.
    pub fn context(&self) -> RunContext {
        let context = self.now.map_or_else(RunContext::new, RunContext::at);
        match &self.query {
            Some(query) => context.with_query(query.clone()),
            None => context,
        }
    }
}

/// Counts the tokens of contents with the vocabulary or the model of that name.
pub(crate) type Count = dyn Fn(&str, &[&str]) -> Result<Vec<i64>, String> + Send + Sync;

/// How requests are read.
#[derive(Clone, Copy, Default)]
pub(crate) struct RequestRules<'r> {
    /// Whether unknown keys of items are kept instead of refused.
    pub(crate) pass_through: bool,
    pub(crate) count: Option<&'r Count>,
    /// What to count with where a request does not say.
    pub(crate) count_by: Option<&'r str>,
}

/// A request as read.
pub(crate) struct ReadRequest {
    pub(crate) request: Request,
    /// Those of each item; empty unless they are passed through.
    pub(crate) own_keys: Vec<OwnKeys>,
}

/// Reads a request.
pub(crate) fn request(
    loader: &Loader,
    rules: RequestRules<'_>,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<ReadRequest> {
    let mut fields = Fields::of(node, path, "a request object", context)?;
    let id = fields.optional("id", context, id::id);
    let count_by = fields.optional("count", context, |node, path, context| {
        let name = string(node, path, context)?;
        if rules.count.is_none() {
            let message = "tokens are not counted here; give every item its \"tokens\"".to_owned();
            context.problem(node, path, ProblemKind::Other { message });
        }
        Some(name)
    });
    let counter = rules.count.zip(count_by.as_deref().or(rules.count_by));
    let items = fields.required("items", context, |node, path, context| {
        items(rules.pass_through, counter, node, path, context)
    });
    let budget = fields.required("budget", context, budget::budget_of_request);
    let policy = fields.required("policy", context, |node, path, context| {
        loader.read_policy_or_preset(node, path, context)
    });
    let query = fields.optional("query", context, query::query);
    let now = fields.optional("now", context, timestamp);
    let session = fields.optional("session", context, session);
    fields.finish(context);
    let items = items?;
    let own_keys = match rules.pass_through {
        true => items.iter().map(|read| read.own_keys.clone()).collect(),
        false => Vec::new(),
    };
    let items = items.into_iter().map(|read| read.item).collect();
    let request = Request { id, items, budget: budget?, policy: policy?, query, now, session };
    Some(ReadRequest { request, own_keys })
}

/// Reads the state of a session, of which only whoever made it knows more than that it is an object.
fn session(
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<serde_json::Value> {
    if !matches!(node.value, Value::Object(_)) {
        let expected = "the state of a session, an object; {} starts one";
        context.problem(node, path, ProblemKind::wrong_type(expected, &node.value));
        return None;
    }
    serde_json::from_str(&node.value.to_json()).ok()
}

fn items(
    pass_through: bool,
    counter: Option<(&Count, &str)>,
    node: &Node<'_>,
    path: &Path<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<ReadItem>> {
    let rules =
        |counts| ItemRules { keep_unknown_keys: pass_through, own_keys: pass_through, counts };
    let first = if counter.is_some() { Counts::Later } else { Counts::Own };
    let mut items =
        list(|node, path, context: &mut Context<'_>| item_by(rules(first), node, path, context))(
            node, path, context,
        )?;
    let contents: Vec<_> = items.iter().flat_map(ReadItem::uncounted).collect();
    let Some((count, name)) = counter.filter(|_| !contents.is_empty()) else { return Some(items) };
    let counts = match count(name, &contents) {
        Ok(counts) if counts.len() == contents.len() => counts,
        Ok(counts) => {
            let (given, asked) = (counts.len(), contents.len());
            let message = format!("{given} counts were given for {asked} contents");
            context.problem(node, path, ProblemKind::Other { message });
            return None;
        }
        Err(message) => {
            context.problem(node, path, ProblemKind::Other { message });
            return None;
        }
    };
    // An item cannot be changed, but it can be read again.
    let Value::Array(elements) = &node.value else { return None };
    let mut counts = counts.as_slice();
    let mut all_read = true;
    for (at, item) in items.iter_mut().enumerate() {
        let given;
        (given, counts) = counts.split_at(item.uncounted().count());
        if given.is_empty() {
            continue;
        }
        let rules = rules(Counts::Given(given));
        match item_by(rules, &elements[at], &path.index(at), context) {
            Some(read) => *item = read,
            None => all_read = false,
        }
    }
    all_read.then_some(items)
}

/// What to select from, how much, and how.
#[derive(JsonSchema)]
#[schemars(rename = "Request", deny_unknown_fields)]
#[expect(dead_code, reason = "describes requests to the schema generator")]
pub(crate) struct RequestDefinition<'a> {
    /// What you call it; its response is called the same.
    id: Option<RequestId>,
    /// What to count the tokens of items with that do not say theirs: a vocabulary or a model, for
    /// programs that count, as the command does.
    count: Option<String>,
    /// The candidates.
    items: Vec<ContextItem>,
    /// How much may be selected; without a target, all that the output reserve leaves.
    #[schemars(schema_with = "budget_of_request")]
    budget: ContextBudget,
    /// How it is selected: the name of a preset, or a policy.
    policy: PolicySourceDefinition<'a>,
    /// What the window is to answer, for scorers that judge by a query.
    query: Option<Query>,
    /// When the run happens, as RFC 3339; the program's clock unless given.
    now: Option<Time>,
    /// The state of a session, as the last response gave it, or {} to start one; for programs that keep sessions, as the
    /// command does.
    session: Option<serde_json::Map<String, serde_json::Value>>,
}

fn budget_of_request(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = ContextBudget::json_schema(generator);
    if let Some(serde_json::Value::Array(required)) = schema.get_mut("required") {
        required.retain(|key| key != "targetTokens");
    }
    schema
}

#[derive(JsonSchema)]
#[schemars(inline, untagged)]
#[expect(dead_code, reason = "describes requests to the schema generator")]
enum PolicySourceDefinition<'a> {
    Preset(Preset),
    Policy(Box<PolicyDefinition<'a>>),
}
