//! Why each message of a request is in or out.

use std::fmt::Write;

use anstyle::Style;
use cupel::{
    ContextBudget, ContextItem, ContextKind, IncludedItem, InclusionReason, SelectionReport,
};
use cupel_messages::{Fitted, MessageReport, Outcome, Request, Role, Tokens};

use super::{
    Palette, budget_bar, columns_of, count, excerpt, grouped, left, plural, right, visible, wrapped,
};
use crate::breakdown::Part;
use crate::messages::{label, shown, units, why_briefly};

const PALETTE: Palette = Palette::PEOPLE;

/// A longer bar is no clearer.
const WIDEST_BAR: usize = 100;
/// The least room for what a message says that is worth a column.
const LEAST_CONTENT: usize = 16;
/// More of a message than this is not read in a table.
const MOST_CONTENT: usize = 160;
/// Longer reasons are cut.
const WIDEST_WHY: usize = 28;

/// Everything the explanation of a request tells.
pub(crate) struct Conversation<'a> {
    pub(crate) title: &'a str,
    pub(crate) policy: &'a str,
    pub(crate) request: &'a Request,
    pub(crate) fitted: &'a Fitted,
    /// What stands beside the messages and is always sent.
    pub(crate) fixed: Tokens,
    pub(crate) budget: &'a ContextBudget,
    /// What the score of each message is made of; empty if nobody asked.
    pub(crate) scores: &'a [Vec<Part>],
    /// What of the query each message has; empty if the policy does not ask.
    pub(crate) matched: &'a [String],
    pub(crate) width: usize,
    /// How many rows are worth showing.
    pub(crate) most_rows: usize,
}

/// Messages in rows.
pub(crate) struct Table<'a> {
    pub(crate) request: &'a Request,
    pub(crate) fitted: &'a Fitted,
    /// Which messages.
    pub(crate) rows: &'a [usize],
    pub(crate) scores: &'a [Vec<Part>],
    pub(crate) matched: &'a [String],
    pub(crate) width: usize,
}

/// The budget, what it is spent on, and every message in order.
pub(crate) fn conversation(told: &Conversation<'_>) -> String {
    let mut text = String::new();
    let _ = heading(&mut text, told).and_then(|()| messages(&mut text, told));
    text
}

/// The rows of a table of messages, with its heading.
pub(crate) fn message_table(table: &Table<'_>) -> String {
    let mut text = String::new();
    let _ = write_table(&mut text, table);
    text
}

fn line(text: &mut String, width: usize, line: &str) -> std::fmt::Result {
    match columns_of(line) <= width {
        true => writeln!(text, "{line}"),
        false => writeln!(text, "{}", wrapped(line, width, 2)),
    }
}

fn heading(text: &mut String, told: &Conversation<'_>) -> std::fmt::Result {
    let Conversation { title, policy, request, fitted, budget, width, .. } = told;
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    let model = request.model().map(|model| format!(" for {}", visible(model))).unwrap_or_default();
    let of = format!(
        "{} request{model}: {}, {} tokens ({}); policy {}",
        request.format(),
        plural(fitted.messages.len(), "message"),
        grouped(fitted.before.total()),
        fitted.basis,
        visible(policy)
    );
    line(text, *width, &format!("{strong}{}{strong:#}  {dim}{of}{dim:#}", visible(title)))?;
    writeln!(text, "\n{}", budget_bar(&window(told), budget, (*width).min(WIDEST_BAR)))?;
    let (used, limit) = (fitted.tokens.total(), fitted.budget);
    let share = if limit > 0 { used as f64 / limit as f64 * 100.0 } else { 0.0 };
    let mut figures = format!(
        "{strong}{}{strong:#} of {} tokens used ({share:.0}%), {} free",
        grouped(used),
        grouped(limit),
        grouped(limit - used)
    );
    if budget.output_reserve() > 0 {
        write!(figures, ", {} kept for the answer", grouped(budget.output_reserve()))?;
    }
    if budget.estimation_safety_margin_percent() > 0.0 {
        write!(figures, ", {}% safety margin", budget.estimation_safety_margin_percent())?;
    }
    line(text, *width, &figures)?;
    let (now, before) = (fitted.tokens, fitted.before);
    let parts = [
        ("system", now.system, before.system),
        ("tools", now.tools, before.tools),
        ("messages", now.messages, before.messages),
        ("images and files", now.media, before.media),
    ];
    let parts = parts.iter().filter(|(_, _, before)| *before > 0).map(|(name, now, before)| {
        match now == before {
            true => format!("{name} {}", grouped(*now)),
            false => format!("{name} {} of {}", grouped(*now), grouped(*before)),
        }
    });
    line(text, *width, &format!("{dim}{}{dim:#}", parts.collect::<Vec<_>>().join(", ")))
}

