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

/// No pipeline but c, which counts who shares tags with whom, may ever take more per candidate.
const MOST_PER_RUN: f64 = 800.0;
const GROWTH: f64 = 2.4;

/// For every item that is left out, one pass over the others.
const QUADRATIC: [&str; 1] = ["simulate/counterfactuals"];

#[rustfmt::skip]
const COUNTED: [(&str, f64); 37] = [
    ("run/a", 545.0),
    ("dry_run/a", 716.0),
    ("run/b", 570.0),
    ("dry_run/b", 734.0),
    ("run/c", 1330.0),
    ("dry_run/c", 1448.0),
    ("run/d", 527.0),
    ("dry_run/d", 701.0),
    ("run/e", 510.0),
    ("dry_run/e", 705.0),
    ("run/f", 435.0),
    ("dry_run/f", 561.0),
    ("score/recency", 162.0),
    ("score/priority", 20.0),
    ("score/frequency", 779.0),
    ("score/kind", 10.0),
    ("score/tag", 455.0),
    ("score/reflexive", 19.0),
    ("score/decay", 193.0),
    ("score/metadata-trust", 443.0),
    ("score/metadata-key", 325.0),
    ("score/scaled", 175.0),
    ("score/composite-of-three", 198.0),
    ("score/composite-of-sixteen", 2113.0),
    ("slice/greedy", 210.0),
    ("slice/knapsack", 130.0),
    ("slice/quota", 279.0),
    ("slice/count-quota", 248.0),
    ("slice/count-knapsack", 223.0),
    ("place/chronological", 181.0),
    ("place/u-shaped", 40.0),
    ("simulate/marginal-items", 970.0),
    ("simulate/min-budget", 2073.0),
    ("simulate/exact-min-budget", 670.0),
    ("simulate/counterfactual", 1875.0),
    ("simulate/counterfactuals", 76946.0),
    ("simulate/sensitivity", 3014.0),
];

pub(crate) fn of(name: &str) -> Result<Limit, String> {
    let counted = COUNTED.iter().find(|counted| counted.0 == name);
    let (_, counted) = counted.ok_or(format!("{name} has no limit; see limits.rs"))?;
    let is_gated = name.starts_with("run/") && name != "run/c";
    let most = if is_gated { MOST_PER_RUN } else { f64::INFINITY };
    let growth = if QUADRATIC.contains(&name) { 4.0 } else { GROWTH };
    Ok(Limit { per_item: (counted * MARGIN).round().min(most), growth })
}
