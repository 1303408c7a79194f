//! The last stage: merge, overflow, order.

use cupel_conformance::engine::*;

use super::pipeline::{Run, budget_exceeded};
use super::{Mistake, Problem, Row, clamp, problem};

impl<'t> Run<'t> {
    pub(super) fn place(&mut self, chosen: Vec<Row<'t>>) -> Result<Vec<Row<'t>>, Problem> {
        let score = if self.makes(Mistake::PinnedScoreZero) { 0.0 } else { 1.0 };
        let pinned = self.pinned.iter().map(|&item| Row { item, score });
        let merged: Vec<Row<'t>> = if self.makes(Mistake::PinnedAfterChosen) {
            chosen.iter().copied().chain(pinned).collect()
        } else {
            pinned.chain(chosen.iter().copied()).collect()
        };
        let entered = merged.len();
        let tokens = self.engine.sum(merged.iter().map(Row::tokens));
        let exactly = i128::from(self.makes(Mistake::OverflowAtTheLimit));
        let kept =
            if tokens > self.limit() - exactly { self.overflow(merged, tokens)? } else { merged };
        let order = self.engine.arrange(self.spec.placer, &kept);
        let placed: Vec<Row<'t>> = order.into_iter().map(|at| kept[at]).collect();
        if self.makes(Mistake::OverflowListsPlacedOrder) {
            for event in &mut self.trace.overflows {
                event.items = placed.iter().map(|row| row.item.position).collect();
            }
        }
        self.trace.stage_done("Place", entered, placed.len());
        Ok(placed)
    }

    /// What a selection is measured against.
    fn limit(&self) -> i128 {
        let ceiling = self.budget.max_tokens - self.budget.output_reserve;
        match self.engine.0 {
            Some(Mistake::OverflowAgainstEffectiveTarget) => {
                self.engine.effective(self.budget, self.pinned_tokens).1.into()
            }
            Some(Mistake::OverflowIgnoresReserve) => self.budget.target_tokens.into(),
            _ => self.budget.target_tokens.min(ceiling).into(),
        }
    }

    fn overflow(&mut self, merged: Vec<Row<'t>>, tokens: i128) -> Result<Vec<Row<'t>>, Problem> {
        match self.spec.overflow_strategy {
            OverflowStrategy::Throw => Err(problem("Overflow", "")
                .with("merged_tokens", tokens)
                .with("target_tokens", self.reported_limit())),
            OverflowStrategy::Truncate => {
                if self.makes(Mistake::TruncateReportsOverflow) {
                    self.report_overflow(&merged, tokens);
                }
                Ok(self.truncate(merged))
            }
            OverflowStrategy::Proceed => {
                self.report_overflow(&merged, tokens);
                Ok(merged)
            }
        }
    }

    /// The limit as errors state it.
    fn reported_limit(&self) -> i128 {
        let target = self.makes(Mistake::OverflowStatesTheTarget);
        if target { self.budget.target_tokens.into() } else { self.limit() }
    }

    fn report_overflow(&mut self, merged: &[Row<'t>], tokens: i128) {
        let mut budget = self.budget.clone();
        if self.makes(Mistake::OverflowCarriesTheEffectiveBudget) {
            let (max, target) = self.engine.effective(self.budget, self.pinned_tokens);
            (budget.max_tokens, budget.target_tokens) = (max, target);
        }
        self.trace.overflows.push(Overflow {
            tokens_over_budget: clamp(tokens - self.limit()),
            items: merged.iter().map(|row| row.item.position).collect(),
            budget,
        });
    }

    fn truncate(&mut self, merged: Vec<Row<'t>>) -> Vec<Row<'t>> {
        let limit = self.limit();
        let (mut kept, mut used, mut used_unpinned) = (Vec::new(), 0, 0);
        let mut stopped = false;
        for row in merged {
            let tokens = i128::from(row.tokens());
            let pinned = row.item.spec.pinned && !self.makes(Mistake::TruncateDropsPinned);
            let exactly = self.makes(Mistake::TruncateNeedsRoomToSpare) && used + tokens == limit;
            if pinned || (used + tokens <= limit && !stopped && !exactly) {
                used += tokens;
                used_unpinned += if pinned { 0 } else { tokens };
                kept.push(row);
                continue;
            }
            stopped = self.makes(Mistake::TruncateStops);
            let would_fit = !self.pinned.is_empty()
                && used_unpinned + tokens <= limit
                && !self.makes(Mistake::NoPinnedOverrideAtPlace);
            let (reason, details) = if would_fit {
                self.pinned_override()
            } else {
                let whole = self.makes(Mistake::PlaceReportsTheLimit);
                budget_exceeded(&row, clamp(if whole { limit } else { limit - used }))
            };
            self.trace.excluded("Place", row, reason, details);
        }
        kept
    }
}
