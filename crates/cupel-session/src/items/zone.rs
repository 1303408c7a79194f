//! Which zone of a window an item belongs to.

use cupel::{ContextItem, ContextKind};

/// Where an item says which zone it belongs to: `fixed`, `history` or `tail`. Unless it says, system prompts are fixed and
/// everything else is history.
pub const ZONE_KEY: &str = "cupel:zone";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    Fixed,
    History,
    Tail,
}

pub(super) fn zone(item: &ContextItem) -> Zone {
    match item.metadata().get(ZONE_KEY).map(String::as_str) {
        Some("fixed") => Zone::Fixed,
        Some("tail") => Zone::Tail,
        Some("history") => Zone::History,
        _ if *item.kind() == ContextKind::system_prompt() => Zone::Fixed,
        _ => Zone::History,
    }
}
