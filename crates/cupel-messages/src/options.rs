//! What a caller may ask for.

use cupel::{Policy, Query};

/// What is in or out as a whole: by default a unit for OpenAI, which takes messages in any order, and a turn for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// A user message and everything up to the next one.
    Turn,
    /// A message; a call together with its answers and the reasoning before it. Where a provider wants roles to
    /// alternate, what is said in a turn stays together, and its tool rounds go one by one.
    Unit,
}

/// What may go of the current turn, which begins with the last user message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CurrentTurn {
    /// Nothing: it stays, with its answers shortened where it would not fit otherwise.
    #[default]
    Whole,
    /// Tool rounds that are over, for agents that work through hundreds of them on one request. What the user said,
    /// what the model said and the last round stay.
    Rounds,
}

/// What becomes of a call that was never answered and is not the last thing that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dangling {
    /// It gets an answer that says so, the same every time.
    #[default]
    Answer,
    /// It goes, with everything that must go with it.
    Drop,
}

/// When and how far answers and documents are shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shorten {
    /// Those with more tokens than this have shorter forms.
    pub over: i64,
    /// About how many tokens the longest of these forms has.
    pub to: i64,
}

impl Default for Shorten {
    fn default() -> Self {
        Self { over: 800, to: 400 }
    }
}

/// How a request is cut.
///
/// ```
/// use cupel_messages::{Granularity, Options};
///
/// let options = Options::new().keep_first(1).keep_last(3).pin("order 4711").granularity(Granularity::Unit);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(crate) granularity: Option<Granularity>,
    pub(crate) current_turn: CurrentTurn,
    pub(crate) dangling: Dangling,
    pub(crate) shorten: ShortenSetting,
    pub(crate) keep_first: usize,
    pub(crate) keep_last: usize,
    pub(crate) pins: Vec<String>,
    pub(crate) policy: Option<Policy>,
    pub(crate) model: Option<String>,
    pub(crate) query: Option<Query>,
}

/// On unless it was turned off.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortenSetting(pub(crate) Option<Shorten>);

impl Default for ShortenSetting {
    fn default() -> Self {
        Self(Some(Shorten::default()))
    }
}

impl Options {
    /// Everything at its default: long answers shortened, the newest first.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is in or out as a whole.
    #[must_use]
    pub fn granularity(mut self, granularity: Granularity) -> Self {
        self.granularity = Some(granularity);
        self
    }

    /// What may go of the current turn.
    #[must_use]
    pub fn current_turn(mut self, current_turn: CurrentTurn) -> Self {
        self.current_turn = current_turn;
        self
    }

    /// What becomes of calls that were never answered.
    #[must_use]
    pub fn dangling(mut self, dangling: Dangling) -> Self {
        self.dangling = dangling;
        self
    }

    /// When and how far answers and documents are shortened; `None` for never.
    #[must_use]
    pub fn shorten(mut self, shorten: impl Into<Option<Shorten>>) -> Self {
        self.shorten = ShortenSetting(shorten.into());
        self
    }

    /// Keeps the first `turns` turns.
    #[must_use]
    pub fn keep_first(mut self, turns: usize) -> Self {
        self.keep_first = turns;
        self
    }

    /// Keeps the last `turns` turns, the current one among them, which stays anyway.
    #[must_use]
    pub fn keep_last(mut self, turns: usize) -> Self {
        self.keep_last = turns;
        self
    }

    /// Keeps every message that says `pattern`, in whatever case, and what must stay with it.
    #[must_use]
    pub fn pin(mut self, pattern: impl Into<String>) -> Self {
        self.pins.push(pattern.into());
        self
    }

    /// How relevance is judged and a choice made, in place of [`default_policy`](crate::default_policy). The order of
    /// messages is theirs whatever the policy's placer says, and messages that read the same are not duplicates.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// What the messages that stay are to answer, for policies that judge relevance, in place of what the user said last
    /// and what the model said after it.
    #[must_use]
    pub fn query(mut self, query: impl Into<Query>) -> Self {
        self.query = Some(query.into());
        self
    }

    /// The model that the request is for, where it does not say so itself.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }
}
