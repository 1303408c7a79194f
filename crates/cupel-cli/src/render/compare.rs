//! Policies side by side.

use std::fmt::Write;

use cupel::ItemStatus;

use super::{Palette, excerpt, grouped, plural};

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
    let labels = variants.iter().map(|it| it.label.chars().count()).max().unwrap_or(0);
    for (letter, variant) in ('A'..).zip(variants) {
        writeln!(
            text,
            "{strong}{letter}  {:<labels$}{strong:#}  {:>10}, {:>8} tokens, {:>5.1}% of the budget",
            variant.label,
            plural(variant.items, "item"),
            grouped(variant.tokens),
            variant.utilization * 100.0,
        )?;
    }
    if differences.is_empty() {
        return writeln!(text, "\nAll select the same.");
    }
    writeln!(
        text,
        "\n{strong}They differ in {}{strong:#}  {dim}■ in the window, · left out{dim:#}",
        plural(differences.len(), "content")
    )?;
    let letters = ('A'..).take(variants.len()).map(|it| format!("{it} ")).collect::<String>();
    let numbers = differences.iter().map(|it| numbers(it).len()).max().unwrap_or(0).max(1);
    writeln!(text, "{dim}  {letters} {:>numbers$}  content{dim:#}", "#")?;
    let contents = width.saturating_sub(letters.len() + numbers + 5).max(20);
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
