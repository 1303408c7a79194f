//! Requests cut to a budget.

use std::sync::Arc;

use cupel::ContextBudget;
use cupel_cli::parts;
use cupel_messages::{
    CurrentTurn, Dangling, Fitted, Format, Granularity, Options, Request, Shorten,
};
use cupel_tokens::Tokenizer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString};

use crate::given::{self, Given};
use crate::outcome::Fit;
use crate::policy::Loaded;
use crate::strategy;
use crate::write::{dumped, to_json};
use crate::{budget, raise, select};

/// A request as it was given.
pub(crate) struct Asked<'py> {
    /// The whole body, if one was given.
    body: Option<Bound<'py, PyDict>>,
    /// The messages, if they were given alone.
    list: Option<Bound<'py, PyList>>,
    json: String,
}

/// A request that was cut, and all that it takes to cut it again.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) request: Request,
    pub(crate) fitted: Fitted,
    pub(crate) options: Options,
    pub(crate) budget: ContextBudget,
    pub(crate) tokenizer: Option<Tokenizer>,
    /// What the policy is called, if one was asked for.
    pub(crate) policy: Option<String>,
}

impl<'py> Asked<'py> {
    /// A list of messages, or a whole request.
    pub(crate) fn read(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = given.py();
        let expected = "a list of messages, or a request with its messages as a dict";
        let is_text =
            given.is_instance_of::<PyString>() || given.is_instance_of::<pyo3::types::PyBytes>();
        if is_text || given.is_none() {
            return Err(raise::wrong_type(given, "messages", expected));
        }
        if let Some(body) = Self::body(given)? {
            let json = to_json(body.as_any(), "request")?;
            return Ok(Self { body: Some(body), list: None, json });
        }
        let Ok(elements) = given.try_iter() else {
            return Err(raise::wrong_type(given, "messages", expected));
        };
        let list = match given.cast_exact::<PyList>() {
            Ok(list) => list.clone(),
            Err(_) => PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?,
        };
        let json = to_json(list.as_any(), "messages")?;
        Ok(Self { body: None, list: Some(list), json })
    }

    fn body(given: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if let Ok(dict) = given.cast::<PyDict>() {
            return Ok(Some(dict.clone()));
        }
        if given.is_instance_of::<PyList>() {
            return Ok(None);
        }
        let dumped = dumped(given)?;
        let mapping = dumped.as_ref().unwrap_or(given).cast::<PyMapping>();
        let Ok(mapping) = mapping else { return Ok(None) };
        Ok(Some(PyDict::from_sequence(mapping.items()?.as_any())?))
    }

    /// The request, read.
    pub(crate) fn parse(self, py: Python<'_>, provider: Option<Format>) -> PyResult<Request> {
        let json = self.json;
        let request = py.detach(|| match provider {
            Some(format) => Request::read_as(json, format),
            None => Request::read(json),
        });
        request.map_err(|error| raise::messages(py, &error))
    }

    /// The caller's own messages.
    fn own(&self, format: Format) -> PyResult<Option<Bound<'py, PyAny>>> {
        match (&self.list, &self.body) {
            (Some(list), _) => Ok(Some(list.clone().into_any())),
            (None, Some(body)) => body.get_item(list_key(format)),
            (None, None) => Ok(None),
        }
    }
}

/// Where the messages of a request stand.
fn list_key(format: Format) -> &'static str {
    match format {
        Format::OpenAiChat | Format::Anthropic => "messages",
        Format::OpenAiResponses => "input",
        Format::Gemini => "contents",
    }
}

