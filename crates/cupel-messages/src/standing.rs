//! What was decided in an earlier turn, carried out again: for sessions, where most of a window stays as it is.
//!
//! A session says of every candidate how it stands, whole, shorter or out; [`Prepared::as_before`] makes the same of it
//! again, and [`Prepared::cut`] lets the engine choose anew, but only behind a place that the session names.

use cupel::SelectionReport;

use crate::fit::{Decision, Fate};
use crate::model::{PartKind, Role};
use crate::provider::First;
use crate::{Error, Fitted, Pin, Prepared};

/// How a candidate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It is sent.
    In {
        /// Whole (0), or in one of its shorter forms.
        form: usize,
        /// Whether its thinking, if it has any, is sent too.
        thinking: bool,
    },
    /// It is not.
    Out,
}

impl Standing {
    /// Sent as it is.
    pub const WHOLE: Self = Self::In { form: 0, thinking: true };

    /// Whether it is sent.
    pub fn is_in(self) -> bool {
        matches!(self, Self::In { .. })
    }
}

/// What a session must know of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The message of the request that it is; nothing for an answer that was missing.
    pub origin: Option<usize>,
    /// Who speaks.
    pub role: Role,
    /// Its turn, from 1; 0 before the first user message.
    pub turn: usize,
    /// The first candidate of its unit: a call and its answers share one.
    pub unit: usize,
    /// The first candidate of all that is in or out with it.
    pub group: usize,
    /// Why it must stay, if it must.
    pub pin: Option<Pin>,
    /// Whether it is only for this turn.
    pub volatile: bool,
    /// Whether it has thinking.
    pub thinks: bool,
}

/// How every candidate stands, and who said so.
#[derive(Debug)]
pub struct Choice {
    standing: Vec<Standing>,
    decision: Decision,
}

impl Choice {
    /// How every candidate stands.
    pub fn standing(&self) -> &[Standing] {
        &self.standing
    }

    /// What the engine gave each candidate that it was asked about and that is not pinned.
    pub fn scores(&self) -> &[Option<f64>] {
        &self.decision.scores
    }

    /// What the engine reported, if it was asked.
    pub fn selection(&self) -> Option<&SelectionReport> {
        self.decision.selection.as_ref()
    }

    /// Takes the thinking out of everything from candidate `from` on.
    pub fn strip_from(&mut self, from: usize) {
        for standing in self.standing.iter_mut().skip(from) {
            if let Standing::In { thinking, .. } = standing {
                *thinking = false;
            }
        }
    }
}

/// A request that was carried out.
#[derive(Debug)]
#[non_exhaustive]
pub struct Sent {
    /// The request and what became of every message.
    pub fitted: Fitted,
    /// Of each message that is sent, the first candidate in it.
    pub firsts: Vec<usize>,
}

impl Prepared<'_> {
    /// How many candidates there are: the messages after repairs.
    pub fn len(&self) -> usize {
        self.drafts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.drafts.is_empty()
    }

    /// A candidate, if there are so many.
    pub fn candidate(&self, at: usize) -> Option<Candidate> {
        let draft = self.drafts.get(at)?;
        Some(Candidate {
            origin: draft.origin,
            role: draft.message.role,
            turn: self.shape.turn[at],
            unit: self.shape.unit[at],
            group: self.shape.group[at],
            pin: self.pins[at],
            volatile: draft.message.hints.volatile,
            thinks: draft.message.has(&PartKind::Thinking),
        })
    }

    /// What a candidate costs as it stands.
    pub fn tokens_as(&self, at: usize, standing: Standing) -> i64 {
        if at < self.drafts.len() { self.standing_tokens(at, standing) } else { 0 }
    }

    /// How many shorter forms a candidate has.
    pub fn form_count(&self, at: usize) -> usize {
        if at < self.drafts.len() { self.forms(at).len() } else { 0 }
    }

    /// The least that a candidate which is in can cost: its shortest form.
    pub fn shortest(&self, at: usize) -> i64 {
        if at >= self.drafts.len() {
            return 0;
        }
        let shortest = self.forms(at).last().map(|form| form.tokens.total());
        shortest.unwrap_or_else(|| self.counted(at, self.thinking_goes()).total())
    }

    /// Whether thinking is bound to everything before it, so that a change makes what follows invalid.
    pub fn binds_thinking(&self) -> bool {
        self.thinking_goes()
    }

    /// Whether a message makes no sense to the provider without the user message of its turn.
    pub fn needs_its_turn(&self) -> bool {
        self.provider.rules().merges && self.provider.rules().first != First::Anything
    }

    /// How candidates stood, to be carried out again. What is missing at the end of `standing` is new, and whole.
    ///
    /// On models that bind thinking, new messages that were mended lose theirs, and what follows them too.
    pub fn as_before(&self, standing: &[Standing], new_from: usize) -> Choice {
        let mut standing: Vec<_> = standing.iter().copied().take(self.drafts.len()).collect();
        standing.resize(self.drafts.len(), Standing::WHOLE);
        let fate = |standing: &Standing| match standing {
            Standing::In { form, .. } => Fate::In { form: *form },
            Standing::Out => Fate::OutBefore,
        };
        let fates = standing.iter().map(fate).collect();
        let decision = Decision { fates, scores: vec![None; standing.len()], selection: None };
        let mut choice = Choice { standing, decision };
        if self.thinking_goes()
            && let Some(from) = self.first_change(&choice.decision, new_from)
        {
            choice.strip_from(from.max(new_from));
        }
        choice
    }

    /// Chooses anew among what is in from candidate `from` on, within `budget` for the whole request; what stands before
    /// it stays as it is.
    ///
    /// # Errors
    /// When what must stay does not fit, or the policy refuses.
    pub fn cut(&self, standing: &[Standing], from: usize, budget: i64) -> Result<Choice, Error> {
        let mut standing: Vec<_> = standing.iter().copied().take(self.drafts.len()).collect();
        standing.resize(self.drafts.len(), Standing::WHOLE);
        let from = from.min(standing.len());
        let light = self.thinking_goes();
        let decision = self.choose(&standing, from, budget, light)?;
        let strip_from = if light { Some(from) } else { self.strip_from(&decision, false) };
        for (at, fate) in decision.fates.iter().enumerate() {
            let thought = |at: usize| match standing[at] {
                Standing::In { thinking, .. } => thinking,
                Standing::Out => false,
            };
            standing[at] = match fate {
                Fate::In { form } => {
                    let thinking = thought(at) && strip_from.is_none_or(|from| at < from);
                    Standing::In { form: *form, thinking }
                }
                Fate::Out(_) | Fate::OutBefore => Standing::Out,
            };
        }
        Ok(Choice { standing, decision })
    }

    /// The request with a choice carried out.
    pub fn carry_out(&self, choice: &Choice, budget: i64) -> Sent {
        let without =
            |standing: &Standing| matches!(standing, Standing::In { thinking: false, .. });
        let strips: Vec<bool> = choice.standing.iter().map(without).collect();
        let mut assembled = self.assemble(&choice.decision, &strips);
        let firsts = std::mem::take(&mut assembled.firsts);
        Sent { fitted: assembled.fitted(self, choice.decision.clone(), budget), firsts }
    }
}
