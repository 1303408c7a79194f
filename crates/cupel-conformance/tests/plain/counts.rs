//! Choosing by numbers of items.

use cupel_conformance::engine::*;

use super::slicers::{Capped, Sliced};
use super::{Mistake, Plain, Problem, Row, problem};

/// The parts that both count slicers have.
struct Rules<'t> {
    name: &'static str,
    entries: &'t [CountEntry],
    scarcity: Scarcity,
    inner: SlicerSpec,
    /// Whether what the inner slicer chose is put in order of score.
    resorts: bool,
}

fn rules(slicer: &SlicerSpec) -> Rules<'_> {
    match slicer {
        SlicerSpec::CountQuota { entries, scarcity, inner } => Rules {
            name: "CountQuotaSlice",
            entries,
            scarcity: *scarcity,
            inner: inner.as_ref().clone(),
            resorts: false,
        },
        SlicerSpec::CountConstrainedKnapsack { entries, scarcity, bucket_size } => Rules {
            name: "CountConstrainedKnapsackSlice",
            entries,
            scarcity: *scarcity,
            inner: SlicerSpec::Knapsack { bucket_size: *bucket_size },
            resorts: true,
        },
        _ => panic!("not a count slicer: {slicer:?}"),
    }
}

impl Plain {
    pub(super) fn count(
        self,
        slicer: &SlicerSpec,
        rows: &[Row<'_>],
        max: i64,
        target: i64,
    ) -> Result<Sliced, Problem> {
        let rules = rules(slicer);
        let mut sliced = Sliced::default();
        let mut counts: Vec<i64> = vec![0; rules.entries.len()];
        let mut spent = 0_i128;
        for (entry, count) in rules.entries.iter().zip(&mut counts) {
            for at in self.of_kind(rows, &entry.kind) {
                let tokens = i128::from(rows[at].tokens());
                let too_large = spent + tokens > i128::from(target);
                if *count == entry.require_count {
                    break;
                } else if too_large && self.makes(Mistake::RequiredItemsMustFit) {
                    continue;
                }
                sliced.kept.push(at);
                spent += tokens;
                *count += 1;
            }
            let excused = *count == 0 && self.makes(Mistake::AbsentKindIsNoScarcity);
            if *count < entry.require_count && !excused {
                self.scarce(&rules, entry, *count, &mut sliced)?;
            }
        }

        let rest = self.uncommitted(rows, &sliced.kept);
        let left = if self.makes(Mistake::FullResidual) {
            target.into()
        } else {
            i128::from(target) - spent
        };
        let left = left.clamp(0, max.into()) as i64;
        let others: Vec<Row<'_>> = rest.iter().map(|&at| rows[at]).collect();
        let mut filled = self.choose(&rules.inner, &others, max, left)?;
        self.resort(&rules, &mut filled.kept, &others);
        let capped = |it: Capped| Capped { row: rest[it.row], ..it };
        sliced.capped.extend(filled.capped.into_iter().map(capped));
        sliced.shortfalls.extend(filled.shortfalls);

        if self.makes(Mistake::CapsCountFromZero) {
            counts.fill(0);
        }
        for at in filled.kept.into_iter().map(|at| rest[at]) {
            let kind = self.kind(&rows[at].item.spec.kind);
            let entry = rules.entries.iter().position(|it| self.kind(&it.kind) == kind);
            if let Some(entry) = entry {
                let cap = rules.entries[entry].cap_count.unwrap_or(i64::MAX);
                if counts[entry] >= cap {
                    sliced.capped.push(Capped { row: at, cap, count: counts[entry] });
                    continue;
                }
                counts[entry] += 1;
            }
            sliced.kept.push(at);
        }
        Ok(sliced)
    }

    /// Rows of one kind, best first.
    fn of_kind(self, rows: &[Row<'_>], kind: &str) -> Vec<usize> {
        let is_kind = |&at: &usize| self.kind(&rows[at].item.spec.kind) == self.kind(kind);
        let mut members: Vec<usize> = (0..rows.len()).filter(is_kind).collect();
        if !self.makes(Mistake::RequiredInInputOrder) {
            members.sort_by(|&a, &b| self.best_first(rows[a].score, rows[b].score));
        }
        members
    }

    fn scarce(
        self,
        rules: &Rules<'_>,
        entry: &CountEntry,
        count: i64,
        sliced: &mut Sliced,
    ) -> Result<(), Problem> {
        let (kind, required) = (&entry.kind, entry.require_count);
        if rules.scarcity == Scarcity::Throw {
            return Err(problem(
                "SlicerConfig",
                format!(
                    "{}: candidate pool for kind '{kind}' has {count} items but RequireCount is \
                     {required}.",
                    rules.name
                ),
            ));
        }
        let folds = self.makes(Mistake::ShortfallsFoldKinds);
        sliced.shortfalls.push(Shortfall {
            kind: if folds { self.folded(kind) } else { kind.clone() },
            required_count: required,
            satisfied_count: count,
        });
        Ok(())
    }

    /// Rows that are not committed.
    fn uncommitted(self, rows: &[Row<'_>], committed: &[usize]) -> Vec<usize> {
        let is_committed = |at: usize| {
            committed.iter().any(|&other| {
                let (a, b) = (rows[at].item, rows[other].item);
                if self.makes(Mistake::ContentIdentity) {
                    a.spec.content == b.spec.content
                } else if self.makes(Mistake::HandleIdentity) {
                    a.instance == b.instance
                } else {
                    at == other
                }
            })
        };
        (0..rows.len()).filter(|&at| !is_committed(at)).collect()
    }

    fn resort(self, rules: &Rules<'_>, kept: &mut [usize], rows: &[Row<'_>]) {
        let resorts = if rules.resorts {
            !self.makes(Mistake::CapsWithoutResort)
        } else {
            self.makes(Mistake::CountQuotaResorts)
        };
        if !resorts {
            return;
        }
        kept.sort_by(|&a, &b| {
            let ties = if self.makes(Mistake::ResortReversesTies) { b.cmp(&a) } else { a.cmp(&b) };
            self.best_first(rows[a].score, rows[b].score).then(ties)
        });
    }
}
