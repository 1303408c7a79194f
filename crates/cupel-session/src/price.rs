//! What a provider charges for reading from its cache, writing to it, and neither.

use cupel_messages::Format;
use serde::{Deserialize, Serialize};

/// The table that comes with this crate.
const TABLE: &str = include_str!("prices.json");

/// How a provider finds out what it has seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cache {
    /// Any prefix of the request before is read, to the last whole part.
    AnyPrefix,
    /// Only what ends at a breakpoint: those in the request, and one behind the last thing that was said to the model.
    LastQuestion,
    /// Only what ends at a breakpoint in the request, found from a breakpoint at most twenty parts behind it.
    Marked,
}

/// What tokens cost, in thousandths of a plain input token.
///
/// ```
/// use cupel_messages::Format;
/// use cupel_session::Price;
///
/// let price = Price::of(Format::Anthropic, Some("claude-opus-5-5"));
/// assert_eq!((price.read, price.write), (100, 1_250));
/// let cheaper = Price { read: 50, ..price }; // whoever knows better says so
/// # let _ = cheaper;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// How the cache works.
    pub cache: Cache,
    /// A token that is read from the cache.
    pub read: i64,
    /// A token that is written to it.
    pub write: i64,
    /// Shorter prefixes are not cached.
    pub minimum: i64,
    /// A request with more tokens than this costs more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<i64>,
    /// How many times as much all of it costs then, in thousandths.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub step_factor: i64,
}

fn one() -> i64 {
    1_000
}

fn is_one(factor: &i64) -> bool {
    *factor == one()
}

#[derive(Deserialize)]
struct Table {
    date: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    format: String,
    model: String,
    cache: Cache,
    read: i64,
    write: i64,
    minimum: i64,
    step: Option<i64>,
    #[serde(default = "one")]
    step_factor: i64,
}

fn table() -> Table {
    serde_json::from_str(TABLE).expect("a test reads the table")
}

impl Price {
    /// What a model's provider charges, as of [`Price::date`]. Where models differ and a name does not tell, the dearer
    /// reading and the longer minimum are taken, so that no saving is claimed that may not come.
    pub fn of(format: Format, model: Option<&str>) -> Self {
        let provider = match format {
            Format::Anthropic => "anthropic",
            Format::Gemini => "gemini",
            _ => "openai",
        };
        let model = model.unwrap_or_default().to_ascii_lowercase();
        let rows = table().rows.into_iter();
        let row = rows
            .filter(|row| row.format == provider && model.contains(&row.model))
            .max_by_key(|row| row.model.len());
        let Some(row) = row else { return Self::PLAIN_PREFIX };
        Self {
            cache: row.cache,
            read: row.read,
            write: row.write,
            minimum: row.minimum,
            step: row.step,
            step_factor: row.step_factor,
        }
    }

    /// When the table was made: a year and a month.
    pub fn date() -> String {
        table().date
    }

    /// A tenth for what was seen before, a quarter more for what is new, any prefix, however short: for items, whose
    /// provider nobody names.
    pub const PLAIN_PREFIX: Self = Self {
        cache: Cache::AnyPrefix,
        read: 100,
        write: 1_250,
        minimum: 0,
        step: None,
        step_factor: 1_000,
    };

    /// After how many turns a cut pays back that dropped `dropped` tokens and had `rewritten` behind it written anew.
    pub fn payback_turns(&self, dropped: i64, rewritten: i64) -> Option<f64> {
        let dearer = (self.write - self.read).max(0) as f64;
        (dropped > 0 && self.read > 0)
            .then(|| dearer / self.read as f64 * (rewritten.max(0) as f64 / dropped as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_every_format_has_a_row() {
        for format in Format::ALL {
            let price = Price::of(format, None);
            assert!(price.read < price.write && price.minimum > 0, "{format}: {price:?}");
        }
        assert_eq!(Price::date().len(), 7);
    }

    #[test]
    fn the_longest_name_decides() {
        let of = |model| Price::of(Format::OpenAiChat, Some(model));
        assert_eq!(of("gpt-4o").read, 500);
        assert_eq!(of("gpt-5-mini").write, 1_000);
        assert_eq!(of("openai/GPT-5.6").write, 1_250);
        assert_eq!(of("gpt-5.6-terra").step, Some(272_000));
    }

    #[test]
    fn payback_is_what_the_formula_says() {
        let price = Price::of(Format::Anthropic, None);
        assert_eq!(price.payback_turns(10_000, 10_000), Some(11.5));
        assert_eq!(price.payback_turns(0, 10_000), None);
    }
}
