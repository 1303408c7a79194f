//! A request made ready: mended, counted, and taken apart into candidates.

use std::sync::OnceLock;

use chrono::DateTime;
use cupel::{
    CompositeScorer, ContextItem, ContextItemBuilder, ContextKind, CupelError, FadingRecencyScorer,
    InputOrderPlacer, ItemVariant, Pipeline, Policy, PolicyBuilder, PriorityScorer, Query,
    RankSlice, RunContext, Scorer,
};

use crate::grammar::repair::{Sound, repair};
use crate::grammar::shape::Shape;
use crate::grammar::{Draft, thinking};
use crate::meter::Counting;
use crate::model::{Message, PartKind, Role};
use crate::pins::pins;
use crate::provider::Provider;
use crate::shorten::{self, Form};
use crate::{Error, Meter, Options, Pin, Repair, Request, Standing, Tokens};

/// The kind of a message in which the model calls tools; what tools return is
/// [`ToolOutput`](ContextKind::TOOL_OUTPUT).
pub const TOOL_CALL: &str = "ToolCall";

/// Where candidates say who speaks (`system`, `user`, `assistant`, `tool`), for policies that score by metadata.
const ROLE_KEY: &str = "cupel:role";

/// The text that all candidates are parts of, for policies that look at neighbours.
const CONVERSATION: &str = "conversation";

/// The newest first, and of what is as old the shorter: the preset `recentFirst`.
///
/// It reads no text. What it finds of what a model's next step needs, and how that was measured, is in `docs/quality.md`;
/// the preset `agent` goes by what the last messages are about as well.
///
/// # Errors
/// None; the signature is that of building any policy.
pub fn default_policy() -> Result<Policy, CupelError> {
    policy_with(recency()?)
}

/// Halves with every quarter of the conversation.
fn recency() -> Result<FadingRecencyScorer, CupelError> {
    FadingRecencyScorer::new(0.25)
}

/// A message's own priority counts as much as its age, once one has any.
fn policy_for(drafts: &[Draft<'_>]) -> Result<Policy, CupelError> {
    let has_priority = |draft: &Draft<'_>| draft.message.hints.priority.is_some();
    if !drafts.iter().any(has_priority) {
        return default_policy();
    }
    let scorers: Vec<(Box<dyn Scorer>, f64)> =
        vec![(Box::new(recency()?), 1.0), (Box::new(PriorityScorer), 1.0)];
    policy_with(CompositeScorer::new(scorers)?)
}

fn policy_with(scorer: impl Scorer + 'static) -> Result<Policy, CupelError> {
    let by_rank = RankSlice::new(0.5, 0)?;
    let policy = PolicyBuilder::new().scorer(scorer).slicer(by_rank).placer(InputOrderPlacer);
    policy.deduplication(false).build()
}

/// A request made ready to be cut at any budget: mended, counted, taken apart into candidates.
#[derive(Clone)]
pub struct Prepared<'a> {
    pub(crate) request: &'a Request,
    pub(crate) options: &'a Options,
    pub(crate) meter: &'a dyn Meter,
    pub(crate) provider: &'static dyn Provider,
    pub(crate) drafts: Vec<Draft<'a>>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) shape: Shape,
    pub(crate) pins: Vec<Option<Pin>>,
    pub(crate) fixed: Tokens,
    pub(crate) tokens: Vec<Tokens>,
    /// The kind [`TOOL_CALL`].
    tool_call: ContextKind,
    /// Shorter forms, made when something has to go.
    forms: OnceLock<Vec<Vec<Form>>>,
    pub(crate) policy: Policy,
}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("messages", &self.drafts.len())
            .field("repairs", &self.repairs)
            .field("tokens", &self.total())
            .finish_non_exhaustive()
    }
}

