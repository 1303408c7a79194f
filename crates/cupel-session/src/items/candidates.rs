//! Items, for whoever cuts them.

use cupel::{ContextBudget, ContextItem, ItemVariant, Pipeline, SelectionReport};
use cupel_messages::Standing;

use super::zone::{Zone, zone};
use crate::Error;
use crate::cut::Candidates;
use crate::decide::form;

/// Items in the order of windows, and who chooses among them.
pub(super) struct Lined<'a> {
    pub(super) items: Vec<&'a ContextItem>,
    pub(super) pipeline: Pipeline,
    /// What the last window cost, in tokens.
    pub(super) seen: i64,
}

pub(super) struct Chosen {
    pub(super) standing: Vec<Standing>,
    scores: Vec<Option<f64>>,
    pub(super) report: SelectionReport,
}

impl<'a> Lined<'a> {
    /// An item's shorter form, if it stands in one.
    pub(super) fn variant(&self, at: usize, standing: Standing) -> Option<&'a ItemVariant> {
        form(standing).checked_sub(1).and_then(|nth| self.items[at].variants().get(nth))
    }

    pub(super) fn total(&self, standing: &[Standing]) -> i64 {
        let tokens = standing.iter().enumerate().map(|(at, it)| self.tokens(at, *it));
        tokens.fold(0, i64::saturating_add)
    }

    fn is_fixed(&self, at: usize) -> bool {
        zone(self.items[at]) == Zone::Fixed && !self.items[at].pinned()
    }
}

impl Candidates for Lined<'_> {
    type Choice = Chosen;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn fixed(&self) -> i64 {
        0
    }

    fn tokens(&self, at: usize, standing: Standing) -> i64 {
        let item = self.items[at];
        match standing {
            Standing::Out => 0,
            Standing::In { .. } => {
                let variant = self.variant(at, standing);
                variant.map_or(item.tokens(), |variant| variant.tokens()).max(0)
            }
        }
    }

    fn must_stay(&self, at: usize) -> Option<i64> {
        let item = self.items[at];
        let stays = item.pinned() || (self.is_fixed(at) && item.tokens() >= 0);
        stays.then(|| item.tokens().max(0))
    }

    fn forms(&self, at: usize) -> usize {
        self.items[at].variants().len()
    }

    fn group(&self, at: usize) -> usize {
        match self.items[at].group() {
            Some(group) => self.items.iter().position(|it| it.group() == Some(group)).unwrap_or(at),
            None => at,
        }
    }

    fn choose(&self, standing: &[Standing], from: usize, budget: i64) -> Result<Chosen, Error> {
        let stays = |at: usize| at < from || self.is_fixed(at);
        let kept: i64 = (0..self.len())
            .filter(|at| stays(*at))
            .map(|at| self.tokens(at, standing[at]))
            .fold(0, i64::saturating_add);
        let open: Vec<usize> =
            (0..self.len()).filter(|at| !stays(*at) && standing[*at].is_in()).collect();
        let room = ContextBudget::builder(budget.saturating_sub(kept).max(0)).build()?;
        // One that is shorter already has no other form any more.
        let items: Vec<ContextItem> =
            open.iter().map(|at| self.items[*at].in_form(form(standing[*at]))).collect();
        let report = self.pipeline.dry_run(&items, &room)?;
        let mut chosen = standing.to_vec();
        let mut scores = vec![None; self.len()];
        open.iter().for_each(|at| chosen[*at] = Standing::Out);
        for included in &report.included {
            let Some(at) = included.index.and_then(|index| open.get(index)) else { continue };
            let form = included.shortened.map_or(form(standing[*at]), |shortened| shortened.form);
            chosen[*at] = Standing::In { form, thinking: true };
            scores[*at] = (!included.item.pinned()).then_some(included.score);
        }
        for excluded in &report.excluded {
            let Some(at) = excluded.index.and_then(|index| open.get(index)) else { continue };
            scores[*at] = Some(excluded.score);
        }
        Ok(Chosen { standing: chosen, scores, report })
    }

    fn standing<'c>(&self, choice: &'c Chosen) -> &'c [Standing] {
        &choice.standing
    }

    fn scores<'c>(&self, choice: &'c Chosen) -> &'c [Option<f64>] {
        &choice.scores
    }

    fn sent(&self, choice: &Chosen) -> i64 {
        self.total(&choice.standing)
    }

    /// The policy says so itself.
    fn can_fit(&self, _budget: i64) -> Result<(), Error> {
        Ok(())
    }

    fn readable(&self, standing: &[Standing]) -> Vec<i64> {
        let mut before = 0_i64;
        let readable = (0..self.len()).map(|at| {
            let unchanged = before.min(self.seen);
            before = before.saturating_add(self.tokens(at, standing[at]));
            unchanged
        });
        readable.collect()
    }
}
