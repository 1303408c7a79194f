//! What the specification says of each slicer, one behaviour per test.

mod count_knapsack;
mod count_knapsack_vectors;
mod count_quota;
mod count_quota_phases;
mod forms;
mod greedy;
mod knapsack;
mod knapsack_adaptive;
mod knapsack_limits;
mod overview;
mod quota;
mod quota_shares;
mod rank;

#[path = "../fixtures/mod.rs"]
mod fixtures;
