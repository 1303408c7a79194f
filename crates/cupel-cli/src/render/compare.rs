//! Policies side by side.

use std::fmt::Write;

use cupel::ItemStatus;

use super::{Palette, columns_of, excerpt, grouped, left, plural, wrapped};

/// What one policy did.
pub(crate) struct Variant<'a> {
    pub(crate) label: &'a str,
    pub(crate) items: usize,
    pub(crate) tokens: i128,
    pub(crate) utilization: f64,
}

/// A content that not all policies treat alike.
pub(crate) struct Difference<'a> {
    pub(crate) content: &'a str,
    /// The items with that content, numbered from 1.
    pub(crate) numbers: Vec<usize>,
    /// What each policy did, in the order of the variants.
    pub(crate) statuses: Vec<ItemStatus>,
}

/// What each policy selects, and where they differ.
pub(crate) fn comparison(
    variants: &[Variant<'_>],
    differences: &[Difference<'_>],
    width: usize,
) -> String {
    let mut text = String::new();
    let _ = write_all(&mut text, variants, differences, width);
    text
}

fn write_all(
    text: &mut String,
    variants: &[Variant<'_>],
    differences: &[Difference<'_>],
    width: usize,
) -> std::fmt::Result {
    let Palette { strong, dim, good, bad, .. } = Palette::PEOPLE;
    let labels: Vec<_> = variants.iter().map(|it| excerpt(it.label, width.min(60))).collect();
    let widest = labels.iter().map(|label| columns_of(label)).max().unwrap_or(0);
    for ((letter, variant), label) in ('A'..).zip(variants).zip(&labels) {
        let line = format!(
            "{strong}{letter}  {}{strong:#}  {:>10}, {:>8} tokens, {:>5.1}% of the budget",
            left(label, widest),
            plural(variant.items, "item"),
            grouped(variant.tokens),
            variant.utilization * 100.0,
        );
        let fits = columns_of(&line) <= width;
        writeln!(text, "{}", if fits { line } else { wrapped(&line, width, 3) })?;
    }
    if differences.is_empty() {
        return writeln!(text, "\nAll select the same.");
    }
    let heading =
        format!("{strong}They differ in {}{strong:#}", plural(differences.len(), "content"));
    let heading = format!("{heading}  {dim}■ in, · out{dim:#}");
    let fits = columns_of(&heading) <= width;
    writeln!(text, "\n{}", if fits { heading } else { wrapped(&heading, width, 2) })?;
    let letters = ('A'..).take(variants.len()).map(|it| format!("{it} ")).collect::<String>();
    let numbers = differences.iter().map(|it| numbers(it).len()).max().unwrap_or(0).max(1);
    writeln!(text, "{dim}  {letters} {:>numbers$}  content{dim:#}", "#")?;
    let contents = width.saturating_sub(letters.len() + numbers + 5).max(8);
    for difference in differences {
        text.push_str("  ");
        for status in &difference.statuses {
            match status {
                ItemStatus::Included => write!(text, "{good}■{good:#} ")?,
                _ => write!(text, "{bad}·{bad:#} ")?,
            }
        }
        writeln!(
            text,
            " {dim}{:>numbers$}{dim:#}  {}",
            self::numbers(difference),
            excerpt(difference.content, contents)
        )?;
    }
    Ok(())
}

fn numbers(difference: &Difference<'_>) -> String {
    let numbers: Vec<_> = difference.numbers.iter().map(usize::to_string).collect();
    excerpt(&numbers.join(","), 12)
}
