//! How a run is shown: as text for people, as JSON for programs.

mod json;
mod text;

pub use json::JsonReport;
pub use text::{write_checked, write_summary};
