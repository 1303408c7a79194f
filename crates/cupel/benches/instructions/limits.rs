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
    /// Times what, if not what was counted for 1,000: instructions per candidate.
    pub(crate) growth_of: Option<f64>,
}

const MARGIN: f64 = 1.1;

/// No pipeline but c, which counts who shares tags with whom, may ever take more per candidate. That leaves plain code
/// some room, and any pipeline 25 times as fast as the published crate.
const MOST_PER_RUN: f64 = 1_200.0;
const GROWTH: f64 = 2.4;

/// For every item that is left out, one pass over the others.
const QUADRATIC: [&str; 1] = ["simulate/counterfactuals"];

#[rustfmt::skip]
const COUNTED: [(&str, f64); 37] = [
    ("run/a", 810.0),
    ("dry_run/a", 1009.0),
    ("run/b", 1010.0),
    ("dry_run/b", 1211.0),
    ("run/c", 2016.0),
    ("dry_run/c", 2259.0),
    ("run/d", 791.0),
    ("dry_run/d", 994.0),
    ("run/e", 858.0),
    ("dry_run/e", 1112.0),
    ("run/f", 825.0),
    ("dry_run/f", 1050.0),
    ("score/recency", 172.0),
    ("score/priority", 122.0),
    ("score/frequency", 922.0),
    ("score/kind", 51.0),
    ("score/tag", 454.0),
    ("score/reflexive", 29.0),
    ("score/decay", 197.0),
    ("score/metadata-trust", 444.0),
    ("score/metadata-key", 326.0),
    ("score/scaled", 186.0),
    ("score/composite-of-three", 363.0),
    ("score/composite-of-sixteen", 2719.0),
    ("slice/greedy", 186.0),
    ("slice/knapsack", 345.0),
    ("slice/quota", 286.0),
    ("slice/count-quota", 369.0),
    ("slice/count-knapsack", 538.0),
    ("place/chronological", 160.0),
    ("place/u-shaped", 101.0),
    ("simulate/marginal-items", 1081.0),
    ("simulate/min-budget", 1982.0),
    ("simulate/exact-min-budget", 937.0),
    ("simulate/counterfactual", 1804.0),
    ("simulate/counterfactuals", 67422.0),
    ("simulate/sensitivity", 3793.0),
];

/// How many times as many instructions a run over candidates in groups may take.
const GROUPED: f64 = 1.3;

/// How often a knapsack's bound settles things depends on how large they are, and units are larger. What that does is
/// held to the run over candidates without groups, too.
const GROWTH_OF_GROUPED_KNAPSACKS: f64 = 10.0;

pub(crate) fn of(name: &str) -> Result<Limit, String> {
    if let Some(pipeline) = name.strip_prefix("groups/") {
        let ungrouped = format!("run/{pipeline}");
        let counted = COUNTED.iter().find(|counted| counted.0 == ungrouped);
        let (_, counted) = counted.ok_or(format!("{ungrouped} has no limit; see limits.rs"))?;
        let is_knapsack = ["c", "f"].contains(&pipeline);
        let growth = if is_knapsack { GROWTH_OF_GROUPED_KNAPSACKS } else { GROWTH };
        let per_item = (counted * GROUPED).round();
        return Ok(Limit { per_item, growth, growth_of: Some(*counted) });
    }
    let counted = COUNTED.iter().find(|counted| counted.0 == name);
    let (_, counted) = counted.ok_or(format!("{name} has no limit; see limits.rs"))?;
    let is_gated = name.starts_with("run/") && name != "run/c";
    let most = if is_gated { MOST_PER_RUN } else { f64::INFINITY };
    let growth = if QUADRATIC.contains(&name) { 4.0 } else { GROWTH };
    Ok(Limit { per_item: (counted * MARGIN).round().min(most), growth, growth_of: None })
}
