//! Evidence recall in tables.

use std::fmt::Write;

use cupel_eval::{Comparison, Estimate, Size, Summary};

use super::{Palette, columns_of, count, excerpt, grouped, left, plural, right, wrapped};
use crate::evaluation::{Measured, MissedQuestion};

/// A measurement for the terminal.
pub(crate) fn eval_text(measured: &Measured<'_>, width: usize) -> String {
    let mut text = String::new();
    let _ = write_text(&mut text, measured, width);
    text
}

fn write_text(text: &mut String, measured: &Measured<'_>, width: usize) -> std::fmt::Result {
    let Palette { strong, dim, .. } = Palette::PEOPLE;
    let name = excerpt(&measured.name, width.min(60));
    paragraph(text, &format!("{strong}{name}{strong:#} {}", about(measured)), width)?;
    paragraph(text, &format!("{dim}{}{dim:#}", WHAT), width)?;
    writeln!(text)?;
    table(text, &recall_table(&measured.summary), width)?;
    if !measured.summary.comparisons.is_empty() {
        writeln!(text)?;
    }
    for (letter, comparison) in ('B'..).zip(&measured.summary.comparisons) {
        let told = format!("{letter}  {}", told(comparison, &measured.summary));
        writeln!(text, "{}", wrapped(&told, width.min(160), 3))?;
    }
    if !measured.pools.is_empty() {
        writeln!(text, "\n{strong}By pool{strong:#}  {dim}over all budgets{dim:#}")?;
        table(text, &pool_table(measured), width)?;
    }
    if !measured.missed.is_empty() {
        write_missed(text, measured, width)?;
    }
    Ok(())
}

const WHAT: &str = "recall: how much of the evidence is in the window, in percent, mean over the questions; 95 % interval";

/// What was measured on, in a line.
pub(crate) fn about(measured: &Measured<'_>) -> String {
    format!(
        "{} about {} of {}, {} tokens ({})",
        plural(measured.summary.questions, "question"),
        plural(measured.set.pools().len(), "pool"),
        plural(measured.items(), "item"),
        grouped(measured.tokens()),
        measured.counted,
    )
}

fn paragraph(text: &mut String, line: &str, width: usize) -> std::fmt::Result {
    let fits = columns_of(line) <= width;
    writeln!(text, "{}", if fits { line.to_owned() } else { wrapped(line, width, 2) })
}

/// Rows of cells; the first row is the head, the first column stands left, the others right.
pub(super) type Cells = Vec<Vec<String>>;

fn recall_table(summary: &Summary) -> Cells {
    let mut head = vec![String::new()];
    head.extend(summary.sizes.iter().map(size));
    head.extend(["all".to_owned(), "interval".to_owned()]);
    let rows = ('A'..).zip(&summary.contenders).map(|(letter, it)| {
        let mut row = vec![format!("{letter}  {}", excerpt(&it.label, 40))];
        row.extend(it.by_size.iter().map(|it| percent(it.mean)));
        row.extend([percent(it.overall.mean), interval(&it.overall)]);
        row
    });
    std::iter::once(head).chain(rows).collect()
}

fn pool_table(measured: &Measured<'_>) -> Cells {
    let mut head = vec![String::new(), "questions".to_owned()];
    head.extend(('A'..).take(measured.summary.contenders.len()).map(String::from));
    let rows = measured.pools.iter().map(|(name, summary)| {
        let mut row = vec![excerpt(name, 40), count(summary.questions)];
        row.extend(summary.contenders.iter().map(|it| percent(it.overall.mean)));
        row
    });
    std::iter::once(head).chain(rows).collect()
}

/// Writes columns as wide as their widest cell. Where the line is too long, columns from the right are left out that
/// others sum up: the JSON has them all.
pub(super) fn table(text: &mut String, rows: &Cells, width: usize) -> std::fmt::Result {
    let Palette { strong, dim, .. } = Palette::PEOPLE;
    let columns = rows[0].len();
    let widths: Vec<_> = (0..columns)
        .map(|at| rows.iter().map(|row| columns_of(&row[at])).max().unwrap_or(0))
        .collect();
    let mut shown = columns;
    while shown > 2
        && widths[..shown].iter().map(|it| it + 2).sum::<usize>() > width.saturating_add(2)
    {
        shown -= 1;
    }
    for (at, row) in rows.iter().enumerate() {
        let cells = row[1..shown].iter().zip(&widths[1..]).map(|(cell, width)| right(cell, *width));
        let cells = cells.collect::<Vec<_>>().join("  ");
        let first = left(&row[0], widths[0]);
        match at {
            0 => writeln!(text, "{dim}{first}  {cells}{dim:#}")?,
            _ => writeln!(text, "{strong}{first}{strong:#}  {cells}")?,
        }
    }
    Ok(())
}

/// What a budget is called.
pub(crate) fn size(size: &Size) -> String {
    match size {
        Size::Tokens(tokens) => grouped(*tokens),
        other => other.to_string(),
    }
}