/// What is sent, for the bar.
fn window(told: &Conversation<'_>) -> SelectionReport {
    let item = |kind: ContextKind, tokens: i64| {
        let item = ContextItem::builder("x", tokens).kind(kind).build();
        item.map(|item| IncludedItem::new(item, 0.0, InclusionReason::Pinned))
    };
    let fixed = [
        item(ContextKind::system_prompt(), told.fixed.system),
        item(ContextKind::document(), told.fixed.tools),
    ];
    let sent = told.fitted.messages.iter().filter(|it| it.sent > 0);
    let sent = sent.map(|it| item(kind(it.role), it.sent));
    SelectionReport::new(vec![], fixed.into_iter().chain(sent).flatten().collect(), vec![], vec![])
}

fn kind(role: Role) -> ContextKind {
    match role {
        Role::System => ContextKind::system_prompt(),
        Role::Tool => ContextKind::tool_output(),
        Role::User | Role::Assistant => ContextKind::message(),
    }
}

fn messages(text: &mut String, told: &Conversation<'_>) -> std::fmt::Result {
    let Conversation { request, fitted, scores, matched, width, .. } = told;
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    let number = |wanted: fn(&MessageReport) -> bool| {
        fitted.messages.iter().filter(|message| wanted(message)).count()
    };
    let kept = number(is_in);
    let shortened = number(|it| matches!(it.outcome, Outcome::Shortened { .. }));
    let mut figures =
        format!("{} of {} sent", count(kept), plural(fitted.messages.len(), "message"));
    if shortened > 0 {
        write!(figures, ", {} of them shortened", count(shortened))?;
    }
    if !fitted.repairs.is_empty() {
        write!(figures, ", {}", plural(fitted.repairs.len(), "repair"))?;
    }
    let signs = "■ in, ▪ shortened, · out, × refused; ┌└ a call and its results";
    text.push('\n');
    line(text, *width, &format!("{strong}The conversation{strong:#}  {figures}"))?;
    line(text, *width, &format!("{dim}{signs}{dim:#}"))?;
    if let Some(parts) = scores.iter().find(|parts| !parts.is_empty()) {
        let part = |it: &Part| format!("{} ({:.0}%)", visible(&it.scorer), it.weight * 100.0);
        let sum: Vec<_> = parts.iter().map(part).collect();
        let sum = format!("{dim}A score is what these add: {}.{dim:#}", sum.join(" + "));
        line(text, *width, &sum)?;
    }
    // What was said last is told rather than what was said first.
    let all = fitted.messages.len();
    let more = all.saturating_sub(told.most_rows);
    let head = if more > 0 { told.most_rows / 10 } else { 0 };
    let table = |rows| Table { request, fitted, rows, scores, matched, width: *width };
    let rows: Vec<usize> = (0..all).collect();
    if more > 0 {
        write_table(text, &table(&rows[..head]))?;
        writeln!(text, "{dim}  ... and {} more; --all shows them{dim:#}", count(more))?;
    }
    write_table(text, &table(&rows[head + more..]))?;
    repairs(text, told)
}

