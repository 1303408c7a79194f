//! What a turn does: it puts what is new behind what is there, cuts, or holds although it is above the mark.

use cupel::CupelError;
use cupel_messages::Standing;

use crate::cut::{Candidates, Plan, cut, must_stay};
use crate::settings::{Levels, Terms};
use crate::turn::{Action, Cut, Note};
use crate::{Error, Price, Session};

/// What was decided.
pub(crate) struct Decision<C> {
    pub(crate) action: Action,
    /// How everything stands after a cut; nothing if nothing was cut.
    pub(crate) choice: Option<C>,
    pub(crate) terms: Terms,
    /// Tokens that came.
    pub(crate) grown: i64,
    /// That what must stay exceeds the mark, unless it was said before.
    pub(crate) note: Option<Note>,
}

impl Session {
    /// Decides about candidates that take `uncut` tokens as they stand. Positions in the action are those of candidates.
    pub(crate) fn decide<C: Candidates>(
        &self,
        candidates: &C,
        standing: &[Standing],
        uncut: i64,
        price: Price,
    ) -> Result<Decision<C::Choice>, Error> {
        let grown = uncut.saturating_sub(self.state.tokens).max(0);
        let base = self.settings().levels(self.budget, &price, 0);
        let mut decision = Decision {
            action: Action::Extended,
            choice: None,
            terms: Terms { levels: base, price },
            grown,
            note: None,
        };
        if uncut <= base.mark {
            // What must stay is no more than all, so there is no need to look at it.
            return Ok(decision);
        }
        let must = must_stay(candidates, standing);
        let levels = self.levels_over(candidates, standing, must, &price);
        decision.terms.levels = levels;
        if levels.overloaded && !self.state.warned {
            decision.note = Some(Note::MustStayOverMark { must_stay: must, mark: base.mark });
        }
        let forced = uncut > self.budget;
        if uncut <= levels.mark && !forced {
            return Ok(decision);
        }
        let least = levels.least_freed;
        let would_free = uncut.saturating_sub(levels.low);
        if would_free < least && !forced {
            decision.action = Action::Held { would_free, least };
            return Ok(decision);
        }
        let choice = self.cut(candidates, standing, &decision.terms, grown)?;
        let after = candidates.sent(&choice);
        if after > self.budget {
            // A policy may proceed past its budget; a provider would not.
            let target_tokens = self.budget;
            return Err(CupelError::Overflow { merged_tokens: after, target_tokens }.into());
        }
        let freed = uncut - after;
        if freed < least && !forced {
            decision.action = Action::Held { would_free: freed, least };
            return Ok(decision);
        }
        decision.action =
            Action::Cut(Cut { freed, forced, ..compare(standing, candidates.standing(&choice)) });
        decision.choice = Some(choice);
        Ok(decision)
    }

    /// The marks where not everything is below the plain one.
    fn levels_over<C: Candidates>(
        &self,
        candidates: &C,
        standing: &[Standing],
        must_stay: i64,
        price: &Price,
    ) -> Levels {
        let levels = self.settings().levels(self.budget, price, must_stay);
        if !levels.overloaded || must_stay < self.budget {
            return levels;
        }
        // What must stay may be shortened before anything is refused.
        let stays = (0..candidates.len()).filter(|at| standing[*at].is_in());
        let shortest = stays.filter_map(|at| candidates.must_stay(at));
        let shortest = shortest.fold(candidates.fixed(), i64::saturating_add);
        self.settings().squeezed(levels, shortest)
    }

    fn cut<C: Candidates>(
        &self,
        candidates: &C,
        standing: &[Standing],
        terms: &Terms,
        grown: i64,
    ) -> Result<C::Choice, Error> {
        candidates.can_fit(terms.levels.budget)?;
        let state = &self.state;
        let turns = i64::try_from(state.turns_since_cut).unwrap_or(i64::MAX).saturating_add(1);
        let growth = state.grown.saturating_add(grown) / turns.max(1);
        let readable = candidates.readable(standing);
        cut(candidates, standing, &Plan { terms: *terms, growth, readable: &readable })
    }
}

/// What a cut dropped and shortened; what it frees and costs is not known here.
fn compare(before: &[Standing], now: &[Standing]) -> Cut {
    let changes = || before.iter().zip(now).filter(|(was, _)| was.is_in());
    let differ =
        |(was, is): (&Standing, &Standing)| was.is_in() != is.is_in() || form(*was) != form(*is);
    Cut {
        first: before.iter().zip(now).position(differ).unwrap_or(before.len()),
        dropped: changes().filter(|(_, is)| !is.is_in()).count(),
        shortened: changes().filter(|(was, is)| form(**is) > form(**was)).count(),
        freed: 0,
        rewritten: 0,
        payback_turns: None,
        forced: false,
    }
}

/// Whole (0), or which shorter form.
pub(crate) fn form(standing: Standing) -> usize {
    match standing {
        Standing::In { form, .. } => form,
        Standing::Out => 0,
    }
}
