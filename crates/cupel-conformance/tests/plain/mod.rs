//! A second engine: plain, slow, and on request with one deliberate mistake.
//!
//! It shares nothing with the `cupel` crate and works on the tasks' own data, candidates being
//! positions throughout. Without a mistake it passes every vector, so a vector that it fails with one
//! is failed for that mistake. Groups and variants it does not know: those vectors are skipped, and the literal version
//! of the `cupel` crate's own tests stands for them.

mod build;
mod counts;
mod mistake;
mod pipeline;
mod place;
mod placers;
mod quotas;
mod report;
mod scorers;
mod simulation;
mod slicers;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cupel_conformance::engine::*;

pub(crate) use mistake::Mistake;

/// The engine, with at most one mistake.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain(pub(crate) Option<Mistake>);

impl Plain {
    /// Whether it makes this mistake.
    fn makes(self, mistake: Mistake) -> bool {
        self.0 == Some(mistake)
    }
}

/// One place in a task's list.
#[derive(Debug, Clone, Copy)]
struct Item<'t> {
    position: usize,
    /// Equal for places that hold one instance.
    instance: usize,
    spec: &'t ItemSpec,
}

/// An item with its score.
#[derive(Debug, Clone, Copy)]
struct Row<'t> {
    item: Item<'t>,
    score: f64,
}

impl Row<'_> {
    fn tokens(&self) -> i64 {
        self.item.spec.tokens
    }
}

/// An error before it is known when it happens.
#[derive(Debug, Clone)]
struct Problem {
    variant: &'static str,
    message: String,
    fields: Vec<(&'static str, i64)>,
}

fn problem(variant: &'static str, message: impl Into<String>) -> Problem {
    Problem { variant, message: message.into(), fields: Vec::new() }
}

impl Problem {
    fn with(mut self, name: &'static str, value: i128) -> Self {
        self.fields.push((name, clamp(value)));
        self
    }

    fn during(self, phase: Phase) -> Refusal {
        let fields = self.fields.into_iter().map(|(name, value)| (name.to_owned(), value));
        Refusal {
            phase,
            variant: self.variant.to_owned(),
            message: Some(self.message),
            fields: BTreeMap::from_iter(fields),
        }
    }
}

/// A number as it is reported.
fn clamp(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

fn fold(name: &str) -> String {
    name.to_ascii_lowercase()
}

impl Plain {
    fn items<'t>(self, entries: &'t [Entry]) -> Vec<Item<'t>> {
        let item = |position| Item {
            position,
            instance: first_position(entries, position),
            spec: item_at(entries, position).expect("entries name earlier ones"),
        };
        (0..entries.len()).map(item).collect()
    }

    fn same(self, a: &Item<'_>, b: &Item<'_>) -> bool {
        if self.makes(Mistake::ValueIdentity) {
            return a.spec == b.spec;
        }
        a.instance == b.instance
    }

    /// A name as it is compared where case does not matter.
    fn folded(self, name: &str) -> String {
        if self.makes(Mistake::FoldsBeyondAscii) { name.to_lowercase() } else { fold(name) }
    }

    /// A kind as it is compared.
    fn kind(self, kind: &str) -> String {
        if self.makes(Mistake::KindsCaseSensitive) { kind.to_owned() } else { self.folded(kind) }
    }

    /// Best first: NaN below every number, the zeros equal.
    fn best_first(self, a: f64, b: f64) -> Ordering {
        if self.makes(Mistake::TotalCmp) {
            return b.total_cmp(&a);
        }
        match (a.is_nan(), b.is_nan()) {
            (true, true) => Ordering::Equal,
            (a, b) if a != b => {
                let nan_last = a.cmp(&b);
                if self.makes(Mistake::NanFirst) { nan_last.reverse() } else { nan_last }
            }
            _ => b.partial_cmp(&a).expect("neither is NaN"),
        }
    }