fn repairs(text: &mut String, told: &Conversation<'_>) -> std::fmt::Result {
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    if told.fitted.repairs.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n{strong}Mended{strong:#}")?;
    for repair in told.fitted.repairs.iter().take(told.most_rows) {
        let number =
            repair.message.map(|index| format!("#{} ", count(index + 1))).unwrap_or_default();
        line(text, told.width, &format!("  {dim}{number}{dim:#}{}", visible(&repair.to_string())))?;
    }
    match told.fitted.repairs.len().saturating_sub(told.most_rows) {
        0 => Ok(()),
        more => writeln!(text, "{dim}  ... and {} more; --all shows them{dim:#}", count(more)),
    }
}

fn is_in(message: &MessageReport) -> bool {
    matches!(message.outcome, Outcome::Kept | Outcome::Shortened { .. })
}

/// Whether a message is in, as one character.
fn sign(outcome: &Outcome) -> (char, Style) {
    match outcome {
        Outcome::Kept => ('■', PALETTE.good),
        Outcome::Shortened { .. } => ('▪', PALETTE.warning),
        Outcome::LeftOut => ('·', PALETTE.bad),
        _ => ('×', PALETTE.bad),
    }
}

/// The line that joins a call and its results, at one of its messages.
fn join(unit: &[usize], index: usize) -> char {
    match unit {
        [_] | [] => ' ',
        [first, ..] if *first == index => '┌',
        [.., last] if *last == index => '└',
        _ => '│',
    }
}

/// The numbers of a row, as text.
struct Cells {
    number: String,
    turn: String,
    tokens: String,
    score: String,
    role: &'static str,
    why: String,
}

fn cells(table: &Table<'_>, index: usize) -> Cells {
    let report = &table.fitted.messages[index];
    let tokens = match report.outcome {
        Outcome::Shortened { .. } => format!("{}→{}", grouped(report.tokens), grouped(report.sent)),
        _ => grouped(report.tokens),
    };
    let mut score = report.score.map(|score| format!("{score:.2}")).unwrap_or_default();
    let parts = table.scores.get(index).filter(|_| report.score.is_some());
    for part in parts.into_iter().flatten() {
        let _ = write!(score, " +{:.2}", part.contribution);
    }
    Cells {
        number: count(index + 1),
        turn: if report.turn > 0 { count(report.turn) } else { String::new() },
        tokens,
        score,
        role: label(&table.request.messages()[index]),
        why: excerpt(&brief(report, table), WIDEST_WHY),
    }
}

/// Why a message is in or out; what was mended is told below the table.
fn brief(report: &MessageReport, table: &Table<'_>) -> String {
    let mut repairs = table.fitted.repairs.iter();
    let is_mended = repairs.any(|repair| repair.message == Some(report.index));
    let mut why = why_briefly(report);
    if is_mended {
        why.push_str("; mended");
    }
    let matched = table.matched.get(report.index).filter(|it| !it.is_empty());
    match matched.filter(|_| report.score.is_some()) {
        Some(matched) => format!("{why}: {matched}"),
        None => why,
    }
}

fn write_table(text: &mut String, table: &Table<'_>) -> std::fmt::Result {
    if table.rows.is_empty() {
        return Ok(());
    }
    let dim = PALETTE.dim;
    let units = units(table.fitted);
    let rows: Vec<_> = table.rows.iter().map(|index| (*index, cells(table, *index))).collect();
    let widest = |heading: &str, cell: fn(&Cells) -> &str| {
        let filled = rows.iter().map(|(_, cells)| columns_of(cell(cells))).max().unwrap_or(0);
        if filled == 0 { 0 } else { filled.max(heading.len()) }
    };
    let [number, turn, tokens, score, role, why] = [
        widest("#", |it| &it.number),
        widest("turn", |it| &it.turn),
        widest("tokens", |it| &it.tokens),
        widest("score", |it| &it.score),
        widest("role", |it| it.role),
        widest("why", |it| &it.why),
    ];
    let columns = |it: &Cells, has_turn: bool, has_score: bool| {
        let mut line = String::new();
        if has_turn && turn > 0 {
            line += &format!("{}  ", right(&it.turn, turn));
        }
        line += &right(&it.tokens, tokens);
        if has_score && score > 0 {
            line += &format!("  {}", right(&it.score, score));
        }
        line
    };
    let heading = Cells {
        number: "#".to_owned(),
        turn: "turn".to_owned(),
        tokens: "tokens".to_owned(),
        score: "score".to_owned(),
        role: "role",
        why: "why".to_owned(),
    };
    // Sign, joint and number; then the columns; then role and reason.
    let taken = 6 + number + columns_of(&columns(&heading, true, true)) + 2 + role + 2 + why + 2;
    let beside = table.width.saturating_sub(taken);
    let is_wide = beside >= LEAST_CONTENT;
    let with_score = 6 + number + columns_of(&columns(&heading, false, true)) + 2 + role;
    let has_score = with_score <= table.width;
    let columns = |it: &Cells| columns(it, is_wide, has_score);
    let numbers = columns(&heading);
    let head = format!("{dim}    {}  {numbers}  ", right("#", number));
    match is_wide {
        true => {
            writeln!(text, "{head}{}  {}  content{dim:#}", left("role", role), left("why", why))?
        }
        false => writeln!(text, "{head}role{dim:#}")?,
    }
    for (index, it) in &rows {
        let report = &table.fitted.messages[*index];
        let (sign, colour) = sign(&report.outcome);
        let joint = join(&units[*index], *index);
        let style = Palette::kind(&kind(report.role));
        let said = shown(&table.request.messages()[*index]);
        write!(
            text,
            "{colour}{sign}{colour:#} {dim}{joint} {}{dim:#}  {}  ",
            right(&it.number, number),
            columns(it)
        )?;
        if is_wide {
            let said = excerpt(&said, beside.min(MOST_CONTENT));
            writeln!(
                text,
                "{style}{}{style:#}  {}  {said}",
                left(it.role, role),
                left(&it.why, why)
            )?;
        } else {
            let room = table.width.saturating_sub(6);
            writeln!(text, "{style}{}{style:#}", it.role)?;
            let reason = excerpt(&it.why, room);
            let rest = room.saturating_sub(columns_of(&reason) + 2);
            writeln!(text, "      {dim}{reason}{dim:#}  {}", excerpt(&said, rest.max(8)))?;
        }
    }
    Ok(())
}
