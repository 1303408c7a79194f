//! What to do when a selection is larger than its window.

/// What a run does when pinned and sliced items together exceed the window.
///
/// The window is `min(target_tokens, max_tokens - output_reserve)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OverflowStrategy {
    /// Fail with [`CupelError::Overflow`](crate::CupelError::Overflow).
    #[default]
    Throw,
    /// Keep pinned items, then whatever still fits, best score first.
    Truncate,
    /// Keep everything and report an [`OverflowEvent`](crate::OverflowEvent) to the collector.
    Proceed,
}
