//! What can be read before the script runs, and without it.

use std::fmt::Write;

use super::data::{Item, PageData};
use super::escaped;
use crate::render::{count, excerpt, grouped, plural};

/// More rows than this in one list are left to the script.
const MOST_ROWS: usize = 500;

/// The number of candidates, their tokens, and the policy.
pub(super) fn subtitle(data: &PageData<'_>) -> String {
    format!(
        "{}, {} tokens; policy {}",
        plural(data.items.len(), "candidate"),
        grouped(data.total_tokens),
        escaped(&data.policy)
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
    let _ = rows.add(&data.actual().window);
    or_nothing(html, "The window is empty.")
}

/// What was left out, under its reasons.
pub(super) fn left_out(data: &PageData<'_>) -> String {
    let mut html = String::new();
    let mut rows = Rows { html: &mut html, data, left: MOST_ROWS };
    for (name, numbers) in &data.actual().out {
        let title = data.reasons.iter().find(|it| it.name == *name).map_or(*name, |it| it.title);
        let _ = rows.heading(title, name, numbers.len()).and_then(|()| rows.add(numbers));
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

    fn add(&mut self, numbers: &[usize]) -> std::fmt::Result {
        for number in numbers.iter().take(self.left) {
            row(self.html, &self.data.items[number - 1], self.data.per_token)?;
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

fn row(html: &mut String, item: &Item<'_>, per_token: bool) -> std::fmt::Result {
    let score = match item.score {
        _ if item.pinned => "pinned".to_owned(),
        Some(score) => format!("{score:.2}"),
        None => String::new(),
    };
    let beginning = escaped(&excerpt(&item.content, 240));
    let cut = if item.clipped { "\n… cut here" } else { "" };
    write!(
        html,
        "<details class=row><summary><span class=n>#{}</span><span class=t>{}</span>\
         <span class=s>{score}</span>",
        item.n,
        grouped(item.tokens),
    )?;
    if per_token {
        let score = item.per_token.map(|it| format!("{:.2}", it * 1_000.0)).unwrap_or_default();
        write!(html, "<span class=p>{score}</span>")?;
    }
    write!(
        html,
        "<bdi class=k>{}</bdi><span class=text dir=auto>{beginning}</span>",
        escaped(&item.kind)
    )?;
    if !item.remedy.is_empty() {
        write!(html, "<span class=why>{}</span>", escaped(&item.remedy))?;
    }
    let content = escaped(&item.content);
    writeln!(html, "</summary><div class=full><pre dir=auto>\n{content}{cut}</pre></div></details>")
}
