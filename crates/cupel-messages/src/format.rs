//! Whose request is it?

use std::fmt;
use std::str::FromStr;

use crate::body::{Body, MESSAGE_LISTS};
use crate::json::Json;
use crate::provider::{self, Provider};
use crate::{Error, Sign};

/// A provider's request format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// OpenAI Chat Completions, and the many services that speak it.
    OpenAiChat,
    /// OpenAI Responses: `input` items.
    OpenAiResponses,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::OpenAiChat, Self::OpenAiResponses, Self::Anthropic, Self::Gemini];

    /// Its name as an option: `openai-chat`, `openai-responses`, `anthropic`, `gemini`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    pub(crate) fn provider(self) -> &'static dyn Provider {
        provider::of(self)
    }

    /// The format of a request, by what only one provider's requests have, or else by its model.
    pub(crate) fn detect(body: &Body<'_>) -> Result<Self, Error> {
        if !body.is_list() {
            let mut lists = MESSAGE_LISTS.iter().filter(|key| body.get(key).is_some());
            match (lists.next(), lists.next()) {
                (None, _) => return Err(unrecognised(body.json())),
                (Some(one), Some(other)) => {
                    return Err(Error::Mixed { one: list_sign(one), other: list_sign(other) });
                }
                _ => {}
            }
        }
        let signs = Self::ALL.into_iter().filter_map(|format| format.provider().sign(body));
        let signs: Vec<Sign> = signs.take(2).collect();
        match &signs[..] {
            [one, other] => Err(Error::Mixed { one: one.clone(), other: other.clone() }),
            [sign] => Ok(sign.format),
            _ => Self::by_model(body),
        }
    }

    /// The format of messages that either of two providers could have: with a role, and nothing else to go by.
    fn by_model(body: &Body<'_>) -> Result<Self, Error> {
        let messages = body.messages("messages");
        if let Some(odd) = messages.iter().position(|message| message.get("role").is_none()) {
            let path = format!("{}[{odd}]", body.list_path("messages"));
            let found = format!("{} without a \"role\"", messages[odd].kind());
            return Err(Error::Unrecognised { path, found });
        }
        let model = body.get_string("model").unwrap_or_default();
        let is_claude = model.to_ascii_lowercase().contains("claude");
        Ok(if is_claude { Self::Anthropic } else { Self::OpenAiChat })
    }
}

/// A message list as a sign of whose it is, for all that can be seen from its key.
fn list_sign(key: &str) -> Sign {
    let owner = Format::ALL.into_iter().find(|format| format.provider().list_key() == key);
    Sign::new(owner.unwrap_or(Format::OpenAiChat), format!("$.{key}"), format!("\"{key}\""))
}

fn unrecognised(root: Json<'_>) -> Error {
    let found = if root.is_object() {
        let entries = root.entries();
        let keys: Vec<_> =
            entries.iter().take(6).map(|entry| format!("\"{}\"", entry.key)).collect();
        if keys.is_empty() {
            "an empty object".to_owned()
        } else {
            format!("an object with {}", keys.join(", "))
        }
    } else {
        root.kind().to_owned()
    };
    Error::Unrecognised { path: "$".to_owned(), found }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OpenAiChat => "OpenAI chat",
            Self::OpenAiResponses => "OpenAI Responses",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
        })
    }
}

/// A name that is no format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormat(pub String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
        write!(f, "unknown format \"{}\"; known are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}
