//! A request as it came: its text, and where in it which message stands.

use std::fmt::Write;
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

    /// Puts a message at the end: the next turn of a conversation that was read already, without reading it again.
    ///
    /// ```
    /// use cupel_messages::Request;
    ///
    /// let mut request = Request::read(r#"{"messages": [{"role": "user", "content": "hi"}], "n": 1}"#)?;
    /// request.push(r#"{"role": "assistant", "content": "hello"}"#)?;
    /// assert_eq!(request.messages().len(), 2);
    /// assert!(request.text().ends_with(r#""hello"}], "n": 1}"#));
    /// # Ok::<(), cupel_messages::Error>(())
    /// ```
    ///
    /// # Errors
    /// When it is not JSON or no message of the request's provider, or the request has a string in place of a list. The
    /// request is then as it was.
    pub fn push(&mut self, message: &str) -> Result<(), Error> {
        let json = Json::parse(message)?;
        let path = format!("{}[{}]", self.list_path, self.messages.len());
        let malformed = |path: String, problem: String| {
            Err(Error::Malformed { format: self.format, path, problem })
        };
        if !self.text[self.list.clone()].starts_with('[') {
            let problem = "a string, to which no message can be added; make it a list of messages";
            return malformed(self.list_path.clone(), problem.to_owned());
        }
        let read = match provider::read_message(self.format.provider(), json.text()) {
            Ok(read) => read,
            Err(wrong) => return malformed(path + &wrong.path, wrong.problem),
        };
        let (at, comma) = match self.places.last() {
            Some(last) => (last.end, ","),
            None => (self.list.start + 1, ""),
        };
        self.text.insert_str(at, &format!("{comma}{}", json.text()));
        let start = at + comma.len();
        self.places.push(start..start + json.text().len());
        self.messages.push(read);
        let longer = comma.len() + json.text().len();
        self.list.end += longer;
        for (_, fixed) in self.fixed.iter_mut().filter(|(_, fixed)| fixed.start >= at) {
            *fixed = fixed.start + longer..fixed.end + longer;
        }
        Ok(())
    }

    /// The request with only its first `count` messages.
    ///
    /// # Errors
    /// When that is no request any more.
    pub fn first(&self, count: usize) -> Result<Self, Error> {
        let messages = self.messages.iter().take(count).enumerate();
        let messages: Vec<_> = messages.map(|(at, message)| (Some(at), message.json())).collect();
        let (text, _) = self.with_messages(&messages);
        Self::read_as(text, self.format)
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
            let mut path = String::with_capacity(self.list_path.len() + 8);
            path.push_str(&self.list_path);
            // Writing to a string cannot fail.
            let _ = write!(path, "[{index}]");
            path
        } else {
            self.list_path.clone()
        }
    }

    /// Where a message starts in the text.
    pub(crate) fn start_of(&self, index: usize) -> usize {
        self.places.get(index).map_or(0, |place| place.start)
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

    /// The request with these messages in place of its own, each with the message it stands for, if any, and where each
    /// stands: white space between messages is theirs.
    pub(crate) fn with_messages(
        &self,
        messages: &[(Option<usize>, &str)],
    ) -> (String, Vec<Range<usize>>) {
        let Some((first, last)) = self.places.first().zip(self.places.last()) else {
            return (self.text.clone(), Vec::new());
        };
        let mut text = String::with_capacity(self.text.len());
        let mut places = Vec::with_capacity(messages.len());
        text.push_str(&self.text[..first.start]);
        for (at, (origin, message)) in messages.iter().enumerate() {
            if at > 0 {
                text.push_str(self.gap_before(origin.unwrap_or(1)));
            }
            places.push(text.len()..text.len() + message.len());
            text.push_str(message);
        }
        text.push_str(&self.text[last.end..]);
        (text, places)
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

#[cfg(test)]
mod tests {
    use super::*;

    const USER: &str = r#"{"role":"user","content":"hi"}"#;

    #[test]
    fn a_request_that_was_added_to_is_the_one_that_is_read_from_its_text() {
        for before in [
            r#" {"tools":[{"a":1}],"messages": [ {"role":"system","content":"s"} ] , "functions":[2]} "#,
            r#"{"messages":[ ],"functions":[1]}"#,
            r#"[{"role":"system","content":"s"}]"#,
        ] {
            let mut request = Request::read_as(before, Format::OpenAiChat).unwrap();
            for _ in 0..2 {
                request.push(&format!("\n{USER} ")).unwrap();
                let again = Request::read_as(request.text(), Format::OpenAiChat).unwrap();
                assert_eq!(request, again);
            }
        }
    }

    #[test]
    fn what_is_no_message_is_not_added_and_its_place_is_said() {
        let mut request = Request::read(format!("[{USER}]")).unwrap();
        let before = request.clone();
        let wrong = request.push(r#"{"role":"nobody","content":"hi"}"#).unwrap_err();
        assert!(wrong.to_string().contains("$[1].role"), "{wrong}");
        request.push("{").unwrap_err();
        assert_eq!(request, before);
    }

    #[test]
    fn nothing_is_added_to_a_string() {
        let mut request = Request::read(r#"{"input":"hi"}"#).unwrap();
        let wrong = request.push(USER).unwrap_err().to_string();
        assert!(wrong.contains("$.input") && wrong.contains("make it a list"), "{wrong}");
    }
}
