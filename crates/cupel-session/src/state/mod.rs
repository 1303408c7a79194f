//! What a session must remember: hashes and how things stand, no texts.

mod stored;

use cupel_messages::{Block, Standing};
use serde::{Deserialize, Serialize};
use stored::Stored;

use crate::{Error, Settings};

/// The version of the state's format.
pub const STATE_VERSION: u64 = 1;

/// What a session remembers from turn to turn, as a value to be carried by whoever holds the conversation.
///
/// It holds no text: each message is known by a hash and by how it stands. As JSON it takes about a dozen bytes for each
/// message and for each part of the last window.
///
/// ```
/// use cupel_session::State;
///
/// let state = State::default();
/// let json = serde_json::to_string(&state)?;
/// assert_eq!(State::read(&json)?, state);
/// assert!(State::read(r#"{"version": 7}"#).unwrap_err().to_string().contains("version 7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    pub(crate) settings: Settings,
    pub(crate) kind: Kind,
    /// How many turns there were.
    pub(crate) turns: u64,
    /// What is known, in the order in which it stands in windows.
    pub(crate) units: Vec<Unit>,
    /// The last window as a cache saw it.
    pub(crate) window: Vec<u64>,
    /// The breakpoints in it, by block.
    pub(crate) marks: Vec<usize>,
    /// The last block in it that the model was asked with.
    pub(crate) asked: Option<usize>,
    /// How many of its last blocks were for that turn only.
    pub(crate) tail: usize,
    /// What it cost.
    pub(crate) tokens: i64,
    /// Tokens that came since the last cut, and in how many turns.
    pub(crate) grown: i64,
    pub(crate) turns_since_cut: u64,
    pub(crate) cuts: u64,
    /// Whether it was said that what must stay exceeds the mark.
    pub(crate) warned: bool,
    pub(crate) model: u64,
    /// What OpenAI is told to recognise the session by.
    pub(crate) key: u64,
}

/// What a session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Nothing yet.
    #[default]
    New,
    Requests,
    Items,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::New => "nothing",
            Self::Requests => "requests",
            Self::Items => "items",
        }
    }
}

/// A message or an item that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) hash: u64,
    pub(crate) standing: Standing,
}

impl State {
    /// A session that starts, with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Reads a state, or the beginning of one: `{}`, or an object with `settings` only.
    ///
    /// # Errors
    /// When it is none, or one of another version.
    pub fn read(json: &str) -> Result<Self, Error> {
        let value: serde_json::Value = serde_json::from_str(json)
            .map_err(|error| Error::State { problem: error.to_string() })?;
        Self::from_value(value)
    }

    /// Reads a state from a JSON value, as [`read`](Self::read) does.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn from_value(value: serde_json::Value) -> Result<Self, Error> {
        let serde_json::Value::Object(object) = &value else {
            return Err(Error::State { problem: "expected an object".to_owned() });
        };
        match object.get("version") {
            None if object.keys().all(|key| key == "settings") => {
                let settings = object.get("settings").cloned().unwrap_or_default();
                let settings = if settings.is_null() {
                    Settings::default()
                } else {
                    serde_json::from_value(settings)
                        .map_err(|error| Error::State { problem: error.to_string() })?
                };
                settings.check()?;
                Ok(Self::new(settings))
            }
            None => Err(Error::State { problem: "it has no \"version\"".to_owned() }),
            Some(version) => match version.as_u64() {
                Some(STATE_VERSION) => {
                    let stored: Stored = serde_json::from_value(value)
                        .map_err(|error| Error::State { problem: error.to_string() })?;
                    stored.state()
                }
                Some(found) => Err(Error::StateVersion { found }),
                None => Err(Error::State { problem: format!("its version is {version}") }),
            },
        }
    }

    /// The settings it was started with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many turns there were.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// How many cuts there were.
    pub fn cuts(&self) -> u64 {
        self.cuts
    }
}

impl State {
    /// What OpenAI is told to recognise the session by.
    pub(crate) fn session_key(&self, hashes: &[u64], blocks: &[Block]) -> u64 {
        if self.turns > 0 {
            return self.key;
        }
        let first = hashes.first().copied().unwrap_or_default();
        blocks.iter().take(1).fold(first, |key, block| key ^ block.hash.rotate_left(1))
    }

    /// What goes on from turn to turn, without what is known of the last.
    pub(crate) fn counters(&self) -> Self {
        Self {
            settings: self.settings,
            turns: self.turns,
            grown: self.grown,
            turns_since_cut: self.turns_since_cut,
            cuts: self.cuts,
            ..Self::default()
        }
    }

    /// Takes note of one more turn, and of how much came.
    pub(crate) fn after_turn(&mut self, grown: i64, was_cut: bool) {
        self.turns += 1;
        if was_cut {
            self.cuts += 1;
            (self.grown, self.turns_since_cut) = (0, 0);
        } else {
            // What comes first is no growth.
            self.grown = if self.turns <= 1 { 0 } else { self.grown.saturating_add(grown) };
            self.turns_since_cut += 1;
        }
    }
}
