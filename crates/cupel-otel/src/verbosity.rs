//! How much a trace tells.

use std::fmt;

/// How much is said about a run. Each tier says all that the one before it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum CupelVerbosity {
    /// The run and its stages, with how many items entered and left: safe in production.
    #[default]
    StageOnly,
    /// Also one event per item left out: for staging.
    StageAndExclusions,
    /// Also one event per item in the window: for development.
    Full,
}

impl CupelVerbosity {
    /// The tier's name, as the root span carries it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StageOnly => "StageOnly",
            Self::StageAndExclusions => "StageAndExclusions",
            Self::Full => "Full",
        }
    }
}

impl fmt::Display for CupelVerbosity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
