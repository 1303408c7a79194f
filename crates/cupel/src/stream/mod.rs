//! What if the candidates do not fit into memory, or are not all there yet?
//!
//! [`Pipeline::run_stream`] takes candidates as they come, [`StreamRun`] as they are handed to it. Both hold one batch of
//! them and the window, whatever the length of the stream:
//!
//! ```text
//! candidates ─▶ batch ─▶ Classify ─▶ Score ─▶ Deduplicate ─▶ Sort ─▶ Slice ─▶ held ─▶ Place ─▶ window
//!                ▲  (groups that may go on)                             │
//!                └──────────────── while something may fit ─────────────┘
//! ```
//!
//! A window of a stream is not that of a run over the whole list, except if one batch holds everything. What differs:
//!
//! - **Scores** are relative to the batch: the newest of 32 messages is not the newest of all. What is taken stays,
//!   also where something better comes later.
//! - **Pinned** items are always in, whichever batch they are in. What they cost is taken from what other items may
//!   have; if those have it already, what is held is sliced again with what is left for it.
//! - **Duplicates** are found within a batch, and against what is held. What was left out is forgotten.
//! - **Groups** stay whole. A [unit](ContextItem::group) is decided with the first batch that brings no more members of
//!   it: two consecutive members may be up to a batch apart. One that comes later is
//!   [an error](CupelError::GroupSplit); all that is remembered of decided groups for that is a number each.
//! - **Quotas** of any sort are refused: they are about the whole list.
//! - **The end.** When nothing is left of the target, no more is pulled. Only a pinned item could still get in then.
//!   Where one may come late, hand all items to a [`StreamRun`], which takes them also when it
//!   [is full](StreamRun::is_full).

mod batch;
mod listener;
mod outcome;
mod window;

pub use outcome::StreamOutcome;

use std::fmt;

use batch::Batch;
use listener::Listener;
use window::Window;

use crate::pipeline::input::Input;
use crate::pipeline::run::Run;
use crate::{
    ContextBudget, ContextItem, CupelError, ExcludedItem, Pipeline, Policy, RunContext,
    TraceCollector,
};

impl Pipeline {
    /// Selects a window from candidates that come one by one, `batch_size` at a time. It pulls no more of them than it
    /// can use, and holds one batch and the window. See [`stream`](crate::stream) for what that means.
    ///
    /// ```
    /// use cupel::{ContextBudget, ContextItem, GreedySlice, InputOrderPlacer, Pipeline, ReflexiveScorer};
    ///
    /// let pipeline = Pipeline::builder()
    ///     .scorer(ReflexiveScorer)
    ///     .slicer(GreedySlice)
    ///     .placer(InputOrderPlacer)
    ///     .build()?;
    /// let endless = (1..).map(|n| {
    ///     let item = ContextItem::builder(format!("event {n}"), 5);
    ///     item.future_relevance_hint(f64::from(n % 4) / 4.0).build().expect("it has a content")
    /// });
    ///
    /// let outcome = pipeline.run_stream(endless, 4, &ContextBudget::builder(25).build()?)?;
    /// let events: Vec<_> = outcome.included.iter().map(|it| it.item.content()).collect();
    /// assert_eq!(events, ["event 1", "event 2", "event 3", "event 4", "event 7"]);
    /// assert!(outcome.is_full && outcome.seen == 8 && outcome.batches == 2);
    /// # Ok::<(), cupel::CupelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run); besides, when the batch size is 0, the slicer has quotas, or members of a group are too
    /// far apart.
    pub fn run_stream(
        &self,
        items: impl IntoIterator<Item = ContextItem>,
        batch_size: usize,
        budget: &ContextBudget,
    ) -> Result<StreamOutcome, CupelError> {
        let mut run = StreamRun::new(self, budget)?.batch_size(batch_size)?;
        for item in items {
            run.push(item)?;
            if run.is_full() {
                break;
            }
        }
        run.finish()
    }
}

