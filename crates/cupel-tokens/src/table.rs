//! Which model counts how: the one table.
//!
//! A row speaks for every name that begins with one of its stems and has at least its version. The
//! longest stem wins, then the highest version, so that a new release of a known line counts like the
//! last one that is listed. `docs/tokens.md` shows this table to people.

use crate::image::{Formula, Patches, Tiles};
use crate::{Factor, Model, Overhead, Provider, Vocabulary};

/// One family, and the names that belong to it.
#[derive(Debug)]
pub(crate) struct Row {
    /// Beginnings of names, each a whole word of them.
    pub(crate) stems: &'static [&'static str],
    /// The first version that this row speaks for.
    pub(crate) since: Version,
    pub(crate) model: Model,
}

/// Major and minor, as in `claude-opus-4-7` or `gpt-5.2`.
pub(crate) type Version = (u16, u16);

/// The first that there is, for families without versions that matter.
const ANY: Version = (0, 0);

const OPENAI: Model = Model {
    family: "",
    provider: Provider::OpenAi,
    vocabulary: Vocabulary::O200kBase,
    factor: None,
    overhead: Overhead { per_message: 3, per_name: 1, per_reply: 3, with_tools: 0 },
    image: None,
    audio_per_second: None,
    video_per_second: None,
};

/// Anthropic publishes no overhead per message, so OpenAI's stands in. The prompt that tools bring
/// along is the documented one of the 4 models.
const CLAUDE: Model = Model {
    provider: Provider::Anthropic,
    overhead: Overhead { with_tools: 346, ..OPENAI.overhead },
    ..OPENAI
};

/// Against Gemma's vocabulary, which is Gemini's, this factor covers prose, code, JSON and CJK, and not long lists
/// of numbers: `scripts/calibrate_gemini.py`. Characters by four, Google's rule of thumb, would be short of all of
/// these, and of CJK by half.
const GEMINI: Model = Model {
    provider: Provider::Google,
    factor: Some(Factor::of(1_200)),
    audio_per_second: Some(32),
    video_per_second: Some(263),
    ..OPENAI
};

const fn tiles(base: i64, tile: i64) -> Option<Formula> {
    Some(Formula::Tiles(Tiles { base, tile }))
}

/// Patches of 32 pixels, at most 1,536 of them.
const fn patches(thousandths: u32) -> Option<Formula> {
    let (factor, high) = (Factor::of(thousandths), (2_048, 1_536));
    Some(Formula::Patches(Patches { factor, high, original: high }))
}

/// The same where `detail: original` exists.
const fn large_patches(thousandths: u32) -> Option<Formula> {
    let (high, original) = ((2_048, 2_500), (6_000, 10_000));
    Some(Formula::Patches(Patches { factor: Factor::of(thousandths), high, original }))
}

const fn openai(family: &'static str, image: Option<Formula>) -> Model {
    Model { family, image, ..OPENAI }
}

const fn older(family: &'static str, vocabulary: Vocabulary, image: Option<Formula>) -> Model {
    Model { family, vocabulary, image, ..OPENAI }
}

const fn row(stems: &'static [&'static str], since: Version, model: Model) -> Row {
    Row { stems, since, model }
}

