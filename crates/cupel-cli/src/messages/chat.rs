//! A request, with what its tokens are counted with.

use cupel::ContextBudget;
use cupel_messages::{Error, Fitted, Format, Meter, ModelMeter, Options, Prepared, Request};
use cupel_tokens::{Basis, Model, Tokenizer as Counter};

use crate::failure::{Complaint, Failure, Outcome, note};
use crate::input::Source;
use crate::render::grouped;
use crate::tokens::Tokenizer;

/// A request to a model.
#[derive(Debug)]
pub(crate) struct Chat {
    pub(crate) request: Request,
    meter: ModelMeter<Counter>,
    /// What messages call it.
    name: String,
}

/// A request made ready, and how much room there is for it.
pub(crate) struct Cut<'a> {
    pub(crate) prepared: Prepared<'a>,
    pub(crate) budget: &'a ContextBudget,
    name: &'a str,
}

impl Chat {
    /// Reads a request, of `provider` if that is said, and says what it is counted with where that is
    /// not what the request itself asks for.
    pub(crate) fn read(
        text: &str,
        source: &Source,
        provider: Option<Format>,
        tokenizer: Option<Tokenizer>,
    ) -> Outcome<Self> {
        let name = source.name();
        let request = read_request(text, source, provider)?;
        let meter = meter(&request, tokenizer);
        tell_counting(&request, &meter, tokenizer);
        Ok(Self { request, meter, name })
    }

    /// A request that was read already.
    pub(crate) fn new(request: Request, name: &str, tokenizer: Option<Tokenizer>) -> Self {
        let meter = meter(&request, tokenizer);
        Self { request, meter, name: name.to_owned() }
    }

    /// What its tokens are counted with.
    pub(crate) fn meter(&self) -> &dyn Meter {
        &self.meter
    }

    /// What the numbers are based on.
    pub(crate) fn basis(&self) -> Basis {
        self.meter.basis()
    }

    /// Made ready to be cut.
    pub(crate) fn prepare<'a>(
        &'a self,
        options: &'a Options,
        budget: &'a ContextBudget,
    ) -> Outcome<Cut<'a>> {
        let prepared = self.request.prepare(options, &self.meter);
        let prepared = prepared.map_err(|error| refusal(&error, &self.name, Some(budget)))?;
        Ok(Cut { prepared, budget, name: &self.name })
    }
}

impl Cut<'_> {
    /// The request, cut to the budget.
    pub(crate) fn fit(&self) -> Outcome<Fitted> {
        self.fit_less(0)
    }

    /// The request, cut to so many tokens less than the budget.
    pub(crate) fn fit_less(&self, tokens: i64) -> Outcome<Fitted> {
        let fitted = self.prepared.fit(room(self.budget).saturating_sub(tokens).max(0));
        fitted.map_err(|error| self.refused(&error))
    }

    /// Why it was not cut.
    pub(crate) fn refused(&self, error: &Error) -> Failure {
        refusal(error, self.name, Some(self.budget))
    }
}

/// Reads a request; of `provider`, if that is said.
pub(crate) fn read_request(
    text: &str,
    source: &Source,
    provider: Option<Format>,
) -> Outcome<Request> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let complaint = Complaint::new("the input is empty").at(source.name());
        let remedy = "give a request to a model as JSON, or an array of its messages";
        return Err(Failure::bad_input(complaint.remedy(remedy)));
    }
    read(text, provider).map_err(|error| refusal(&error, &source.name(), None))
}

/// The same, for whoever tells of errors otherwise.
pub(super) fn read(text: &str, provider: Option<Format>) -> Result<Request, Error> {
    // No provider takes a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match provider {
        Some(format) => Request::read_as(text, format),
        None => Request::read(text),
    }
}

/// Counts with `tokenizer`, or else as the model of the request does.
pub(crate) fn meter(request: &Request, tokenizer: Option<Tokenizer>) -> ModelMeter<Counter> {
    let (model, counter) = meter_parts(request, tokenizer);
    ModelMeter::with_counter(model, counter)
}

/// The model whose messages and images are counted, and what counts words.
pub(crate) fn meter_parts(request: &Request, tokenizer: Option<Tokenizer>) -> (Model, Counter) {
    let own = *ModelMeter::of(request).model();
    match tokenizer.map(Tokenizer::counter) {
        Some(Counter::Model(model)) => (model, Counter::Model(model)),
        // A vocabulary knows neither images nor what a message costs; the request's model does.
        Some(vocabulary) => (own, vocabulary),
        None => (own, Counter::Model(own)),
    }
}

