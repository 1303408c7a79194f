//! Options that several commands share.

use std::path::PathBuf;

use clap::Args;

use crate::failure::{Outcome, note};
use crate::input::{Candidates, Input, Source};
use crate::output::Sink;
use crate::plan::Plan;
use crate::tokens::Tokenizer;

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Candidates as a JSON array or JSON Lines; standard input if - or not given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Count items that have no count: for a model (gpt-4o) or with a vocabulary (o200k_base)
    #[arg(long, short, value_name = "NAME", help_heading = "Tokens")]
    tokenizer: Option<Tokenizer>,
}

impl InputArgs {
    pub(crate) fn source(&self) -> Source {
        Source::new(self.file.as_deref())
    }

    pub(crate) fn tokenizer(&self) -> Option<Tokenizer> {
        self.tokenizer
    }

    pub(crate) fn read(&self) -> Outcome<Candidates> {
        let candidates = Candidates::read(&self.source(), self.tokenizer)?;
        self.tell_estimates(&candidates);
        Ok(candidates)
    }

    /// The same, but JSON Lines are not read yet.
    pub(crate) fn open(&self) -> Outcome<Input> {
        let input = Input::open(self.source(), self.tokenizer)?;
        if let Input::Whole(candidates) = &input {
            self.tell_estimates(candidates);
        }
        Ok(input)
    }

    /// Says that counts are estimates, if they are, and whether they were needed.
    pub(crate) fn tell_estimates(&self, candidates: &Candidates) -> bool {
        if let Some(tokenizer) = self.tokenizer.filter(|it| it.is_estimate())
            && (0..candidates.items().len()).any(|at| candidates.was_counted(at))
        {
            note(&format!("items without a count are counted with {}", tokenizer.name()));
            return true;
        }
        false
    }
}

#[derive(Debug, Args)]
pub(crate) struct PolicyArgs {
    /// A policy file or the name of a preset; `cupel presets` lists them
    #[arg(long, short, value_name = "FILE|PRESET", default_value = "chat")]
    policy: String,
    /// Ignore unknown keys in the policy file, with a warning
    #[arg(long)]
    lenient: bool,
}

impl PolicyArgs {
    pub(crate) fn load(&self) -> Outcome<Plan> {
        Plan::load(&self.policy, self.lenient)
    }
}

#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write to this file, all of it or nothing, instead of standard output
    #[arg(long, short, value_name = "FILE", display_order = 800)]
    output: Option<PathBuf>,
}

impl OutputArgs {
    pub(crate) fn open(&self) -> Outcome<Sink> {
        Sink::open(self.output.as_deref())
    }
}