pub(crate) const ROWS: &[Row] = &[
    // OpenAI, newest first
    row(&["gpt"], (5, 4), openai("gpt-5.4 and later", large_patches(1_200))),
    row(&["gpt-5"], (5, 4), openai("gpt-5.4 and later", large_patches(1_200))),
    row(&["gpt-5"], (5, 2), openai("gpt-5.2", patches(1_200))),
    row(&["gpt-5"], ANY, openai("gpt-5", tiles(70, 140))),
    row(&["gpt-5-mini"], ANY, openai("gpt-5-mini", patches(1_200))),
    row(&["gpt-5-nano"], ANY, openai("gpt-5-nano", patches(1_500))),
    row(&["gpt-4.1", "gpt-4.5"], ANY, openai("gpt-4.1", tiles(85, 170))),
    row(&["gpt-4.1-mini"], ANY, openai("gpt-4.1-mini", patches(1_620))),
    row(&["gpt-4.1-nano"], ANY, openai("gpt-4.1-nano", patches(2_460))),
    row(&["gpt-4o", "chatgpt-4o"], ANY, openai("gpt-4o", tiles(85, 170))),
    row(&["gpt-4o-mini"], ANY, openai("gpt-4o-mini", tiles(2_833, 5_667))),
    row(&["o4-mini", "codex-mini"], ANY, openai("o4-mini", patches(1_720))),
    row(&["o1", "o3", "o4"], ANY, openai("o1, o3", tiles(75, 150))),
    row(&["gpt-oss"], ANY, older("gpt-oss", Vocabulary::O200kHarmony, None)),
    row(&["gpt-4"], ANY, older("gpt-4", Vocabulary::Cl100kBase, tiles(85, 170))),
    row(&["gpt-3.5", "gpt-35"], ANY, older("gpt-3.5", Vocabulary::Cl100kBase, None)),
    row(
        &["text-embedding-3", "text-embedding-ada-002", "davinci-002", "babbage-002"],
        ANY,
        older("text-embedding-3", Vocabulary::Cl100kBase, None),
    ),
    row(
        &["text-davinci-edit", "code-davinci-edit"],
        ANY,
        older("text-davinci-edit", Vocabulary::P50kEdit, None),
    ),
    row(
        &["text-davinci-002", "text-davinci-003", "code-davinci", "code-cushman", "davinci-codex"],
        ANY,
        older("text-davinci-003", Vocabulary::P50kBase, None),
    ),
    row(
        &[
            "gpt-3",
            "gpt-2",
            "gpt2",
            "davinci",
            "curie",
            "babbage",
            "ada",
            "text-davinci-001",
            "text-curie",
        ],
        ANY,
        older("gpt-3", Vocabulary::R50kBase, None),
    ),
    // Anthropic
    row(
        &["claude"],
        (4, 7),
        Model {
            family: "claude 4.7 and later",
            factor: Some(Factor::of(1_530)),
            image: Some(Formula::Grid { longest_side: 2_576, most_tokens: 4_784 }),
            ..CLAUDE
        },
    ),
    row(
        &["claude"],
        ANY,
        Model {
            family: "claude 4.6 and earlier",
            factor: Some(Factor::of(1_180)),
            image: Some(Formula::Grid { longest_side: 1_568, most_tokens: 1_568 }),
            ..CLAUDE
        },
    ),
    // Google
    row(
        &["gemini"],
        (3, 0),
        Model {
            family: "gemini 3 and later",
            image: Some(Formula::ByDetail { low: 280, medium: 560, high: 1_120 }),
            ..GEMINI
        },
    ),
    row(
        &["gemini", "gemma"],
        ANY,
        Model { family: "gemini 2.5 and earlier", image: Some(Formula::Squares), ..GEMINI },
    ),
];

/// Names that people mean when they misspell one.
pub(crate) const EXAMPLES: &[&str] = &[
    "gpt-6",
    "gpt-5.6",
    "gpt-5.5",
    "gpt-5.4",
    "gpt-5.2",
    "gpt-5.1",
    "gpt-5",
    "gpt-5-mini",
    "gpt-5-nano",
    "gpt-4.1",
    "gpt-4.1-mini",
    "gpt-4.1-nano",
    "gpt-4o",
    "gpt-4o-mini",
    "gpt-4-turbo",
    "gpt-4",
    "gpt-3.5-turbo",
    "gpt-oss-120b",
    "o1",
    "o3",
    "o4-mini",
    "text-embedding-3-small",
    "claude-fable-5.2",
    "claude-opus-5.5",
    "claude-sonnet-5.5",
    "claude-haiku-5.5",
    "claude-opus-4-7",
    "claude-sonnet-4-5",
    "claude-haiku-4-5",
    "claude-3-5-sonnet",
    "gemini-3-pro",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
];
