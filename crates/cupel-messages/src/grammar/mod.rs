//! What belongs together, what must stay, and what is broken: the rules that all providers' conversations follow,
//! in one place.
//!
//! | file | answers |
//! |---|---|
//! | `ending` | can a message simply be put behind what is there? |
//! | `pairs` | which answer belongs to which call? |
//! | `repair` | what would the provider refuse, and what stands in for it? |
//! | `shape` | which messages are a turn, which a unit, which are in or out together? |
//! | `thinking` | which reasoning does a cut invalidate? |
//! | `merge` | which neighbours must become one message? |

pub(crate) mod ending;
pub(crate) mod merge;
pub(crate) mod pairs;
pub(crate) mod repair;
pub(crate) mod shape;
pub(crate) mod thinking;

use std::borrow::Cow;

use crate::model::Message;

/// A message on its way out: one of the request's, as it was or repaired, or one that was missing.
#[derive(Debug, Clone)]
pub(crate) struct Draft<'a> {
    /// Which message of the request it is.
    pub(crate) origin: Option<usize>,
    /// The request's own, unless it was edited.
    pub(crate) message: Cow<'a, Message>,
}
