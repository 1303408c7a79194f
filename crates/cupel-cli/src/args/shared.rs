//! Options that several commands share.

use std::path::PathBuf;

use clap::Args;
use cupel::Policy;
use cupel_messages::Options;

use super::MessageArgs;
use crate::failure::{Outcome, note, warn};
use crate::input::{Candidates, Input, Source};
use crate::messages::{self, Chat, Given, Opened};
use crate::output::Sink;
use crate::plan::Plan;
use crate::tokens::Tokenizer;

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// A request to a model, or candidates as a JSON array or JSON Lines; standard input if - or not given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Count for a model (gpt-4o) or with a vocabulary (o200k_base): items that have no count, and
    /// requests instead of by their own model
    #[arg(long, short, value_name = "NAME", help_heading = "Tokens")]
    tokenizer: Option<Tokenizer>,
    /// What the window is to answer, for policies that score relevance; @FILE reads it from a file. Of a request,
    /// unless given, what its user said last
    #[arg(long, value_name = "TEXT", value_parser = query)]
    query: Option<String>,
    #[command(flatten)]
    pub(crate) messages: MessageArgs,
}

/// A text, or that of a file.
pub(super) fn query(given: &str) -> Result<String, String> {
    match given.strip_prefix('@') {
        None => Ok(given.to_owned()),
        Some(file) => std::fs::read_to_string(file)
            .map_err(|error| format!("{file} cannot be read: {error}; a text has no @ before it")),
    }
}

impl InputArgs {
    pub(crate) fn source(&self) -> Source {
        Source::new(self.file.as_deref())
    }

    pub(crate) fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// How a request is cut, with `policy` in place of the usual one.
    pub(crate) fn options(&self, policy: Option<&Policy>) -> Options {
        let options = self.messages.options(policy);
        match &self.query {
            Some(query) => options.query(query.as_str()),
            None => options,
        }
    }

    pub(crate) fn tokenizer(&self) -> Option<Tokenizer> {
        self.tokenizer
    }

    /// A request or candidates, whichever it is.
    pub(crate) fn read(&self) -> Outcome<Given> {
        let source = self.source();
        let text = source.read()?;
        if self.messages.provider.provider.is_some() || messages::is_request(text.as_bytes()) {
            let provider = self.messages.provider.provider;
            let chat = Chat::read(&text, &source, provider, self.tokenizer)?;
            return Ok(Given::Chat(chat));
        }
        self.messages.refuse_for_items()?;
        let candidates = Candidates::parse(text, &source.name(), self.tokenizer, warn)?;
        self.tell_estimates(&candidates);
        Ok(Given::Items(candidates))
    }

    /// The same, but JSON Lines are not read yet.
    pub(crate) fn open(&self) -> Outcome<Opened> {
        let provider = self.messages.provider.provider;
        let opened = match Input::open(self.source(), self.tokenizer, provider.is_some())? {
            Input::Request(text) => {
                let chat = Chat::read(&text, &self.source(), provider, self.tokenizer)?;
                return Ok(Opened::Chat(chat));
            }
            Input::Lines(lines) => Opened::Lines(lines),
            Input::Whole(candidates) => {
                self.tell_estimates(&candidates);
                Opened::Items(candidates)
            }
        };
        self.messages.refuse_for_items()?;
        Ok(opened)
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
    /// A policy file or the name of a preset; `cupel presets` lists them. Unless given, chat for
    /// items, and for requests the recent before the old and what was said before what tools returned
    #[arg(long, short, value_name = "FILE|PRESET")]
    policy: Option<String>,
    /// Ignore unknown keys in the policy file, with a warning
    #[arg(long)]
    lenient: bool,
}

impl PolicyArgs {
    /// The policy for items.
    pub(crate) fn load(&self) -> Outcome<Plan> {
        Plan::load(self.policy.as_deref().unwrap_or("chat"), self.lenient)
    }

    /// `plan`, as loaded, if it was asked for by name: requests have a usual one of their own.
    pub(crate) fn asked_for<'p>(&self, plan: &'p Plan) -> Option<&'p Plan> {
        self.policy.is_some().then_some(plan)
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
