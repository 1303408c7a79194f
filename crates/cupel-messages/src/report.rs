//! What became of a request, message by message.

use std::fmt;
use std::ops::Range;

use cupel::{ExclusionReason, SelectionReport};
use cupel_tokens::Basis;

use crate::{Role, Tokens};

/// A request that fits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Fitted {
    /// The request to send.
    pub text: String,
    /// The tokens that were to be had.
    pub budget: i64,
    /// What the numbers of tokens are based on.
    pub basis: Basis,
    /// What the request costs now.
    pub tokens: Tokens,
    /// What it cost.
    pub before: Tokens,
    /// Every message of the request that came in, in its order.
    pub messages: Vec<MessageReport>,
    /// Every message of the request to send, in its order.
    pub sent: Vec<SentMessage>,
    /// What was mended, in the order of messages.
    pub repairs: Vec<Repair>,
    /// What the engine decided, if something had to go: its candidates are the messages after repairs.
    pub selection: Option<SelectionReport>,
}

impl Fitted {
    /// Whether the request came out as it went in, byte for byte.
    pub fn is_unchanged(&self) -> bool {
        self.repairs.is_empty()
            && self
                .messages
                .iter()
                .all(|message| message.outcome == Outcome::Kept && !message.edited)
    }
}

/// A message of the request to send: for callers who keep messages as objects of their own, and want those back that
/// are as they were.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SentMessage {
    /// The message that it stands for, of those that came in; nothing if it is new.
    pub origin: Option<usize>,
    /// Where it stands in the text to send.
    pub range: Range<usize>,
    /// Whether it is not what it was: shortened, mended, or new.
    pub edited: bool,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MessageReport {
    /// Its place among the messages that came in.
    pub index: usize,
    /// Its JSON path.
    pub path: String,
    /// Who speaks.
    pub role: Role,
    /// Its turn, from 1; 0 before the first user message.
    pub turn: usize,
    /// The first message of the unit it belongs to: a call and its answers share one.
    pub unit: usize,
    /// What it cost.
    pub tokens: i64,
    /// What it costs now: 0 if it is out.
    pub sent: i64,
    /// In, out, or in between.
    pub outcome: Outcome,
    /// Whether its bytes are not what they were.
    pub edited: bool,
    /// Why.
    pub why: Why,
    /// How the engine scored it, if it did.
    pub score: Option<f64>,
}

/// In, out, or in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// In, whole.
    Kept,
    /// In, in a shorter form.
    Shortened {
        /// Which, from 1.
        form: usize,
        /// Of how many.
        forms: usize,
    },
    /// Left out for want of room.
    LeftOut,
    /// Dropped because the provider would refuse it; see [`Fitted::repairs`].
    Dropped,
}

/// Why a message is in or out.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Why {
    /// Everything fits.
    Fits,
    /// It must stay.
    Pinned(Pin),
    /// Its score, or that of what it belongs to, earned it a place.
    Scored,
    /// The engine left it out.
    Excluded(ExclusionReason),
    /// It stands before everything that changed, and stays as it was.
    InBefore,
    /// It was left out in an earlier turn of a session, and stays out.
    LeftOutBefore,
    /// The user message of its turn is out, and it cannot stand alone.
    TurnLeftOut,
    /// The provider would refuse it.
    Refused,
}

/// Why a message must stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pin {
    /// System instructions.
    System,
    /// It belongs to the current turn.
    CurrentTurn,
    /// It belongs to one of the first turns, which are kept.
    First,
    /// It belongs to one of the last turns, which are kept.
    Last,
    /// It says what a pin asks for.
    Pattern,
    /// It says so itself.
    Hint,
    /// It stands for everything before it.
    Summary,
    /// It must stay with a message that must stay.
    Together,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::System => "system instructions stay",
            Self::CurrentTurn => "the current turn stays",
            Self::First => "one of the first turns, which are kept",
            Self::Last => "one of the last turns, which are kept",
            Self::Pattern => "says what a pin asks for",
            Self::Hint => "pinned by its own \"cupel\" key",
            Self::Summary => "stands for everything before it",
            Self::Together => "belongs to a message that stays",
        })
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fits => f.write_str("everything fits"),
            Self::Pinned(pin) => pin.fmt(f),
            Self::Scored => f.write_str("its score earned it a place"),
            Self::Excluded(reason) => reason.fmt(f),
            Self::InBefore => f.write_str("as it was, before the cut"),
            Self::LeftOutBefore => f.write_str("left out in an earlier turn"),
            Self::TurnLeftOut => f.write_str("the user message of its turn is out"),
            Self::Refused => f.write_str("the provider would refuse it"),
        }
    }
}

/// Something that was mended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The message, of those that came in.
    pub message: Option<usize>,
    /// Its JSON path.
    pub path: String,
    /// What was done.
    pub kind: RepairKind,
}

/// How a request was mended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairKind {
    /// A call that was never answered got an answer.
    Answered {
        /// The call's id.
        id: String,
        /// The tool.
        name: String,
    },
    /// A call that was never answered went, with what belongs to it.
    CallDropped {
        /// The call's id.
        id: String,
    },
    /// An answer without its call went.
    OrphanDropped {
        /// The id it answers.
        id: String,
    },
    /// What stood before the answers in their message stands behind them now.
    AnswersMovedFirst,
    /// Reasoning that nothing follows went.
    ReasoningDropped,
    /// What came before the first user message went.
    LeadingDropped,
    /// A system message where none may be went.
    SystemDropped,
    /// Signed words of the model right before its call went.
    WordsBeforeCallDropped,
    /// Two neighbours of one role became one message.
    Merged {
        /// The message it was taken into, of those that came in; nothing if that is new.
        into: Option<usize>,
    },
    /// Reasoning that a change before it made invalid was taken out.
    ThinkingStripped {
        /// What that saves.
        tokens: i64,
        /// Whether the model loses its train of thought by that.
        current_turn: bool,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match &self.kind {
            RepairKind::Answered { id, name } => {
                write!(
                    f,
                    "the call \"{id}\" of {name} was never answered; it got an answer that says so"
                )
            }
            RepairKind::CallDropped { id } => {
                write!(
                    f,
                    "the call \"{id}\" was never answered; it was dropped with what belongs to it"
                )
            }
            RepairKind::OrphanDropped { id } => {
                write!(f, "an answer to \"{id}\", which nothing here called, was dropped")
            }
            RepairKind::AnswersMovedFirst => {
                f.write_str("the answers were moved before the words in their message")
            }
            RepairKind::ReasoningDropped => {
                f.write_str("reasoning that nothing follows was dropped")
            }
            RepairKind::LeadingDropped => {
                f.write_str("dropped, because a user message must come first")
            }
            RepairKind::SystemDropped => {
                f.write_str("a system message that does not follow a user message was dropped")
            }
            RepairKind::WordsBeforeCallDropped => {
                f.write_str("signed words right before a call of the model were dropped")
            }
            RepairKind::Merged { into: Some(into) } => {
                write!(f, "merged into message {into}, of the same role")
            }
            RepairKind::Merged { into: None } => f.write_str("merged with the answers before it"),
            RepairKind::ThinkingStripped { tokens, current_turn } => {
                write!(
                    f,
                    "thinking taken out, which a change before it made invalid; {tokens} tokens less"
                )?;
                if *current_turn {
                    f.write_str(
                        "; it is the current turn's, so the model loses its train of thought",
                    )?;
                }
                Ok(())
            }
        }
    }
}
