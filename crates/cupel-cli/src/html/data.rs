//! What the page knows.

use std::borrow::Cow;

use cupel::{
    Certainty, ContextBudget, ContextItem, Counterfactual, CupelError, InclusionReason, Obstacle,
    Pipeline, ScoreBreakdown, SelectionReport,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::steps;
use super::visible::visible;
use crate::input::Candidates;
use crate::render::{REASONS, plural};

/// Everything the page shows. Items are named by their number in the input, from 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageData<'a> {
    #[serde(skip)]
    pub(super) title: Cow<'a, str>,
    #[serde(skip)]
    pub(super) policy: Cow<'a, str>,
    #[serde(skip)]
    pub(super) total_tokens: i64,
    /// Tokens kept for the answer.
    reserve: i64,
    /// In order of first appearance.
    kinds: Vec<Cow<'a, str>>,
    reasons: Vec<Reason>,
    scorers: Vec<Scorer>,
    pub(super) items: Vec<Item<'a>>,
    steps: Vec<Step>,
    /// Which of the steps is the budget that was asked about.
    current: usize,
}

#[derive(Debug, Serialize)]
struct Reason {
    name: &'static str,
    title: &'static str,
}

/// Something that scores, and what its scores are multiplied with.
#[derive(Debug, Serialize, PartialEq)]
struct Scorer {
    name: String,
    weight: f64,
}

/// What one scorer contributes to one score: which of the scorers, what it gave, what that adds.
type Part = (usize, f64, f64);

#[derive(Debug, Serialize)]
pub(super) struct Item<'a> {
    pub(super) n: usize,
    /// What the caller calls it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) id: Cow<'a, str>,
    pub(super) content: Cow<'a, str>,
    /// Whether there is more of the content.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) clipped: bool,
    pub(super) tokens: i64,
    pub(super) kind: Cow<'a, str>,
    source: Cow<'a, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) pinned: bool,
    /// None for pinned items, and for scores that are no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    /// What the score is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Part>,
    /// What would let it in.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) remedy: String,
}

/// What one budget makes of the candidates.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    max: i64,
    pub(super) limit: i64,
    pub(super) used: i64,
    pub(super) window: Vec<usize>,
    /// What was left out, by reason.
    pub(super) out: Vec<(&'static str, Vec<usize>)>,
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
    ) -> Result<Self, CupelError> {
        let item = |(at, item)| Item::new(at, item, candidates.object(at));
        let mut items: Vec<_> = candidates.items().iter().enumerate().map(item).collect();
        for it in &report.included {
            let scored = it.reason != InclusionReason::Pinned && it.score.is_finite();
            items[candidates.position(&it.item)].score = scored.then_some(it.score);
        }
        for it in &report.excluded {
            items[candidates.position(&it.item)].score = it.score.is_finite().then_some(it.score);
        }
        for it in counterfactuals {
            items[candidates.position(&it.item)].remedy = remedy(it, candidates);
        }
        let mut scorers = Vec::new();
        for it in pipeline.score_breakdown(candidates.items())? {
            items[it.index].parts = parts(&it, &mut scorers);
        }
        let mut kinds: Vec<Cow<'_, str>> = Vec::new();
        for item in &items {
            if !kinds.contains(&item.kind) {
                kinds.push(item.kind.clone());
            }
        }
        let budgets = steps::budgets(candidates.items(), budget);
        let current = budgets.iter().position(|it| it == budget).unwrap_or(0);
        let steps = budgets.iter().map(|budget| Step::new(pipeline, candidates, budget)).collect();
        Ok(Self {
            title: visible(title),
            policy: visible(policy),
            total_tokens: report.total_tokens_considered,
            reserve: budget.output_reserve(),
            kinds,
            reasons: REASONS.iter().map(|(name, title)| Reason { name, title }).collect(),
            scorers,
            items,
            steps,
            current,
        })
    }

    /// What the budget that was asked about makes of the candidates.
    pub(super) fn actual(&self) -> &Step {
        &self.steps[self.current]
    }
}

impl<'a> Item<'a> {
    fn new(at: usize, item: &'a ContextItem, object: &'a str) -> Self {
        const MOST_BYTES: usize = 4_000;
        let content = item.content();
        let end = content.floor_char_boundary(MOST_BYTES);
        Self {
            n: at + 1,
            id: id(object),
            content: visible(&content[..end]),
            clipped: end < content.len(),
            tokens: item.tokens(),
            kind: visible(item.kind().as_str()),
            source: visible(item.source().as_str()),
            tags: item.tags().iter().map(|tag| visible(tag)).collect(),
            priority: item.priority(),
            timestamp: item.timestamp().map(|time| time.to_rfc3339().replace("+00:00", "Z")),
            pinned: item.pinned(),
            score: None,
            parts: Vec::new(),
            remedy: String::new(),
        }
    }
}

/// The `id` of an item, if it is a string or a number.
fn id(object: &str) -> Cow<'_, str> {
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    let named = serde_json::from_str::<Named<'_>>(object).ok();
    let Some(id) = named.and_then(|it| it.id).map(RawValue::get) else { return Cow::default() };
    match id.as_bytes() {
        [b'"', ..] => {
            let text: String = serde_json::from_str(id).unwrap_or_default();
            Cow::Owned(visible(&text).into_owned())
        }
        [b'-' | b'0'..=b'9', ..] => Cow::Borrowed(id),
        _ => Cow::default(),
    }
}

/// The parts of a score, with their scorers among `scorers`.
fn parts(it: &ScoreBreakdown, scorers: &mut Vec<Scorer>) -> Vec<Part> {
    let part = |part: &cupel::ScorePart| {
        let scorer = Scorer { name: visible(&part.scorer).into_owned(), weight: part.weight };
        let known = scorers.iter().position(|it| *it == scorer);
        let at = known.unwrap_or_else(|| {
            scorers.push(scorer);
            scorers.len() - 1
        });
        (at, short(part.score), short(part.contribution))
    };
    it.parts.iter().map(part).collect()
}

/// A number as exact as people want it.
fn short(number: f64) -> f64 {
    if number.abs() < 1e9 { (number * 1e6).round() / 1e6 } else { number }
}

/// What would let an item in, as a sentence.
fn remedy(it: &Counterfactual, candidates: &Candidates) -> String {
    let number = |item: &ContextItem| format!("#{}", candidates.position(item) + 1);
    if let Some(remedy) = &it.remedy {
        const NAMED: usize = 4;
        let about = if remedy.certainty == Certainty::Smallest { "" } else { "at most " };
        let more = plural(usize::try_from(remedy.additional_tokens).unwrap_or(0), "more token");
        let out: Vec<_> = remedy.displaced.iter().take(NAMED).map(number).collect();
        let out = match remedy.displaced.len() {
            0 => String::new(),
            named if named <= NAMED => format!(", pushing out {}", out.join(", ")),
            _ => format!(", pushing out {} and more", out.join(", ")),
        };
        return format!("{about}{more} would let it in{out}");
    }
    let told = it.obstacles.iter().find_map(|obstacle| match obstacle {
        Obstacle::DuplicateOf { kept } => Some(format!("repeats {}", number(kept))),
        Obstacle::KindCap { kind, cap } => Some(format!("at most {cap} of {}", visible(kind))),
        Obstacle::NotTestable { .. } => Some("larger budgets could not be tried".to_owned()),
        _ => None,
    });
    told.unwrap_or_else(|| "no larger budget lets it in".to_owned())
}

fn is_false(flag: &bool) -> bool {
    !flag
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