impl Request {
    /// Makes the request ready to be cut: what does not depend on the budget, once.
    ///
    /// # Errors
    /// When a call is answered twice, or no message is left that the provider would take first.
    pub fn prepare<'a>(
        &'a self,
        options: &'a Options,
        meter: &'a dyn Meter,
    ) -> Result<Prepared<'a>, Error> {
        let provider = self.format().provider();
        let Sound { drafts, pairs, repairs } = repair(self, options.dangling)?;
        let granularity = options.granularity.unwrap_or(provider.rules().granularity);
        let shape = Shape::of(&drafts, &pairs, provider.rules(), granularity, options.current_turn);
        let counting = counting(self, options, meter);
        let tokens: Vec<Tokens> =
            drafts.iter().map(|draft| counting.message(&draft.message)).collect();
        Ok(Prepared {
            request: self,
            options,
            meter,
            provider,
            pins: pins(&drafts, &shape, options),
            tool_call: ContextKind::new(TOOL_CALL)?,
            forms: OnceLock::new(),
            fixed: self.count_fixed(meter),
            policy: match &options.policy {
                // Two messages that read the same are two messages.
                Some(policy) => policy.clone().with_deduplication(false),
                None => policy_for(&drafts)?,
            },
            drafts,
            repairs,
            shape,
            tokens,
        })
    }
}

fn counting<'a>(request: &'a Request, options: &'a Options, meter: &'a dyn Meter) -> Counting<'a> {
    let model = options.model.as_deref().or(request.model());
    Counting { model, ..request.counting(meter) }
}

impl<'a> Prepared<'a> {
    /// What everything costs, after repairs.
    pub fn total(&self) -> Tokens {
        self.tokens.iter().fold(self.fixed, |sum, tokens| sum + *tokens)
    }

    /// What stands beside the messages costs: system instructions and tool definitions, which are always sent.
    pub fn fixed(&self) -> Tokens {
        self.fixed
    }

    /// The candidates: the messages after repairs, in their order. Those that must stay together share a group.
    ///
    /// Their time is their place in the conversation. For a policy of the caller's own they are parts of one document, at that
    /// position.
    ///
    /// # Errors
    /// None that a request can cause.
    pub fn items(&self) -> Result<Vec<ContextItem>, Error> {
        (0..self.drafts.len()).map(|at| self.item(at, false)).collect()
    }

    /// The message of the request that a candidate is; nothing for an answer that was missing.
    pub fn origin(&self, candidate: usize) -> Option<usize> {
        self.drafts.get(candidate)?.origin
    }

    /// The policy that candidates are judged by.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The pipeline that chooses: the policy, asked what [`Options::query`] says or else what the user said last, with what
    /// the model said after it.
    pub fn pipeline(&self) -> Pipeline {
        let pipeline = Pipeline::from(self.policy.clone());
        match self.query() {
            Some(query) => pipeline.in_context(RunContext::new().with_query(query)),
            None => pipeline,
        }
    }

    fn query(&self) -> Option<Query> {
        if let Some(query) = &self.options.query {
            return Some(query.clone());
        }
        let said = |at: usize| &self.drafts[at].message;
        let by = |role: Role| move |at: &usize| said(*at).role == role;
        let asked = (0..self.drafts.len()).rfind(by(Role::User))?;
        let mut query = said(asked).words();
        // An agent at work asks itself what to do next.
        if let Some(after) = (asked + 1..self.drafts.len()).rfind(by(Role::Assistant)) {
            query.push('\n');
            query.push_str(&said(after).words());
        }
        Some(Query::new(query))
    }

    /// What was mended before anything was cut.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The least budget that can do: system instructions, tools and what must stay, in its shortest form.
    pub fn least(&self) -> Tokens {
        self.least_counted(self.thinking_goes())
    }

    /// [`least`](Self::least), with or without thinking.
    pub(crate) fn least_counted(&self, light: bool) -> Tokens {
        let pinned = (0..self.drafts.len()).filter(|at| self.pins[*at].is_some());
        let shortest = |at: usize| {
            let shorter = self.forms(at).last().map(|form| form.tokens);
            shorter.unwrap_or_else(|| self.counted(at, light))
        };
        pinned.map(shortest).fold(self.fixed, |sum, tokens| sum + tokens)
    }

    /// Whether a cut would invalidate thinking.
    pub(crate) fn thinking_goes(&self) -> bool {
        let model = self.options.model.as_deref().or(self.request.model());
        let rules = self.provider.rules();
        let thinks = |draft: &Draft<'_>| draft.message.has(&PartKind::Thinking);
        rules.thinking_strips && thinking::is_bound(model) && self.drafts.iter().any(thinks)
    }

