//! A request's messages, for whoever cuts them.

use cupel_messages::{Choice, Standing};

use super::Step;
use crate::cut::Candidates;
use crate::window::Window;
use crate::{Cache, Error};

/// A request's candidates.
pub(super) struct Messages<'a> {
    pub(super) step: &'a Step<'a>,
    /// What they take before anything is cut, in tokens.
    pub(super) uncut: i64,
}

impl Candidates for Messages<'_> {
    type Choice = Choice;

    fn len(&self) -> usize {
        self.step.prepared.len()
    }

    fn fixed(&self) -> i64 {
        self.step.prepared.fixed().total()
    }

    fn tokens(&self, at: usize, standing: Standing) -> i64 {
        self.step.prepared.tokens_as(at, standing)
    }

    fn must_stay(&self, at: usize) -> Option<i64> {
        let prepared = self.step.prepared;
        prepared.candidate(at)?.pin?;
        // Shorter forms are made for whoever needs them: not as long as everything fits.
        let over = self.uncut > self.step.session.budget;
        Some(if over { prepared.shortest(at) } else { prepared.tokens_as(at, Standing::WHOLE) })
    }

    fn forms(&self, at: usize) -> usize {
        self.step.prepared.form_count(at)
    }

    fn group(&self, at: usize) -> usize {
        self.step.prepared.candidate(at).map_or(at, |it| it.group)
    }

    fn choose(&self, standing: &[Standing], from: usize, budget: i64) -> Result<Choice, Error> {
        Ok(self.step.prepared.cut(standing, from, budget)?)
    }

    fn standing<'c>(&self, choice: &'c Choice) -> &'c [Standing] {
        choice.standing()
    }

    fn scores<'c>(&self, choice: &'c Choice) -> &'c [Option<f64>] {
        choice.scores()
    }

    fn sent(&self, choice: &Choice) -> i64 {
        self.step.carry_out(choice).fitted.tokens.total()
    }

    fn can_fit(&self, budget: i64) -> Result<(), Error> {
        let least = self.step.prepared.least();
        let needed = least.total();
        if needed <= budget {
            return Ok(());
        }
        Err(cupel_messages::Error::BudgetTooSmall { budget, needed, least }.into())
    }

    /// Blocks are told from messages by their tokens, which is exact enough to choose by.
    fn readable(&self, standing: &[Standing]) -> Vec<i64> {
        let Step { session, request, prepared, meter, price, .. } = self.step;
        let state = &session.state;
        let whole = self.step.carry_out(&prepared.as_before(standing, standing.len()));
        let window = Window::read(whole.fitted.text, request.format(), *meter);
        let (common, sums) =
            window.map(|window| (window.common(&state.window), window.sums)).unwrap_or_default();
        let upto = |block: usize| sums.get(block).copied().unwrap_or(0);
        let seen = common.checked_sub(1).map_or(0, upto);
        let marks = state.marks.iter().chain(&state.asked).filter(|at| **at < common);
        let entries: Vec<i64> = marks.map(|at| upto(*at)).collect();
        let mut before = self.fixed();
        let readable = standing.iter().enumerate().map(|(at, standing)| {
            let unchanged = before.min(seen);
            before = before.saturating_add(prepared.tokens_as(at, *standing));
            match price.cache {
                Cache::AnyPrefix => unchanged,
                _ => entries.iter().copied().filter(|it| *it <= unchanged).max().unwrap_or(0),
            }
        });
        readable.collect()
    }
}
