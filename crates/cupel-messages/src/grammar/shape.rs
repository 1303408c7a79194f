//! Which messages are a turn, which a unit, which are in or out together?

use super::Draft;
use super::pairs::Pairs;
use crate::model::Role;
use crate::provider::Rules;
use crate::{CurrentTurn, Granularity};

/// The shape of a conversation.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// The turn of each message; 0 before the first user message.
    pub(crate) turn: Vec<usize>,
    /// The unit of each message: calls, their answers, and what was emitted together with them.
    pub(crate) unit: Vec<usize>,
    /// Whether a unit, by its first message, is a tool round.
    pub(crate) rounds: Vec<bool>,
    /// What is in or out together, by its first message.
    pub(crate) group: Vec<usize>,
    /// Whether there is anybody else in a message's group.
    pub(crate) in_company: Vec<bool>,
    /// The group without which a message makes no sense to the provider.
    pub(crate) needs: Vec<Option<usize>>,
}

impl Shape {
    pub(crate) fn of(
        drafts: &[Draft<'_>],
        pairs: &Pairs,
        rules: Rules,
        granularity: Granularity,
        current_turn: CurrentTurn,
    ) -> Self {
        let turn = turns(drafts);
        let units = units(drafts, pairs, rules);
        let unit: Vec<_> = (0..drafts.len()).map(|at| units.root(at)).collect();
        let last_turn = turn.last().copied().unwrap_or(0);
        let whole = |at: usize| match granularity {
            _ if turn[at] == last_turn => current_turn == CurrentTurn::Whole,
            Granularity::Turn => true,
            Granularity::Unit => false,
        };
        let mut rounds = vec![false; drafts.len()];
        for (at, draft) in drafts.iter().enumerate() {
            rounds[unit[at]] |= draft.message.calls().next().is_some();
        }
        // A system message of its own stays by itself.
        let alone = |at: usize| drafts[at].message.role == Role::System && !rules.system_in_turn;
        let mut groups = units;
        let mut frames: Vec<Option<usize>> = vec![None; last_turn + 1];
        for at in (0..drafts.len()).filter(|at| !alone(*at)) {
            // What stays when tool rounds go: the user's words and the model's. Where nothing need stay, each message is by itself.
            let in_frame = whole(at) || (rules.merges && !rounds[unit[at]]);
            if in_frame {
                match frames[turn[at]] {
                    Some(frame) => groups.join(frame, at),
                    None => frames[turn[at]] = Some(at),
                }
            }
        }
        let group: Vec<_> = (0..drafts.len()).map(|at| groups.root(at)).collect();
        let needs = (0..drafts.len()).map(|at| {
            let frame = frames[turn[at]]
                .map(|frame| group[frame])
                .filter(|_| rules.merges && !alone(at))?;
            (frame != group[at]).then_some(frame)
        });
        let needs = needs.collect();
        let mut in_company = vec![false; drafts.len()];
        for at in (0..drafts.len()).filter(|at| group[*at] != *at) {
            in_company[at] = true;
            in_company[group[at]] = true;
        }
        Self { turn, unit, rounds, group, in_company, needs }
    }
}

/// A turn is a user message and everything up to the next.
fn turns(drafts: &[Draft<'_>]) -> Vec<usize> {
    let mut turn = 0;
    let turns = drafts.iter().map(|draft| {
        turn += usize::from(draft.message.role == Role::User);
        turn
    });
    turns.collect()
}

/// A unit is a call with its answers and with what was emitted together with it.
pub(crate) fn units(drafts: &[Draft<'_>], pairs: &Pairs, rules: Rules) -> Joined {
    let mut units = Joined::new(drafts.len());
    for ((call, _), (answer, _)) in &pairs.joined {
        units.join(*call, *answer);
    }
    for at in 1..drafts.len() {
        let (before, message) = (&drafts[at - 1].message, &drafts[at].message);
        let emitted_together =
            rules.emits_runs && before.role == Role::Assistant && message.role == Role::Assistant;
        // A system message that must stand behind the user's goes with it.
        let placed = rules.system_in_turn && message.role == Role::System;
        if emitted_together || placed || rules.run_continues(before, message) {
            units.join(at - 1, at);
        }
    }
    units
}

/// Sets of positions, joined two at a time; each is known by its first member.
#[derive(Debug, Clone)]
pub(crate) struct Joined(Vec<usize>);

impl Joined {
    fn new(len: usize) -> Self {
        Self((0..len).collect())
    }

    pub(crate) fn root(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, second) = (one.min(other), one.max(other));
        self.0[second] = first;
    }
}
