//! The four placers, and what is asked of any, rule by rule.

mod chronological;
mod contract;
mod input_order;
mod reading_order;
#[path = "../shorthand/mod.rs"]
mod shorthand;
mod u_shaped;
