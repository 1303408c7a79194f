//! What the page knows.

use cupel::{
    Certainty, ContextBudget, ContextItem, Counterfactual, InclusionReason, Obstacle, Pipeline,
    SelectionReport,
};
use serde::Serialize;

use super::steps;
use crate::input::Candidates;
use crate::render::REASONS;

/// Everything the page shows. Items are named by their number in the input, from 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageData<'a> {
    pub(super) title: &'a str,
    policy: &'a str,
    total_tokens: i64,
    /// Tokens kept for the answer.
    reserve: i64,
    /// In order of first appearance.
    kinds: Vec<&'a str>,
    reasons: Vec<Reason>,
    items: Vec<Item<'a>>,
    steps: Vec<Step>,
    /// Whether it is known what would let items in.
    remedies: bool,
    /// Which of the steps is the budget that was asked about.
    current: usize,
}

#[derive(Debug, Serialize)]
struct Reason {
    name: &'static str,
    title: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    n: usize,
    content: &'a str,
    /// Whether there is more of the content.
    clipped: bool,
    tokens: i64,
    kind: &'a str,
    source: &'a str,
    tags: &'a [String],
    priority: Option<i64>,
    timestamp: Option<String>,
    pinned: bool,
    /// None for pinned items, and for scores that are no number.
    score: Option<f64>,
    /// How many more tokens would let it in.
    needs: Option<i64>,
    /// Whether fewer would not do.
    exact: bool,
    pushes_out: Vec<usize>,
    /// The item kept instead of this one.
    repeats: Option<usize>,
}

/// What one budget makes of the candidates.
#[derive(Debug, Serialize)]
struct Step {
    max: i64,
    limit: i64,
    used: i64,
    window: Vec<usize>,
    /// What was left out, by reason.
    out: Vec<(&'static str, Vec<usize>)>,
    error: Option<String>,
}

impl<'a> PageData<'a> {
    /// Runs the pipeline at other budgets, too.
    pub(crate) fn new(
        title: &'a str,
        policy: &'a str,
        pipeline: &Pipeline,
        candidates: &'a Candidates,
        budget: &ContextBudget,
        report: &SelectionReport,
        counterfactuals: &[Counterfactual],
    ) -> Self {
        let mut items: Vec<_> = candidates.items().iter().enumerate().map(Item::new).collect();
        for it in &report.included {
            let scored = it.reason != InclusionReason::Pinned && it.score.is_finite();
            items[candidates.position(&it.item)].score = scored.then_some(it.score);
        }
        for it in &report.excluded {
            items[candidates.position(&it.item)].score = it.score.is_finite().then_some(it.score);
        }
        for it in counterfactuals {
            items[candidates.position(&it.item)].left_out(it, candidates);
        }
        let mut kinds: Vec<&str> = Vec::new();
        for item in &items {
            if !kinds.contains(&item.kind) {
                kinds.push(item.kind);
            }
        }
        let budgets = steps::budgets(candidates.items(), budget);
        let current = budgets.iter().position(|it| it == budget).unwrap_or(0);
        let steps = budgets.iter().map(|budget| Step::new(pipeline, candidates, budget)).collect();
        Self {
            title,
            policy,
            total_tokens: report.total_tokens_considered,
            reserve: budget.output_reserve(),
            kinds,
            reasons: REASONS.iter().map(|(name, title)| Reason { name, title }).collect(),
            items,
            steps,
            remedies: !counterfactuals.is_empty(),
            current,
        }
    }
}

impl<'a> Item<'a> {
    fn new((at, item): (usize, &'a ContextItem)) -> Self {
        const MOST_BYTES: usize = 4_000;
        let content = item.content();
        let end = content.floor_char_boundary(MOST_BYTES);
        Self {
            n: at + 1,
            content: &content[..end],
            clipped: end < content.len(),
            tokens: item.tokens(),
            kind: item.kind().as_str(),
            source: item.source().as_str(),
            tags: item.tags(),
            priority: item.priority(),
            timestamp: item.timestamp().map(|time| time.to_rfc3339().replace("+00:00", "Z")),
            pinned: item.pinned(),
            score: None,
            needs: None,
            exact: true,
            pushes_out: Vec::new(),
            repeats: None,
        }
    }

    fn left_out(&mut self, it: &Counterfactual, candidates: &Candidates) {
        let number = |item: &ContextItem| candidates.position(item) + 1;
        if let Some(remedy) = &it.remedy {
            self.needs = Some(remedy.additional_tokens);
            self.exact = remedy.certainty == Certainty::Smallest;
            self.pushes_out = remedy.displaced.iter().map(number).collect();
        }
        self.repeats = it.obstacles.iter().find_map(|obstacle| match obstacle {
            Obstacle::DuplicateOf { kept } => Some(number(kept)),
            _ => None,
        });
    }
}

impl Step {
    fn new(pipeline: &Pipeline, candidates: &Candidates, budget: &ContextBudget) -> Self {
        let mut step = Self {
            max: budget.max_tokens(),
            limit: budget.window_tokens(),
            used: 0,
            window: Vec::new(),
            out: Vec::new(),
            error: None,
        };
        let number = |item: &ContextItem| candidates.position(item) + 1;
        let report = match pipeline.dry_run(candidates.items(), budget) {
            Ok(report) => report,
            Err(error) => {
                step.error = Some(error.to_string());
                return step;
            }
        };
        for it in &report.included {
            step.used = step.used.saturating_add(it.item.tokens());
            step.window.push(number(&it.item));
        }
        for (name, _) in REASONS {
            let of_reason = report.excluded.iter().filter(|it| it.reason.name() == name);
            let numbers: Vec<_> = of_reason.map(|it| number(&it.item)).collect();
            if !numbers.is_empty() {
                step.out.push((name, numbers));
            }
        }
        step
    }
}
