//! Why a window is what it is.

use std::fmt::Write;

use cupel::{
    Certainty, ContextBudget, ContextItem, Counterfactual, ExclusionReason, IncludedItem,
    InclusionReason, Obstacle, SelectionReport,
};

use super::table::{Row, table};
use super::{Palette, budget_bar, count, grouped, plural};
use crate::input::Candidates;

/// Everything an explanation tells.
pub(crate) struct Explanation<'a> {
    pub(crate) title: &'a str,
    pub(crate) policy: &'a str,
    pub(crate) candidates: &'a Candidates,
    pub(crate) budget: &'a ContextBudget,
    pub(crate) report: &'a SelectionReport,
    /// One for each excluded item, in the report's order; empty if that is not known.
    pub(crate) counterfactuals: &'a [Counterfactual],
    pub(crate) width: usize,
    /// How many rows of one table are worth showing.
    pub(crate) most_rows: usize,
}

const PALETTE: Palette = Palette::PEOPLE;

/// The budget, the window in order, and what was left out, grouped by reason.
pub(crate) fn explanation(told: &Explanation<'_>) -> String {
    let mut text = String::new();
    let _ = heading(&mut text, told).and_then(|()| window(&mut text, told)).and_then(|()| {
        shortfalls(&mut text, told.report)?;
        left_out(&mut text, told)
    });
    text
}

impl Explanation<'_> {
    fn row<'i>(&self, item: &'i ContextItem, score: String, note: String) -> Row<'i> {
        Row { number: self.candidates.position(item) + 1, score, note, item }
    }

    /// Says how many of `all` rows are not shown.
    fn rest(&self, text: &mut String, all: usize) -> std::fmt::Result {
        let dim = PALETTE.dim;
        match all.saturating_sub(self.most_rows) {
            0 => Ok(()),
            more => writeln!(text, "{dim}  ... and {} more; --all shows them{dim:#}", count(more)),
        }
    }
}

fn tokens_of<'i>(items: impl Iterator<Item = &'i ContextItem>) -> i128 {
    items.map(|item| i128::from(item.tokens())).sum()
}

fn heading(text: &mut String, told: &Explanation<'_>) -> std::fmt::Result {
    let Explanation { title, policy, report, budget, .. } = told;
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    writeln!(
        text,
        "{strong}{title}{strong:#}  {dim}{}, {} tokens; policy {policy}{dim:#}\n",
        plural(report.total_candidates, "candidate"),
        grouped(report.total_tokens_considered),
    )?;
    writeln!(text, "{}", budget_bar(report, budget, told.width.min(100)))?;
    let used = tokens_of(report.included.iter().map(|it| &it.item));
    let limit = i128::from(budget.window_tokens());
    let share = if limit > 0 { used as f64 / limit as f64 * 100.0 } else { 0.0 };
    write!(
        text,
        "{strong}{}{strong:#} of {} tokens used ({share:.0}%)",
        grouped(used),
        grouped(limit)
    )?;
    match limit - used {
        over if over < 0 => {
            let bad = PALETTE.bad;
            write!(text, ", {bad}{} over the limit{bad:#}", grouped(-over))?;
        }
        free => write!(text, ", {} free", grouped(free))?,
    }
    if budget.output_reserve() > 0 {
        write!(text, ", {} kept for the answer", grouped(budget.output_reserve()))?;
    }
    let slots: i128 = budget.reserved_slots().values().map(|tokens| i128::from(*tokens)).sum();
    if slots > 0 {
        write!(text, ", {} kept for reserved kinds", grouped(slots))?;
    }
    if budget.estimation_safety_margin_percent() > 0.0 {
        write!(text, ", {}% safety margin", budget.estimation_safety_margin_percent())?;
    }
    writeln!(text)
}

fn window(text: &mut String, told: &Explanation<'_>) -> std::fmt::Result {
    let included = &told.report.included;
    let strong = PALETTE.strong;
    writeln!(
        text,
        "\n{strong}The window, in order{strong:#}  {}, {} tokens",
        plural(included.len(), "item"),
        grouped(tokens_of(included.iter().map(|it| &it.item)))
    )?;
    let score = |it: &IncludedItem| match it.reason {
        InclusionReason::Scored => format!("{:.2}", it.score),
        InclusionReason::Pinned => "pinned".to_owned(),
        InclusionReason::ZeroToken => "free".to_owned(),
        other => other.to_string(),
    };
    let rows = included.iter().take(told.most_rows);
    let rows: Vec<_> = rows.map(|it| told.row(&it.item, score(it), String::new())).collect();
    table(text, &rows, "", told.width)?;
    told.rest(text, included.len())
}

