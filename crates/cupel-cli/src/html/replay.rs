//! A page with what each turn sent, read and dropped, strategy by strategy.

mod chart;

use std::fmt::Write;

use super::escaped;
use super::report::Report;
use crate::render::{REPLAY_HEADINGS, excerpt, replay_about, replay_cells, replay_prices};
use crate::replayed::Replayed;

/// The page: styles, areas, curves and a table in one file, without a script.
pub(crate) fn replay_page(replayed: &Replayed) -> String {
    let main = include_str!("replay.html")
        .replace("{{prices}}", &escaped(&replay_prices(replayed)))
        .replace("{{costs}}", &chart::costs(replayed))
        .replace("{{sent}}", &chart::sent(replayed))
        .replace("{{areas}}", &areas(replayed))
        .replace("{{table}}", &table(replayed));
    let report = Report {
        command: "replay",
        css: &[include_str!("replay.css")],
        title: &replayed.name,
        about: &replay_about(replayed),
        main,
        note: "Evidence kept: of the tool results that a later step uses, the share that was still in its request.",
    };
    report.page()
}

/// The colour of a strategy, as a style.
fn series(number: usize) -> String {
    const COLOURS: usize = 8;
    format!("--series: var(--kind-{})", number % COLOURS)
}

fn areas(replayed: &Replayed) -> String {
    let mut html = String::new();
    for (number, run) in replayed.runs.iter().enumerate() {
        let _ = write!(
            html,
            "<figure><figcaption><span class=\"key\" style=\"{}\"></span>{}{}</figcaption>{}</figure>",
            series(number),
            escaped(&excerpt(&run.label, 40)),
            match &run.outcomes.stopped {
                Some(why) => format!(" <small>stopped at {}</small>", escaped(&excerpt(why, 160))),
                None => String::new(),
            },
            chart::areas(replayed, run)
        );
    }
    html
}

fn table(replayed: &Replayed) -> String {
    let mut html = String::from("<table class=\"numbers\"><thead><tr><th></th>");
    for heading in REPLAY_HEADINGS {
        let _ = write!(html, "<th>{heading}</th>");
    }
    html += "</tr></thead><tbody>";
    for (number, run) in replayed.runs.iter().enumerate() {
        let key = format!("<span class=\"key\" style=\"{}\"></span>", series(number));
        let _ = write!(html, "<tr><th>{key}{}</th>", escaped(&excerpt(&run.label, 40)));
        for cell in replay_cells(replayed, run) {
            let _ = write!(html, "<td>{cell}</td>");
        }
        html += "</tr>";
    }
    html + "</tbody></table>"
}
