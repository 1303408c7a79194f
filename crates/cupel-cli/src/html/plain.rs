//! What can be read before the script runs, and without it.

use std::collections::HashMap;
use std::fmt::Write;

use super::data::{Form, Item, PageData};
use super::escaped;
use crate::render::{count, excerpt, grouped, plural};

/// More rows than this in one list are left to the script.
const MOST_ROWS: usize = 500;

/// The number of candidates, their tokens, and the policy.
pub(super) fn subtitle(data: &PageData<'_>) -> String {
    const LONGEST_QUERY: usize = 300;
    let query = data.query.as_deref().map(|it| excerpt(it.trim(), LONGEST_QUERY));
    let query = query.map(|it| format!("<br>to answer: <bdi>{}</bdi>", escaped(&it)));
    format!(
        "{}, {} tokens; policy {}{}",
        plural(data.items.len(), "candidate"),
        grouped(data.total_tokens),
        escaped(&data.policy),
        query.unwrap_or_default()
    )
}

/// What decides, where that is not the score alone.
pub(super) fn rule(data: &PageData<'_>) -> &'static str {
    match data.per_token {
        true => "The best score per token goes in first, not the best score: see “per 1k”.",
        false => "",
    }
}

/// How much of the budget is used, and how many items are in.
pub(super) fn figures(data: &PageData<'_>) -> [String; 4] {
    let step = data.actual();
    [
        grouped(step.used),
        format!("of {} tokens", grouped(step.limit)),
        count(step.window.len()),
        format!("of {}", plural(data.items.len(), "candidate")),
    ]
}

/// The window, in order.
pub(super) fn window(data: &PageData<'_>) -> String {
    let mut html = String::new();
    let mut rows = Rows { html: &mut html, data, left: MOST_ROWS };
    let _ = rows.add(&data.actual().window, &data.actual().short);
    or_nothing(html, "The window is empty.")
}

/// What was left out, under its reasons.
pub(super) fn left_out(data: &PageData<'_>) -> String {
    let mut html = String::new();
    let mut rows = Rows { html: &mut html, data, left: MOST_ROWS };
    for (name, numbers) in &data.actual().out {
        let title = data.reasons.iter().find(|it| it.name == *name).map_or(*name, |it| it.title);
        let _ = rows.heading(title, name, numbers.len()).and_then(|()| rows.add(numbers, &[]));
    }
    or_nothing(html, "Nothing was left out.")
}

fn or_nothing(rows: String, empty: &str) -> String {
    if rows.is_empty() { format!("<p class=nothing>{empty}</p>") } else { rows }
}

struct Rows<'a> {
    html: &'a mut String,
    data: &'a PageData<'a>,
    /// How many more may be shown.
    left: usize,
}

impl Rows<'_> {
    fn heading(&mut self, title: &str, name: &str, of: usize) -> std::fmt::Result {
        writeln!(self.html, "<h3>{title} <span class=quiet>{name}, {}</span></h3>", count(of))
    }

    fn add(&mut self, numbers: &[usize], short: &[(usize, usize)]) -> std::fmt::Result {
        let forms: HashMap<_, _> = short.iter().copied().collect();
        let shown = &numbers[..numbers.len().min(self.left)];
        let items = |numbers: &[usize]| {
            numbers.iter().map(|number| &self.data.items[number - 1]).collect::<Vec<_>>()
        };
        let unit = |item: &Item<'_>| item.unit.first().copied();
        for run in items(shown).chunk_by(|a, b| unit(a).is_some() && unit(a) == unit(b)) {
            let is_unit = unit(run[0]).is_some();
            if is_unit {
                write!(self.html, "<div class=unit>{}", label(run, &self.data.items, &forms))?;
            }
            for (at, item) in run.iter().enumerate() {
                let form = forms.get(&item.n).copied().unwrap_or(0);
                // What is true of all is told once.
                let is_told = at > 0 && item.remedy == run[0].remedy;
                let remedy = if is_told { "" } else { &item.remedy };
                row(self.html, item, form, remedy, self.data.per_token)?;
            }
            self.html.push_str(if is_unit { "</div>\n" } else { "" });
        }
        let more = numbers.len().saturating_sub(self.left);
        self.left -= numbers.len() - more;
        match more {
            0 => Ok(()),
            more => writeln!(
                self.html,
                "<p class=nothing>And {} more, which need JavaScript to be shown.</p>",
                count(more)
            ),
        }
    }
}

/// What the rows of a unit have in common.
fn label(rows: &[&Item<'_>], items: &[Item<'_>], forms: &HashMap<usize, usize>) -> String {
    let members = rows[0].unit.iter().map(|number| &items[number - 1]);
    let tokens = members.map(|it| i128::from(tokens(it, forms.get(&it.n).copied().unwrap_or(0))));
    let count = match rows[0].unit.len() {
        all if all == rows.len() => plural(all, "item"),
        all => format!("{} of {}", count(rows.len()), plural(all, "item")),
    };
    let group = escaped(rows[0].group.as_deref().unwrap_or_default());
    let tokens = grouped(tokens.sum::<i128>());
    format!("<p class=\"label quiet\">together: <bdi>{group}</bdi>, {count}, {tokens} tokens</p>\n")
}

fn form<'i>(item: &'i Item<'_>, form: usize) -> Option<&'i Form<'i>> {
    form.checked_sub(1).and_then(|at| item.forms.get(at))
}

fn tokens(item: &Item<'_>, number: usize) -> i64 {
    form(item, number).map_or(item.tokens, |form| form.tokens)
}

fn row(
    html: &mut String,
    item: &Item<'_>,
    number: usize,
    remedy: &str,
    per_token: bool,
) -> std::fmt::Result {
    let score = match item.score {
        _ if item.pinned => "pinned".to_owned(),
        Some(score) => format!("{score:.2}"),
        None => String::new(),
    };
    let short = form(item, number);
    let shown = short.map_or(&item.content, |short| &short.content);
    write!(
        html,
        "<details class=row><summary><span class=n>#{}</span><span class=t>{}</span>\
         <span class=s>{score}</span>",
        item.n,
        grouped(tokens(item, number)),
    )?;
    if per_token {
        let score = item.per_token.map(|it| format!("{:.2}", it * 1_000.0)).unwrap_or_default();
        write!(html, "<span class=p>{score}</span>")?;
    }
    write!(
        html,
        "<bdi class=k>{}</bdi><span class=text dir=auto>{}</span>",
        escaped(&item.kind),
        escaped(&excerpt(shown, 240)),
    )?;
    let shortened = short.map(|short| {
        let saved = grouped(item.tokens - short.tokens);
        format!("<b class=short>shortened {number}/{}, −{saved}</b>", item.forms.len())
    });
    let remedy = Some(escaped(remedy)).filter(|it| !it.is_empty());
    let why: Vec<_> = shortened.into_iter().chain(remedy).collect();
    if !why.is_empty() {
        write!(html, "<span class=why>{}</span>", why.join("; "))?;
    }
    html.push_str("</summary><div class=full>");
    pre(html, &item.content, item.clipped)?;
    for (form, number) in item.forms.iter().zip(1..) {
        let (of, tokens) = (item.forms.len(), grouped(form.tokens));
        write!(html, "<p class=quiet>form {number} of {of}, {tokens} tokens</p>")?;
        pre(html, &form.content, form.clipped)?;
    }
    writeln!(html, "</div></details>")
}

fn pre(html: &mut String, content: &str, clipped: bool) -> std::fmt::Result {
    let cut = if clipped { "\n… cut here" } else { "" };
    write!(html, "<pre dir=auto>\n{}{cut}</pre>", escaped(content))
}
