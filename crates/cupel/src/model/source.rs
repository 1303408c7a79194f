//! Where an item came from.

use super::name::{Name, name_type};
use crate::CupelError;

/// Where an item came from: the chat, a tool, retrieval, or any name of your own.
///
/// Compared without regard to ASCII case; displayed as spelled. No stage reads it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContextSource(Name);

impl ContextSource {
    /// The conversation with the user; the default.
    pub const CHAT: &'static str = "Chat";
    /// A tool or function call.
    pub const TOOL: &'static str = "Tool";
    /// Retrieval.
    pub const RAG: &'static str = "Rag";

    /// [`CHAT`](Self::CHAT).
    pub const fn chat() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 0))
    }

    /// [`TOOL`](Self::TOOL).
    pub const fn tool() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 1))
    }

    /// [`RAG`](Self::RAG).
    pub const fn rag() -> Self {
        Self(Name::well_known(Self::WELL_KNOWN, 2))
    }
}

name_type!(ContextSource, ParseContextSourceError, EmptySource, "source", [CHAT, TOOL, RAG]);

impl Default for ContextSource {
    fn default() -> Self {
        Self::chat()
    }
}