fn tell_counting(request: &Request, meter: &ModelMeter<Counter>, tokenizer: Option<Tokenizer>) {
    let own = Counter::Model(*meter.model());
    let with = tokenizer.map_or_else(|| own.to_string(), Tokenizer::name);
    let is_known = |name: &str| ModelMeter::by_name(name).is_ok();
    match request.model() {
        _ if tokenizer.is_some() => {}
        Some(name) if is_known(name) => {}
        Some(name) => {
            return note(&format!(
                "the model {name:?} is not known; counted for {with}, --tokenizer says otherwise"
            ));
        }
        None => {
            return note(&format!(
                "the request names no model; counted for {with}, --tokenizer says otherwise"
            ));
        }
    }
    if meter.basis().is_estimate() {
        note(&format!("counted for {with}; leave room with --safety-margin 10%"));
    }
}

/// How many tokens a request may be: what the budget leaves of itself for the answer, for what is
/// reserved, and for counts that are not exact.
pub(crate) fn room(budget: &ContextBudget) -> i64 {
    let slots: i128 = budget.reserved_slots().values().map(|tokens| i128::from(*tokens)).sum();
    let ceiling = i128::from(budget.max_tokens() - budget.output_reserve()) - slots;
    let room = ceiling.min(i128::from(budget.target_tokens())).max(0);
    let part = 1.0 - budget.estimation_safety_margin_percent() / 100.0;
    let room = if part < 1.0 { (room as f64 * part) as i128 } else { room };
    i64::try_from(room).unwrap_or(i64::MAX)
}

/// Why a request was not read or not cut, in terms of files and flags.
fn refusal(error: &Error, name: &str, budget: Option<&ContextBudget>) -> Failure {
    match error {
        Error::Json { problem, line, column } => Failure::bad_input(
            Complaint::new(format!("this is no JSON: {problem}"))
                .at(format!("{name}:{line}:{column}"))
                .remedy(
                    "give one request, or an array of its messages; requests line by line are for: \
                     cupel batch",
                ),
        ),
        Error::Unrecognised { path, found } => Failure::bad_input(
            Complaint::new(match found.as_str() {
                "nothing" => format!("there is no list of messages at {path}"),
                found => format!("{path}: found {found}, which no known provider has there"),
            })
            .at(name)
                .remedy(
                    "a request has \"messages\" (OpenAI chat, Anthropic), \"input\" (OpenAI Responses) \
                     or \"contents\" (Gemini), or is an array of such messages; items have \"content\" \
                     and \"tokens\"",
                ),
        ),
        Error::Mixed { one, other } => Failure::bad_input(
            Complaint::new(format!("two formats in one request: {one}, but {other}"))
                .at(name)
                .remedy("convert one of them, or say whose request it is: --provider NAME"),
        ),
        Error::BudgetTooSmall { budget: room, needed, least } => {
            let problem = format!(
                "{} tokens are too few: what must stay takes {} (system {}, tools {}, current turn and \
                 pinned messages {}, images and files {})",
                grouped(*room),
                grouped(*needed),
                grouped(least.system),
                grouped(least.tools),
                grouped(least.messages + least.request),
                grouped(least.media),
            );
            let raise = budget.map_or(*needed, |budget| enough(budget, *needed));
            Failure::Failed(Complaint::new(problem).remedy(format!(
                "raise --budget (or --max-tokens) to {raise}, reserve or pin less, leave --no-shorten \
                 out, or let old tool rounds of the current turn go: --current-turn rounds"
            )))
        }
        Error::Engine(error) => error.clone().into(),
        // These say where in the request they are, and what to do.
        Error::Malformed { .. } => {
            let remedy = "mend it there; if it is another provider's, say whose: --provider NAME";
            Failure::bad_input(Complaint::new(error.to_string()).at(name).remedy(remedy))
        }
        _ => Failure::bad_input(Complaint::new(error.to_string()).at(name)),
    }
}

/// A size at which `budget` has room for so many tokens.
fn enough(budget: &ContextBudget, needed: i64) -> i64 {
    let part = 1.0 - budget.estimation_safety_margin_percent() / 100.0;
    let needed = if part > 0.0 { (needed as f64 / part).ceil() as i64 } else { needed };
    let slots: i64 = budget.reserved_slots().values().fold(0, |sum, it| sum.saturating_add(*it));
    needed.saturating_add(budget.output_reserve()).saturating_add(slots)
}

#[cfg(test)]
mod tests {
    use cupel::ContextKind;

    use super::*;

    #[test]
    fn what_is_reserved_is_no_room() {
        let budget = ContextBudget::builder(1_000).output_reserve(200).safety_margin_percent(10.0);
        let budget = budget.reserve(ContextKind::document(), 100).build().unwrap();
        assert_eq!(room(&budget), 630);
        assert_eq!(enough(&budget, 630), 1_000);
    }
}
