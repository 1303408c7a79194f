#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

mod budget;
mod ceiling;
mod contender;
pub mod import;
mod measure;
mod missed;
mod random;
mod set;
mod statistics;

pub use budget::Size;
pub use contender::{Contender, Held};
pub use measure::{Evaluation, Recalls, RunError};
pub use missed::{Missed, missed};
pub use set::{
    Gold, GoldEntry, ItemLine, Line, Pool, PoolLine, Question, QuestionLine, Set, SetError,
    SetReader, VariantLine, estimated_tokens,
};
pub use statistics::{Bootstrap, Comparison, ContenderSummary, Estimate, Summary};
