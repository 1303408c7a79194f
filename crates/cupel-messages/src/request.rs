//! A request as it came: its text, and where in it which message stands.

use std::ops::Range;

use crate::body::Body;
use crate::json::{Json, Object, within};
use crate::model::Message;
use crate::provider::{self, Fixed};
use crate::{Error, Format};

/// A provider's request, or a bare list of messages.
///
/// ```
/// use cupel_messages::{Format, Request, Role};
///
/// let request = Request::read(
///     r#"{"model": "gpt-5", "messages": [
///         {"role": "system", "content": "Be brief."},
///         {"role": "user", "content": "Is the shop open?"}
///     ]}"#,
/// )?;
/// assert_eq!(request.format(), Format::OpenAiChat);
/// assert_eq!(request.messages()[1].role(), Role::User);
/// # Ok::<(), cupel_messages::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    text: String,
    format: Format,
    model: Option<String>,
    keeps_history: bool,
    list_path: String,
    list: Range<usize>,
    /// Where each message stands in the text.
    places: Vec<Range<usize>>,
    messages: Vec<Message>,
    fixed: Vec<(Fixed, Range<usize>)>,
}

impl Request {
    /// Reads a request, finding out by looking whose it is.
    ///
    /// # Errors
    /// When it is not JSON, no request of a known provider, a mixture of two, or has a message its provider does not know.
    pub fn read(text: impl Into<String>) -> Result<Self, Error> {
        let text = text.into();
        let body = Body::parse(&text)?;
        let format = Format::detect(&body)?;
        let read = Self::parts(&text, &body, format)?;
        Ok(Self { text, ..read })
    }

    /// Reads a request whose format is known.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_as(text: impl Into<String>, format: Format) -> Result<Self, Error> {
        let text = text.into();
        let read = Self::parts(&text, &Body::parse(&text)?, format)?;
        Ok(Self { text, ..read })
    }

    /// The request, but for its text.
    fn parts(text: &str, body: &Body<'_>, format: Format) -> Result<Self, Error> {
        let provider = format.provider();
        let key = provider.list_key();
        let list = if body.is_list() { Some(body.json()) } else { body.get(key) };
        let list_path = body.list_path(key);
        let found = list.unwrap_or(body.json());
        // Responses takes a string for one message of the user.
        let lone = format == Format::OpenAiResponses && list.is_some_and(|list| list.is_string());
        if !lone && !list.is_some_and(|list| list.is_array()) {
            let found =
                if list.is_none() && body.json().is_object() { "nothing" } else { found.kind() };
            return Err(Error::Unrecognised { path: list_path, found: found.to_owned() });
        }
        let lone_element = [Object::of(found)];
        let elements = if lone { &lone_element[..] } else { body.messages(key) };
        let path_of =
            |at: usize| if lone { list_path.clone() } else { format!("{list_path}[{at}]") };
        let messages = elements.iter().enumerate().map(|(at, element)| {
            provider::read_object(provider, element).map_err(|malformed| Error::Malformed {
                format,
                path: format!("{}{}", path_of(at), malformed.path),
                problem: malformed.problem,
            })
        });
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        let fixed = provider.fixed_keys().iter();
        let fixed = fixed
            .filter_map(|(key, fixed)| Some((*fixed, within(text, body.get(key)?.text()))))
            .collect();
        Ok(Self {
            format,
            model: body.get_string("model").map(|model| model.into_owned()),
            keeps_history: provider.keeps_history(body),
            list: within(text, found.text()),
            places: elements.iter().map(|element| within(text, element.text())).collect(),
            list_path,
            messages,
            fixed,
            text: String::new(),
        })
    }

    /// The request, byte for byte.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whose format it is in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The model it is for, if it says so.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The messages, in their order.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The JSON path of a message.
    pub fn path(&self, index: usize) -> String {
        if self.text[self.list.clone()].starts_with('[') {
            format!("{}[{index}]", self.list_path)
        } else {
            self.list_path.clone()
        }
    }

    pub(crate) fn list_path(&self) -> &str {
        &self.list_path
    }

    pub(crate) fn keeps_history(&self) -> bool {
        self.keeps_history
    }

    /// What stands beside the messages and costs tokens.
    pub(crate) fn fixed(&self) -> impl Iterator<Item = (Fixed, Json<'_>)> {
        self.fixed.iter().map(|(fixed, range)| (*fixed, Json::trusted(&self.text[range.clone()])))
    }

    /// The request with these messages in place of its own, each with the message it stands for, if any: white space
    /// between messages is theirs.
    pub(crate) fn with_messages(&self, messages: &[(Option<usize>, String)]) -> String {
        let Some((first, last)) = self.places.first().zip(self.places.last()) else {
            return self.text.clone();
        };
        if !self.text[self.list.clone()].starts_with('[') {
            return messages.iter().fold(String::new(), |text, (_, message)| {
                format!("{text}{}{message}{}", &self.text[..first.start], &self.text[last.end..])
            });
        }
        let mut text = self.text[..first.start].to_owned();
        for (at, (origin, message)) in messages.iter().enumerate() {
            if at > 0 {
                text.push_str(self.gap_before(origin.unwrap_or(1)));
            }
            text.push_str(message);
        }
        text.push_str(&self.text[last.end..]);
        text
    }

    /// What stands between a message and the one before it.
    fn gap_before(&self, index: usize) -> &str {
        let index = index.max(1);
        match self.places.get(index) {
            Some(place) => &self.text[self.places[index - 1].end..place.start],
            None => ",",
        }
    }
}
