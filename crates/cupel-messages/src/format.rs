//! Whose request is it?

use std::fmt;
use std::str::FromStr;

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
    pub(crate) fn detect(root: Json<'_>) -> Result<Self, Error> {
        let list = root.is_array();
        if !list {
            let mut lists = MESSAGE_LISTS.iter().filter(|(key, _)| root.get(key).is_some());
            let sign = |(key, format): &(&str, Self)| {
                Sign::new(*format, format!("$.{key}"), format!("\"{key}\""))
            };
            match (lists.next(), lists.next()) {
                (None, _) => return Err(unrecognised(root)),
                (Some(one), Some(other)) => {
                    return Err(Error::Mixed { one: sign(one), other: sign(other) });
                }
                _ => {}
            }
        }
        let signs = Self::ALL.into_iter().filter_map(|format| format.provider().sign(root));
        let signs: Vec<Sign> = signs.take(2).collect();
        match &signs[..] {
            [one, other] => Err(Error::Mixed { one: one.clone(), other: other.clone() }),
            [sign] => Ok(sign.format),
            _ => {
                let messages = if list {
                    root.elements()
                } else {
                    root.get("messages").map_or(Vec::new(), Json::elements)
                };
                if let Some(odd) = messages.iter().position(|message| message.get("role").is_none())
                {
                    let path = format!("{}[{odd}]", if list { "$" } else { "$.messages" });
                    let found = format!("{} without a \"role\"", messages[odd].kind());
                    return Err(Error::Unrecognised { path, found });
                }
                let model = root.get_string("model").unwrap_or_default();
                let by_model = model.to_ascii_lowercase().contains("claude");
                Ok(if by_model { Self::Anthropic } else { Self::OpenAiChat })
            }
        }
    }
}

/// Where requests have their messages, and whose they are for all that can be seen from that.
const MESSAGE_LISTS: [(&str, Format); 3] = [
    ("messages", Format::OpenAiChat),
    ("input", Format::OpenAiResponses),
    ("contents", Format::Gemini),
];

fn unrecognised(root: Json<'_>) -> Error {
    let found = if root.is_object() {
        let keys: Vec<_> =
            root.entries().iter().take(6).map(|entry| format!("\"{}\"", entry.key)).collect();
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
