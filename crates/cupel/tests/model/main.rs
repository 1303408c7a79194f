//! Numeric precision, items, budgets, enumerations and scored items, rule by rule.

mod budget;
mod effective_budget;
mod item;
mod kind;
mod overflow_strategy;
mod passages;
mod precision;
mod scored_item;
#[path = "../shorthand/mod.rs"]
mod shorthand;
mod source;
mod threads;
mod variants;
