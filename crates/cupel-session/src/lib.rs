//! Context windows over many turns: a prefix that stays the same, so that prompt caches can read it; cuts that are rare
//! and deep; and what each turn costs.
//!
//! # A map of the crate
//!
//! | you want to | look at |
//! |---|---|
//! | send the next request of a conversation | [`Session::next`] |
//! | the same, turn by turn at the cost of what is new | [`Conversation`] |
//! | the same over items | [`Session::next_items`] |
//! | carry a session through a service without memory | [`State`], [`Session::resume`] |
//! | say when it cuts and how deep | [`Settings`] |
//! | know what happened and what it costs | [`Report`], [`Costs`], [`Cause`] |
//! | know what a recorded conversation would have cost | [`replay`] |
//! | know or change what a provider charges | [`Price`] |

#![cfg_attr(not(test), deny(clippy::unwrap_used))]

mod account;
mod align;
mod breakpoints;
mod conversation;
mod cost;
mod cut;
mod decide;
mod error;
mod items;
mod price;
pub mod replay;
mod request;
mod session;
mod settings;
mod state;
mod turn;
mod window;

pub use conversation::Conversation;
pub use cost::Costs;
pub use error::Error;
pub use items::{ItemTurn, ZONE_KEY};
pub use price::{Cache, Price};
pub use request::Turn;
pub use session::Session;
pub use settings::Settings;
pub use state::{STATE_VERSION, State};
pub use turn::{Action, Cause, Cut, FirstChange, Note, Prefix, Report};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
