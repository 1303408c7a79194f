//! The edge: one file per provider, which translates and decides nothing.
//!
//! A provider says how its requests are recognised, how one message is read into the neutral model, which rules of
//! the grammar hold, and how the few things that are ever written (an answer, a block of text) are spelled.

mod anthropic;
mod gemini;
mod openai_chat;
mod openai_responses;
mod read;

pub(crate) use read::{Malformed, Reading};

use crate::body::Body;
use crate::json::{Json, Object};
use crate::model::{Call, Message, Role};
use crate::{Format, Granularity, Sign};

/// What the grammar must know of a provider.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// What may come first, after system content.
    pub(crate) first: First,
    /// Neighbours of one role become one message, and with that all answers to one message stand in one message.
    pub(crate) merges: bool,
    /// Answers follow their calls directly; otherwise they may come at any time after them.
    pub(crate) answers_adjacent: bool,
    /// What the model emitted in one go comes as several messages.
    pub(crate) emits_runs: bool,
    /// Thinking can be taken out, and on some models must be.
    pub(crate) thinking_strips: bool,
    /// System messages keep their place behind a user message.
    pub(crate) system_in_turn: bool,
    /// What is selected as a whole unless the caller says otherwise.
    pub(crate) granularity: Granularity,
}

impl Rules {
    /// Whether `message` will be one with the model's message `before` it.
    pub(crate) fn run_continues(&self, before: &Message, message: &Message) -> bool {
        let both = before.role == Role::Assistant && message.role == Role::Assistant;
        self.merges && both && !before.signed && !message.signed
    }
}

/// What may come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    Anything,
    User,
    /// Anything but a call.
    NoCall,
}

/// A part of the request beside its messages that costs tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fixed {
    System,
    Tools,
}

/// A provider's spelling.
pub(crate) trait Provider: Sync {
    /// Whose spelling this is.
    fn format(&self) -> Format;

    /// The key of the message list in a request.
    fn list_key(&self) -> &'static str;

    /// The keys of a request that hold system content and tool definitions.
    fn fixed_keys(&self) -> &'static [(&'static str, Fixed)];

    /// Something in a request that only this provider's requests have.
    fn sign(&self, body: &Body<'_>) -> Option<Sign>;

    /// The rules of its grammar.
    fn rules(&self) -> Rules;

    /// Whether calls may be answered here that were made elsewhere: the provider keeps the history.
    fn keeps_history(&self, _body: &Body<'_>) -> bool {
        false
    }

    /// Where in its message a part is, if it is not all of it.
    fn part_path(&self, _part: usize) -> String {
        String::new()
    }

    /// Reads one message.
    fn read(&self, reading: &mut Reading<'_>) -> Result<(), Malformed>;

    /// Where a media part holds its data or its link.
    fn media_source<'a>(&self, part: Json<'a>) -> Option<Json<'a>>;

    /// Where a media part says how closely to look.
    fn media_detail<'a>(&self, part: Json<'a>) -> Option<Json<'a>> {
        part.get("detail")
    }

    /// The answer to a call that never got one, as a part or, where answers are messages, as a message; nothing if
    /// such an answer cannot be made up.
    fn answer(&self, call: &Call, text: &str) -> Option<String>;

    /// A message that holds answers, where they are parts.
    fn answering_message(&self, answers: &[String]) -> String {
        answers.concat()
    }

    /// What takes the place of an answer's body, or of a document's text.
    fn body(&self, text: &str) -> String {
        crate::json::quoted(text)
    }

    /// A part that says what `string`, a JSON string, says.
    fn text_part(&self, string: &str) -> String {
        format!(r#"{{"type":"text","text":{string}}}"#)
    }
}

pub(crate) fn of(format: Format) -> &'static dyn Provider {
    match format {
        Format::OpenAiChat => &openai_chat::OpenAiChat,
        Format::OpenAiResponses => &openai_responses::OpenAiResponses,
        Format::Anthropic => &anthropic::Anthropic,
        Format::Gemini => &gemini::Gemini,
    }
}

/// Reads one message, given as JSON that is known to be valid.
pub(crate) fn read_message(provider: &dyn Provider, text: &str) -> Result<Message, Malformed> {
    read_object(provider, &Object::of(Json::trusted(text)))
}

/// Reads one message whose keys are known.
pub(crate) fn read_object(
    provider: &dyn Provider,
    object: &Object<'_>,
) -> Result<Message, Malformed> {
    let mut reading = Reading::new(object);
    reading.hints()?;
    provider.read(&mut reading)?;
    let message = reading.finish();
    // Who may say what: a provider refuses anything else before it looks at pairs.
    if let Some((part, _)) = message.calls().next().filter(|_| message.role != Role::Assistant) {
        return Err(Malformed::new(
            provider.part_path(part),
            "a call in a message that is not the model's",
        ));
    }
    if let Some((part, _)) = message.answers().next().filter(|_| message.role != Role::Tool) {
        return Err(Malformed::new(
            provider.part_path(part),
            "an answer to a call in a message that is not the user's",
        ));
    }
    Ok(message)
}
