//! Text for people: columns, bars, numbers and colours.
//!
//! Everything here is written with colours; whoever prints it takes them out where they are not
//! wanted.

mod bar;
mod compare;
mod eval;
mod explain;
mod margin;
mod messages;
mod palette;
mod replay;
mod table;
mod text;

pub(crate) use bar::budget_bar;
pub(crate) use compare::{Difference, State, Variant, comparison};
pub(crate) use eval::{about, eval_markdown, eval_text, missed_lines, percent, size, told};
pub(crate) use explain::{Explanation, REASONS, explanation};
pub(crate) use messages::{Conversation, Table, conversation, message_table};
pub(crate) use palette::{Palette, choose_colors};
pub(crate) use replay::{REPLAY_HEADINGS, replay_about, replay_cells, replay_prices, replay_text};
pub(crate) use table::item_table;
pub(crate) use text::{
    columns_of, count, excerpt, grouped, left, plural, right, stand_in, visible, width, wrapped,
};
