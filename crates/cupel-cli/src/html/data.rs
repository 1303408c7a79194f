//! What the page knows.

use std::borrow::Cow;

use cupel::{
    Certainty, ContextBudget, ContextItem, Counterfactual, CupelError, Obstacle, Pipeline, Remedy,
    SelectionReport,
};
use serde::Serialize;
use serde_json::Value;

use super::steps;
use super::visible::visible;
use crate::breakdown::{self, breakdown, found};
use crate::input::Candidates;
use crate::output::id_of;
use crate::plan::Plan;
use crate::remedies::Remedies;
use crate::render::{REASONS, count, plural};
use crate::verdict::{Rule, Verdict, position, verdicts};

/// Everything the page shows. Items are named by their number in the input, from 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageData<'a> {
    #[serde(skip)]
    pub(super) title: Cow<'a, str>,
    #[serde(skip)]
    pub(super) policy: Cow<'a, str>,
    /// What the window is to answer, if that was said or is judged by.
    #[serde(skip)]
    pub(super) query: Option<String>,
    #[serde(skip)]
    pub(super) total_tokens: i64,
    /// Whether items are chosen by their score per token.
    pub(super) per_token: bool,
    /// Tokens kept for the answer.
    pub(super) reserve: i64,
    /// In order of first appearance.
    pub(super) kinds: Vec<Cow<'a, str>>,
    pub(super) reasons: Vec<Reason>,
    pub(super) scorers: Vec<Scorer>,
    pub(super) items: Vec<Item<'a>>,
    pub(super) steps: Vec<Step>,
    /// Which of the steps is the budget that was asked about.
    pub(super) current: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Reason {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
}

/// Something that scores, and what its scores are multiplied with.
#[derive(Debug, Serialize, PartialEq)]
pub(super) struct Scorer {
    name: String,
    weight: f64,
}

/// What one scorer contributes to one score: which of the scorers, what it gave, what that adds.
pub(super) type Part = (usize, f64, f64);

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item<'a> {
    pub(super) n: usize,
    /// What the caller calls it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) id: String,
    pub(super) content: Cow<'a, str>,
    /// Whether there is more of the content.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) clipped: bool,
    pub(super) tokens: i64,
    pub(super) kind: Cow<'a, str>,
    pub(super) source: Cow<'a, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) priority: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timestamp: Option<String>,
    /// What it stays together with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<Cow<'a, str>>,
    /// All that stay together, itself included; none if it stands alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unit: Vec<usize>,
    /// Its shorter forms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) forms: Vec<Form<'a>>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) pinned: bool,
    /// None for pinned items, and for scores that are no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    /// Its score per token, where that decides; the script divides for itself.
    #[serde(skip)]
    pub(super) per_token: Option<f64>,
    /// The last item that was taken before its turn, where that kept it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beaten_by: Option<usize>,
    /// What the score is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) parts: Vec<Part>,
    /// What of the query it has, and what else its scorers found.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) matched: String,
    /// What kept it out, and what would let it in.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) remedy: String,
}

/// A shorter form of an item.
#[derive(Debug, Serialize)]
pub(super) struct Form<'a> {
    pub(super) content: Cow<'a, str>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) clipped: bool,
    pub(super) tokens: i64,
}

/// What one budget makes of the candidates.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    pub(super) max: i64,
    pub(super) limit: i64,
    pub(super) used: i64,
    pub(super) window: Vec<usize>,
    /// What is in a shorter form, and in which, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) short: Vec<(usize, usize)>,
    /// What was left out, by reason.
    pub(super) out: Vec<(&'static str, Vec<usize>)>,
    pub(super) error: Option<String>,
}

