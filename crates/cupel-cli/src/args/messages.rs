//! Options for requests to models.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use cupel::Policy;
use cupel_messages::{CurrentTurn, Dangling, Format, Granularity, Options};

use crate::failure::{Complaint, Failure, Outcome};

const HEADING: &str = "Requests";

/// Whose request it is.
#[derive(Debug, Args)]
pub(crate) struct ProviderArgs {
    /// Whose request it is; found out by looking unless given
    #[arg(long, help_heading = HEADING, value_name = "FORMAT", value_parser = format())]
    pub(crate) provider: Option<Format>,
}

fn format() -> impl TypedValueParser<Value = Format> {
    let names = PossibleValuesParser::new(Format::ALL.map(Format::name));
    names.try_map(|name| name.parse::<Format>())
}

/// How a request is cut.
#[derive(Debug, Args)]
pub(crate) struct MessageArgs {
    #[command(flatten)]
    pub(crate) provider: ProviderArgs,
    /// Keep the first N turns; a turn is a user message and all up to the next one
    #[arg(long, help_heading = HEADING, value_name = "N", default_value_t = 0, hide_default_value = true)]
    keep_first: usize,
    /// Keep the last N turns; the current one stays anyway
    #[arg(long, help_heading = HEADING, value_name = "N", default_value_t = 0, hide_default_value = true)]
    keep_last: usize,
    /// Keep every message that says this, in whatever case; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "TEXT")]
    pin: Vec<String>,
    /// Keep long tool results whole or not at all
    #[arg(long, help_heading = HEADING)]
    no_shorten: bool,
    /// What is in or out as a whole; what the provider takes unless given
    #[arg(long, help_heading = HEADING, value_name = "SIZE")]
    granularity: Option<Size>,
    /// What may go of the current turn
    #[arg(long, help_heading = HEADING, value_name = "WHAT", default_value = "whole")]
    current_turn: Current,
    /// What becomes of calls that were never answered
    #[arg(long, help_heading = HEADING, value_name = "WHAT", default_value = "answer")]
    dangling: Unanswered,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Size {
    /// A user message and all up to the next one
    Turn,
    /// A message, or a call with its results
    Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Current {
    /// Nothing; its tool results are shortened if need be
    Whole,
    /// Tool rounds that are over, for agents that work long on one request
    Rounds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unanswered {
    /// They get an answer that says so
    Answer,
    /// They go, with all that must go with them
    Drop,
}

impl MessageArgs {
    /// The same for the library, with `policy` in place of the usual one.
    pub(crate) fn options(&self, policy: Option<&Policy>) -> Options {
        let current_turn = match self.current_turn {
            Current::Whole => CurrentTurn::Whole,
            Current::Rounds => CurrentTurn::Rounds,
        };
        let dangling = match self.dangling {
            Unanswered::Answer => Dangling::Answer,
            Unanswered::Drop => Dangling::Drop,
        };
        let mut options = Options::new()
            .keep_first(self.keep_first)
            .keep_last(self.keep_last)
            .current_turn(current_turn)
            .dangling(dangling);
        for text in &self.pin {
            options = options.pin(text);
        }
        if self.no_shorten {
            options = options.shorten(None);
        }
        if let Some(size) = self.granularity {
            options = options.granularity(match size {
                Size::Turn => Granularity::Turn,
                Size::Unit => Granularity::Unit,
            });
        }
        match policy {
            Some(policy) => options.policy(policy.clone()),
            None => options,
        }
    }

    /// Refuses what only means something for a request: nobody wants it to be passed over.
    pub(crate) fn refuse_for_items(&self) -> Outcome {
        let given = [
            (self.keep_first > 0, "--keep-first"),
            (self.keep_last > 0, "--keep-last"),
            (!self.pin.is_empty(), "--pin"),
            (self.no_shorten, "--no-shorten"),
            (self.granularity.is_some(), "--granularity"),
            (self.current_turn != Current::Whole, "--current-turn"),
            (self.dangling != Unanswered::Answer, "--dangling"),
        ];
        let Some((_, flag)) = given.into_iter().find(|(is_given, _)| *is_given) else {
            return Ok(());
        };
        let problem = format!("{flag} is for requests to models, but the input is a list of items");
        let remedy = "leave it out; items say \"pinned\" for themselves. If it is a request, say whose \
                      with --provider";
        Err(Failure::bad_input(Complaint::new(problem).remedy(remedy)))
    }
}
