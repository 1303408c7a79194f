#![doc = include_str!("../README.md")]

mod cached;
mod count;
mod counter;
pub mod image;
mod model;
mod name;
mod table;
mod tokenizer;
mod up_to;
mod vocabulary;

pub use cached::{CacheStatistics, CachedCounter};
pub use count::{Basis, Count, Factor};
pub use counter::Counter;
pub use model::{Model, Overhead, Provider};
pub use name::UnknownName;
pub use tokenizer::Tokenizer;
pub use vocabulary::Vocabulary;
