//! Why a window is what it is.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use cupel::{
    Certainty, ContextBudget, ContextItem, Counterfactual, ExcludedItem, ExclusionReason,
    IncludedItem, InclusionReason, Obstacle, Remedy, SelectionReport, Shortened,
};
use cupel_policy::BucketSize;

use super::table::{Row, table};
use super::{Palette, budget_bar, columns_of, count, excerpt, grouped, plural, visible, wrapped};
use crate::advice::why_empty;
use crate::breakdown::Part;
use crate::input::Candidates;
use crate::remedies::Remedies;
use crate::verdict::{Rule, Scope, Verdict, position};

/// Everything an explanation tells.
pub(crate) struct Explanation<'a> {
    pub(crate) title: &'a str,
    pub(crate) policy: &'a str,
    /// What the window is to answer, if that was said.
    pub(crate) query: Option<&'a str>,
    pub(crate) candidates: &'a Candidates,
    pub(crate) budget: &'a ContextBudget,
    pub(crate) report: &'a SelectionReport,
    pub(crate) remedies: &'a Remedies,
    /// What the policy goes by, and what that means for each candidate.
    pub(crate) rule: Rule,
    pub(crate) verdicts: &'a [Verdict],
    /// What the score of each candidate is made of; empty if nobody asked.
    pub(crate) parts: &'a [Vec<Part>],
    /// What of the query each candidate has; empty if there is none.
    pub(crate) matched: &'a [String],
    pub(crate) width: usize,
    /// How many rows of one table are worth showing.
    pub(crate) most_rows: usize,
}

const PALETTE: Palette = Palette::PEOPLE;

/// More of a query is not read.
const WIDEST_QUERY: usize = 160;

/// In less room, what of the query an item has is not worth a column.
const LEAST_FOR_MATCHED: usize = 80;

/// A longer bar is no clearer.
const WIDEST_BAR: usize = 100;

/// The budget, the window in order, and what was left out, grouped by reason.
pub(crate) fn explanation(told: &Explanation<'_>) -> String {
    let mut text = String::new();
    let _ = heading(&mut text, told).and_then(|()| window(&mut text, told)).and_then(|()| {
        shortfalls(&mut text, told)?;
        left_out(&mut text, told)
    });
    text
}

/// An item in one of the two lists.
#[derive(Clone, Copy)]
struct Listed<'i> {
    position: usize,
    item: &'i ContextItem,
    /// What its unit costs together, if all of it is in the list; none if it stands alone.
    unit_tokens: Option<i128>,
    /// Whether it speaks for its unit: the first member in the list does, and whatever stands alone.
    speaks: bool,
}

/// The entries of a list, with what their units come to in it.
fn listed<'i, T>(
    told: &Explanation<'_>,
    entries: impl Iterator<Item = (Option<usize>, &'i ContextItem, T)>,
) -> Vec<(Listed<'i>, T)> {
    let units = told.candidates.units();
    // Of each unit, how many members are in the list, and what they cost together.
    let mut sums: HashMap<usize, (usize, i128)> = HashMap::new();
    let entries: Vec<_> =
        entries.map(|(index, item, more)| (position(index), item, more)).collect();
    for (position, item, _) in &entries {
        if let Some(unit) = units.unit(*position) {
            let (members, tokens) = sums.entry(unit).or_default();
            *members += 1;
            *tokens += i128::from(item.tokens());
        }
    }
    let mut spoken_for = HashSet::new();
    let listed = |(position, item, more)| {
        let unit = units.unit(position);
        let all = units.members(position).len();
        let sum = unit.and_then(|unit| sums.get(&unit)).filter(|(members, _)| *members == all);
        let unit_tokens = sum.map(|(_, tokens)| *tokens);
        let speaks = unit.is_none_or(|unit| spoken_for.insert(unit));
        (Listed { position, item, unit_tokens, speaks }, more)
    };
    entries.into_iter().map(listed).collect()
}

