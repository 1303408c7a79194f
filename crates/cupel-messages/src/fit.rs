//! Cutting a request to a budget.

use cupel::{ContextBudget, CupelError, ExclusionReason, SelectionReport};

use crate::assemble::Assembled;
use crate::{Error, Fitted, Meter, Options, Prepared, Request, Standing};

/// What is decided about a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fate {
    /// In, whole (0) or in one of its shorter forms.
    In {
        form: usize,
    },
    Out(Option<ExclusionReason>),
    /// Out since an earlier turn.
    OutBefore,
}

/// What is decided about all messages.
#[derive(Debug, Clone)]
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
            let strips = self.strips(&whole, false);
            return Ok(self.assemble(&whole, &strips).fitted(self, whole, budget));
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
                    let strips = self.strips(&decision, strip_all);
                    let assembled: Assembled = self.assemble(&decision, &strips);
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

    /// Lets the engine choose among everything.
    fn select(&self, budget: i64, light: bool) -> Result<Decision, Error> {
        if self.least_counted(light).total() > budget {
            return Err(self.too_small(budget));
        }
        let all_in = vec![Standing::WHOLE; self.drafts.len()];
        self.choose(&all_in, 0, budget, light)
    }

    /// Lets the engine choose among what is in from candidate `from` on, until nothing is left without what it needs.
    pub(crate) fn choose(
        &self,
        standing: &[Standing],
        from: usize,
        budget: i64,
        light: bool,
    ) -> Result<Decision, Error> {
        let before: i64 = (0..from).map(|at| self.standing_tokens(at, standing[at])).sum();
        let room = budget.saturating_sub(self.fixed.total()).saturating_sub(before);
        let room = ContextBudget::builder(room.max(0)).build()?;
        let pipeline = self.pipeline();
        let mut open: Vec<bool> = (0..self.drafts.len())
            .map(|at| at >= from && matches!(standing[at], Standing::In { .. }))
            .collect();
        for turn in 1.. {
            let candidates: Vec<usize> = (0..self.drafts.len()).filter(|at| open[*at]).collect();
            let items = candidates.iter().map(|at| self.item_as(*at, standing[*at], light));
            let report = pipeline.dry_run(&items.collect::<Result<Vec<_>, _>>()?, &room)?;
            let mut decision = self.decision(report, &candidates, standing, from);
            let stranded = self.stranded(&decision, from);
            if stranded.is_empty() || turn == MOST_SELECTIONS {
                for at in stranded {
                    decision.fates[at] = Fate::Out(None);
                }
                return Ok(decision);
            }
            for at in stranded {
                open[at] = false;
            }
        }
        unreachable!("the loop above ends by itself")
    }

    /// The engine's report as fates; what stands before `from` is as it was.
    fn decision(
        &self,
        report: SelectionReport,
        candidates: &[usize],
        standing: &[Standing],
        from: usize,
    ) -> Decision {
        let form_of = |at: usize| match standing[at] {
            Standing::In { form, .. } => form,
            Standing::Out => 0,
        };
        let as_before = |at: usize| match standing[at] {
            Standing::Out => Fate::OutBefore,
            Standing::In { form, .. } if at < from => Fate::In { form },
            Standing::In { .. } => Fate::Out(None),
        };
        let mut fates: Vec<Fate> = (0..self.drafts.len()).map(as_before).collect();
        let mut scores = vec![None; self.drafts.len()];
        for included in &report.included {
            let Some(at) = included.index.and_then(|index| candidates.get(index)) else { continue };
            let shorter = included.shortened.map_or(0, |shortened| shortened.form);
            fates[*at] = Fate::In { form: form_of(*at) + shorter };
            scores[*at] = self.pins[*at].is_none().then_some(included.score);
        }
        for excluded in &report.excluded {
            let Some(at) = excluded.index.and_then(|index| candidates.get(index)) else { continue };
            fates[*at] = Fate::Out(Some(excluded.reason.clone()));
            scores[*at] = Some(excluded.score);
        }
        Decision { fates, scores, selection: Some(report) }
    }

    /// What is in behind `from` while that without which it makes no sense is out, with all that shares its group.
    fn stranded(&self, decision: &Decision, from: usize) -> Vec<usize> {
        let is_in = |at: usize| matches!(decision.fates[at], Fate::In { .. });
        let lost =
            |at: &usize| is_in(*at) && self.shape.needs[*at].is_some_and(|needed| !is_in(needed));
        let groups: std::collections::BTreeSet<usize> =
            (from..self.drafts.len()).filter(lost).map(|at| self.shape.group[at]).collect();
        let gone = |at: &usize| is_in(*at) && groups.contains(&self.shape.group[*at]);
        (from..self.drafts.len()).filter(gone).collect()
    }
}
