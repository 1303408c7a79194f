//! The two placers, and what is asked of any, rule by rule.

mod chronological;
mod contract;
#[path = "../shorthand/mod.rs"]
mod shorthand;
mod u_shaped;
