//! Why a window is what it is.

use std::fmt::Write;

use cupel::{
    Certainty, ContextBudget, ContextItem, Counterfactual, ExclusionReason, IncludedItem,
    InclusionReason, Obstacle, SelectionReport,
};

use super::{Palette, budget_bar, count, excerpt, grouped, plural};
use crate::input::Candidates;

/// Everything an explanation tells.
pub(crate) struct Explanation<'a> {
    pub(crate) title: &'a str,
    pub(crate) policy: &'a str,
    pub(crate) candidates: &'a Candidates,
    pub(crate) budget: &'a ContextBudget,
    pub(crate) report: &'a SelectionReport,
    /// One for each excluded item, in the report's order.
    pub(crate) counterfactuals: &'a [Counterfactual],
    pub(crate) width: usize,
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
    let ceiling = budget.max_tokens() - budget.output_reserve();
    let limit = i128::from(budget.target_tokens().min(ceiling));
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
    let rows: Vec<_> = included.iter().map(|it| Row::new(told, &it.item, score(it), "")).collect();
    table(text, &rows, "", told.width)
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
        let of_reason = |it: &&Counterfactual| it.reason.name() == name;
        let group: Vec<_> = told.counterfactuals.iter().filter(of_reason).collect();
        let Some(first) = group.first() else { continue };
        let note = match &first.reason {
            ExclusionReason::BudgetExceeded { available_tokens, .. }
                if group.iter().all(|it| same_room(&it.reason, *available_tokens)) =>
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
        let rows: Vec<_> = group
            .iter()
            .map(|it| Row::new(told, &it.item, format!("{:.2}", it.score), &remedy(told, it)))
            .collect();
        table(text, &rows, "to let it in", told.width)?;
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

/// One line of a table of items.
pub(crate) struct Row<'a> {
    number: String,
    tokens: String,
    score: String,
    note: String,
    item: &'a ContextItem,
}

impl<'a> Row<'a> {
    fn new(told: &Explanation<'_>, item: &'a ContextItem, score: String, note: &str) -> Self {
        let number = count(told.candidates.position(item) + 1);
        let (tokens, note) = (grouped(item.tokens()), note.to_owned());
        Self { number, tokens, score, note, item }
    }
}

/// A table of items by their place in the input, without scores.
pub(crate) fn item_table(candidates: &Candidates, positions: &[usize], width: usize) -> String {
    let row = |position: &usize| {
        let item = &candidates.items()[*position];
        let (number, tokens) = (count(position + 1), grouped(item.tokens()));
        Row { number, tokens, score: String::new(), note: String::new(), item }
    };
    let mut text = String::new();
    let _ = table(&mut text, &positions.iter().map(row).collect::<Vec<_>>(), "", width);
    text
}

fn table(text: &mut String, rows: &[Row<'_>], note: &str, width: usize) -> std::fmt::Result {
    let widest = |heading: &str, cell: &dyn Fn(&Row<'_>) -> usize| {
        let filled = rows.iter().map(cell).max().unwrap_or(0);
        if filled == 0 { 0 } else { filled.max(heading.len()) }
    };
    let chars = |text: &str| text.chars().count();
    let numbers = widest("#", &|row| chars(&row.number));
    let tokens = widest("tokens", &|row| chars(&row.tokens));
    let scores = widest("score", &|row| chars(&row.score));
    let notes = widest(note, &|row| chars(&row.note));
    let kinds = widest("kind", &|row| chars(row.item.kind().as_str()).min(16));
    let columns = [numbers, tokens, scores, notes, kinds];
    let taken: usize = columns.iter().filter(|width| **width > 0).map(|width| width + 2).sum();
    let contents = width.saturating_sub(taken + 2).max(20);

    let dim = PALETTE.dim;
    let column = |text: &str, width: usize| match width {
        0 => String::new(),
        width => format!("  {text:>width$}"),
    };
    writeln!(
        text,
        "{dim}{}{}{}{}  {:<kinds$}  content{dim:#}",
        column("#", numbers),
        column("tokens", tokens),
        column("score", scores),
        column(note, notes),
        "kind",
    )?;
    for row in rows {
        let style = Palette::kind(row.item.kind());
        writeln!(
            text,
            "{dim}{}{dim:#}{}{}{}  {style}{:<kinds$}{style:#}  {}",
            column(&row.number, numbers),
            column(&row.tokens, tokens),
            column(&row.score, scores),
            column(&row.note, notes),
            excerpt(row.item.kind().as_str(), 16),
            excerpt(row.item.content(), contents),
        )?;
    }
    Ok(())
}
