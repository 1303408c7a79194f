//! Stage 2: say how relevant each item is.

use crate::pipeline::input::Input;
use crate::pipeline::run::{Prepared, Run};
use crate::scorer::score_checked;
use crate::sort_keys::ascending;
use crate::{Candidate, ContextItem, CupelError, PipelineStage, TraceCollector};

impl<C: TraceCollector> Run<'_, C> {
    /// Gives each candidate its score; a unit has the best of its members'.
    pub(crate) fn score<'a>(
        &mut self,
        input: &Input<'a>,
        prepared: &mut Prepared<'a>,
    ) -> Result<(), CupelError> {
        self.trace.stage_started(PipelineStage::Score);
        let count = prepared.count(&prepared.candidates);
        if prepared.has_units() {
            self.score_members(input.items, prepared)?;
        } else if !prepared.candidates.is_empty() {
            let scores = self.scores(input.items, &prepared.candidates)?;
            for (candidate, score) in prepared.candidates.iter_mut().zip(scores) {
                candidate.set_score(score);
                self.trace.scored(score);
            }
        }
        self.trace.stage_done(PipelineStage::Score, count, count);
        Ok(())
    }

    /// One score for each of `candidates`, which are in input order.
    fn scores(
        &self,
        items: &[ContextItem],
        candidates: &[Candidate<'_>],
    ) -> Result<Vec<f64>, CupelError> {
        let scorer = &*self.policy.scorer;
        if candidates.len() == items.len() {
            return score_checked(scorer, items, &self.context);
        }
        let scoreable: Vec<_> = candidates.iter().map(|it| it.item().clone()).collect();
        score_checked(scorer, &scoreable, &self.context)
    }

    /// Scores every item, alone or in a unit, by itself.
    fn score_members<'a>(
        &mut self,
        items: &[ContextItem],
        prepared: &mut Prepared<'a>,
    ) -> Result<(), CupelError> {
        let members = prepared.candidates.iter().flat_map(|it| prepared.members(it));
        let mut members: Vec<Candidate<'a>> = members.collect();
        if members.is_empty() {
            return Ok(());
        }
        members.sort_unstable_by_key(Candidate::index);
        let mut scores = vec![0.0; items.len()];
        for (member, score) in members.iter().zip(self.scores(items, &members)?) {
            scores[member.index()] = score;
            self.trace.scored(score);
        }
        let mut candidates = std::mem::take(&mut prepared.candidates);
        for candidate in &mut candidates {
            let own = prepared.members(candidate).map(|member| scores[member.index()]);
            let best = own.reduce(|a, b| if ascending(b) > ascending(a) { b } else { a });
            candidate.set_score(best.unwrap_or_default());
        }
        prepared.candidates = candidates;
        prepared.member_scores = scores;
        Ok(())
    }
}
