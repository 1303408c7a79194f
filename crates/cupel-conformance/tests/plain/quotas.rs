//! Choosing by shares of the tokens.

use cupel_conformance::engine::*;

use super::slicers::{Capped, Sliced};
use super::{Mistake, Plain, Problem, Row};

impl Plain {
    pub(super) fn quota(
        self,
        quotas: &[QuotaSpec],
        inner: &SlicerSpec,
        rows: &[Row<'_>],
        target: i64,
    ) -> Result<Sliced, Problem> {
        let partitions = self.partitions(rows);
        let is_kind = |it: &&QuotaSpec, kind: &str| self.kind(&it.kind) == kind;
        let limits = |kind: &str| match quotas.iter().find(|it| is_kind(it, kind)) {
            Some(quota) => (self.percent(quota.require, target), self.percent(quota.cap, target)),
            None => (0, target),
        };
        let mass = |members: &[usize]| self.sum(members.iter().map(|&at| rows[at].tokens()));

        let present = |kind: &str| partitions.iter().any(|(other, _)| other == kind);
        let required: i128 = quotas
            .iter()
            .filter(|it| {
                !self.makes(Mistake::AbsentKindsRequireNothing) || present(&self.kind(&it.kind))
            })
            .map(|it| i128::from(self.percent(it.require, target)))
            .sum();
        let unassigned = (i128::from(target) - required).max(0);
        let grows = |kind: &str| limits(kind).1 > limits(kind).0;
        let total: i128 = partitions
            .iter()
            .filter(|(kind, _)| grows(kind) || self.makes(Mistake::FixedKindsTakePart))
            .map(|(_, members)| mass(members))
            .sum();

        let mut sliced = Sliced::default();
        for (kind, members) in &partitions {
            let (require, cap) = limits(kind);
            let mut extra = 0;
            if total > 0 && grows(kind) {
                extra = self.share(unassigned, mass(members), total);
                if self.makes(Mistake::EqualShares) {
                    extra = unassigned / partitions.len() as i128;
                }
            }
            let mut budget = i128::from(require) + extra;
            if !self.makes(Mistake::QuotaIgnoresCap) {
                budget = budget.min(cap.into());
            }
            let budget = i64::try_from(budget).expect("a share of the target");
            if budget <= 0 {
                continue;
            }
            let of_kind: Vec<Row<'_>> = members.iter().map(|&at| rows[at]).collect();
            let chosen = self.choose(inner, &of_kind, cap.max(budget), budget)?;
            let capped = |it: Capped| Capped { row: members[it.row], ..it };
            sliced.kept.extend(chosen.kept.iter().map(|&at| members[at]));
            sliced.capped.extend(chosen.capped.into_iter().map(capped));
            sliced.shortfalls.extend(chosen.shortfalls);
        }
        Ok(sliced)
    }

    /// Rows by kind, in order of first appearance.
    pub(super) fn partitions(self, rows: &[Row<'_>]) -> Vec<(String, Vec<usize>)> {
        let mut partitions: Vec<(String, Vec<usize>)> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let kind = self.kind(&row.item.spec.kind);
            match partitions.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, members)) => members.push(at),
                None => partitions.push((kind, vec![at])),
            }
        }
        if self.makes(Mistake::KindsAlphabetical) {
            partitions.sort();
        }
        partitions
    }

    fn percent(self, percent: f64, target: i64) -> i64 {
        if percent >= 100.0 {
            return target;
        }
        let mut exact = percent / 100.0 * target as f64;
        if self.makes(Mistake::PercentagesInDecimals) {
            exact += 1e-6;
        }
        let whole =
            if self.makes(Mistake::PercentagesRound) { exact.round() } else { exact.floor() };
        (whole as i64).min(target)
    }

    fn share(self, unassigned: i128, mass: i128, total: i128) -> i128 {
        if self.makes(Mistake::SharesInFloats) {
            return (unassigned as f64 * mass as f64 / total as f64) as i128;
        }
        // Divided digit by digit: the product may need more than 128 bits.
        let (mut share, mut rest) = (0, 0);
        for bit in (0..64).rev() {
            rest = rest * 2 + if unassigned >> bit & 1 == 1 { mass } else { 0 };
            share = share * 2 + rest / total;
            rest %= total;
        }
        share
    }
}
