//! Ready-made policies.

use std::fmt;
use std::str::FromStr;

use cupel::Policy;
use cupel_relevance::{NearDuplicates, RelevanceParameters};

use crate::policy::{
    BucketSize, PlacerConfig, PolicyFile, ScorerConfig, SlicerConfig, WeightedScorer,
};
use crate::read::{Spelled, suggestion};

/// A ready-made policy. All drop repeated contents and fail on overflow.
///
/// `answer`, `agent` and `recentFirst` were chosen by measurement and are what to try first; the first two go by the run's
/// [query](cupel::Query), the others know nothing of a question.
///
/// | preset | scorers and weights | slicer | placer |
/// |---|---|---|---|
/// | `chat` | recency 3, kind 1 | greedy | chronological |
/// | `codeReview` | kind 2, priority 2, recency 1 | greedy | chronological |
/// | `rag` | reflexive 3, kind 1 | greedy | U-shaped |
/// | `documentQa` | kind 2, reflexive 2, priority 1 | knapsack, buckets that follow the budget | U-shaped |
/// | `toolUse` | kind 2, recency 2, priority 1 | greedy | chronological |
/// | `longRunning` | recency 3, frequency 1, kind 1 | greedy | chronological |
/// | `debugging` | priority 3, kind 2, recency 1 | greedy | chronological |
/// | `answer` | relevance | rank, by score / max(tokens, 200)^0.25 | reading order |
/// | `agent` | relevance 1, fading recency 1 | rank, by score / tokens^0.25, near-duplicates last | input order |
/// | `recentFirst` | fading recency | rank, by score / tokens^0.5 | input order |
///
/// ```
/// use cupel_policy::Preset;
///
/// let preset: Preset = "documentqa".parse()?;
/// assert_eq!(preset, Preset::DocumentQa);
/// println!("{}: {}", preset, preset.when_to_use());
/// println!("{}", preset.policy_file().to_json()?);
/// let pipeline: cupel::Pipeline = preset.policy().into();
/// # let _ = pipeline;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// A conversation.
    Chat,
    /// Reviewing a change.
    CodeReview,
    /// Answering from retrieved passages.
    Rag,
    /// Answering from few, long documents.
    DocumentQa,
    /// An agent with tools.
    ToolUse,
    /// A session of hours or days.
    LongRunning,
    /// Looking for a fault.
    Debugging,
    /// Answering a question over passages, turns or code.
    Answer,
    /// The next step of an agent over its own history.
    Agent,
    /// The messages of a conversation, with tools or without.
    RecentFirst,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 10] = [
        Self::Chat,
        Self::CodeReview,
        Self::Rag,
        Self::DocumentQa,
        Self::ToolUse,
        Self::LongRunning,
        Self::Debugging,
        Self::Answer,
        Self::Agent,
        Self::RecentFirst,
    ];

    /// Its name, as files and requests use it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::CodeReview => "codeReview",
            Self::Rag => "rag",
            Self::DocumentQa => "documentQa",
            Self::ToolUse => "toolUse",
            Self::LongRunning => "longRunning",
            Self::Debugging => "debugging",
            Self::Answer => "answer",
            Self::Agent => "agent",
            Self::RecentFirst => "recentFirst",
        }
    }

    /// One sentence on when to use it.
    pub const fn when_to_use(self) -> &'static str {
        match self {
            Self::Chat => {
                "Use it for conversations, where the latest turns matter most and instructions \
                 should survive."
            }
            Self::CodeReview => {
                "Use it for reviewing changes, where what you mark as important and what kind of \
                 material it is count more than when it came up."
            }
            Self::Rag => {
                "Use it for answering from retrieved passages whose retrieval score you pass as \
                 the relevance hint; the best passages go to both ends, where models read best; \
                 with a query at hand, the preset answer finds more."
            }
            Self::DocumentQa => {
                "Use it for questions about a few long documents, where packing the most \
                 relevance into the window is worth a slower choice."
            }
            Self::ToolUse => {
                "Use it for agents that call tools, where recent tool outputs must win over older \
                 talk."
            }
            Self::LongRunning => {
                "Use it for sessions of many hours, where recent items matter most but topics \
                 that keep coming back should stay."
            }
            Self::Debugging => {
                "Use it for tracking down a fault, where you give logs, traces and sources \
                 priorities of your own."
            }
            Self::Answer => {
                "Use it for answering a question over passages, turns or code; give the run the \
                 question as its query, and parts of longer texts their document and position."
            }
            Self::Agent => {
                "Use it for the next step of an agent over its own history, given what it does or \
                 is asked now as the query: what that is about, and what is recent."
            }
            Self::RecentFirst => {
                "Use it for the messages of a conversation or of an agent without a query: the \
                 newest first, and of what is as old the shorter; requests to models are cut by it \
                 unless you choose another."
            }
        }
    }

    /// The preset of that name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| Spelled(preset.name()).is_name(name))
    }

    /// The policy as data: to print, to save, or to start your own from.
    pub fn policy_file(self) -> PolicyFile {
        let kind = || ScorerConfig::Kind { weights: None };
        let (frequency, priority) = (ScorerConfig::Frequency, ScorerConfig::Priority);
        let (recency, reflexive) = (ScorerConfig::Recency, ScorerConfig::Reflexive);
        let scorers = match self {
            Self::Chat => vec![(recency, 3.0), (kind(), 1.0)],
            Self::CodeReview => vec![(kind(), 2.0), (priority, 2.0), (recency, 1.0)],
            Self::Rag => vec![(reflexive, 3.0), (kind(), 1.0)],
            Self::DocumentQa => vec![(kind(), 2.0), (reflexive, 2.0), (priority, 1.0)],
            Self::ToolUse => vec![(kind(), 2.0), (recency, 2.0), (priority, 1.0)],
            Self::LongRunning => vec![(recency, 3.0), (frequency, 1.0), (kind(), 1.0)],
            Self::Debugging => vec![(priority, 3.0), (kind(), 2.0), (recency, 1.0)],
            Self::Answer => vec![(ScorerConfig::Relevance(RelevanceParameters::default()), 1.0)],
            Self::Agent => {
                let fading = ScorerConfig::FadingRecency { half_life: 0.25 };
                vec![(ScorerConfig::Relevance(for_agents()), 1.0), (fading, 1.0)]
            }
            Self::RecentFirst => vec![(ScorerConfig::FadingRecency { half_life: 0.25 }, 1.0)],
        };
        let weighted = |(scorer, weight)| WeightedScorer { scorer, weight };
        let mut policy = PolicyFile::new(scorers.into_iter().map(weighted).collect());
        policy.name = Some(self.name().to_owned());
        policy.description = Some(self.when_to_use().to_owned());
        match self {
            Self::DocumentQa => {
                policy.slicer = SlicerConfig::Knapsack { bucket_size: BucketSize::Auto };
                policy.placer = PlacerConfig::UShaped;
            }
            Self::Rag => policy.placer = PlacerConfig::UShaped,
            Self::Answer => {
                policy.slicer = SlicerConfig::Rank { size_exponent: 0.25, size_floor: 200 };
                policy.placer = PlacerConfig::ReadingOrder;
            }
            Self::Agent => {
                let rank = SlicerConfig::Rank { size_exponent: 0.25, size_floor: 0 };
                let near_duplicates = NearDuplicates::default();
                policy.slicer = SlicerConfig::Distinct { near_duplicates, inner: Box::new(rank) };
                policy.placer = PlacerConfig::InputOrder;
            }
            Self::RecentFirst => {
                policy.slicer = SlicerConfig::Rank { size_exponent: 0.5, size_floor: 0 };
                policy.placer = PlacerConfig::InputOrder;
            }
            _ => {}
        }
        policy
    }

    /// The policy, ready to run.
    pub fn policy(self) -> Policy {
        self.policy_file().policy().expect("the weights and sizes above are all valid")
    }
}