/// A share in percent; one that rounds to nothing has no sign.
pub(crate) fn percent(share: f64) -> String {
    let told = format!("{:.1}", share * 100.0);
    if told == "-0.0" { "0.0".to_owned() } else { told }
}

fn interval(estimate: &Estimate) -> String {
    format!("{} to {}", percent(estimate.low), percent(estimate.high))
}

/// How a policy differs from the first, in a sentence.
pub(crate) fn told(comparison: &Comparison, summary: &Summary) -> String {
    let Comparison { overall, better, worse, .. } = comparison;
    let first = &summary.contenders[0].label;
    // Less is more turned round.
    let (mean, low, high, word) = match overall.mean < 0.0 {
        true => (-overall.mean, -overall.high, -overall.low, "less"),
        false => (overall.mean, overall.low, overall.high, "more"),
    };
    let verdict = match overall.is_clear() {
        true => format!(
            "finds {} points {word} than {first}, {} to {}",
            percent(mean),
            percent(low),
            percent(high)
        ),
        false => format!(
            "is not clearly different from {first}: {} points {word}, {} to {}",
            percent(mean),
            percent(low),
            percent(high)
        ),
    };
    let equal = summary.questions - better - worse;
    format!(
        "{} {verdict}; more on {}, less on {}, as much on {}",
        comparison.label,
        plural(*better, "question"),
        count(*worse),
        count(equal)
    )
}

fn write_missed(text: &mut String, measured: &Measured<'_>, width: usize) -> std::fmt::Result {
    let Palette { strong, dim, .. } = Palette::PEOPLE;
    let first = &measured.summary.contenders[0].label;
    let tokens = size(&measured.missed_at);
    writeln!(text, "\n{strong}Missed by {first} at {tokens}{strong:#}  {dim}worst first{dim:#}")?;
    for it in &measured.missed {
        let question = &measured.set.questions()[it.question];
        let asked = excerpt(question.query().text(), 120);
        let line = format!(
            "{strong}{}{strong:#}  {asked}  {dim}recall {}{dim:#}",
            excerpt(question.id(), 40),
            percent(it.recall)
        );
        writeln!(text, "{}", wrapped(&line, width.min(160), 2))?;
        for line in missed_lines(measured, it) {
            writeln!(text, "  · {}", wrapped(&line, width.min(160) - 4, 4))?;
        }
    }
    Ok(())
}

/// What is missing of one question, a line each.
pub(crate) fn missed_lines(measured: &Measured<'_>, it: &MissedQuestion) -> Vec<String> {
    let question = &measured.set.questions()[it.question];
    let pool = measured.set.pool_of(question);
    let candidates = measured.set.candidates(question).len();
    let mut lines: Vec<_> = it
        .missed
        .iter()
        .map(|item| {
            let why = &item.why;
            let content = excerpt(pool.items()[why.item].content(), 60);
            let mut line =
                format!("{}: \"{content}\" ({} tokens)", pool.id(why.item), grouped(why.tokens));
            if let (Some(rank), Some(score)) = (why.rank, why.score) {
                let _ = write!(
                    line,
                    "; rank {} of {}, score {score:.3}",
                    count(rank),
                    count(candidates)
                );
            }
            let _ = write!(line, "; {}", why.reason);
            if let Some(remedy) = &why.remedy {
                let _ = write!(line, "; {remedy}");
            }
            if !item.found_by.is_empty() {
                let _ = write!(line, "; found by {}", item.found_by.join(", "));
            }
            line
        })
        .collect();
    if it.more > 0 {
        lines.push(format!("and {} more", count(it.more)));
    }
    lines
}

/// A measurement as tables for a document.
pub(crate) fn eval_markdown(measured: &Measured<'_>) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut text = format!("{}.\n\n", about(measured));
    let table = |text: &mut String, rows: &Cells| {
        for (at, row) in rows.iter().enumerate() {
            let cells: Vec<_> = row.iter().map(|it| cell(it)).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            if at == 0 {
                let _ = writeln!(text, "|---|{}", "---:|".repeat(row.len() - 1));
            }
        }
    };
    table(&mut text, &recall_table(&measured.summary));
    if !measured.summary.comparisons.is_empty() {
        text.push('\n');
    }
    for (letter, comparison) in ('B'..).zip(&measured.summary.comparisons) {
        let _ = writeln!(text, "- {letter}, {}", told(comparison, &measured.summary));
    }
    if !measured.pools.is_empty() {
        text.push('\n');
        table(&mut text, &pool_table(measured));
    }
    for it in &measured.missed {
        let question = &measured.set.questions()[it.question];
        let asked = excerpt(question.query().text(), 160);
        let _ = writeln!(text, "\n**{}** {asked} (recall {})\n", question.id(), percent(it.recall));
        for line in missed_lines(measured, it) {
            let _ = writeln!(text, "- {line}");
        }
    }
    text
}
