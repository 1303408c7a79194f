//! What can be wrong with a session, as values a caller can act on.

use std::fmt;

use cupel::CupelError;

use crate::STATE_VERSION;

/// Why there is no turn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A state of another version of this format.
    StateVersion {
        /// The version it says.
        found: u64,
    },
    /// A state that this crate did not write.
    State {
        /// What is wrong with it.
        problem: String,
    },
    /// A state of a session over items given to one over requests, or the reverse.
    OtherKind {
        /// What the state is of.
        state: &'static str,
        /// What came.
        given: &'static str,
    },
    /// A setting that makes no sense.
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// A request without any message.
    NoMessages,
    /// The request, its budget or its policy was refused.
    Request(cupel_messages::Error),
    /// The engine refused items.
    Engine(CupelError),
}

impl Error {
    /// The variant's name, for messages that cross a process border; for what others refused, their name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::StateVersion { .. } => "StateVersion",
            Self::State { .. } => "State",
            Self::OtherKind { .. } => "OtherKind",
            Self::Setting { .. } => "Setting",
            Self::NoMessages => "NoMessages",
            Self::Request(error) => error.name(),
            Self::Engine(error) => error.name(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateVersion { found } => write!(
                f,
                "the session's state is of version {found}, and this program reads version {STATE_VERSION}; start a new \
                 session, which costs one turn without the cache"
            ),
            Self::State { problem } => write!(
                f,
                "no state of a session: {problem}; give back what the last turn gave, unchanged, or start a new session"
            ),
            Self::OtherKind { state, given } => write!(
                f,
                "this session is one over {state}, and {given} came; keep a session for each"
            ),
            Self::Setting { name, value, expected } => {
                write!(f, "{name} is {value}; it must be {expected}")
            }
            Self::NoMessages => f.write_str(
                "the request has no message, and no provider takes it so; give it at least what the user said first",
            ),
            Self::Request(error) => error.fmt(f),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Request(error) => Some(error),
            Self::Engine(error) => Some(error),
            _ => None,
        }
    }
}

impl From<cupel_messages::Error> for Error {
    fn from(error: cupel_messages::Error) -> Self {
        Self::Request(error)
    }
}

impl From<CupelError> for Error {
    fn from(error: CupelError) -> Self {
        Self::Engine(error)
    }
}
