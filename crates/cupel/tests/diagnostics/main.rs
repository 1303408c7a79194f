//! Collectors, events, reasons and reports, rule by rule.

mod collectors;
mod events;
mod exclusion_reasons;
mod inclusion_reasons;
mod interests;
mod overflow_events;
mod overview;
mod report;
#[path = "../shorthand/mod.rs"]
mod shorthand;
mod tracing;
