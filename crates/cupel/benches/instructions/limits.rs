//! What nothing may exceed: what was counted when this was last looked at, and a tenth.
//!
//! The tenth is for other compilers, C libraries and seeds of hash maps. When something has become
//! cheaper, paste what `--counts` prints.

pub(crate) const FEW: usize = 1_000;
pub(crate) const MANY: usize = 2_000;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// Instructions per candidate, of 1,000.
    pub(crate) per_item: f64,
    /// How many times as many instructions twice the candidates may take. Sorting takes a little
    /// more than twice; a square takes four times.
    pub(crate) growth: f64,
}

const MARGIN: f64 = 1.1;
const GROWTH: f64 = 2.4;

/// For every item that is left out, one pass over the others.
const QUADRATIC: [&str; 1] = ["simulate/counterfactuals"];

#[rustfmt::skip]
const COUNTED: [(&str, f64); 37] = [
    ("run/a", 749.0),
    ("dry_run/a", 991.0),
    ("run/b", 1112.0),
    ("dry_run/b", 1361.0),
    ("run/c", 3418.0),
    ("dry_run/c", 3663.0),
    ("run/d", 748.0),
    ("dry_run/d", 992.0),
    ("run/e", 861.0),
    ("dry_run/e", 1174.0),
    ("run/f", 796.0),
    ("dry_run/f", 1053.0),
    ("score/recency", 186.0),
    ("score/priority", 135.0),
    ("score/frequency", 2220.0),
    ("score/kind", 216.0),
    ("score/tag", 456.0),
    ("score/reflexive", 28.0),
    ("score/decay", 193.0),
    ("score/metadata-trust", 443.0),
    ("score/metadata-key", 325.0),
    ("score/scaled", 200.0),
    ("score/composite-of-three", 538.0),
    ("score/composite-of-sixteen", 3196.0),
    ("slice/greedy", 198.0),
    ("slice/knapsack", 443.0),
    ("slice/quota", 354.0),
    ("slice/count-quota", 495.0),
    ("slice/count-knapsack", 744.0),
    ("place/chronological", 209.0),
    ("place/u-shaped", 111.0),
    ("simulate/marginal-items", 1126.0),
    ("simulate/min-budget", 2383.0),
    ("simulate/exact-min-budget", 759.0),
    ("simulate/counterfactual", 3109.0),
    ("simulate/counterfactuals", 84730.0),
    ("simulate/sensitivity", 7841.0),
];

pub(crate) fn of(name: &str) -> Result<Limit, String> {
    let counted = COUNTED.iter().find(|counted| counted.0 == name);
    let (_, counted) = counted.ok_or(format!("{name} has no limit; see limits.rs"))?;
    let growth = if QUADRATIC.contains(&name) { 4.0 } else { GROWTH };
    Ok(Limit { per_item: (counted * MARGIN).round(), growth })
}
