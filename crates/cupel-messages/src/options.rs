//! What a caller may ask for.

/// What is in or out as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// A user message and everything up to the next one.
    Turn,
    /// A message; a call together with its answers and the reasoning before it.
    Unit,
}
