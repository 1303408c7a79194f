//! The report of a turn, once its window stands.

use crate::State;
use crate::cost::{Entries, costs};
use crate::settings::Terms;
use crate::turn::{Action, FirstChange, Note, Prefix, Report};

/// What was sent, after what was sent before it.
#[derive(Debug)]
pub(crate) struct Account<'a> {
    /// What was remembered before the turn.
    pub(crate) before: &'a State,
    pub(crate) terms: Terms,
    /// The tokens of all blocks up to each.
    pub(crate) sums: &'a [i64],
    /// How many blocks are those of the window before.
    pub(crate) kept: usize,
    pub(crate) now: Entries<'a>,
    /// All tokens.
    pub(crate) total: i64,
}

impl Account<'_> {
    /// Whether the window before is not the beginning of this one.
    pub(crate) fn is_broken(&self) -> bool {
        self.before.turns > 0 && self.kept < self.before.window.len()
    }

    pub(crate) fn report(
        &self,
        mut action: Action,
        first_change: Option<FirstChange>,
        notes: Vec<Note>,
    ) -> Report {
        let Terms { levels, price } = &self.terms;
        let before = Entries { marks: &self.before.marks, asked: self.before.asked };
        let costs = costs(before, self.kept, self.now, self.sums, self.total, price);
        let kept_tokens = self.kept.checked_sub(1).and_then(|at| self.sums.get(at)).copied();
        let kept_tokens = kept_tokens.unwrap_or(0);
        if let Action::Cut(cut) = &mut action {
            cut.rewritten = (self.total - kept_tokens).max(0);
            cut.payback_turns = price.payback_turns(cut.freed, cut.rewritten);
        }
        Report {
            turn: self.before.turns + 1,
            action,
            prefix: Prefix {
                kept_blocks: self.kept,
                kept_tokens,
                blocks_before: self.before.window.len(),
                first_change,
            },
            costs,
            tokens: self.total,
            budget: levels.budget,
            high_water: levels.mark,
            low_water: levels.low,
            breakpoints: self.now.marks.to_vec(),
            notes,
        }
    }
}
