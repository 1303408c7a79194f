//! One run as spans, made while it happens.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::SystemTime;

use cupel::{
    ContextBudget, CupelError, ExcludedItem, ExclusionReason, IncludedItem, PipelineStage,
};
use opentelemetry::global::{BoxedSpan, BoxedTracer};
use opentelemetry::trace::{Span, SpanBuilder, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue};

use crate::clock::Clock;
use crate::{CupelVerbosity, names};

/// The spans of a run that is being recorded.
#[derive(Debug)]
pub(crate) struct RunSpans {
    tracer: Arc<BoxedTracer>,
    verbosity: CupelVerbosity,
    clock: Clock,
    /// The ambient context with the root span in it.
    root: Context,
    stage: Option<StageSpan>,
}

/// The span of the stage under way.
#[derive(Debug)]
struct StageSpan {
    span: BoxedSpan,
    excluded: usize,
    included: Included,
}

/// What the window is made of, as far as groups and shorter forms go.
#[derive(Debug, Default)]
struct Included {
    groups: HashSet<String>,
    shortened: usize,
    tokens_saved: i64,
}

impl RunSpans {
    /// Starts the root span as a child of the ambient one; `None` when the run is not sampled.
    pub(crate) fn start(
        tracer: Arc<BoxedTracer>,
        verbosity: CupelVerbosity,
        budget: &ContextBudget,
    ) -> Option<Self> {
        let clock = Clock::start();
        let ambient = Context::current();
        let builder = SpanBuilder::from_name(names::PIPELINE_SPAN)
            .with_start_time(clock.now())
            .with_attributes([
                KeyValue::new(names::MAX_TOKENS, budget.max_tokens()),
                KeyValue::new(names::VERBOSITY, verbosity.name()),
            ]);
        let mut root = tracer.build_with_context(builder, &ambient);
        if !root.is_recording() {
            root.end();
            return None;
        }
        Some(Self { tracer, verbosity, clock, root: ambient.with_span(root), stage: None })
    }

    /// Whether single items show.
    pub(crate) fn shows_items(&self) -> bool {
        self.verbosity >= CupelVerbosity::StageAndExclusions
    }

    pub(crate) fn stage_started(&mut self, stage: PipelineStage) {
        let builder = SpanBuilder::from_name(names::stage_span(stage))
            .with_start_time(self.clock.now())
            .with_attributes([KeyValue::new(names::STAGE_NAME, names::stage_name(stage))]);
        let span = self.tracer.build_with_context(builder, &self.root);
        self.stage = Some(StageSpan { span, excluded: 0, included: Included::default() });
    }

    pub(crate) fn excluded(&mut self, entry: &ExcludedItem) {
        let ExcludedItem { item, reason, .. } = entry;
        if !self.shows_items() {
            return;
        }
        let Some(stage) = &mut self.stage else { return };
        stage.excluded += 1;
        if stage.span.is_recording() {
            let mut attributes = vec![
                KeyValue::new(names::EXCLUSION_REASON, names::exclusion_reason_name(reason)),
                KeyValue::new(names::EXCLUSION_ITEM_KIND, item.kind().as_str().to_owned()),
                KeyValue::new(names::EXCLUSION_ITEM_TOKENS, item.tokens()),
            ];
            if let Some(group) = item.group() {
                attributes.push(KeyValue::new(names::EXCLUSION_ITEM_GROUP, group.to_owned()));
                if let ExclusionReason::BudgetExceeded { item_tokens, .. } = reason {
                    attributes.push(KeyValue::new(names::EXCLUSION_UNIT_TOKENS, *item_tokens));
                }
            }
            let now = self.clock.now();
            stage.span.add_event_with_timestamp(names::EXCLUSION_EVENT, now, attributes);
        }
    }

