//! Cutting a request to a budget.

use cupel::{ContextBudget, CupelError, ExclusionReason, SelectionReport};

use crate::assemble::Assembled;
use crate::{Error, Fitted, Meter, Options, Prepared, Request};

/// What is decided about a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fate {
    /// In, whole (0) or in one of its shorter forms.
    In {
        form: usize,
    },
    Out(Option<ExclusionReason>),
}

/// What is decided about all messages.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) fates: Vec<Fate>,
    pub(crate) scores: Vec<Option<f64>>,
    pub(crate) selection: Option<SelectionReport>,
}

/// Selecting again because a tool round lost its user message is tried so often; then such rounds just go.
const MOST_SELECTIONS: usize = 8;

impl Request {
    /// Cuts the request to `budget` tokens: the same request, smaller, and valid.
    ///
    /// ```
    /// use cupel_messages::{Estimate, Options, Outcome, Request};
    ///
    /// let request = Request::read(
    ///     r#"{"model": "gpt-5", "messages": [
    ///         {"role": "system", "content": "You help customers of a bike shop."},
    ///         {"role": "user", "content": "Hi! My name is Ada, and I would like to tell you about the weather we had last week."},
    ///         {"role": "assistant", "content": "Hello Ada! I would love to hear about it."},
    ///         {"role": "user", "content": "When do you open?"}
    ///     ]}"#,
    /// )?;
    /// let fitted = request.fit(40, &Options::new(), &Estimate)?;
    /// assert!(fitted.tokens.total() <= 40);
    /// assert_eq!(fitted.messages[1].outcome, Outcome::LeftOut);
    /// assert!(fitted.text.contains("When do you open?"));
    /// # Ok::<(), cupel_messages::Error>(())
    /// ```
    ///
    /// # Errors
    /// When what must stay does not fit, or the request is broken in a way that cannot be mended.
    pub fn fit(&self, budget: i64, options: &Options, meter: &dyn Meter) -> Result<Fitted, Error> {
        self.prepare(options, meter)?.fit(budget)
    }
}

impl Prepared<'_> {
    /// The request cut to `budget` tokens.
    ///
    /// # Errors
    /// As for [`Request::fit`].
    pub fn fit(&self, budget: i64) -> Result<Fitted, Error> {
        if self.total().total() <= budget {
            let fates = vec![Fate::In { form: 0 }; self.drafts.len()];
            let scores = vec![None; self.drafts.len()];
            let whole = Decision { fates, scores, selection: None };
            return Ok(self.assemble(&whole, false).fitted(self, whole, budget));
        }
        // Where a cut invalidates thinking, first count as if all of it went. What stands before the cut keeps its own;
        // if that is too much, count with it, and if that is too much too, all of it goes.
        let attempts: &[(bool, bool)] = if self.thinking_goes() {
            &[(true, false), (false, false), (true, true)]
        } else {
            &[(false, false)]
        };
        let mut refusal = None;
        for &(light, strip_all) in attempts {
            match self.select(budget, light) {
                Ok(decision) => {
                    let assembled: Assembled = self.assemble(&decision, strip_all);
                    let tokens = assembled.tokens.total();
                    if tokens <= budget {
                        return Ok(assembled.fitted(self, decision, budget));
                    }
                    // A policy may proceed past its budget; a provider would not.
                    refusal = Some(
                        CupelError::Overflow { merged_tokens: tokens, target_tokens: budget }
                            .into(),
                    );
                }
                Err(error) => refusal = Some(error),
            }
        }
        Err(refusal.unwrap_or_else(|| self.too_small(budget)))
    }

    fn too_small(&self, budget: i64) -> Error {
        let least = self.least();
        Error::BudgetTooSmall { budget, needed: least.total(), least }
    }

    /// Lets the engine choose, until nothing is left without what it needs.
    fn select(&self, budget: i64, light: bool) -> Result<Decision, Error> {
        if self.least_counted(light).total() > budget {
            return Err(self.too_small(budget));
        }
        let room = ContextBudget::builder((budget - self.fixed.total()).max(0)).build()?;
        let pipeline = self.pipeline();
        let mut barred = vec![false; self.drafts.len()];
        for turn in 1.. {
            let candidates: Vec<usize> = (0..self.drafts.len()).filter(|at| !barred[*at]).collect();
            let items =
                candidates.iter().map(|at| self.item(*at, light)).collect::<Result<Vec<_>, _>>()?;
            let report = pipeline.dry_run(&items, &room)?;
            let mut decision = self.decision(report, &candidates);
            let stranded = self.stranded(&decision);
            if stranded.is_empty() || turn == MOST_SELECTIONS {
                for at in stranded {
                    decision.fates[at] = Fate::Out(None);
                }
                return Ok(decision);
            }
            for at in stranded {
                barred[at] = true;
            }
        }
        unreachable!("the loop above ends by itself")
    }

    /// The engine's report as fates.
    fn decision(&self, report: SelectionReport, candidates: &[usize]) -> Decision {
        let mut fates = vec![Fate::Out(None); self.drafts.len()];
        let mut scores = vec![None; self.drafts.len()];
        for included in &report.included {
            let Some(at) = included.index.and_then(|index| candidates.get(index)) else { continue };
            fates[*at] =
                Fate::In { form: included.shortened.map_or(0, |shortened| shortened.form) };
            scores[*at] = self.pins[*at].is_none().then_some(included.score);
        }
        for excluded in &report.excluded {
            let Some(at) = excluded.index.and_then(|index| candidates.get(index)) else { continue };
            fates[*at] = Fate::Out(Some(excluded.reason.clone()));
            scores[*at] = Some(excluded.score);
        }
        Decision { fates, scores, selection: Some(report) }
    }

    /// What is in while that without which it makes no sense is out, with all that shares its group.
    fn stranded(&self, decision: &Decision) -> Vec<usize> {
        let is_in = |at: usize| matches!(decision.fates[at], Fate::In { .. });
        let lost =
            |at: &usize| is_in(*at) && self.shape.needs[*at].is_some_and(|needed| !is_in(needed));
        let groups: std::collections::BTreeSet<usize> =
            (0..self.drafts.len()).filter(lost).map(|at| self.shape.group[at]).collect();
        (0..self.drafts.len()).filter(|at| groups.contains(&self.shape.group[*at])).collect()
    }
}