/// A run over candidates that are handed to it one by one.
///
/// ```
/// use cupel::{ChronologicalPlacer, ContextBudget, ContextItem, GreedySlice, Pipeline, RecencyScorer, StreamRun};
///
/// let pipeline = Pipeline::builder()
///     .scorer(RecencyScorer)
///     .slicer(GreedySlice)
///     .placer(ChronologicalPlacer)
///     .build()?;
/// let budget = ContextBudget::builder(10).build()?;
///
/// let mut left_out = Vec::new();
/// let mut run = StreamRun::new(&pipeline, &budget)?
///     .batch_size(2)?
///     .on_excluded(|entry| left_out.push((entry.index, entry.reason.name())));
/// for tokens in [6, 5, 4, 3] {
///     run.push(ContextItem::builder(format!("{tokens} tokens"), tokens).build()?)?;
///     if run.is_full() {
///         break;
///     }
/// }
/// let outcome = run.finish()?;
/// assert_eq!(outcome.window().iter().map(|it| it.tokens()).collect::<Vec<_>>(), [6, 4]);
/// assert_eq!(left_out, [(Some(1), "BudgetExceeded"), (Some(3), "BudgetExceeded")]);
/// # Ok::<(), cupel::CupelError>(())
/// ```
///
/// After an error it is of no more use.
pub struct StreamRun<'p> {
    setting: Setting<'p>,
    listener: Listener<'p>,
    batch: Batch,
    window: Window,
    outcome: StreamOutcome,
    tokens_seen: i128,
}

/// What the runs through the stages have in common, one for each batch and one for the end.
struct Setting<'p> {
    policy: &'p Policy,
    budget: &'p ContextBudget,
    context: RunContext,
}

impl Setting<'_> {
    fn run<'r, C: TraceCollector>(&'r self, collector: &'r mut C) -> Run<'r, C> {
        let mut run = Run::new(self.policy, self.budget, &self.context, collector);
        run.trace.started(&[], self.budget);
        run
    }
}

impl<'p> StreamRun<'p> {
    /// How many items a batch has unless somebody says otherwise.
    pub const DEFAULT_BATCH_SIZE: usize = 32;

    /// A run that has seen nothing yet, in batches of [the usual size](Self::DEFAULT_BATCH_SIZE), that happens now.
    ///
    /// # Errors
    /// When the pipeline's slicer has quotas: shares and numbers of the whole list, of which a batch knows nothing.
    pub fn new(pipeline: &'p Pipeline, budget: &'p ContextBudget) -> Result<Self, CupelError> {
        let slicer = &*pipeline.policy().slicer;
        if slicer.is_quota() || slicer.is_count_quota() {
            return Err(CupelError::PipelineConfig(format!(
                "quotas need the whole list, which a stream does not have; give the items of {} as a list, or \
                 stream them to another slicer",
                slicer.name()
            )));
        }
        let policy = pipeline.policy();
        let run = Self {
            setting: Setting { policy, budget, context: RunContext::default() },
            listener: Listener::default(),
            batch: Batch::new(Self::DEFAULT_BATCH_SIZE),
            window: Window::default(),
            outcome: StreamOutcome::default(),
            tokens_seen: 0,
        };
        // A copy: reading the clock for this run does not fix the time of others.
        Ok(run.in_context(&pipeline.context().clone()))
    }

    /// With so many items in a batch.
    ///
    /// # Errors
    /// When that is none.
    pub fn batch_size(mut self, size: usize) -> Result<Self, CupelError> {
        if size == 0 {
            return Err(CupelError::SlicerConfig(
                "the stream batch size (0) must be at least 1 item".to_owned(),
            ));
        }
        self.batch = Batch::new(size);
        Ok(self)
    }

    /// In a context of the caller's own.
    #[must_use]
    pub fn in_context(mut self, context: &RunContext) -> Self {
        // All batches happen at one time.
        context.now();
        self.setting.context = context.clone();
        self
    }

