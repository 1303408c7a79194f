//! What items that come without a count are counted with: a vocabulary or a model, by name.

pub(crate) use cupel_tokens::{Counter, Tokenizer};
