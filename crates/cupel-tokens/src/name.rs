//! From the name of a model to its row in the table.

use std::error::Error;
use std::fmt;

use crate::table::{EXAMPLES, ROWS, Version};
use crate::{Model, Vocabulary};

/// How many similar names an error lists.
const NEAR: usize = 3;

/// No vocabulary and no family of models goes by this name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName {
    /// The name as it was given.
    pub name: String,
    /// Names that are spelled alike, most alike first; none if nothing is.
    pub near: Vec<&'static str>,
}

/// The family that `name` belongs to.
pub(crate) fn find(name: &str) -> Result<&'static Model, UnknownName> {
    let bare = bare(name);
    let version = version(&bare);
    let matching = ROWS.iter().filter(|row| row.since <= version).filter_map(|row| {
        let stem = row.stems.iter().filter(|stem| begins_with(&bare, stem)).map(|it| it.len());
        Some((stem.max()?, row.since, row))
    });
    match matching.max_by_key(|(stem, since, _)| (*stem, *since)) {
        Some((.., row)) => Ok(&row.model),
        None => Err(UnknownName { name: name.to_owned(), near: near(&bare) }),
    }
}

/// The name without what routers and clouds put in front of it: everything up to the last slash
/// (`openrouter/openai/`, `models/`), a region and vendor (`us.anthropic.`), `ft:` of fine-tuned
/// models.
fn bare(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    let name = name.strip_prefix("ft:").unwrap_or(name);
    let vendor = ["anthropic.", "openai.", "google."];
    let behind = vendor.iter().find_map(|it| name.find(it).map(|at| &name[at + it.len()..]));
    behind.unwrap_or(name).to_owned()
}

/// Whether `stem` is the beginning of `name`, ending where a word of it does.
fn begins_with(name: &str, stem: &str) -> bool {
    let Some(rest) = name.strip_prefix(stem) else { return false };
    !rest.starts_with(|next: char| next.is_ascii_alphanumeric())
}

/// The first number in `name` that can be a version, with its minor part: 4.5 in
/// `claude-sonnet-4-5-20250929`, 3.5 in `claude-3-5-haiku`, 4 in `gpt-4-0613`. Numbers of more than
/// two digits are dates.
fn version(name: &str) -> Version {
    let mut words = name.split(['-', '.', '_', ' ', ':', '@']).map(number);
    let Some(major) = words.by_ref().flatten().next() else { return (0, 0) };
    (major, words.next().flatten().unwrap_or(0))
}

fn number(word: &str) -> Option<u16> {
    if word.len() > 2 { None } else { word.parse().ok() }
}

/// Names of models and vocabularies that `name` may have been meant as.
fn near(name: &str) -> Vec<&'static str> {
    let names = Vocabulary::ALL.iter().map(|it| it.name()).chain(EXAMPLES.iter().copied());
    let mut near: Vec<_> = names
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness >= 0.85)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(NEAR).map(|(_, candidate)| candidate).collect()
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no model or vocabulary is called {:?}", self.name)?;
        match self.near.is_empty() {
            true => f.write_str(".")?,
            false => write!(f, "; did you mean {}?", self.near.join(", "))?,
        }
        let vocabularies: Vec<_> = Vocabulary::ALL.iter().map(|it| it.name()).collect();
        write!(
            f,
            " Name a GPT, Claude or Gemini model (gpt-4o, claude-sonnet-5.5, gemini-3-pro), or, for \
             any other, the vocabulary nearest to its own: {}",
            vocabularies.join(", ")
        )
    }
}