    /// Positions of scores, best first, ties in order.
    fn ranked(self, scores: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| self.best_first(scores[a], scores[b]));
        order
    }

    /// A sum of tokens.
    fn sum(self, tokens: impl Iterator<Item = i64>) -> i128 {
        if self.makes(Mistake::WrappingSums) {
            return tokens.fold(0_i64, i64::wrapping_add).into();
        }
        tokens.map(i128::from).sum()
    }

    /// Builds with `build`, then runs with `run`, as one answer.
    fn answer<B, T>(
        self,
        path: &str,
        build: Result<B, Problem>,
        run: impl FnOnce(B) -> Result<T, Problem>,
    ) -> Reply<T> {
        let when_built =
            if self.makes(Mistake::ValidatesWhenRun) { Phase::Run } else { Phase::Construction };
        let outcome = match build {
            Ok(built) => run(built).map_err(|problem| problem.during(Phase::Run)),
            Err(problem) => Err(problem.during(when_built)),
        };
        Ok(vec![Answer::new(path, outcome)])
    }
}

impl Engine for Plain {
    fn name(&self) -> String {
        match self.0 {
            None => "plain".to_owned(),
            Some(mistake) => format!("plain with {mistake:?}"),
        }
    }

    fn score(&mut self, task: &ScoreTask) -> Reply<Scores> {
        let built = self.check_items(&task.items).and_then(|()| self.check_scorer(&task.scorer));
        self.answer("score", built, |()| {
            let items = self.items(&task.items);
            let list: Vec<Item<'_>> = task.list.iter().map(|&at| items[at]).collect();
            let score = |&at: &usize| Some(self.score_of(&task.scorer, &items[at], &list));
            Ok(Scores { scores: task.wanted.iter().map(score).collect() })
        })
    }

    fn slice(&mut self, task: &SliceTask) -> Reply<Selected> {
        let built = self.check_items(&task.items).and_then(|()| self.check_slicer(&task.slicer));
        self.answer("slice", built, |()| {
            let rows = rows(self.items(&task.items), &task.scores);
            let sliced = self.choose(&task.slicer, &rows, task.max_tokens, task.target_tokens)?;
            Ok(Selected {
                selected: sliced.kept.iter().map(|&at| rows[at].item.position).collect(),
                cap_excluded: Some(sliced.capped.len() as i64),
                shortfalls: Some(sliced.shortfalls),
            })
        })
    }

    fn place(&mut self, task: &PlaceTask) -> Reply<Placed> {
        self.answer("place", self.check_items(&task.items), |()| {
            let rows = rows(self.items(&task.items), &task.scores);
            Ok(Placed { order: self.arrange(task.placer, &rows) })
        })
    }

    fn run(&mut self, task: &RunTask) -> Reply<Ran> {
        let built = self.check_run(&task.items, &task.budget, &task.pipeline);
        if built.is_ok() && self.has_units_or_forms(&task.items) {
            return Err(Unanswered::NotSupported("groups and variants".to_owned()));
        }
        self.answer("run", built, |()| {
            let items = self.items(&task.items);
            let window =
                self.run_pipeline(&task.pipeline, &task.budget, &items, task.detail_level)?;
            Ok(Ran { output: window.positions, report: Some(window.report) })
        })
    }

    fn marginal_items(&mut self, task: &MarginalItemsTask) -> Reply<Marginal> {
        let built = self.check_run(&task.items, &task.budget, &task.pipeline);
        if built.is_ok() && self.has_units_or_forms(&task.items) {
            return Err(Unanswered::NotSupported("groups and variants".to_owned()));
        }
        self.answer("marginal_items", built, |()| self.find_marginal(task))
    }

    fn find_min_budget(&mut self, task: &MinBudgetTask) -> Reply<MinBudget> {
        let built = self.check_run(&task.items, &task.budget, &task.pipeline);
        if built.is_ok() && self.has_units_or_forms(&task.items) {
            return Err(Unanswered::NotSupported("groups and variants".to_owned()));
        }
        self.answer("find_min_budget", built, |()| {
            Ok(MinBudget { min_budget: self.search_min_budget(task)? })
        })
    }

    fn sensitivity(&mut self, task: &SensitivityTask) -> Reply<Sensitivity> {
        let check =
            |variant: &Variant| self.check_run(&task.items, &task.budget, &variant.pipeline);
        let built = task.variants.iter().try_for_each(check);
        self.answer("sensitivity", built, |()| self.compare(task))
    }
}

fn rows<'t>(items: Vec<Item<'t>>, scores: &[f64]) -> Vec<Row<'t>> {
    items.into_iter().zip(scores).map(|(item, &score)| Row { item, score }).collect()
}