    pub(crate) fn included(&mut self, entry: &IncludedItem) {
        let IncludedItem { item, score, shortened, .. } = entry;
        let Some(stage) = &mut self.stage else { return };
        if let Some(group) = item.group().filter(|group| !stage.included.groups.contains(*group)) {
            stage.included.groups.insert(group.to_owned());
        }
        if let Some(shortened) = shortened {
            stage.included.shortened += 1;
            let saved = &mut stage.included.tokens_saved;
            *saved = saved.saturating_add(shortened.tokens_saved);
        }
        if self.verbosity >= CupelVerbosity::Full && stage.span.is_recording() {
            let mut attributes = vec![
                KeyValue::new(names::ITEM_KIND, item.kind().as_str().to_owned()),
                KeyValue::new(names::ITEM_TOKENS, item.tokens()),
                KeyValue::new(names::ITEM_SCORE, *score),
            ];
            if let Some(group) = item.group() {
                attributes.push(KeyValue::new(names::ITEM_GROUP, group.to_owned()));
            }
            if let Some(shortened) = shortened {
                attributes.push(KeyValue::new(names::ITEM_FORM, as_int(shortened.form)));
                attributes.push(KeyValue::new(names::ITEM_TOKENS_SAVED, shortened.tokens_saved));
            }
            let now = self.clock.now();
            stage.span.add_event_with_timestamp(names::INCLUDED_EVENT, now, attributes);
        }
    }

    /// The stage under way is done; says when.
    pub(crate) fn stage_finished(&mut self, entered: usize, left: usize) -> SystemTime {
        let now = self.clock.now();
        if let Some(mut stage) = self.stage.take() {
            stage.span.set_attributes([
                KeyValue::new(names::ITEM_COUNT_IN, as_int(entered)),
                KeyValue::new(names::ITEM_COUNT_OUT, as_int(left)),
            ]);
            self.end_stage(stage, now);
        }
        now
    }

    /// The run succeeded when its last stage was done, however long exporting that stage took.
    pub(crate) fn succeed(self, at: SystemTime) {
        self.root.span().end_with_timestamp(at);
    }

    /// The run failed, in the stage under way.
    pub(crate) fn fail(mut self, error: &CupelError) {
        let message = error.to_string();
        let error_type = KeyValue::new(names::ERROR_TYPE, error.name());
        let event = vec![
            KeyValue::new(names::EXCEPTION_TYPE, error.name()),
            KeyValue::new(names::EXCEPTION_MESSAGE, message.clone()),
        ];
        let now = self.clock.now();
        if let Some(mut stage) = self.stage.take() {
            stage.span.set_attribute(error_type.clone());
            stage.span.add_event_with_timestamp(names::EXCEPTION_EVENT, now, event.clone());
            stage.span.set_status(Status::error(message.clone()));
            self.end_stage(stage, now);
        }
        let root = self.root.span();
        root.set_attribute(error_type);
        root.add_event_with_timestamp(names::EXCEPTION_EVENT, now, event);
        root.set_status(Status::error(message));
        root.end_with_timestamp(now);
    }

    fn end_stage(&self, mut stage: StageSpan, at: SystemTime) {
        if self.shows_items() {
            let count = as_int(stage.excluded);
            stage.span.set_attribute(KeyValue::new(names::EXCLUSION_COUNT, count));
            let Included { groups, shortened, tokens_saved } = &stage.included;
            if !groups.is_empty() {
                let count = as_int(groups.len());
                stage.span.set_attribute(KeyValue::new(names::GROUP_COUNT, count));
            }
            if *shortened > 0 {
                let count = as_int(*shortened);
                stage.span.set_attribute(KeyValue::new(names::SHORTENED_COUNT, count));
                let saved = KeyValue::new(names::SHORTENED_TOKENS_SAVED, *tokens_saved);
                stage.span.set_attribute(saved);
            }
        }
        stage.span.end_with_timestamp(at);
    }
}

/// A run that neither succeeded nor failed was cut short by a panic in one of its strategies.
impl Drop for RunSpans {
    fn drop(&mut self) {
        let root = self.root.span();
        if !root.is_recording() {
            return;
        }
        const UNFINISHED: &str = "the run did not finish";
        let now = self.clock.now();
        if let Some(mut stage) = self.stage.take() {
            stage.span.set_status(Status::error(UNFINISHED));
            self.end_stage(stage, now);
        }
        root.set_status(Status::error(UNFINISHED));
        root.end_with_timestamp(now);
    }
}

fn as_int(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
