//! `[[items]]`, `[[scored_items]]` and `[budget]`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::error::Problem;
use super::time::Instant;
use crate::engine::{BudgetSpec, Entry, FormSpec, ItemSpec, ReservedSlot};

#[derive(Debug, Deserialize)]
pub(super) struct ItemTable {
    content: Option<String>,
    tokens: Option<i64>,
    kind: Option<String>,
    source: Option<String>,
    priority: Option<i64>,
    tags: Option<Vec<String>>,
    timestamp: Option<Instant>,
    #[serde(rename = "futureRelevanceHint")]
    future_relevance_hint: Option<f64>,
    pinned: Option<bool>,
    #[serde(rename = "originalTokens")]
    original_tokens: Option<i64>,
    metadata: Option<BTreeMap<String, String>>,
    score: Option<f64>,
    group: Option<String>,
    variants: Option<Vec<FormTable>>,
    document: Option<String>,
    position: Option<i64>,
    same_as: Option<usize>,
    listed: Option<bool>,
}

#[derive(Debug, Clone, Deserialize)]
struct FormTable {
    content: String,
    tokens: i64,
    worth: Option<f64>,
}

impl FormTable {
    fn form(&self) -> FormSpec {
        FormSpec { content: self.content.clone(), tokens: self.tokens, worth: self.worth }
    }
}

pub(super) type ItemTables = Vec<Spanned<ItemTable>>;

pub(super) fn entries(tables: &ItemTables) -> Result<Vec<Entry>, Problem> {
    tables.iter().enumerate().map(|(at, table)| entry(at, table)).collect()
}

fn entry(at: usize, spanned: &Spanned<ItemTable>) -> Result<Entry, Problem> {
    let problem = |message: String| Problem::new(spanned.span(), message);
    let table = spanned.get_ref();
    if let Some(same_as) = table.same_as {
        if same_as >= at {
            return Err(problem(format!("same_as = {same_as} must name an entry before {at}")));
        }
        if table.has_fields() {
            return Err(problem("only score may stand beside same_as".to_owned()));
        }
        return Ok(Entry::SameAs { same_as });
    }
    let (Some(content), Some(tokens)) = (&table.content, table.tokens) else {
        return Err(problem("an item needs content and tokens, or same_as".to_owned()));
    };
    Ok(Entry::Item(Box::new(ItemSpec {
        content: content.clone(),
        tokens,
        kind: table.kind.clone().unwrap_or_else(|| "Message".to_owned()),
        source: table.source.clone().unwrap_or_else(|| "Chat".to_owned()),
        priority: table.priority,
        tags: table.tags.clone().unwrap_or_default(),
        timestamp: table.timestamp.map(|instant| instant.0),
        future_relevance_hint: table.future_relevance_hint,
        pinned: table.pinned.unwrap_or(false),
        original_tokens: table.original_tokens,
        metadata: table.metadata.clone().unwrap_or_default(),
        group: table.group.clone(),
        variants: table.variants.iter().flatten().map(FormTable::form).collect(),
        document: table.document.clone(),
        position: table.position,
    })))
}

impl ItemTable {
    fn has_fields(&self) -> bool {
        self.content.is_some()
            || self.tokens.is_some()
            || self.kind.is_some()
            || self.source.is_some()
            || self.priority.is_some()
            || self.tags.is_some()
            || self.timestamp.is_some()
            || self.future_relevance_hint.is_some()
            || self.pinned.is_some()
            || self.original_tokens.is_some()
            || self.metadata.is_some()
            || self.group.is_some()
            || self.variants.is_some()
            || self.document.is_some()
            || self.position.is_some()
    }
}

/// The scores, which every entry must have.
pub(super) fn scores(tables: &ItemTables) -> Result<Vec<f64>, Problem> {
    let score = |table: &Spanned<ItemTable>| {
        table.get_ref().score.ok_or_else(|| Problem::new(table.span(), "score is missing"))
    };
    tables.iter().map(score).collect()
}

/// Positions of the entries that are in the list to be scored against.
pub(super) fn listed(tables: &ItemTables) -> Vec<usize> {
    let listed = |at: &usize| tables[*at].get_ref().listed.unwrap_or(true);
    (0..tables.len()).filter(listed).collect()
}

#[derive(Debug, Deserialize)]
pub(super) struct BudgetTable {
    target_tokens: i64,
    max_tokens: Option<i64>,
    #[serde(default)]
    output_reserve: i64,
    #[serde(default)]
    safety_margin_percent: f64,
    #[serde(default)]
    reserved_slots: Vec<SlotTable>,
}

#[derive(Debug, Deserialize)]
struct SlotTable {
    kind: String,
    tokens: i64,
}

impl BudgetTable {
    /// Maximum and target of a slicing vector, where the maximum may be left out.
    pub(super) fn of_slicing(&self) -> (i64, i64) {
        (self.max_tokens.unwrap_or(self.target_tokens), self.target_tokens)
    }
}

pub(super) fn budget(spanned: &Spanned<BudgetTable>) -> Result<BudgetSpec, Problem> {
    let table = spanned.get_ref();
    let Some(max_tokens) = table.max_tokens else {
        return Err(Problem::new(spanned.span(), "max_tokens is missing"));
    };
    let slot = |slot: &SlotTable| ReservedSlot { kind: slot.kind.clone(), tokens: slot.tokens };
    Ok(BudgetSpec {
        max_tokens,
        target_tokens: table.target_tokens,
        output_reserve: table.output_reserve,
        reserved_slots: table.reserved_slots.iter().map(slot).collect(),
        safety_margin_percent: table.safety_margin_percent,
    })
}
