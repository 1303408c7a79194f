//! What sort of thing an item is.

use super::name::{Name, name_type};
use crate::CupelError;

/// What sort of thing an item is: a message, a document, or any name of your own.
///
/// Compared without regard to ASCII case everywhere; displayed as spelled.
///
/// ```
/// use cupel::ContextKind;
///
/// let spelled = ContextKind::new("TOOLOUTPUT")?;
/// assert_eq!(spelled, ContextKind::tool_output());
/// assert_eq!(spelled.to_string(), "TOOLOUTPUT");
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContextKind(Name);

impl ContextKind {
    /// A conversational message; the default.
    pub const MESSAGE: &'static str = "Message";
    /// A document or file.
    pub const DOCUMENT: &'static str = "Document";
    /// What a tool returned.
    pub const TOOL_OUTPUT: &'static str = "ToolOutput";
    /// A remembered fact.
    pub const MEMORY: &'static str = "Memory";
    /// An instruction at system level.
    pub const SYSTEM_PROMPT: &'static str = "SystemPrompt";

    /// [`MESSAGE`](Self::MESSAGE).
    pub const fn message() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 0))
    }

    /// [`DOCUMENT`](Self::DOCUMENT).
    pub const fn document() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 1))
    }

    /// [`TOOL_OUTPUT`](Self::TOOL_OUTPUT).
    pub const fn tool_output() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 2))
    }

    /// [`MEMORY`](Self::MEMORY).
    pub const fn memory() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 3))
    }

    /// [`SYSTEM_PROMPT`](Self::SYSTEM_PROMPT).
    pub const fn system_prompt() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 4))
    }
}

impl ContextKind {
    /// Its index among the names above, if it is one of them, however spelled.
    pub(crate) fn well_known_index(&self) -> Option<usize> {
        self.0.well_known_index()
    }
}

name_type!(
    ContextKind,
    ParseContextKindError,
    EmptyKind,
    "kind",
    [MESSAGE, DOCUMENT, TOOL_OUTPUT, MEMORY, SYSTEM_PROMPT]
);

impl Default for ContextKind {
    fn default() -> Self {
        Self::message()
    }
}
