//! The command line.

use std::time::Duration;

use clap::Parser;

use crate::records::{Record, WINDOW, half};
use crate::setup::Setup;
use crate::timing::Patience;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Markdown,
    Json,
}

/// Times this engine, the published crate `cupel` 1.2.0 and a floor in turns on the same inputs.
///
/// Without options everything is measured, which takes some ten minutes: the published crate
/// needs half a minute and more for single runs over 100,000 items.
#[derive(Parser, Debug)]
#[command(name = "side-by-side", version = None::<&str>)]
pub(crate) struct Args {
    /// Finish within a minute: fewer turns, and nothing that takes the published crate a second
    #[arg(long)]
    pub(crate) quick: bool,

    /// Only check that both engines choose the same items in the same order
    #[arg(long)]
    pub(crate) check: bool,

    /// Only these pipelines, of a to f
    #[arg(long, value_delimiter = ',', value_name = "LETTERS")]
    only: Vec<Setup>,

    /// Only these numbers of candidates
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NUMBERS",
        default_value = "10,100,1000,10000,100000"
    )]
    pub(crate) sizes: Vec<usize>,

    /// Let c and f choose as well: half of all tokens as their budget, where that is less than the
    /// 128,000 that their gates are about
    #[arg(long)]
    tight: bool,

    /// Write JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,

    /// Write Markdown, as in docs/performance.md
    #[arg(long)]
    markdown: bool,

    /// Fail when a gate is missed
    #[arg(long)]
    pub(crate) strict: bool,

    /// Write so many of the candidates as JSON instead, for programs in other languages
    #[arg(long, value_name = "NUMBER")]
    pub(crate) export: Option<usize>,
}

impl Args {
    pub(crate) fn setups(&self) -> Vec<Setup> {
        match self.only.as_slice() {
            [] => Setup::ALL.to_vec(),
            only => only.to_vec(),
        }
    }

    /// The budget of a pipeline, in tokens.
    pub(crate) fn target(&self, setup: Setup, records: &[Record]) -> i64 {
        match setup.is_knapsack() && !self.tight {
            true => WINDOW,
            false => half(records),
        }
    }

    pub(crate) fn format(&self) -> Format {
        match (self.json, self.markdown) {
            (true, _) => Format::Json,
            (_, true) => Format::Markdown,
            _ => Format::Table,
        }
    }

    pub(crate) fn patience(&self) -> Patience {
        match self.quick {
            true => {
                Patience { batch: Duration::from_micros(500), cell: Duration::from_millis(400) }
            }
            false => Patience { batch: Duration::from_millis(2), cell: Duration::from_secs(2) },
        }
    }
}