    /// The shorter forms of a message, longest first.
    pub(crate) fn forms(&self, at: usize) -> &[Form] {
        let made = self.forms.get_or_init(|| {
            let Some(shorten) = self.options.shorten.0 else {
                return vec![Vec::new(); self.drafts.len()];
            };
            let drafts = self.drafts.iter().zip(&self.tokens);
            let forms = drafts.map(|(draft, tokens)| {
                shorten::forms(&draft.message, *tokens, shorten, self.provider, self.counting())
            });
            forms.collect()
        });
        &made[at]
    }

    pub(crate) fn counting(&self) -> Counting<'_> {
        counting(self.request, self.options, self.meter)
    }

    /// What a message costs, with its thinking or, if `light`, without.
    pub(crate) fn counted(&self, at: usize, light: bool) -> Tokens {
        let message = &self.drafts[at].message;
        if !light || !message.has(&PartKind::Thinking) {
            return self.tokens[at];
        }
        let words = |part: usize| message.parts[part].kind != PartKind::Thinking;
        if (0..message.parts.len()).any(words) {
            self.counting().parts(message, words)
        } else {
            Tokens::default()
        }
    }

    /// A message as a candidate.
    fn item(&self, at: usize, light: bool) -> Result<ContextItem, Error> {
        self.item_as(at, Standing::WHOLE, light)
    }

    /// What a candidate costs as it stands.
    pub(crate) fn standing_tokens(&self, at: usize, standing: Standing) -> i64 {
        match standing {
            Standing::Out => 0,
            Standing::In { form: 0, thinking } => self.counted(at, !thinking).total(),
            Standing::In { form, .. } => match self.forms(at).get(form - 1) {
                Some(form) => form.tokens.total(),
                None => self.tokens[at].total(),
            },
        }
    }

    /// A message as a candidate, as it stands: whole, or in a shorter form that may become shorter still.
    pub(crate) fn item_as(
        &self,
        at: usize,
        standing: Standing,
        light: bool,
    ) -> Result<ContextItem, Error> {
        let (form, thinking) = match standing {
            Standing::In { form, thinking } => (form, thinking),
            Standing::Out => (0, true),
        };
        let whole = &self.drafts[at].message;
        let (message, tokens) = match form.checked_sub(1).and_then(|nth| self.forms(at).get(nth)) {
            Some(form) => (&form.message, form.tokens.total()),
            None => (&**whole, self.counted(at, light || !thinking).total()),
        };
        let time = i64::try_from(at).ok().and_then(|second| DateTime::from_timestamp(second, 0));
        let mut item: ContextItemBuilder = ContextItem::builder(content(message), tokens)
            .kind(self.kind(message))
            .pinned(self.pins[at].is_some())
            .timestamp(time.unwrap_or_default());
        if !whole.hints.tags.is_empty() {
            item = item.tags(whole.hints.tags.iter().cloned());
        }
        // Only a policy of the caller's own may ask for it.
        if self.options.policy.is_some() {
            item = item
                .metadata_entry(ROLE_KEY, message.role.name())
                .document(CONVERSATION)
                .position(i64::try_from(at).unwrap_or(i64::MAX));
        }
        if let Some(priority) = whole.hints.priority {
            item = item.priority(priority);
        }
        // What stays is shortened one by one.
        if self.pins[at].is_none() && self.shape.in_company[at] {
            item = item.group(self.shape.group[at].to_string());
        }
        for form in self.forms(at).iter().skip(form) {
            item = item.variant(ItemVariant::new(content(&form.message), form.tokens.total()));
        }
        Ok(item.build()?)
    }

    fn kind(&self, message: &Message) -> ContextKind {
        match message.role {
            Role::System => ContextKind::system_prompt(),
            Role::Tool => ContextKind::tool_output(),
            Role::Assistant if message.calls().next().is_some() => self.tool_call.clone(),
            Role::User | Role::Assistant => ContextKind::message(),
        }
    }
}

/// What a message says, or how it is spelled if it says nothing.
fn content(message: &Message) -> String {
    let words = message.words();
    if words.is_empty() { message.text.to_string() } else { words }
}
