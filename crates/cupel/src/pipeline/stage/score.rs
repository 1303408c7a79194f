//! Stage 2: say how relevant each item is.

use std::borrow::Cow;

use crate::pipeline::run::{Prepared, Run};
use crate::scorer::{breakdown_checked, score_checked};
use crate::sort_keys::ascending;
use crate::{Candidate, ContextItem, CupelError, PipelineStage, ScoreBreakdown, TraceCollector};

impl<C: TraceCollector> Run<'_, C> {
    /// Gives each candidate its score; a unit has the best of its members'.
    pub(crate) fn score<'a>(
        &mut self,
        items: &'a [ContextItem],
        prepared: &mut Prepared<'a>,
    ) -> Result<(), CupelError> {
        self.trace.stage_started(PipelineStage::Score);
        let count = prepared.count(&prepared.candidates);
        if prepared.has_units() {
            self.score_members(items, prepared)?;
        } else if !prepared.candidates.is_empty() {
            let indices = prepared.candidates.iter().map(Candidate::index);
            let scoreable = scoreable(items, indices);
            let scores = score_checked(&*self.policy.scorer, &scoreable, &self.context)?;
            for (candidate, score) in prepared.candidates.iter_mut().zip(scores) {
                candidate.set_score(score);
                self.trace.scored(score);
            }
        }
        self.trace.stage_done(PipelineStage::Score, count, count);
        Ok(())
    }

    /// Scores every item, alone or in a unit, by itself.
    fn score_members<'a>(
        &mut self,
        items: &'a [ContextItem],
        prepared: &mut Prepared<'a>,
    ) -> Result<(), CupelError> {
        let members = prepared.member_indices();
        if members.is_empty() {
            return Ok(());
        }
        let scoreable = scoreable(items, members.iter().map(|index| *index as usize));
        let scores = score_checked(&*self.policy.scorer, &scoreable, &self.context)?;
        let mut by_index = vec![0.0; items.len()];
        for (index, score) in members.into_iter().zip(scores) {
            by_index[index as usize] = score;
            self.trace.scored(score);
        }
        let mut candidates = std::mem::take(&mut prepared.candidates);
        for candidate in &mut candidates {
            let own = candidate.indices().iter().map(|index| by_index[*index as usize]);
            let best = own.reduce(|a, b| if ascending(b) > ascending(a) { b } else { a });
            candidate.set_score(best.unwrap_or(by_index[candidate.index()]));
        }
        prepared.candidates = candidates;
        prepared.member_scores = by_index;
        Ok(())
    }

    /// What [`score`](Self::score) would give each item, and what that is made of.
    pub(crate) fn score_breakdown(
        &self,
        items: &[ContextItem],
        prepared: &Prepared<'_>,
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        let members = prepared.member_indices();
        if members.is_empty() {
            return Ok(Vec::new());
        }
        let scoreable = scoreable(items, members.iter().map(|index| *index as usize));
        let scorer = &*self.policy.scorer;
        let mut breakdowns = breakdown_checked(scorer, &scoreable, &self.context)?;
        for (breakdown, member) in breakdowns.iter_mut().zip(&members) {
            breakdown.index = *member as usize;
        }
        Ok(breakdowns)
    }
}

/// What a scorer is shown: the candidates, which are usually all there is.
fn scoreable(
    items: &[ContextItem],
    indices: impl ExactSizeIterator<Item = usize>,
) -> Cow<'_, [ContextItem]> {
    if indices.len() == items.len() {
        return Cow::Borrowed(items);
    }
    indices.map(|index| items[index].clone()).collect()
}
