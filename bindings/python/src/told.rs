//! What an answer of `cupel batch` tells: read once, and borrowed from its line.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Of an answer what has a column.
#[derive(Default, Deserialize)]
pub(crate) struct Told<'a> {
    #[serde(rename = "totalTokens")]
    pub(crate) total_tokens: Option<i64>,
    #[serde(borrow)]
    pub(crate) error: Option<Refused<'a>>,
    #[serde(borrow, default)]
    pub(crate) report: Decisions<'a>,
    #[serde(borrow)]
    items: Spelled<'a>,
    #[serde(borrow)]
    messages: Spelled<'a>,
    #[serde(borrow)]
    input: Spelled<'a>,
    #[serde(borrow)]
    contents: Spelled<'a>,
    /// A whole request to a provider.
    #[serde(borrow)]
    request: Option<&'a RawValue>,
}

/// Items or messages, each as it is spelled in the answer.
type Spelled<'a> = Option<Vec<&'a RawValue>>;

#[derive(Deserialize)]
pub(crate) struct Refused<'a> {
    #[serde(borrow)]
    pub(crate) code: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) message: Cow<'a, str>,
}

/// What was decided: of items in two lists, of messages in one.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Decisions<'a> {
    #[serde(borrow)]
    pub(crate) included: Vec<OfItem<'a>>,
    #[serde(borrow)]
    pub(crate) excluded: Vec<OfItem<'a>>,
    #[serde(borrow)]
    pub(crate) messages: Vec<OfMessage<'a>>,
}

#[derive(Deserialize)]
pub(crate) struct OfItem<'a> {
    #[serde(borrow)]
    pub(crate) item: Item<'a>,
    #[serde(borrow)]
    pub(crate) reason: Reason<'a>,
    pub(crate) score: Option<f64>,
}

#[derive(Deserialize)]
pub(crate) struct Item<'a> {
    #[serde(borrow)]
    pub(crate) content: Cow<'a, str>,
    pub(crate) tokens: i64,
}

#[derive(Deserialize)]
pub(crate) struct Reason<'a> {
    #[serde(borrow)]
    pub(crate) reason: Cow<'a, str>,
}

#[derive(Deserialize)]
pub(crate) struct OfMessage<'a> {
    #[serde(default)]
    pub(crate) included: bool,
    #[serde(borrow)]
    pub(crate) reason: Option<Cow<'a, str>>,
    pub(crate) score: Option<f64>,
    pub(crate) tokens: Option<i64>,
}

/// What the caller wrote: its content may be anything.
#[derive(Default, Deserialize)]
pub(crate) struct Element<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    pub(crate) tokens: Option<i64>,
}

impl<'a> Told<'a> {
    pub(crate) fn read(answer: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str(answer)
    }

    /// The items or messages that were chosen.
    pub(crate) fn window(self) -> serde_json::Result<Vec<&'a RawValue>> {
        let lists = [self.items, self.messages, self.input, self.contents];
        match (lists.into_iter().flatten().next(), self.request) {
            (Some(list), _) => Ok(list),
            (None, Some(body)) => Told::read(body.get())?.window(),
            (None, None) => Ok(Vec::new()),
        }
    }
}

impl<'a> Element<'a> {
    pub(crate) fn read(spelled: &'a RawValue) -> Self {
        serde_json::from_str(spelled.get()).unwrap_or_default()
    }

    /// Its content, if that is a text.
    pub(crate) fn content(&self) -> Option<Cow<'a, str>> {
        let spelled = self.content?.get();
        let plain = serde_json::from_str::<&str>(spelled).map(Cow::Borrowed);
        plain.or_else(|_| serde_json::from_str(spelled).map(Cow::Owned)).ok()
    }
}
