//! What can be measured.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use cupel_eval::Size;
use cupel_eval::import::{Asked, ImportOptions, Source};

use super::OutputArgs;
use crate::tokens::Tokenizer;

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// A set as JSON Lines, pools and questions; standard input if - or not given
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Read FILE as its publisher ships it, or transcripts of your own
    #[arg(long, value_name = "SOURCE", value_parser = source(), requires = "file")]
    pub(crate) import: Option<Source>,
    /// Write the imported set as JSON Lines, - for standard output, and measure nothing
    #[arg(long, value_name = "FILE", requires = "import")]
    pub(crate) save: Option<PathBuf>,
    /// What steps of a transcript are asked with: what the user said last, or that and what the assistant said since
    #[arg(long, value_name = "WHAT", value_parser = asked(), requires = "import", default_value = "exchange")]
    pub(crate) asked: Asked,
    /// Import transcripts without shorter forms of their long outputs
    #[arg(long, requires = "import")]
    pub(crate) no_shorten: bool,
    /// A policy file, the name of a preset, last-n (the newest until full) or ceiling (the evidence itself, packed); may be
    /// repeated, the first is what the others are compared with [default: answer, rag, last-n, ceiling]
    #[arg(long = "policy", short, value_name = "FILE|NAME")]
    pub(crate) policies: Vec<String>,
    /// Ignore unknown keys in policy files, with a warning
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Windows to measure at, in tokens or as shares of the candidates (10%) [default: 500,1000,2000,4000,8000]
    #[arg(long, short, value_name = "N,...", value_delimiter = ',')]
    pub(crate) budgets: Vec<Size>,
    /// Count items that have no count for a model (gpt-4o) or with a vocabulary (o200k_base); a quarter of their characters
    /// unless given
    #[arg(long, short, value_name = "NAME", help_heading = "Tokens")]
    pub(crate) tokenizer: Option<Tokenizer>,
    /// Measure on no more than N questions, chosen by --seed
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<NonZero<usize>>,
    /// What random choices begin with: equal seeds give equal numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Show the N questions that the first policy finds least for, what it missed and why
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10")]
    pub(crate) missed: Option<NonZero<usize>>,
    /// The budget to show them at; the one in the middle unless given
    #[arg(long, value_name = "N", requires = "missed")]
    pub(crate) missed_at: Option<Size>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print tables for a document
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Write one self-contained page with curves to look at in a browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// How many questions to work on at once; all cores unless given
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl EvalArgs {
    /// What the importer is to do where transcripts leave it open.
    pub(crate) fn import_options(&self) -> ImportOptions {
        let mut options = ImportOptions::default();
        options.asked = self.asked;
        if self.no_shorten {
            options.shorten = None;
        }
        options
    }
}

fn asked() -> impl TypedValueParser<Value = Asked> {
    let names = PossibleValuesParser::new(Asked::ALL.map(Asked::name));
    names.map(|name| {
        let named = Asked::ALL.into_iter().find(|it| it.name() == name);
        named.expect("it is one of the possible values")
    })
}

fn source() -> impl TypedValueParser<Value = Source> {
    let names = PossibleValuesParser::new(Source::ALL.map(Source::name));
    names.map(|name| Source::from_name(&name).expect("it is one of the possible values"))
}
