//! What came, against what is remembered: how everything stands before anything is decided, and what is not as it was.

use cupel_messages::{Pin, Role, Standing};

use super::Step;
use crate::align::{Alignment, in_order};
use crate::turn::{Cause, Note};

/// Something that may have changed the prefix, by candidate.
pub(super) type Event = (usize, Cause);

/// What is remembered of what came.
pub(super) struct Recalled {
    /// How every candidate stands; what is new is whole.
    pub(super) standing: Vec<Standing>,
    /// Behind everything that was there before.
    pub(super) new_from: usize,
    pub(super) events: Vec<Event>,
    pub(super) notes: Vec<Note>,
}

impl Step<'_> {
    pub(super) fn recall(&self) -> Recalled {
        let state = &self.session.state;
        let before: Vec<u64> = state.units.iter().map(|unit| unit.hash).collect();
        // What is for this turn only is not remembered, and nothing that is remembered is for one turn only.
        let lasting: Vec<usize> =
            (0..self.hashes.len()).filter(|at| !self.is_volatile(*at)).collect();
        let now: Vec<u64> = lasting.iter().map(|at| self.hashes[*at]).collect();
        let aligned = in_order(&before, &now);
        let mut of_message: Vec<Option<Standing>> = vec![None; self.hashes.len()];
        for (at, known) in lasting.iter().zip(&aligned.known) {
            of_message[*at] = known.map(|known| state.units[known].standing);
        }
        let candidates = 0..self.prepared.len();
        let mut standing: Vec<Option<Standing>> =
            candidates.map(|at| of_message[self.prepared.origin(at)?]).collect();
        let new_from = standing.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
        let (mut events, mut notes) = self.differences(&aligned, &lasting);
        let back = self.settle(&mut standing);
        if let Some(first) = back.first() {
            notes.push(Note::BroughtBack { first: self.origin_at(*first), count: back.len() });
            events.extend(back.into_iter().map(|at| (at, Cause::Pinned)));
        }
        let standing = standing.into_iter().map(|it| it.unwrap_or(Standing::WHOLE)).collect();
        Recalled { standing, new_from, events, notes }
    }

    /// Names what is not as it was.
    fn differences(&self, aligned: &Alignment, lasting: &[usize]) -> (Vec<Event>, Vec<Note>) {
        let (mut events, mut notes) = (Vec::new(), Vec::new());
        let units = &self.session.state.units;
        let candidate_of = |message: usize| {
            (0..self.prepared.len())
                .find(|at| self.prepared.origin(*at).is_some_and(|origin| origin >= message))
                .unwrap_or(self.prepared.len())
        };
        let place =
            |now: usize| lasting.get(now).map_or(self.prepared.len(), |at| candidate_of(*at));
        let missing = aligned.gone.iter().filter(|(was, _)| units[*was].standing.is_in());
        let missing: Vec<usize> = missing.map(|(_, now)| *now).collect();
        let last_known = aligned.known.iter().rposition(Option::is_some);
        let inserted: Vec<usize> = (0..aligned.known.len())
            .filter(|at| aligned.known[*at].is_none() && last_known.is_some_and(|last| *at < last))
            .collect();
        for now in &missing {
            // Something else in its place is a change of it.
            let replaced = aligned.known.get(*now) == Some(&None)
                && last_known.is_some_and(|last| *now < last);
            let cause = if replaced { Cause::Changed } else { Cause::Disappeared };
            events.push((place(*now), cause));
        }
        if !missing.is_empty() {
            notes.push(Note::Disappeared { count: missing.len() });
        }
        if let Some(first) = inserted.first() {
            events.push((place(*first), Cause::Inserted));
            notes.push(Note::Inserted { first: lasting[*first], count: inserted.len() });
        }
        (events, notes)
    }

    /// What belongs to something that is out is out; what must stay is in. Says what came back by that.
    #[expect(clippy::needless_range_loop, reason = "positions are of candidates as well")]
    fn settle(&self, standing: &mut [Option<Standing>]) -> Vec<usize> {
        let candidate = |at: usize| self.prepared.candidate(at).expect("within the candidates");
        let len = self.prepared.len();
        let mut unit_out = vec![false; len];
        let mut turn_out = vec![false; len + 1];
        let needs_its_turn = self.prepared.needs_its_turn();
        for at in 0..len {
            let it = candidate(at);
            if standing[at] == Some(Standing::Out) {
                unit_out[it.unit] = true;
                let opens = needs_its_turn && it.role == Role::User;
                turn_out[it.turn] |= opens;
            }
        }
        let is_out = |at: usize| {
            let it = candidate(at);
            let alone = it.role == Role::System && it.unit == at && !needs_its_turn;
            unit_out[it.unit] || (turn_out[it.turn] && !alone)
        };
        // Whoever is pinned takes its unit along, and where that needs its turn, what opens the turn.
        let mut unit_stays = vec![false; len];
        let mut turn_stays = vec![false; len + 1];
        for at in (0..len).filter(|at| brings_back(candidate(*at).pin)) {
            let it = candidate(at);
            unit_stays[it.unit] = true;
            turn_stays[it.turn] |= needs_its_turn;
        }
        let mut back = Vec::new();
        for at in 0..len {
            let it = candidate(at);
            let opens = it.role == Role::User;
            let stays = unit_stays[it.unit] || (turn_stays[it.turn] && opens);
            if !is_out(at) {
                continue;
            }
            if stays {
                if standing[at] == Some(Standing::Out) {
                    back.push(at);
                    standing[at] = Some(Standing::WHOLE);
                }
            } else {
                standing[at] = Some(Standing::Out);
            }
        }
        back
    }
}

/// Whether a pin brings back what is out. That a message has become one of the first or the last turns does not: nobody
/// asked for it, and it would break the prefix.
fn brings_back(pin: Option<Pin>) -> bool {
    matches!(pin, Some(Pin::System | Pin::Hint | Pin::Pattern | Pin::Summary | Pin::CurrentTurn))
}
