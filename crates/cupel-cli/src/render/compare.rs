//! Policies side by side.

use std::fmt::Write;

use super::margin::margins;
use super::{Palette, columns_of, count, excerpt, grouped, left, plural, wrapped};

/// What one policy did.
pub(crate) struct Variant<'a> {
    pub(crate) label: &'a str,
    pub(crate) items: usize,
    /// How many of them are shortened.
    pub(crate) shortened: usize,
    pub(crate) tokens: i128,
    pub(crate) utilization: f64,
}

/// A content that not all policies treat alike.
pub(crate) struct Difference<'a> {
    pub(crate) content: &'a str,
    /// The items with that content, numbered from 1.
    pub(crate) numbers: Vec<usize>,
    /// The unit that the first of them is a member of, if it does not stand alone.
    pub(crate) unit: Option<usize>,
    /// What each policy did, in the order of the variants.
    pub(crate) states: Vec<State>,
}

/// What a policy made of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Out,
    /// In one of its shorter forms, from 1.
    Shortened(usize),
    Whole,
}

impl State {
    /// That of two which has more of the content.
    pub(crate) fn richer(self, other: Self) -> Self {
        match (self, other) {
            (Self::Shortened(a), Self::Shortened(b)) => Self::Shortened(a.min(b)),
            (Self::Whole, _) | (_, Self::Out) => self,
            _ => other,
        }
    }
}

/// What each policy selects, and where they differ; `one` is what the selected are called.
pub(crate) fn comparison(
    variants: &[Variant<'_>],
    differences: &[Difference<'_>],
    width: usize,
    one: &str,
) -> String {
    let mut text = String::new();
    let _ = write_all(&mut text, variants, differences, width, one);
    text
}

fn write_all(
    text: &mut String,
    variants: &[Variant<'_>],
    differences: &[Difference<'_>],
    width: usize,
    one: &str,
) -> std::fmt::Result {
    let Palette { strong, dim, good, bad, .. } = Palette::PEOPLE;
    let labels: Vec<_> = variants.iter().map(|it| excerpt(it.label, width.min(60))).collect();
    let widest = labels.iter().map(|label| columns_of(label)).max().unwrap_or(0);
    for ((letter, variant), label) in ('A'..).zip(variants).zip(&labels) {
        let shortened = match variant.shortened {
            0 => String::new(),
            items => format!(", {} shortened", count(items)),
        };
        let line = format!(
            "{strong}{letter}  {}{strong:#}  {:>10}, {:>8} tokens, {:>5.1}% of the budget{shortened}",
            left(label, widest),
            plural(variant.items, one),
            grouped(variant.tokens),
            variant.utilization * 100.0,
        );
        let fits = columns_of(&line) <= width;
        writeln!(text, "{}", if fits { line } else { wrapped(&line, width, 3) })?;
    }
    if differences.is_empty() {
        return writeln!(text, "\nAll select the same.");
    }
    let heading = format!(
        "{strong}They differ in {}{strong:#}",
        plural(differences.len(), if one == "item" { "content" } else { one })
    );
    let is_shortened = |it: &State| matches!(it, State::Shortened(_));
    let any_shortened = differences.iter().any(|it| it.states.iter().any(is_shortened));
    let shortened = if any_shortened { " 1 2 … shortened to that form," } else { "" };
    let heading = format!("{heading}  {dim}■ in,{shortened} · out{dim:#}");
    let fits = columns_of(&heading) <= width;
    writeln!(text, "\n{}", if fits { heading } else { wrapped(&heading, width, 2) })?;
    let letters = ('A'..).take(variants.len()).map(|it| format!("{it} ")).collect::<String>();
    let numbers = differences.iter().map(|it| numbers(it).len()).max().unwrap_or(0).max(1);
    let margins = margins(&differences.iter().map(|it| it.unit).collect::<Vec<_>>());
    let margin = columns_of(&margins[0].beside);
    writeln!(text, "{dim}{}  {letters} {:>numbers$}  content{dim:#}", " ".repeat(margin), "#")?;
    let contents = width.saturating_sub(margin + letters.len() + numbers + 5).max(8);
    for (difference, margin) in differences.iter().zip(&margins) {
        write!(text, "{}  ", margin.beside)?;
        for state in &difference.states {
            match state {
                State::Whole => write!(text, "{good}■{good:#} ")?,
                State::Shortened(form @ 1..=9) => write!(text, "{good}{form}{good:#} ")?,
                State::Shortened(_) => write!(text, "{good}▪{good:#} ")?,
                State::Out => write!(text, "{bad}·{bad:#} ")?,
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