    /// With somebody who hears of each item that is left out, when it is. Its index is its number in the stream, from 0. Every
    /// item is in the window or left out, and left out once.
    #[must_use]
    pub fn on_excluded(mut self, hear: impl FnMut(ExcludedItem) + 'p) -> Self {
        self.listener.hear = Some(Box::new(hear));
        self
    }

    /// Takes the next item. It is decided about when its batch is complete.
    ///
    /// # Errors
    /// When pinned items exceed `max_tokens - output_reserve`, a strategy refuses or breaks its contract, or the
    /// item's group was decided about before.
    pub fn push(&mut self, item: ContextItem) -> Result<(), CupelError> {
        // A batch with groups is decided about when something follows it: at the end of the stream no group goes on.
        if self.batch.is_full() {
            self.decide_complete()?;
        }
        self.tokens_seen += i128::from(item.tokens());
        self.batch.push(self.outcome.seen, item)?;
        self.outcome.seen += 1;
        if self.batch.is_full() && !self.batch.has_groups() {
            self.decide_complete()?;
        }
        Ok(())
    }

    /// Whether nothing that is not pinned can get in any more. What is handed to it then is seen and left out.
    pub fn is_full(&self) -> bool {
        self.outcome.batches > 0
            && self.window.taken().leaves(self.setting.budget).target_tokens() == 0
            // Were they not complete, they would be in the window in part.
            && !self.batch.has_pinned()
    }

    /// The window, after the last item.
    ///
    /// # Errors
    /// As [`push`](Self::push); besides, when the selection overflows under
    /// [`OverflowStrategy::Throw`](crate::OverflowStrategy::Throw).
    pub fn finish(mut self) -> Result<StreamOutcome, CupelError> {
        let rest = self.batch.take_all();
        self.decide(rest)?;
        self.outcome.is_full = self.is_full();
        let (numbers, items) = self.window.lay_out();
        let input = Input::new(&items);
        let mut collector = self.listener.numbering(&numbers);
        let mut run = self.setting.run(&mut collector);
        let prepared = self.window.prepare(&mut run, &input, &numbers)?;
        let chosen = self.window.in_their_forms(&prepared, &numbers);
        let pinned = prepared.pinned_within(self.setting.budget)?;
        run.place(&prepared, &pinned, chosen)?;
        Ok(self.outcome.completed(self.listener, self.tokens_seen))
    }

    fn decide_complete(&mut self) -> Result<(), CupelError> {
        let complete = self.batch.take_complete();
        self.decide(complete)
    }

    /// Stages 1 to 5, of these items of the stream with their numbers in it.
    fn decide(&mut self, batch: Vec<(usize, ContextItem)>) -> Result<(), CupelError> {
        if batch.is_empty() {
            return Ok(());
        }
        self.outcome.batches += 1;
        let (numbers, items): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let input = Input::new(&items);

        let mut prepared =
            self.setting.run(&mut self.listener.numbering(&numbers)).classify(&input, None)?;
        if !prepared.pinned.is_empty() {
            self.window.pin(&prepared, &numbers);
            self.window.fit_pinned(&self.setting)?;
            self.window.make_room(&self.setting, &mut self.listener)?;
        }

        let mut collector = self.listener.numbering(&numbers);
        let mut run = self.setting.run(&mut collector);
        run.score(&items, &mut prepared)?;
        run.deduplicate(&mut prepared);
        run.leave_out_chosen(&mut prepared, |item| self.window.has_chosen(item));
        run.sort(&mut prepared);
        let chosen = run.slice_beside(&self.window.taken(), &prepared, 0)?;
        self.window.choose(&prepared, &chosen, &numbers);
        Ok(())
    }
}

impl fmt::Debug for StreamRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamRun")
            .field("policy", self.setting.policy)
            .field("budget", self.setting.budget)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