impl Error for UnknownName {}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, ROWS, find, version};

    fn family(name: &str) -> &'static str {
        find(name).map_or("none", |model| model.family)
    }

    #[test]
    fn names_are_found_however_they_are_spelled() {
        for (name, expected) in [
            ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
            ("openai/gpt-4o", "gpt-4o"),
            ("openrouter/openai/gpt-4o:free", "gpt-4o"),
            ("ft:gpt-4o-mini-2024-07-18:my-org::abc", "gpt-4o-mini"),
            ("  GPT-4o ", "gpt-4o"),
            ("azure/gpt-35-turbo-16k", "gpt-3.5"),
            ("gpt-4-0613", "gpt-4"),
            ("gpt-4-turbo", "gpt-4"),
            ("gpt-4.1-nano-2025-04-14", "gpt-4.1-nano"),
            ("gpt-5", "gpt-5"),
            ("gpt-5-2025-08-07", "gpt-5"),
            ("gpt-5.1-codex", "gpt-5"),
            ("gpt-5-mini", "gpt-5-mini"),
            ("gpt-5.2", "gpt-5.2"),
            ("gpt-5.3-codex", "gpt-5.2"),
            ("gpt-5.6-pro", "gpt-5.4 and later"),
            ("gpt-6-astra", "gpt-5.4 and later"),
            ("gpt-oss-120b", "gpt-oss"),
            ("o3-mini", "o1, o3"),
            ("o4-mini-2025-04-16", "o4-mini"),
            ("anthropic/claude-3-5-sonnet-20241022", "claude 4.6 and earlier"),
            ("claude-sonnet-4-20250514", "claude 4.6 and earlier"),
            ("claude-sonnet-4@20250514", "claude 4.6 and earlier"),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude 4.6 and earlier"),
            ("bedrock/anthropic.claude-opus-4-6-v1:0", "claude 4.6 and earlier"),
            ("claude-2.1", "claude 4.6 and earlier"),
            ("claude-opus-4-7", "claude 4.7 and later"),
            ("anthropic/claude-opus-4.7", "claude 4.7 and later"),
            ("claude-opus-5", "claude 4.7 and later"),
            ("claude-sonnet-5.5", "claude 4.7 and later"),
            ("claude-fable-5-1", "claude 4.7 and later"),
            ("models/gemini-2.5-flash-001", "gemini 2.5 and earlier"),
            ("publishers/google/models/gemini-1.5-pro", "gemini 2.5 and earlier"),
            ("gemini/gemini-3-pro-preview", "gemini 3 and later"),
            ("gemini-3.5-flash", "gemini 3 and later"),
            ("text-embedding-3-large", "text-embedding-3"),
            ("text-davinci-003", "text-davinci-003"),
            ("code-davinci-edit-001", "text-davinci-edit"),
            ("davinci", "gpt-3"),
        ] {
            assert_eq!(family(name), expected, "{name}");
        }
    }

    #[test]
    fn what_only_looks_like_a_model_is_not_one() {
        for name in
            ["", "/", "gpt", "gpt-", "o", "o30", "o1x", "gpt-4omni", "claudette", "llama-3.1"]
        {
            assert_eq!(family(name), "none", "{name:?}");
        }
    }

    #[test]
    fn dates_are_not_versions() {
        assert_eq!(version("claude-3-5-sonnet-20241022"), (3, 5));
        assert_eq!(version("claude-sonnet-4-20250514"), (4, 0));
        assert_eq!(version("gpt-4-0613"), (4, 0));
        assert_eq!(version("claude-instant"), (0, 0));
    }

    #[test]
    fn every_example_is_found_and_every_row_is_reached() {
        for example in EXAMPLES {
            assert_ne!(family(example), "none", "{example}");
        }
        for row in ROWS {
            for stem in row.stems {
                let name = match row.since {
                    (0, 0) => (*stem).to_owned(),
                    (major, minor) => format!("{stem}-{major}.{minor}"),
                };
                let name = name.replace("gpt-5-5", "gpt-5");
                assert_eq!(family(&name), row.model.family, "{name}");
            }
        }
    }

    /// Programs pass on what they have, and that may be the family.
    #[test]
    fn every_family_goes_by_its_own_name() {
        for row in ROWS {
            assert_eq!(find(row.model.family), Ok(&row.model), "{}", row.model.family);
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_near_ones_and_the_remedy() {
        let error = find("gpt4o").unwrap_err();
        assert_eq!(error.near.first(), Some(&"gpt-4o"));
        let text = error.to_string();
        assert!(
            text.starts_with("no model or vocabulary is called \"gpt4o\"; did you mean gpt-4o")
        );
        assert!(text.contains("cl100k_base"), "{text}");
        let strange = find("mistral-large").unwrap_err();
        assert_eq!(strange.near, Vec::<&str>::new());
        assert!(strange.to_string().contains("\"mistral-large\". Name a"), "{strange}");
        assert_eq!(find("o200k").unwrap_err().near.first(), Some(&"o200k_base"));
    }
}