/// Cuts messages, or a whole request, to a budget of tokens: the same, smaller, and valid.
///
/// What stays as it was are the caller's own objects. Calls stay with their results, system instructions and the
/// current turn stay, long results have shorter forms.
///
/// >>> from cupel_context import fit
/// >>> messages = [
/// ...     {"role": "system", "content": "Be brief."},
/// ...     {"role": "user", "content": "Tell me about the moon. " * 20},
/// ...     {"role": "assistant", "content": "It is far away."},
/// ...     {"role": "user", "content": "And about Mars?"},
/// ... ]
/// >>> fitted = fit(messages, 40, model="gpt-5")
/// >>> [message["content"] for message in fitted.messages]
/// ['Be brief.', 'It is far away.', 'And about Mars?']
/// >>> fitted.messages[-1] is messages[-1]
/// True
/// >>> fitted.tokens
/// 24
#[pyfunction]
#[pyo3(signature = (
    messages, budget, *, model=None, policy=None, provider=None, query=None, output_reserve=None, keep_first=None,
    keep_last=None, pin=None, shorten=None, granularity=None, current_turn=None, dangling=None
))]
#[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    messages: &Bound<'py, PyAny>,
    budget: &Bound<'py, PyAny>,
    model: Given<'_, 'py>,
    policy: Given<'_, 'py>,
    provider: Given<'_, 'py>,
    query: Given<'_, 'py>,
    output_reserve: Given<'_, 'py>,
    keep_first: Given<'_, 'py>,
    keep_last: Given<'_, 'py>,
    pin: Given<'_, 'py>,
    shorten: Given<'_, 'py>,
    granularity: Given<'_, 'py>,
    current_turn: Given<'_, 'py>,
    dangling: Given<'_, 'py>,
) -> PyResult<Fit> {
    let budget = budget::read(budget, output_reserve)?;
    let tokenizer = given::tokenizer(model, "model")?;
    let policy = Loaded::optional(policy)?;
    let mut options = Options::new()
        .keep_first(given::count(keep_first, "keep_first")?)
        .keep_last(given::count(keep_last, "keep_last")?)
        .shorten(given::flag(shorten, "shorten", true)?.then(Shorten::default));
    for text in given::texts(pin, "pin")? {
        options = options.pin(text);
    }
    let sizes = [("turn", Granularity::Turn), ("unit", Granularity::Unit)];
    if let Some(size) = given::choice(granularity, "granularity", &sizes)? {
        options = options.granularity(size);
    }
    let turns = [("whole", CurrentTurn::Whole), ("rounds", CurrentTurn::Rounds)];
    if let Some(turn) = given::choice(current_turn, "current_turn", &turns)? {
        options = options.current_turn(turn);
    }
    let ends = [("answer", Dangling::Answer), ("drop", Dangling::Drop)];
    if let Some(end) = given::choice(dangling, "dangling", &ends)? {
        options = options.dangling(end);
    }
    if let Some(query) = select::query(query)? {
        options = options.query(query);
    }
    if let Some(Tokenizer::Model(_)) = tokenizer
        && let Some(name) = given::optional_text(model, "model")?
    {
        options = options.model(name);
    }
    if let Some(policy) = &policy {
        options = options.policy(policy.build(py)?);
    }
    let mut asked = Asked::read(messages)?;
    let format = given::provider(provider)?;
    let json = std::mem::take(&mut asked.json);
    let (request, fitted) = strategy::running(py, || {
        let request = match format {
            Some(format) => Request::read_as(json, format),
            None => Request::read(json),
        }?;
        let meter = parts::meter(&request, tokenizer);
        let fitted = request.fit(parts::room(&budget), &options, &meter)?;
        Ok((request, fitted))
    })?
    .map_err(|error| raise::messages(py, &error))?;

    let sent = sent(py, &asked, &request, &fitted)?;
    let body = match &asked.body {
        None => None,
        Some(body) => {
            let copy = body.copy()?;
            copy.set_item(list_key(request.format()), &sent)?;
            Some(copy.into_any().unbind())
        }
    };
    let policy = policy.map(|policy| policy.label.clone());
    let cut = Cut { request, fitted, options, budget, tokenizer, policy };
    Ok(Fit { messages: sent.unbind(), request: body, cut: Arc::new(cut) })
}

/// The messages to send: the caller's own where they are as they were.
fn sent<'py>(
    py: Python<'py>,
    asked: &Asked<'py>,
    request: &Request,
    fitted: &Fitted,
) -> PyResult<Bound<'py, PyAny>> {
    let own = asked.own(request.format())?;
    if let Some(text) = own.as_ref().filter(|own| own.is_instance_of::<PyString>()) {
        return match fitted.sent.first() {
            Some(sent) if sent.edited => given::from_json(py, &fitted.text[sent.range.clone()]),
            _ => Ok(text.clone()),
        };
    }
    let own: Vec<Bound<'_, PyAny>> = match &own {
        Some(own) => own.try_iter()?.collect::<PyResult<_>>()?,
        None => Vec::new(),
    };
    let messages = PyList::empty(py);
    for sent in &fitted.sent {
        let original = sent.origin.and_then(|origin| own.get(origin));
        match original.filter(|_| !sent.edited) {
            Some(original) => messages.append(original)?,
            None => {
                let edited = given::from_json(py, &fitted.text[sent.range.clone()])?;
                messages.append(reshaped(original, edited)?)?;
            }
        }
    }
    Ok(messages.into_any())
}

/// An edited message in the class of the original, if that was an object of a class that takes it.
fn reshaped<'py>(
    original: Option<&Bound<'py, PyAny>>,
    edited: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = edited.py();
    let Some(original) = original else { return Ok(edited) };
    let class = original.get_type();
    if original.is_instance_of::<PyDict>() || !class.hasattr(intern!(py, "model_validate"))? {
        return Ok(edited);
    }
    Ok(class.call_method1(intern!(py, "model_validate"), (&edited,)).unwrap_or(edited))
}
