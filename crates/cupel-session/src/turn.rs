//! What a turn was: what was done, what became of the prefix, and what it costs.

use std::fmt;

use serde::Serialize;

use crate::Costs;

/// What a turn was.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Which turn, from 1.
    pub turn: u64,
    /// What was done.
    pub action: Action,
    /// What became of the prefix.
    pub prefix: Prefix,
    /// What the request costs.
    pub costs: Costs,
    /// What is sent, in tokens.
    pub tokens: i64,
    /// What may be, at most.
    pub budget: i64,
    /// Above this something is cut.
    pub high_water: i64,
    /// Down to this.
    pub low_water: i64,
    /// Where breakpoints stand, by block of the request.
    pub breakpoints: Vec<usize>,
    /// What else somebody should know.
    pub notes: Vec<Note>,
}

/// What was done in a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum Action {
    /// New things were put behind what was there.
    Extended,
    /// Something was cut.
    Cut(Cut),
    /// A cut would have freed too little, so nothing was cut.
    Held {
        /// What it would have freed, at most.
        would_free: i64,
        /// What it must free.
        least: i64,
    },
}

/// A cut.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Cut {
    /// The first candidate that was dropped or shortened: a message of the request, or an item in the order of windows.
    pub first: usize,
    /// How many were dropped.
    pub dropped: usize,
    /// How many were shortened, more than they were.
    pub shortened: usize,
    /// Tokens that are gone.
    pub freed: i64,
    /// Tokens behind the cut that are sent again, and not read from the cache.
    pub rewritten: i64,
    /// After how many turns what it frees has paid for what is written again; nothing if it never does.
    pub payback_turns: Option<f64>,
    /// Whether the budget, and not the mark, forced it.
    pub forced: bool,
}

/// What became of the prefix.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
#[non_exhaustive]
pub struct Prefix {
    /// How many blocks of the request before are the first of this one.
    pub kept_blocks: usize,
    /// What these cost.
    pub kept_tokens: i64,
    /// How many blocks the request before had.
    pub blocks_before: usize,
    /// Where this request stops being the one before it; nothing if it goes on from its end.
    pub first_change: Option<FirstChange>,
}

impl Prefix {
    /// Whether the whole request before is the beginning of this one.
    pub fn is_whole(&self) -> bool {
        self.first_change.is_none()
    }
}

/// Where a request stops being the one before it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FirstChange {
    /// The block.
    pub block: usize,
    /// The message of the request that is sent, if it is in one that is still there.
    pub message: Option<usize>,
    /// Why.
    pub cause: Cause,
}

/// Why a prefix changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// The session cut.
    Cut,
    /// Tools or instructions changed.
    Fixed,
    /// The model is another one, with a cache of its own.
    Model,
    /// Something that was in the window did not come any more.
    Disappeared,
    /// Something in the window came changed.
    Changed,
    /// Something new came before the end.
    Inserted,
    /// Something that was out was pinned and is back.
    Pinned,
    /// What was for the last turn only is gone, as it should be.
    Tail,
    /// A message was mended or merged in another way, because of what came after it.
    Mended,
}

impl Cause {
    /// Its name, as reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Fixed => "fixed",
            Self::Model => "model",
            Self::Disappeared => "disappeared",
            Self::Changed => "changed",
            Self::Inserted => "inserted",
            Self::Pinned => "pinned",
            Self::Tail => "tail",
            Self::Mended => "mended",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cut => "the session cut",
            Self::Fixed => "tools or instructions changed",
            Self::Model => "another model, with a cache of its own",
            Self::Disappeared => "something that was in the window did not come any more",
            Self::Changed => "something in the window came changed",
            Self::Inserted => "something new came before the end",
            Self::Pinned => "something that was out was pinned and is back",
            Self::Tail => "what was for the last turn only is gone",
            Self::Mended => "a message was mended because of what came after it",
        })
    }
}

/// What somebody should know of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum Note {
    /// What must stay exceeds the mark by itself; said once, until it changes. The marks are then taken of what is left.
    MustStayOverMark {
        /// What must stay, in tokens.
        must_stay: i64,
        /// The mark.
        mark: i64,
    },
    /// Messages that were in the window did not come any more.
    Disappeared {
        /// How many.
        count: usize,
    },
    /// Messages came that were not there before, before the end.
    Inserted {
        /// Where the first of them stands in what came.
        first: usize,
        /// How many.
        count: usize,
    },
    /// Something that was out is back because it is pinned.
    BroughtBack {
        /// Where the first of it stands in what came.
        first: usize,
        /// How many.
        count: usize,
    },
    /// Thinking was taken out that the change made invalid.
    ThinkingStripped {
        /// Of how many messages.
        messages: usize,
    },
    /// The provider caches only what is marked, and nothing is.
    NothingMarked,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MustStayOverMark { must_stay, mark } => write!(
                f,
                "what must stay takes {must_stay} tokens, more than the high-water mark of {mark}; pin less, or raise the \
                 budget. The marks are taken of what is left until then"
            ),
            Self::Disappeared { count } => {
                write!(f, "{count} that were in the window did not come any more")
            }
            Self::Inserted { first, count } => {
                write!(f, "{count} new or changed before the end, the first at {first}")
            }
            Self::BroughtBack { first, count } => {
                write!(f, "{count} brought back because they are pinned, the first at {first}")
            }
            Self::ThinkingStripped { messages } => {
                write!(f, "thinking taken out of {messages} messages, which a change before it made invalid")
            }
            Self::NothingMarked => f.write_str(
                "this provider caches only what is marked, and nothing is; ask the session for breakpoints",
            ),
        }
    }
}
