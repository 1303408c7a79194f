//! The strategies and switches of a pipeline.

use std::fmt;
use std::sync::Arc;

use crate::scorer::check_depth;
use crate::{CupelError, OverflowStrategy, Placer, Scorer, Slicer};

/// What a [`Pipeline`](crate::Pipeline) runs with: three strategies and two switches.
///
/// Cloning shares the strategies.
#[derive(Clone)]
pub struct Policy {
    pub(crate) scorer: Arc<dyn Scorer>,
    pub(crate) slicer: Arc<dyn Slicer>,
    pub(crate) placer: Arc<dyn Placer>,
    pub(crate) deduplication: bool,
    pub(crate) overflow_strategy: OverflowStrategy,
}

impl Policy {
    /// Whether repeated contents are dropped.
    pub fn deduplication(&self) -> bool {
        self.deduplication
    }

    /// What happens when a selection is larger than its window.
    pub fn overflow_strategy(&self) -> OverflowStrategy {
        self.overflow_strategy
    }

    /// The same, dropping repeated contents or not: a conversation repeats itself without saying the same.
    #[must_use]
    pub fn with_deduplication(self, enabled: bool) -> Self {
        Self { deduplication: enabled, ..self }
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("scorer", &self.scorer.name())
            .field("slicer", &self.slicer.name())
            .field("placer", &self.placer.name())
            .field("deduplication", &self.deduplication)
            .field("overflow_strategy", &self.overflow_strategy)
            .finish()
    }
}

/// Builds a [`Policy`]. A strategy in an `Arc` is shared with whoever else holds it.
#[derive(Clone)]
pub struct PolicyBuilder {
    scorer: Option<Arc<dyn Scorer>>,
    slicer: Option<Arc<dyn Slicer>>,
    placer: Option<Arc<dyn Placer>>,
    deduplication: bool,
    overflow_strategy: OverflowStrategy,
}

impl PolicyBuilder {
    /// No strategies yet; duplicates are dropped, overflow is an error.
    pub fn new() -> Self {
        Self {
            scorer: None,
            slicer: None,
            placer: None,
            deduplication: true,
            overflow_strategy: OverflowStrategy::default(),
        }
    }

    /// How relevance is judged.
    pub fn scorer(mut self, scorer: impl Scorer + 'static) -> Self {
        self.scorer = Some(Arc::new(scorer));
        self
    }

    /// How a choice is made.
    pub fn slicer(mut self, slicer: impl Slicer + 'static) -> Self {
        self.slicer = Some(Arc::new(slicer));
        self
    }

    /// How the window is arranged.
    pub fn placer(mut self, placer: impl Placer + 'static) -> Self {
        self.placer = Some(Arc::new(placer));
        self
    }

    /// Whether repeated contents are dropped; they are unless this says otherwise.
    pub fn deduplication(mut self, enabled: bool) -> Self {
        self.deduplication = enabled;
        self
    }

    /// What happens when a selection is larger than its window; an error unless this says
    /// otherwise.
    pub fn overflow_strategy(mut self, strategy: OverflowStrategy) -> Self {
        self.overflow_strategy = strategy;
        self
    }

    /// The policy, once it has all three strategies, the scorer at most
    /// [`MAX_SCORER_DEPTH`](crate::scorer::MAX_SCORER_DEPTH) deep.
    pub fn build(self) -> Result<Policy, CupelError> {
        let scorer = self.scorer.ok_or_else(|| missing("scorer"))?;
        check_depth(scorer.depth())?;
        Ok(Policy {
            scorer,
            slicer: self.slicer.ok_or_else(|| missing("slicer"))?,
            placer: self.placer.ok_or_else(|| missing("placer"))?,
            deduplication: self.deduplication,
            overflow_strategy: self.overflow_strategy,
        })
    }
}

fn missing(part: &str) -> CupelError {
    CupelError::PipelineConfig(format!("there is no {part}; set one with .{part}(...)"))
}

impl Default for PolicyBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for PolicyBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyBuilder")
            .field("scorer", &self.scorer.as_ref().map(|it| it.name()))
            .field("slicer", &self.slicer.as_ref().map(|it| it.name()))
            .field("placer", &self.placer.as_ref().map(|it| it.name()))
            .field("deduplication", &self.deduplication)
            .field("overflow_strategy", &self.overflow_strategy)
            .finish()
    }
}