fn shortfalls(text: &mut String, report: &SelectionReport) -> std::fmt::Result {
    let warning = PALETTE.warning;
    for short in &report.count_requirement_shortfalls {
        writeln!(
            text,
            "\n{warning}Too few:{warning:#} {} {} required, {} available",
            count(short.required_count),
            short.kind,
            count(short.satisfied_count)
        )?;
    }
    Ok(())
}

fn left_out(text: &mut String, told: &Explanation<'_>) -> std::fmt::Result {
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    let excluded = &told.report.excluded;
    if excluded.is_empty() {
        return writeln!(text, "\n{strong}Nothing was left out.{strong:#}");
    }
    writeln!(
        text,
        "\n{strong}Left out{strong:#}  {}, {} tokens, best first",
        plural(excluded.len(), "item"),
        grouped(tokens_of(excluded.iter().map(|it| &it.item)))
    )?;
    for (name, title) in REASONS {
        let group = excluded.iter().enumerate().filter(|(_, it)| it.reason.name() == name);
        let group: Vec<_> = group.collect();
        let Some((_, first)) = group.first() else { continue };
        let note = match &first.reason {
            ExclusionReason::BudgetExceeded { available_tokens, .. }
                if group.iter().all(|(_, it)| same_room(&it.reason, *available_tokens)) =>
            {
                format!(", {} tokens were left", grouped(*available_tokens))
            }
            _ => String::new(),
        };
        writeln!(
            text,
            "\n{strong}{title}{strong:#}  {dim}{name}: {}{note}{dim:#}",
            plural(group.len(), "item")
        )?;
        let rows = group.iter().take(told.most_rows).map(|(at, it)| {
            let remedy = told.counterfactuals.get(*at).map(|it| remedy(told, it));
            told.row(&it.item, format!("{:.2}", it.score), remedy.unwrap_or_default())
        });
        table(text, &rows.collect::<Vec<_>>(), "to let it in", told.width)?;
        told.rest(text, group.len())?;
    }
    if told.counterfactuals.is_empty() {
        writeln!(text, "\n{dim}What would let each in is not computed for so many.{dim:#}")?;
    }
    Ok(())
}

/// The reasons in the order they are told, with what they mean.
pub(crate) const REASONS: [(&str, &str); 10] = [
    ("BudgetExceeded", "Did not fit"),
    ("PinnedOverride", "Pinned items took the room"),
    ("CountCapExceeded", "Enough of its kind"),
    ("QuotaCapExceeded", "Its kind had its share"),
    ("QuotaRequireDisplaced", "Made room for what another kind must have"),
    ("ScoredTooLow", "Scored too low"),
    ("Filtered", "Filtered out"),
    ("Deduplicated", "Repeats something kept"),
    ("NegativeTokens", "Negative token count"),
    ("Unknown", "Other reasons"),
];

fn same_room(reason: &ExclusionReason, room: i64) -> bool {
    matches!(reason, ExclusionReason::BudgetExceeded { available_tokens, .. } if *available_tokens == room)
}

/// What would let an item in, in a few characters.
fn remedy(told: &Explanation<'_>, it: &Counterfactual) -> String {
    if let Some(remedy) = &it.remedy {
        let about = if remedy.certainty == Certainty::Tested { "≤" } else { "" };
        let more = format!("{about}+{}", grouped(remedy.additional_tokens));
        return match remedy.displaced.as_slice() {
            [] => more,
            [one] => format!("{more}, #{} out", told.candidates.position(one) + 1),
            many => format!("{more}, {} out", many.len()),
        };
    }
    for obstacle in &it.obstacles {
        return match obstacle {
            Obstacle::DuplicateOf { kept } => {
                format!("repeats #{}", told.candidates.position(kept) + 1)
            }
            Obstacle::KindCap { cap, .. } => format!("cap is {cap}"),
            Obstacle::NegativeTokens { .. } => "never".to_owned(),
            Obstacle::NotTestable { .. } => "unknown".to_owned(),
            _ => continue,
        };
    }
    "no budget".to_owned()
}
