//! A page with curves of recall over budget.

mod chart;

use std::fmt::Write;

use cupel_eval::{Contender, Estimate};

use super::escaped;
use super::report::Report;
use crate::evaluation::Measured;
use crate::render::{about, count, excerpt, missed_lines, percent, size, told};

/// The page: styles, curves and tables in one file, without a script.
pub(crate) fn eval_page(measured: &Measured<'_>) -> String {
    let main = include_str!("eval.html")
        .replace("{{chart}}", &chart::chart(&measured.summary))
        .replace("{{table}}", &table(measured))
        .replace("{{comparisons}}", &comparisons(measured))
        .replace("{{pools}}", &pools(measured))
        .replace("{{missed}}", &missed(measured));
    let note = format!(
        "Intervals: {} bootstrap resamples of the questions, seed {}.",
        count(measured.bootstrap.resamples),
        measured.bootstrap.seed
    );
    let report = Report {
        command: "eval",
        css: &[],
        title: &measured.name,
        about: &about(measured),
        main,
        note: &note,
    };
    report.page()
}

/// The colour of a contender, as a style. Baselines stand back.
fn series(number: usize, label: &str) -> String {
    const COLOURS: usize = 8;
    match Contender::baseline(label) {
        Some(_) => "--series: var(--quiet)".to_owned(),
        None => format!("--series: var(--kind-{})", number % COLOURS),
    }
}

fn table(measured: &Measured<'_>) -> String {
    let summary = &measured.summary;
    let mut html = String::from("<table class=\"numbers\"><thead><tr><th></th>");
    for it in &summary.sizes {
        let _ = write!(html, "<th>{}</th>", size(it));
    }
    html += "<th>all</th></tr></thead><tbody>";
    let cell = |it: &Estimate| {
        format!(
            "<td>{}<small>{} to {}</small></td>",
            percent(it.mean),
            percent(it.low),
            percent(it.high)
        )
    };
    for (number, it) in summary.contenders.iter().enumerate() {
        let key = format!("<span class=\"key\" style=\"{}\"></span>", series(number, &it.label));
        let _ = write!(html, "<tr><th>{key}{}</th>", escaped(&excerpt(&it.label, 40)));
        it.by_size.iter().chain([&it.overall]).for_each(|it| html += &cell(it));
        html += "</tr>";
    }
    html + "</tbody></table>"
}

fn comparisons(measured: &Measured<'_>) -> String {
    let summary = &measured.summary;
    if summary.comparisons.is_empty() {
        return String::new();
    }
    let items =
        summary.comparisons.iter().map(|it| format!("<li>{}</li>", escaped(&told(it, summary))));
    format!("<ul class=\"comparisons\">{}</ul>", items.collect::<String>())
}

fn pools(measured: &Measured<'_>) -> String {
    if measured.pools.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<section class=\"card\"><h2>By pool <span class=\"quiet\">over all budgets</span></h2><div class=\"wide\">\
         <table class=\"numbers\"><thead><tr><th></th><th>questions</th>",
    );
    for it in &measured.summary.contenders {
        let _ = write!(html, "<th>{}</th>", escaped(&excerpt(&it.label, 40)));
    }
    html += "</tr></thead><tbody>";
    for (name, summary) in &measured.pools {
        let _ = write!(
            html,
            "<tr><th>{}</th><td>{}</td>",
            escaped(&excerpt(name, 40)),
            count(summary.questions)
        );
        for it in &summary.contenders {
            let _ = write!(html, "<td>{}</td>", percent(it.overall.mean));
        }
        html += "</tr>";
    }
    html + "</tbody></table></div></section>"
}

fn missed(measured: &Measured<'_>) -> String {
    if measured.missed.is_empty() {
        return String::new();
    }
    let first = escaped(&measured.summary.contenders[0].label);
    let mut html = format!(
        "<section class=\"card\"><h2>Missed by {first} at {} <span class=\"quiet\">worst first</span></h2>",
        size(&measured.missed_at)
    );
    for it in &measured.missed {
        let question = &measured.set.questions()[it.question];
        let lines = missed_lines(measured, it);
        let lines = lines.iter().map(|line| format!("<li>{}</li>", escaped(line)));
        let _ = write!(
            html,
            "<div class=\"question\"><p><b>{}</b> {} <span class=\"quiet\">recall {}</span></p><ul>{}</ul></div>",
            escaped(question.id()),
            escaped(&excerpt(question.query().text(), 300)),
            percent(it.recall),
            lines.collect::<String>()
        );
    }
    html + "</section>"
}
