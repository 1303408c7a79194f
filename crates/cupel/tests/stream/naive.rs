//! A stream as the rules have it, with the whole list at hand and no thought of memory or time.
//!
//! Greedy, and one of two placers. Scores come from the scorer's plain method.

use std::collections::BTreeMap;

use cupel::{ContextBudget, ContextItem, CupelError, OverflowStrategy, Scorer};

/// How the stream is chosen from.
pub(crate) struct Rules<'r> {
    pub(crate) scorer: &'r dyn Scorer,
    pub(crate) budget: &'r ContextBudget,
    pub(crate) batch_size: usize,
    pub(crate) deduplication: bool,
    pub(crate) overflow: OverflowStrategy,
    /// In the order of the stream; by time if not.
    pub(crate) input_order: bool,
}

/// What comes of it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Index, content and tokens in the form that is in, score, name of the reason.
    pub(crate) window: Vec<(usize, String, i64, f64, &'static str)>,
    /// The name of the reason for each item that is not in.
    pub(crate) excluded: BTreeMap<usize, &'static str>,
    pub(crate) seen: usize,
    pub(crate) batches: usize,
    pub(crate) is_full: bool,
}

#[derive(Clone, Debug)]
struct Unit {
    members: Vec<usize>,
    scores: Vec<f64>,
    score: f64,
    form: usize,
}

struct Stream<'r> {
    rules: &'r Rules<'r>,
    items: &'r [ContextItem],
    pinned: Vec<Unit>,
    chosen: Vec<Unit>,
    outcome: Outcome,
}

/// The units of `items`, each with the batch it is decided in, and the members that come too late for theirs.
fn plan(items: &[ContextItem], size: usize) -> (Vec<(usize, Vec<usize>)>, Vec<usize>) {
    let last_batch = items.len().saturating_sub(1) / size;
    let (mut units, mut late) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let Some(group) = item.group() else {
            units.push((index / size, vec![index]));
            continue;
        };
        let of_group: Vec<usize> =
            (0..items.len()).filter(|at| items[*at].group() == Some(group)).collect();
        if of_group[0] != index {
            continue;
        }
        let apart = of_group
            .windows(2)
            .position(|pair| pair[1] / size > pair[0] / size + 1)
            .map(|at| at + 1);
        let together = &of_group[..apart.unwrap_or(of_group.len())];
        late.extend(apart.map(|at| of_group[at]));
        let decided = (together[together.len() - 1] / size + 1).min(last_batch);
        units.push((decided, together.to_vec()));
    }
    (units, late)
}

pub(crate) fn run(rules: &Rules<'_>, items: &[ContextItem]) -> Result<Outcome, CupelError> {
    let size = rules.batch_size;
    let (units, late) = plan(items, size);
    let mut stream = Stream {
        rules,
        items,
        pinned: Vec::new(),
        chosen: Vec::new(),
        outcome: Outcome { seen: items.len(), ..Outcome::default() },
    };
    let last_batch = items.len().saturating_sub(1) / size;
    for batch in 0..=last_batch {
        let next = (batch + 1) * size;
        if let Some(index) = late.iter().find(|at| **at / size == batch) {
            // Pinned items over the ceiling are an error of an earlier batch, if at all.
            return Err(CupelError::GroupSplit {
                group: items[*index].group().unwrap().to_owned(),
                index: *late.iter().filter(|at| **at / size == batch).min().unwrap(),
                batch_size: size,
            });
        }
        stream.decide(units.iter().filter(|it| it.0 == batch).map(|it| it.1.clone()).collect())?;
        if batch == last_batch {
            break;
        }
        // What was seen so far and not decided: groups that may go on and, to know that the stream does, one more.
        let seen_in = |unit: &[usize], end: usize| -> Vec<usize> {
            unit.iter().copied().filter(|at| *at < end).collect()
        };
        let undecided = units.iter().filter(|it| it.0 > batch).map(|it| &it.1);
        let waits = (0..next).any(|at| {
            let decided_before =
                units.iter().any(|(decided, unit)| *decided < batch && unit.contains(&at));
            items[at].group().is_some() && !decided_before
        });
        let end = if waits { next + 1 } else { next };
        if waits && late.contains(&next) {
            continue;
        }
        let pending: Vec<Vec<usize>> =
            undecided.map(|unit| seen_in(unit, end)).filter(|it| !it.is_empty()).collect();
        let pins = pending.iter().flatten().any(|at| items[*at].pinned());
        if stream.outcome.batches > 0 && stream.left(stream.pinned_tokens()?) == 0 && !pins {
            stream.outcome.seen = end;
            stream.decide(pending)?;
            break;
        }
    }
    stream.place()
}