impl<'a> PageData<'a> {
    /// Runs the pipeline at other budgets, too.
    pub(crate) fn new(
        title: &'a str,
        plan: &'a Plan,
        candidates: &'a Candidates,
        budget: &ContextBudget,
        report: &SelectionReport,
        remedies: &Remedies,
    ) -> Result<Self, CupelError> {
        let rule = Rule::of(&plan.policy);
        let verdicts = verdicts(rule, candidates, report);
        let item = |(at, item)| Item {
            unit: candidates.units().members(at).iter().map(|member| member + 1).collect(),
            ..Item::new(at, item, candidates.object(at), verdicts[at])
        };
        let mut items: Vec<_> = candidates.items().iter().enumerate().map(item).collect();
        for (at, item) in items.iter_mut().enumerate() {
            let Some(told) = told(at, remedies, candidates) else { continue };
            item.remedy.push_str(if item.remedy.is_empty() { "" } else { "; " });
            item.remedy.push_str(&told);
        }
        let mut scorers = Vec::new();
        let parts = breakdown(&plan.pipeline, candidates.items())?;
        for (item, parts) in items.iter_mut().zip(parts) {
            item.matched = visible(&found(&parts)).into_owned();
            item.parts = encoded(parts, &mut scorers);
        }
        let mut kinds: Vec<Cow<'_, str>> = Vec::new();
        for item in &items {
            if !kinds.contains(&item.kind) {
                kinds.push(item.kind.clone());
            }
        }
        let budgets = steps::budgets(candidates.items(), budget);
        let current = budgets.iter().position(|it| it == budget).unwrap_or(0);
        let step = |budget| Step::new(&plan.pipeline, candidates, budget);
        let steps = budgets.iter().map(step).collect();
        Ok(Self {
            title: visible(title),
            policy: visible(&plan.label),
            query: plan.pipeline.context().query().map(|it| visible(it.text()).into_owned()),
            total_tokens: report.total_tokens_considered,
            per_token: matches!(rule, Rule::PerToken(_)),
            reserve: budget.output_reserve(),
            kinds,
            reasons: reasons(rule),
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
    fn new(at: usize, item: &'a ContextItem, object: &str, verdict: Verdict) -> Self {
        let (content, clipped) = beginning(item.content());
        let forms = item.variants().iter().map(|form| {
            let (content, clipped) = beginning(form.content());
            Form { content, clipped, tokens: form.tokens() }
        });
        Self {
            n: at + 1,
            id: id(object),
            content,
            clipped,
            group: item.group().map(visible),
            unit: Vec::new(),
            forms: forms.collect(),
            tokens: item.tokens(),
            kind: visible(item.kind().as_str()),
            source: visible(item.source().as_str()),
            tags: item.tags().iter().map(|tag| visible(tag)).collect(),
            priority: item.priority(),
            timestamp: item.timestamp().map(|time| time.to_rfc3339().replace("+00:00", "Z")),
            pinned: item.pinned(),
            score: verdict.score.map(short),
            per_token: verdict.per_token,
            beaten_by: verdict.beaten_by.map(|position| position + 1),
            parts: Vec::new(),
            matched: String::new(),
            remedy: verdict.room.map(left_at_its_turn).unwrap_or_default(),
        }
    }
}

/// As much of a content as a page holds, and whether there is more.
fn beginning(content: &str) -> (Cow<'_, str>, bool) {
    const MOST_BYTES: usize = 4_000;
    let end = content.floor_char_boundary(MOST_BYTES);
    (visible(&content[..end]), end < content.len())
}

/// The reasons in the order they are told, in the words that fit the policy.
fn reasons(rule: Rule) -> Vec<Reason> {
    let title = |name, title| if name == "BudgetExceeded" { rule.did_not_fit() } else { title };
    REASONS.iter().map(|(name, usual)| Reason { name, title: title(*name, usual) }).collect()
}

fn left_at_its_turn(tokens: i64) -> String {
    format!("{} left at its turn", plural(usize::try_from(tokens).unwrap_or(0), "token"))
}

/// What the caller calls an item, if that is a string or a number.
fn id(object: &str) -> String {
    match id_of(object) {
        Some(Value::String(text)) => visible(&text).into_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// The parts of a score, with their scorers among `scorers`.
pub(super) fn encoded(parts: Vec<breakdown::Part>, scorers: &mut Vec<Scorer>) -> Vec<Part> {
    let part = |it: breakdown::Part| {
        let scorer = Scorer { name: visible(&it.scorer).into_owned(), weight: it.weight };
        let known = scorers.iter().position(|it| *it == scorer);
        let at = known.unwrap_or_else(|| {
            scorers.push(scorer);
            scorers.len() - 1
        });
        (at, short(it.score), short(it.contribution))
    };
    parts.into_iter().map(part).collect()
}

/// A number as exact as people want it: six digits.
pub(super) fn short(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

/// What would let an item in, or bring it back whole, as a sentence.
fn told(position: usize, remedies: &Remedies, candidates: &Candidates) -> Option<String> {
    let Some(it) = remedies.counterfactual_of_unit(candidates.units(), position) else {
        let whole = remedies.whole(position)?;
        return Some(format!("{} would bring it back whole", more(whole)));
    };
    let Some(remedy) = &it.remedy else { return Some(obstacle(it, candidates)) };
    let members = candidates.units().members(position).len();
    let it_in = match members {
        0 => "it in".to_owned(),
        2 => "both of its group in".to_owned(),
        _ => format!("all {} of its group in", count(members)),
    };
    let shortened = if remedy.form > 0 { ", shortened" } else { "" };
    let whole = it.whole.as_ref().filter(|_| remedy.form > 0);
    let whole = whole.map(|whole| format!("; {} whole", more(whole))).unwrap_or_default();
    let out = pushed_out(remedy, candidates);
    Some(format!("{} would let {it_in}{shortened}{out}{whole}", more(remedy)))
}

fn more(remedy: &Remedy) -> String {
    let about = if remedy.certainty == Certainty::Smallest { "" } else { "at most " };
    let tokens = plural(usize::try_from(remedy.additional_tokens).unwrap_or(0), "more token");
    format!("{about}{tokens}")
}

fn pushed_out(remedy: &Remedy, candidates: &Candidates) -> String {
    const NAMED: usize = 4;
    let number = |item: &ContextItem| format!("#{}", candidates.position(item) + 1);
    let out: Vec<_> = remedy.displaced.iter().take(NAMED).map(number).collect();
    match remedy.displaced.len() {
        0 => String::new(),
        named if named <= NAMED => format!(", pushing out {}", out.join(", ")),
        _ => format!(", pushing out {} and more", out.join(", ")),
    }
}

/// What stands in the way of an item that no larger budget lets in.
fn obstacle(it: &Counterfactual, candidates: &Candidates) -> String {
    let number = |item: &ContextItem| format!("#{}", candidates.position(item) + 1);
    let told = it.obstacles.iter().find_map(|obstacle| match obstacle {
        Obstacle::DuplicateOf { kept } => Some(format!("repeats {}", number(kept))),
        Obstacle::NearDuplicateOf { kept, overlap } => {
            Some(format!("{:.0}% of it is in {}", overlap * 100.0, number(kept)))
        }
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
            short: Vec::new(),
            out: Vec::new(),
            error: None,
        };
        let report = match pipeline.dry_run(candidates.items(), budget) {
            Ok(report) => report,
            Err(error) => {
                step.error = Some(visible(&error.to_string()).into_owned());
                return step;
            }
        };
        for it in &report.included {
            step.used = step.used.saturating_add(it.item.tokens());
            step.window.push(position(it.index) + 1);
            step.short.extend(it.shortened.map(|short| (position(it.index) + 1, short.form)));
        }
        for (name, _) in REASONS {
            let of_reason = report.excluded.iter().filter(|it| it.reason.name() == name);
            let positions = of_reason.map(|it| position(it.index)).collect();
            let positions = candidates.units().together(positions);
            let numbers: Vec<_> = positions.into_iter().map(|position| position + 1).collect();
            if !numbers.is_empty() {
                step.out.push((name, numbers));
            }
        }
        step
    }
}
