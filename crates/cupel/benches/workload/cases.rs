//! Subjects and numbers of candidates, as arguments of a bench.

use std::fmt;

use super::setup::Setup;
use super::subjects::{self, Work};

pub(crate) const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

#[derive(Clone)]
pub(crate) struct Case {
    name: String,
    items: usize,
}

impl Case {
    pub(crate) fn prepare(&self) -> Work {
        subjects::by_name(&self.name).expect("cases are made from names").prepare(self.items)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.split('/').next_back().unwrap_or_default();
        write!(f, "{name}, {} items", self.items)
    }
}

/// Every subject of a family at every size up to `most`, except where a knapsack's table would
/// be larger than is specified.
pub(crate) fn cases(family: &str, most: usize) -> Vec<Case> {
    let every = subjects::family(family)
        .into_iter()
        .flat_map(|name| SIZES.map(|items| Case { name: name.clone(), items }));
    every.filter(|case| case.items <= most && fits(case)).collect()
}

/// Pipeline a, over a million candidates.
pub(crate) fn a_million() -> Vec<Case> {
    vec![Case { name: format!("run/{}", Setup::A), items: 1_000_000 }]
}

fn fits(case: &Case) -> bool {
    let tables =
        ["run/c", "run/f", "dry_run/c", "dry_run/f", "slice/knapsack", "slice/count-knapsack"];
    !tables.contains(&case.name.as_str()) || Setup::F.can_run(case.items)
}
