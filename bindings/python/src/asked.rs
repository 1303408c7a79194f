//! A request as it was given, and what is sent of it as the caller's own objects.

use std::borrow::Cow;
use std::collections::BTreeMap;

use cupel_messages::{Error, Fitted, Format, Message, Request, SentMessage};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString};
use serde_json::value::RawValue;

use crate::write::{dumped, to_json};
use crate::{given, raise};

/// A request as it was given.
pub(crate) struct Asked<'py> {
    /// The whole body, if one was given.
    body: Option<Bound<'py, PyDict>>,
    /// The messages, if they were given alone.
    list: Option<Bound<'py, PyList>>,
    json: String,
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
        let request = py.detach(|| parse(json, provider));
        request.map_err(|error| raise::messages(py, &error))
    }

    /// The text to read it from; it is not needed afterwards.
    pub(crate) fn take_json(&mut self) -> String {
        std::mem::take(&mut self.json)
    }

    /// The caller's own messages.
    fn own(&self, format: Format) -> PyResult<Option<Bound<'py, PyAny>>> {
        match (&self.list, &self.body) {
            (Some(list), _) => Ok(Some(list.clone().into_any())),
            (None, Some(body)) => body.get_item(list_key(format)),
            (None, None) => Ok(None),
        }
    }

    /// The messages to send: the caller's own where they are as they were.
    pub(crate) fn messages(
        &self,
        py: Python<'py>,
        request: &Request,
        pieces: &[Piece<'_>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = self.own(request.format())?;
        if let Some(text) = own.as_ref().filter(|own| own.is_instance_of::<PyString>()) {
            return match pieces.first() {
                Some(piece) if piece.edited => given::from_json(py, piece.text),
                _ => Ok(text.clone()),
            };
        }
        let own: Vec<Bound<'_, PyAny>> = match &own {
            Some(own) => own.try_iter()?.collect::<PyResult<_>>()?,
            None => Vec::new(),
        };
        let messages = PyList::empty(py);
        for piece in pieces {
            let original = piece.origin.and_then(|origin| own.get(origin));
            match original.filter(|_| !piece.edited) {
                Some(original) => messages.append(original)?,
                None => {
                    let edited = given::from_json(py, piece.text)?;
                    messages.append(reshaped(original, edited)?)?;
                }
            }
        }
        Ok(messages.into_any())
    }

    /// The whole request with these messages, if a whole one was given.
    pub(crate) fn body_with(
        &self,
        format: Format,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(body) = &self.body else { return Ok(None) };
        let body = body.copy()?;
        body.set_item(list_key(format), messages)?;
        Ok(Some(body))
    }

    /// The same, with whatever else `sent` has that the request had not, or had otherwise: tools with marks, a cache's key.
    pub(crate) fn body_as(
        &self,
        py: Python<'py>,
        request: &Request,
        sent: &Request,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(body) = self.body_with(request.format(), messages)? else { return Ok(None) };
        let (before, now) = (values(request.text()), values(sent.text()));
        for (key, value) in now {
            let is_as_it_was = before.get(&key).is_some_and(|was| was.get() == value.get());
            if key != list_key(request.format()) && !is_as_it_was {
                body.set_item(&*key, given::from_json(py, value.get())?)?;
            }
        }
        Ok(Some(body))
    }
}

/// What stands under each key of a JSON object.
fn values(object: &str) -> BTreeMap<Cow<'_, str>, &RawValue> {
    serde_json::from_str(object).unwrap_or_default()
}

/// What became of each message that came in: of those `sent`, the one that stands for it.
pub(crate) fn after<'py>(
    sent: &Bound<'py, PyAny>,
    fitted: &Fitted,
) -> PyResult<Bound<'py, PyList>> {
    let py = sent.py();
    if sent.is_instance_of::<PyString>() {
        return PyList::new(py, [sent]);
    }
    let mut after = vec![None; fitted.messages.len()];
    for (message, of) in sent.try_iter()?.zip(&fitted.sent) {
        if let Some(place) = of.origin.and_then(|origin| after.get_mut(origin)) {
            *place = Some(message?);
        }
    }
    PyList::new(py, after)
}

/// A message to send.
pub(crate) struct Piece<'t> {
    /// The message that it stands for, of those that came in.
    pub(crate) origin: Option<usize>,
    pub(crate) text: &'t str,
    /// Whether it is not what came in.
    pub(crate) edited: bool,
}

/// The messages to send of a request that was cut.
pub(crate) fn pieces(fitted: &Fitted) -> Vec<Piece<'_>> {
    let text = |sent: &SentMessage| &fitted.text[sent.range.clone()];
    let sent = fitted.sent.iter();
    sent.map(|it| Piece { origin: it.origin, text: text(it), edited: it.edited }).collect()
}

/// The same where breakpoints were set, in `sent`: a message with one is not what came in.
pub(crate) fn marked_pieces<'t>(
    request: &Request,
    fitted: &Fitted,
    sent: &'t Request,
) -> Vec<Piece<'t>> {
    let piece = |(message, origin): (&'t Message, Option<usize>)| {
        let original = origin.and_then(|origin| request.messages().get(origin));
        let edited = original.is_none_or(|original| original.json() != message.json());
        Piece { origin, text: message.json(), edited }
    };
    let origins = fitted.sent.iter().map(|sent| sent.origin);
    sent.messages().iter().zip(origins).map(piece).collect()
}

/// A request, read; in the format of `provider`, or whichever it is in.
pub(crate) fn parse(json: String, provider: Option<Format>) -> Result<Request, Error> {
    match provider {
        Some(format) => Request::read_as(json, format),
        None => Request::read(json),
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