impl Stream<'_> {
    fn tokens_in(&self, unit: &[usize], form: usize) -> i64 {
        let tokens = |at: &usize| match form.min(self.items[*at].variants().len()) {
            0 => self.items[*at].tokens(),
            form => self.items[*at].variants()[form - 1].tokens(),
        };
        unit.iter().map(tokens).sum()
    }

    fn forms(&self, unit: &[usize]) -> usize {
        unit.iter().map(|at| self.items[*at].variants().len()).max().unwrap_or(0)
    }

    fn cost(&self, units: &[Unit]) -> i64 {
        units.iter().map(|unit| self.tokens_in(&unit.members, unit.form)).sum()
    }

    /// Shrinks what is pinned to the window, most saved first, and says what it costs.
    fn shrunk(&self) -> Result<Vec<Unit>, CupelError> {
        let budget = self.rules.budget;
        let ceiling = budget.max_tokens() - budget.output_reserve();
        let mut units = self.pinned.clone();
        units.sort_by_key(|unit| unit.members[0]);
        let saves = |unit: &Unit| {
            let members = &unit.members;
            self.tokens_in(members, 0) - self.tokens_in(members, self.forms(members))
        };
        let mut order: Vec<usize> = (0..units.len()).collect();
        order.sort_by_key(|at| -saves(&units[*at]));
        for at in order {
            while self.cost(&units) > budget.target_tokens().min(ceiling)
                && units[at].form < self.forms(&units[at].members)
            {
                units[at].form += 1;
            }
        }
        match self.cost(&units) {
            pinned_tokens if pinned_tokens > ceiling => {
                Err(CupelError::PinnedExceedsBudget { pinned_tokens, available: ceiling })
            }
            _ => Ok(units),
        }
    }

    fn pinned_tokens(&self) -> Result<i64, CupelError> {
        Ok(self.cost(&self.shrunk()?))
    }

    /// What is left for the slicer beside what was chosen.
    fn left(&self, pinned_tokens: i64) -> i64 {
        (self.target(pinned_tokens) - self.cost(&self.chosen)).max(0)
    }

    fn target(&self, pinned_tokens: i64) -> i64 {
        let budget = self.rules.budget;
        let taken = pinned_tokens + budget.reserved_slots().values().sum::<i64>();
        let max = (budget.max_tokens() - budget.output_reserve() - taken).max(0);
        let target = (budget.target_tokens() - taken).max(0).min(max);
        let kept = 1.0 - budget.estimation_safety_margin_percent() / 100.0;
        (target as f64 * kept).floor() as i64
    }

    fn decide(&mut self, units: Vec<Vec<usize>>) -> Result<(), CupelError> {
        if units.is_empty() {
            return Ok(());
        }
        self.outcome.batches += 1;
        let mut candidates = Vec::new();
        let mut pins = false;
        for members in units {
            let items: Vec<_> = members.iter().map(|at| &self.items[*at]).collect();
            let unit = |members: &[usize]| Unit {
                members: members.to_vec(),
                scores: vec![0.0; members.len()],
                score: 0.0,
                form: 0,
            };
            if items.iter().any(|item| item.tokens() < 0) {
                for (at, item) in members.iter().zip(&items) {
                    let reason = if item.tokens() < 0 { "NegativeTokens" } else { "GroupBroken" };
                    self.outcome.excluded.insert(*at, reason);
                }
            } else if items.iter().any(|item| item.pinned()) {
                self.pinned.push(unit(&members));
                pins = true;
            } else {
                candidates.push(unit(&members));
            }
        }
        if pins {
            let target = self.target(self.pinned_tokens()?);
            if target == 0 || self.cost(&self.chosen) > target {
                let chosen = std::mem::take(&mut self.chosen);
                self.slice(chosen)?;
            }
        }

        let mut scored: Vec<usize> = candidates.iter().flat_map(|it| it.members.clone()).collect();
        scored.sort_unstable();
        let scored: Vec<ContextItem> = scored.iter().map(|at| self.items[*at].clone()).collect();
        for unit in &mut candidates {
            let score = |at: &usize| self.rules.scorer.score(&self.items[*at], &scored);
            unit.scores = unit.members.iter().map(score).collect();
            unit.score = unit.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
        candidates.sort_by_key(|unit| unit.members[0]);
        if self.rules.deduplication {
            candidates = self.deduplicate(candidates);
        }
        self.slice(candidates)
    }

    fn contents(&self, unit: &Unit) -> Vec<&str> {
        unit.members.iter().map(|at| self.items[*at].content()).collect()
    }

    fn deduplicate(&mut self, candidates: Vec<Unit>) -> Vec<Unit> {
        let mut kept = Vec::new();
        for (at, unit) in candidates.iter().enumerate() {
            let contents = self.contents(unit);
            let held = self.chosen.iter().any(|it| self.contents(it) == contents);
            let beaten = candidates.iter().enumerate().any(|(other, it)| {
                let better = it.score > unit.score || it.score == unit.score && other < at;
                other != at && better && self.contents(it) == contents
            });
            if held || beaten {
                for member in &unit.members {
                    self.outcome.excluded.insert(*member, "Deduplicated");
                }
            } else {
                kept.push(unit.clone());
            }
        }
        kept
    }

    /// Takes what fits, best score per token first, each in the richest form that does.
    fn slice(&mut self, mut units: Vec<Unit>) -> Result<(), CupelError> {
        let pinned_tokens = self.pinned_tokens()?;
        let room = self.left(pinned_tokens);
        let room_without_pinned = self.left(0);
        by_score(&mut units);
        let density = |unit: &Unit| match self.tokens_in(&unit.members, 0) {
            0 => f64::INFINITY,
            tokens => unit.score / tokens as f64,
        };
        units.sort_by(|a, b| density(b).total_cmp(&density(a)));
        let mut left = room;
        for mut unit in units {
            let forms = 0..=self.forms(&unit.members);
            let fitting = forms.clone().find(|form| self.tokens_in(&unit.members, *form) <= left);
            match fitting.filter(|_| room > 0) {
                Some(form) => {
                    left -= self.tokens_in(&unit.members, form);
                    unit.form = form;
                    self.chosen.push(unit);
                }
                None => {
                    let least = self.tokens_in(&unit.members, *forms.end());
                    let displaced = self.rules.overflow == OverflowStrategy::Truncate
                        && pinned_tokens > 0
                        && least > room
                        && least <= room_without_pinned;
                    let reason = if displaced { "PinnedOverride" } else { "BudgetExceeded" };
                    for member in unit.members {
                        self.outcome.excluded.insert(member, reason);
                    }
                }
            }
        }
        Ok(())
    }

    fn place(mut self) -> Result<Outcome, CupelError> {
        let pinned = self.shrunk()?;
        by_score(&mut self.chosen);
        let tokens = self.cost(&pinned) + self.cost(&self.chosen);
        let budget = self.rules.budget;
        let limit = budget.target_tokens().min(budget.max_tokens() - budget.output_reserve());
        if tokens > limit && self.rules.overflow == OverflowStrategy::Throw {
            return Err(CupelError::Overflow { merged_tokens: tokens, target_tokens: limit });
        }
        // Only pinned items can be over the limit, and then nothing else is in: no truncation has work to do.
        assert!(tokens <= limit || self.chosen.is_empty());
        self.outcome.is_full = self.outcome.batches > 0 && self.left(self.cost(&pinned)) == 0;

        let mut units = pinned;
        units.extend(self.chosen.iter().cloned());
        let time =
            |unit: &Unit| unit.members.iter().filter_map(|at| self.items[*at].timestamp()).min();
        units.sort_by_key(|unit| (time(unit).is_none(), time(unit)));
        let mut window = Vec::new();
        for unit in &units {
            let is_pinned = unit.members.iter().any(|at| self.items[*at].pinned());
            let is_free = self.tokens_in(&unit.members, 0) == 0;
            for (at, score) in unit.members.iter().zip(&unit.scores) {
                let item = &self.items[*at];
                let (content, tokens) = match unit.form.min(item.variants().len()) {
                    0 => (item.content(), item.tokens()),
                    form => {
                        let variant = &item.variants()[form - 1];
                        (variant.content(), variant.tokens())
                    }
                };
                let (score, reason) = match (is_pinned, is_free) {
                    (true, _) => (0.0, "Pinned"),
                    (_, true) => (0.0, "ZeroToken"),
                    _ => (*score, "Scored"),
                };
                window.push((*at, content.to_owned(), tokens, score, reason));
            }
        }
        if self.rules.input_order {
            window.sort_by_key(|entry| entry.0);
        }
        Ok(Outcome { window, ..self.outcome })
    }
}

fn by_score(units: &mut [Unit]) {
    units.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.members[0].cmp(&b.members[0])));
}