impl Explanation<'_> {
    fn row<'i>(&self, listed: Listed<'i>, score: String, more: &[String]) -> Row<'i> {
        let Listed { position, item, unit_tokens, speaks } = listed;
        let if_speaks = |text: Option<String>| text.filter(|_| speaks).unwrap_or_default();
        let per_token = if_speaks(self.verdicts[position].per_token.map(per_thousand));
        let parts = self.parts.get(position).map(Vec::as_slice).unwrap_or_default();
        let mut cells = vec![if_speaks(unit_tokens.map(grouped)), score, per_token];
        cells.extend(parts.iter().map(|part| format!("{:.2}", part.contribution)));
        cells.resize(3 + self.scorers().len(), String::new());
        cells.extend_from_slice(more);
        if let Some(matched) =
            self.matched.get(position).filter(|_| self.width >= LEAST_FOR_MATCHED)
        {
            // With its numbers, as it is where parts are shown, it may take lines of its own.
            cells.push(match self.parts.is_empty() {
                true => excerpt(matched, self.width / 4),
                false => visible(matched).into_owned(),
            });
        }
        Row { number: position + 1, cells, item, unit: self.candidates.units().unit(position) }
    }

    /// Headings of the columns that [`row`](Self::row) fills, with `more` after them.
    fn headings(&self, more: &[&str]) -> Vec<String> {
        let scorers = self.scorers().iter().map(|part| format!("+{}", excerpt(&part.scorer, 16)));
        let more = more.iter().chain(&["matched"]).map(|heading| (*heading).to_owned());
        ["unit", "score", "per 1k"]
            .map(str::to_owned)
            .into_iter()
            .chain(scorers)
            .chain(more)
            .collect()
    }

    /// The scorers whose parts are shown, as any item with a score has them.
    fn scorers(&self) -> &[Part] {
        self.parts.iter().find(|parts| !parts.is_empty()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Writes a line, after a blank one if it starts with a break, wrapped where it is too long.
    fn line(&self, text: &mut String, line: &str) -> std::fmt::Result {
        let line = match line.strip_prefix('\n') {
            Some(line) => {
                text.push('\n');
                line
            }
            None => line,
        };
        match columns_of(line) <= self.width {
            true => writeln!(text, "{line}"),
            false => writeln!(text, "{}", wrapped(line, self.width, 2)),
        }
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

/// A score per token, by the thousand, which is easier to read.
fn per_thousand(per_token: f64) -> String {
    format!("{:.2}", per_token * 1_000.0)
}

fn tokens_of<'i>(items: impl Iterator<Item = &'i ContextItem>) -> i128 {
    items.map(|item| i128::from(item.tokens())).sum()
}

fn heading(text: &mut String, told: &Explanation<'_>) -> std::fmt::Result {
    let Explanation { title, policy, report, budget, .. } = told;
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    told.line(
        text,
        &format!(
            "{strong}{}{strong:#}  {dim}{}, {} tokens; policy {}{dim:#}",
            visible(title),
            plural(report.total_candidates, "candidate"),
            grouped(report.total_tokens_considered),
            visible(policy),
        ),
    )?;
    if let Some(query) = told.query {
        told.line(
            text,
            &format!("{dim}to answer: {}{dim:#}", excerpt(query.trim(), WIDEST_QUERY)),
        )?;
    }
    writeln!(text, "\n{}", budget_bar(report, budget, told.width.min(WIDEST_BAR)))?;
    let used = tokens_of(report.included.iter().map(|it| &it.item));
    let limit = i128::from(budget.window_tokens());
    let share = if limit > 0 { used as f64 / limit as f64 * 100.0 } else { 0.0 };
    let mut line = format!(
        "{strong}{}{strong:#} of {} tokens used ({share:.0}%)",
        grouped(used),
        grouped(limit)
    );
    match limit - used {
        over if over < 0 => {
            let bad = PALETTE.bad;
            write!(line, ", {bad}{} over the limit{bad:#}", grouped(-over))?;
        }
        free => write!(line, ", {} free", grouped(free))?,
    }
    if budget.output_reserve() > 0 {
        write!(line, ", {} kept for the answer", grouped(budget.output_reserve()))?;
    }
    let slots: i128 = budget.reserved_slots().values().map(|tokens| i128::from(*tokens)).sum();
    if slots > 0 {
        write!(line, ", {} kept for reserved kinds", grouped(slots))?;
    }
    if budget.estimation_safety_margin_percent() > 0.0 {
        write!(line, ", {}% safety margin", budget.estimation_safety_margin_percent())?;
    }
    told.line(text, &line)
}

fn window(text: &mut String, told: &Explanation<'_>) -> std::fmt::Result {
    let included = &told.report.included;
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    if included.is_empty() {
        let why = why_empty(told.report);
        return told.line(text, &format!("\n{strong}The window is empty:{strong:#} {why}."));
    }
    let size = grouped(tokens_of(included.iter().map(|it| &it.item)));
    let items = plural(included.len(), "item");
    told.line(text, &format!("\n{strong}The window, in order{strong:#}  {items}, {size} tokens"))?;
    if let Rule::PerToken(_) = told.rule {
        let rule = "The best score per token goes in first, not the best score: see \"per 1k\".";
        told.line(text, &format!("{dim}{rule}{dim:#}"))?;
    }
    if !told.scorers().is_empty() {
        let part = |it: &Part| format!("{} ({:.0}%)", visible(&it.scorer), it.weight * 100.0);
        let sum: Vec<_> = told.scorers().iter().map(part).collect();
        told.line(text, &format!("{dim}A score is what these add: {}.{dim:#}", sum.join(" + ")))?;
    }
    let score = |it: &IncludedItem| match it.reason {
        InclusionReason::Scored => format!("{:.2}", it.score),
        InclusionReason::Pinned => "pinned".to_owned(),
        InclusionReason::ZeroToken => "free".to_owned(),
        other => other.to_string(),
    };
    let entries = listed(told, included.iter().map(|it| (it.index, &it.item, it)));
    let rows = entries.into_iter().take(told.most_rows).map(|(listed, it)| {
        let shortened = it.shortened.map(|it| shortening(&it)).unwrap_or_default();
        let whole = it.shortened.map(|_| to_be_whole(told, listed.position)).unwrap_or_default();
        told.row(listed, score(it), &[shortened, whole])
    });
    let headings = told.headings(&["shortened", "whole"]);
    table(text, &headings, &rows.collect::<Vec<_>>(), told.width)?;
    told.rest(text, included.len())
}

/// Which form of how many, and what that saves.
fn shortening(it: &Shortened) -> String {
    format!("{}/{} -{}", it.form, it.forms, grouped(it.tokens_saved))
}

/// What would bring a shortened item back whole.
fn to_be_whole(told: &Explanation<'_>, position: usize) -> String {
    match told.remedies.whole(position) {
        Some(remedy) => more(remedy),
        None if told.remedies.are_too_many => String::new(),
        None => "no budget".to_owned(),
    }
}

fn shortfalls(text: &mut String, told: &Explanation<'_>) -> std::fmt::Result {
    let warning = PALETTE.warning;
    for short in &told.report.count_requirement_shortfalls {
        let line = format!(
            "\n{warning}Too few:{warning:#} {} {} required, {} available",
            count(short.required_count),
            visible(&short.kind),
            count(short.satisfied_count)
        );
        told.line(text, &line)?;
    }
    Ok(())
}

fn left_out(text: &mut String, told: &Explanation<'_>) -> std::fmt::Result {
    let (strong, dim) = (PALETTE.strong, PALETTE.dim);
    let excluded = &told.report.excluded;
    if excluded.is_empty() {
        return writeln!(text, "\n{strong}Nothing was left out.{strong:#}");
    }
    let items = plural(excluded.len(), "item");
    let size = grouped(tokens_of(excluded.iter().map(|it| &it.item)));
    told.line(text, &format!("\n{strong}Left out{strong:#}  {items}, {size} tokens, best first"))?;
    for (name, title) in REASONS {
        let of_reason = excluded.iter().filter(|it| it.reason.name() == name);
        let by_position: HashMap<_, _> =
            of_reason.clone().map(|it| (position(it.index), it)).collect();
        let positions = of_reason.map(|it| position(it.index)).collect();
        let positions = told.candidates.units().together(positions);
        let of_reason: Vec<_> = positions.iter().map(|position| by_position[position]).collect();
        let Some(first) = of_reason.first() else { continue };
        let (title, note, more) = match first.reason {
            ExclusionReason::BudgetExceeded { available_tokens, .. } => {
                did_not_fit(told, available_tokens)
            }
            _ => (title, String::new(), String::new()),
        };
        let items = plural(of_reason.len(), "item");
        let heading = format!("\n{strong}{title}{strong:#}  {dim}{name}: {items}{note}{dim:#}");
        told.line(text, &heading)?;
        if !more.is_empty() {
            told.line(text, &format!("{dim}{more}{dim:#}"))?;
        }
        let count = of_reason.len();
        let entries = listed(told, of_reason.into_iter().map(|it| (it.index, &it.item, it)));
        let rows = entries.into_iter().take(told.most_rows).map(|(listed, it)| {
            let room = told.verdicts[listed.position].room.filter(|_| listed.speaks);
            let units = told.candidates.units();
            let found = told.remedies.counterfactual_of_unit(units, listed.position);
            let remedy = found.map(|it| remedy(told, listed, it)).unwrap_or_default();
            let more = [room.map(grouped).unwrap_or_default(), remedy];
            told.row(listed, format!("{:.2}", it.score), &more)
        });
        let headings = told.headings(&["room", "to let it in"]);
        table(text, &headings, &rows.collect::<Vec<_>>(), told.width)?;
        told.rest(text, count)?;
    }
    if told.remedies.are_too_many {
        let said = "What would let each in is not computed for so many.";
        told.line(text, &format!("\n{dim}{said}{dim:#}"))?;
    }
    Ok(())
}

/// What it means, under this policy, that an item did not fit: in a title, a note and a sentence.
fn did_not_fit(told: &Explanation<'_>, available: i64) -> (&'static str, String, String) {
    let available = grouped(available);
    let title = told.rule.did_not_fit();
    match told.rule {
        Rule::PerToken(Scope::Window) => {
            let last = last_taken(told).map(|(position, per_token)| {
                let number = told.candidates.units().first(position) + 1;
                format!(" The last to get in was #{number}, {} per 1k.", per_thousand(per_token))
            });
            (
                title,
                format!(", {available} tokens were left"),
                format!("room: what was left at its turn.{}", last.unwrap_or_default()),
            )
        }
        Rule::PerToken(Scope::AfterRequired) | Rule::Rank(Scope::AfterRequired) => {
            let capped =
                |it: &ExcludedItem| matches!(it.reason, ExclusionReason::CountCapExceeded { .. });
            match told.report.excluded.iter().any(capped) {
                true => (
                    "Did not fit before caps were applied",
                    format!(", {available} tokens stay free"),
                    "What a cap refuses had its turn, and its room stays free.".to_owned(),
                ),
                false => (
                    title,
                    format!(", {available} tokens were left"),
                    "What a kind must have goes in first.".to_owned(),
                ),
            }
        }
        Rule::PerToken(Scope::Distinct) | Rule::Rank(Scope::Distinct) => {
            let told = "What repeats a better item has its turn after all others.".to_owned();
            (title, format!(", {available} tokens were left"), told)
        }
        Rule::Rank(Scope::Window) => {
            let told = "The best goes in first, size counting as the policy says.".to_owned();
            (title, format!(", {available} tokens were left"), told)
        }
        Rule::PerToken(Scope::Share) | Rule::Rank(Scope::Share) => {
            (title, format!(", {available} tokens were left in all shares together"), String::new())
        }
        Rule::Packing { bucket, scope } => {
            let of = if scope == Scope::Share { "the share of its kind" } else { "the window" };
            let rounded = match bucket {
                BucketSize::Auto | BucketSize::Tokens(1) => String::new(),
                BucketSize::Tokens(size) => {
                    format!(" Sizes are rounded up to {} tokens.", grouped(size))
                }
            };
            (
                title,
                format!(", {available} tokens stay free"),
                format!("Other items together score more in {of}.{rounded}"),
            )
        }
        Rule::Custom => (title, format!(", {available} tokens stay free"), String::new()),
    }
}

/// Of what was taken for its score, the item whose turn came last.
fn last_taken(told: &Explanation<'_>) -> Option<(usize, f64)> {
    let taken = told.report.included.iter().filter(|it| it.reason == InclusionReason::Scored);
    let taken = taken.map(|it| position(it.index));
    let taken = taken.filter_map(|it| Some((it, told.verdicts[it].per_token?)));
    taken.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// The reasons in the order they are told, with what they mean.
pub(crate) const REASONS: [(&str, &str); 12] = [
    ("BudgetExceeded", "Did not fit"),
    ("PinnedOverride", "Pinned items took the room"),
    ("CountCapExceeded", "Enough of its kind"),
    ("QuotaCapExceeded", "Its kind had its share"),
    ("QuotaRequireDisplaced", "Made room for what another kind must have"),
    ("ScoredTooLow", "Scored too low"),
    ("Filtered", "Filtered out"),
    ("Deduplicated", "Repeats something kept"),
    ("NearDuplicate", "Says little that is not in the window"),
    ("NegativeTokens", "Negative token count"),
    ("GroupBroken", "Belongs with an item of negative token count"),
    ("Unknown", "Other reasons"),
];

/// By how much the budget must grow.
fn more(remedy: &Remedy) -> String {
    let about = if remedy.certainty == Certainty::Tested { "≤" } else { "" };
    format!("{about}+{}", grouped(remedy.additional_tokens))
}

/// What would let an item in, in a few characters. What lets a member of a unit in lets all of it in, and is told once.
fn remedy(told: &Explanation<'_>, listed: Listed<'_>, it: &Counterfactual) -> String {
    if let Some(remedy) = &it.remedy {
        if !listed.speaks {
            return String::new();
        }
        let mut text = more(remedy);
        text.push_str(if remedy.form > 0 { " shortened" } else { "" });
        match told.candidates.units().members(listed.position).len() {
            0 => {}
            2 => text.push_str(" for both"),
            members => text.push_str(&format!(" for all {}", count(members))),
        }
        match remedy.displaced.as_slice() {
            [] => {}
            [one] => text.push_str(&format!(", #{} out", told.candidates.position(one) + 1)),
            many => text.push_str(&format!(", {} out", many.len())),
        }
        if let Some(whole) = it.whole.as_ref().filter(|_| remedy.form > 0) {
            text.push_str(&format!("; {} whole", more(whole)));
        }
        return text;
    }
    for obstacle in &it.obstacles {
        return match obstacle {
            Obstacle::DuplicateOf { kept } => {
                format!("repeats #{}", told.candidates.position(kept) + 1)
            }
            Obstacle::NearDuplicateOf { kept, overlap } => {
                let number = told.candidates.position(kept) + 1;
                format!("{:.0}% of it in #{number}", overlap * 100.0)
            }
            Obstacle::KindCap { cap, .. } => format!("cap is {cap}"),
            Obstacle::NegativeTokens { .. } => "never".to_owned(),
            Obstacle::NotTestable { .. } => "unknown".to_owned(),
            _ => continue,
        };
    }
    "no budget".to_owned()
}
