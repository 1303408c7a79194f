//! How requests are cut, as the arguments of `fit` and `Session` say it.

use std::sync::Arc;

use cupel_messages::{CurrentTurn, Dangling, Granularity, Options, Shorten};
use cupel_tokens::Tokenizer;
use pyo3::prelude::*;

use crate::given::{self, Given};
use crate::policy::Loaded;
use crate::select;

/// Those arguments.
pub(crate) struct Arguments<'a, 'py> {
    pub(crate) model: Given<'a, 'py>,
    pub(crate) policy: Given<'a, 'py>,
    pub(crate) query: Given<'a, 'py>,
    pub(crate) keep_first: Given<'a, 'py>,
    pub(crate) keep_last: Given<'a, 'py>,
    pub(crate) pin: Given<'a, 'py>,
    pub(crate) shorten: Given<'a, 'py>,
    pub(crate) granularity: Given<'a, 'py>,
    pub(crate) current_turn: Given<'a, 'py>,
    pub(crate) dangling: Given<'a, 'py>,
}

/// How requests are cut.
#[derive(Debug, Clone)]
pub(crate) struct Cutting {
    pub(crate) options: Options,
    pub(crate) tokenizer: Option<Tokenizer>,
    /// The model's name, if one was given and not a vocabulary.
    pub(crate) model: Option<String>,
    pub(crate) policy: Option<Arc<Loaded>>,
}

impl Arguments<'_, '_> {
    pub(crate) fn read(self, py: Python<'_>) -> PyResult<Cutting> {
        let tokenizer = given::tokenizer(self.model, "model")?;
        let policy = Loaded::optional(self.policy)?;
        let mut options = Options::new()
            .keep_first(given::count(self.keep_first, "keep_first")?)
            .keep_last(given::count(self.keep_last, "keep_last")?)
            .shorten(given::flag(self.shorten, "shorten", true)?.then(Shorten::default));
        for text in given::texts(self.pin, "pin")? {
            options = options.pin(text);
        }
        let sizes = [("turn", Granularity::Turn), ("unit", Granularity::Unit)];
        if let Some(size) = given::choice(self.granularity, "granularity", &sizes)? {
            options = options.granularity(size);
        }
        let turns = [("whole", CurrentTurn::Whole), ("rounds", CurrentTurn::Rounds)];
        if let Some(turn) = given::choice(self.current_turn, "current_turn", &turns)? {
            options = options.current_turn(turn);
        }
        let ends = [("answer", Dangling::Answer), ("drop", Dangling::Drop)];
        if let Some(end) = given::choice(self.dangling, "dangling", &ends)? {
            options = options.dangling(end);
        }
        if let Some(query) = select::query(self.query)? {
            options = options.query(query);
        }
        let model = match tokenizer {
            Some(Tokenizer::Model(_)) => given::optional_text(self.model, "model")?,
            _ => None,
        };
        if let Some(name) = &model {
            options = options.model(name);
        }
        if let Some(policy) = &policy {
            options = options.policy(policy.build(py)?);
        }
        Ok(Cutting { options, tokenizer, model, policy })
    }
}
