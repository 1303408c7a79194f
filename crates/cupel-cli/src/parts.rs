//! Parts of the command for programs that bring it along, so that both do the same.

use cupel::{ContextBudget, ContextItem, Pipeline};
use cupel_messages::{Fitted, ModelMeter, Options, Request};
use cupel_policy::PolicyFile;
use cupel_tokens::Tokenizer;

use crate::command::explain;
use crate::failure::{Failure, Outcome};
use crate::html::{PageData, message_page, page};
use crate::input::{Candidates, object};
use crate::messages::{self, Chat};
use crate::plan::Plan;
use crate::remedies::Remedies;
use crate::render;

/// A number of tokens as people write it: `8000`, `8_000`, `8k`, `1.5m`.
///
/// # Errors
/// With what to write instead.
pub fn tokens(text: &str) -> Result<i64, String> {
    crate::args::tokens(text)
}

/// How many tokens a request may be: what the budget leaves of itself for the answer, for what is reserved, and for
/// counts that are not exact.
pub fn room(budget: &ContextBudget) -> i64 {
    messages::room(budget)
}

/// Counts with `tokenizer`, or else as the model of the request does.
pub fn meter(request: &Request, tokenizer: Option<Tokenizer>) -> ModelMeter<Tokenizer> {
    messages::meter(request, tokenizer.map(Into::into))
}

/// What was done to a request, on one line.
pub fn summary(fitted: &Fitted) -> String {
    messages::summary(fitted)
}

/// A number as people read it, with commas.
pub fn grouped(number: i64) -> String {
    render::grouped(number)
}

/// The JSON object of an item with one of its shorter forms in place of the whole.
pub fn in_form(object: &str, form: &ContextItem) -> String {
    object::in_form(object, form)
}

/// The page that `cupel explain --html` writes, for items as JSON; those without a count are counted with `tokenizer`.
///
/// # Errors
/// What reading or the engine refuses, in words.
pub fn items_page(
    title: &str,
    label: &str,
    policy: &PolicyFile,
    pipeline: &Pipeline,
    items: String,
    tokenizer: Tokenizer,
    budget: &ContextBudget,
) -> Result<String, String> {
    let written = || -> Outcome<String> {
        let candidates = Candidates::parse(items, title, Some(tokenizer.into()), |_| {})?;
        let (label, policy) = (label.to_owned(), policy.clone());
        let plan = Plan { label, policy, pipeline: pipeline.clone() };
        let report = plan.pipeline.dry_run(candidates.items(), budget)?;
        let remedies = Remedies::find(&plan.pipeline, candidates.items(), budget, &report)?;
        let data = PageData::new(title, &plan, &candidates, budget, &report, &remedies)?;
        Ok(page(&data).map_err(std::io::Error::from)?)
    };
    written().map_err(in_words)
}

/// The same page for a request.
///
/// # Errors
/// What the engine refuses, in words.
pub fn request_page(
    title: &str,
    policy: Option<&str>,
    request: &Request,
    tokenizer: Option<Tokenizer>,
    options: &Options,
    budget: &ContextBudget,
) -> Result<String, String> {
    let written = || -> Outcome<String> {
        let chat = Chat::new(request.clone(), title, tokenizer.map(Into::into));
        let cut = chat.prepare(options, budget)?;
        let (fitted, scores) = (cut.fit()?, explain::scores(&chat, &cut)?);
        let policy = policy.unwrap_or(messages::USUAL_POLICY);
        let data = message_page(title, policy, &chat, &cut, &fitted, &scores)?;
        Ok(page(&data).map_err(std::io::Error::from)?)
    };
    written().map_err(in_words)
}

pub(crate) fn in_words(failure: Failure) -> String {
    match failure {
        Failure::BadInput(complaints) => {
            complaints.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        }
        Failure::Failed(complaint) => complaint.to_string(),
        Failure::AlreadyReported | Failure::ClosedPipe => "nothing was written".to_owned(),
    }
}