/// Relevance over steps, which are no parts of one text: neighbours count, the history as a whole does not.
fn for_agents() -> RelevanceParameters {
    let mut parameters = RelevanceParameters::default();
    parameters.b = 0.75;
    parameters.document_weight = 0.0;
    parameters
}

/// Gives each preset a function of its own.
macro_rules! functions {
    ($($(#[$doc:meta])* $function:ident => $preset:ident;)+) => {$(
        $(#[$doc])*
        pub fn $function() -> Policy {
            Preset::$preset.policy()
        }
    )+};
}

functions! {
    /// [`Preset::Chat`], ready to run.
    chat => Chat;
    /// [`Preset::CodeReview`], ready to run.
    code_review => CodeReview;
    /// [`Preset::Rag`], ready to run.
    rag => Rag;
    /// [`Preset::DocumentQa`], ready to run.
    document_qa => DocumentQa;
    /// [`Preset::ToolUse`], ready to run.
    tool_use => ToolUse;
    /// [`Preset::LongRunning`], ready to run.
    long_running => LongRunning;
    /// [`Preset::Debugging`], ready to run.
    debugging => Debugging;
    /// [`Preset::Answer`], ready to run.
    answer => Answer;
    /// [`Preset::Agent`], ready to run.
    agent => Agent;
    /// [`Preset::RecentFirst`], ready to run.
    recent_first => RecentFirst;
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, UnknownPreset> {
        Self::from_name(name).ok_or_else(|| UnknownPreset { name: name.to_owned() })
    }
}

/// There is no preset of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPreset {
    name: String,
}

impl fmt::Display for UnknownPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Preset::ALL.map(Preset::name);
        write!(f, "unknown preset {}", crate::json::Quoted(&self.name))?;
        if let Some(meant) = suggestion(&self.name, names) {
            write!(f, "; did you mean {meant:?}?")?;
        }
        write!(f, " (names here: {})", names.join(", "))
    }
}

impl std::error::Error for UnknownPreset {}
