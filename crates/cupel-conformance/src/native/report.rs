//! Our reports in the vectors' terms.

use cupel::{
    ContextBudget, ContextItem, CountRequirementShortfall, ExcludedItem, ExclusionReason,
    IncludedItem, Interests, OverflowEvent, SelectionReport, StageTraceSnapshot, TraceCollector,
    TraceDetailLevel, TraceEvent,
};

use crate::engine::{
    BudgetSpec, DetailLevel, Event, Events, Excluded, Included, Overflow, ReasonDetails, Report,
    ReservedSlot, Shortfall, Snapshot,
};

/// Finds the items of a run in the list it was given.
#[derive(Clone, Copy)]
pub(super) struct Positions<'i>(pub(super) &'i [ContextItem]);

impl Positions<'_> {
    /// The first position of this very instance, or of the whole that it is a shorter form of; past the end if it is not one of the list's.
    pub(super) fn of(self, item: &ContextItem) -> usize {
        let found = self.0.iter().position(|other| other.is_same_instance(item.whole()));
        found.unwrap_or(self.0.len())
    }

    pub(super) fn of_all<'a>(self, items: impl IntoIterator<Item = &'a ContextItem>) -> Vec<usize> {
        items.into_iter().map(|item| self.of(item)).collect()
    }
}

/// A report without what only some paths tell: snapshots and overflow events.
pub(super) fn report(
    positions: Positions<'_>,
    level: TraceDetailLevel,
    report: &SelectionReport,
) -> Report {
    Report {
        included: Some(report.included.iter().map(|it| included(positions, it)).collect()),
        excluded: Some(report.excluded.iter().map(|it| excluded(positions, it)).collect()),
        total_candidates: Some(signed(report.total_candidates)),
        total_tokens_considered: Some(report.total_tokens_considered),
        shortfalls: Some(shortfalls(&report.count_requirement_shortfalls)),
        events: Some(Events {
            detail_level: detail_level(level),
            recorded: report.events.iter().map(event).collect(),
        }),
        snapshots: None,
        overflows: None,
    }
}

pub(super) fn detail_level(level: TraceDetailLevel) -> DetailLevel {
    match level {
        TraceDetailLevel::Item => DetailLevel::Item,
        _ => DetailLevel::Stage,
    }
}

/// Counts fit, except for a cap that stands for "no cap".
fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn included(positions: Positions<'_>, it: &IncludedItem) -> Included {
    let reason = it.reason.name().to_owned();
    let form = it.shortened.map_or(0, |shortened| shortened.form);
    Included { item: positions.of(&it.item), score: it.score, reason, form }
}

fn excluded(positions: Positions<'_>, it: &ExcludedItem) -> Excluded {
    Excluded {
        item: positions.of(&it.item),
        score: it.score,
        reason: it.reason.name().to_owned(),
        details: details(&it.reason),
    }
}

fn details(reason: &ExclusionReason) -> ReasonDetails {
    let mut details = ReasonDetails::default();
    match reason {
        ExclusionReason::BudgetExceeded { item_tokens, available_tokens } => {
            details.item_tokens = Some(*item_tokens);
            details.available_tokens = Some(*available_tokens);
        }
        ExclusionReason::Deduplicated { deduplicated_against } => {
            details.deduplicated_against = Some(deduplicated_against.clone());
        }
        ExclusionReason::NegativeTokens { tokens } => details.tokens = Some(*tokens),
        ExclusionReason::PinnedOverride { displaced_by } => {
            details.displaced_by = Some(displaced_by.clone());
        }
        ExclusionReason::CountCapExceeded { kind, cap, count } => {
            details.kind = Some(kind.clone());
            details.cap = Some(signed(*cap));
            details.count = Some(signed(*count));
        }
        ExclusionReason::GroupBroken { group, tokens } => {
            details.group = Some(group.clone());
            details.tokens = Some(*tokens);
        }
        ExclusionReason::NearDuplicate { near_duplicate_of, overlap } => {
            details.near_duplicate_of = Some(near_duplicate_of.clone());
            details.overlap = Some(*overlap);
        }
        _ => {} // vectors know no fields of the others
    }
    details
}

pub(super) fn shortfalls(shortfalls: &[CountRequirementShortfall]) -> Vec<Shortfall> {
    let shortfall = |it: &CountRequirementShortfall| Shortfall {
        kind: it.kind.clone(),
        required_count: signed(it.required_count),
        satisfied_count: signed(it.satisfied_count),
    };
    shortfalls.iter().map(shortfall).collect()
}

/// In our reports the events of items, and only they, carry a message.
fn event(it: &TraceEvent) -> Event {
    let level = if it.message.is_some() { DetailLevel::Item } else { DetailLevel::Stage };
    event_at(level, it)
}

fn event_at(level: DetailLevel, it: &TraceEvent) -> Event {
    Event {
        stage: it.stage.name().to_owned(),
        level,
        item_count: signed(it.item_count),
        duration_ms: it.duration_ms,
        message: it.message.clone(),
    }
}

fn snapshot(positions: Positions<'_>, it: &StageTraceSnapshot) -> Snapshot {
    Snapshot {
        stage: it.stage.name().to_owned(),
        item_count_in: signed(it.item_count_in),
        item_count_out: signed(it.item_count_out),
        excluded: positions.of_all(it.excluded.iter().map(|it| &it.item)),
    }
}

pub(super) fn overflow(positions: Positions<'_>, it: &OverflowEvent) -> Overflow {
    Overflow {
        tokens_over_budget: it.tokens_over_budget,
        items: positions.of_all(&it.overflowing_items),
        budget: budget(&it.budget),
    }
}

fn budget(budget: &ContextBudget) -> BudgetSpec {
    let slot = |(kind, tokens): (&cupel::ContextKind, &i64)| ReservedSlot {
        kind: kind.as_str().to_owned(),
        tokens: *tokens,
    };
    BudgetSpec {
        max_tokens: budget.max_tokens(),
        target_tokens: budget.target_tokens(),
        output_reserve: budget.output_reserve(),
        reserved_slots: budget.reserved_slots().iter().map(slot).collect(),
        safety_margin_percent: budget.estimation_safety_margin_percent(),
    }
}

/// A collector that keeps what it is called with, as a custom one would see it.
pub(super) struct Witness<'i> {
    positions: Positions<'i>,
    level: TraceDetailLevel,
    events: Vec<Event>,
    overflows: Vec<Overflow>,
    report: Option<Report>,
}

impl<'i> Witness<'i> {
    pub(super) fn new(positions: Positions<'i>, level: TraceDetailLevel) -> Self {
        Self { positions, level, events: Vec::new(), overflows: Vec::new(), report: None }
    }

    /// The report it was given at the end, with what it saw itself.
    pub(super) fn into_report(self) -> Option<Report> {
        Some(Report {
            events: Some(Events { detail_level: detail_level(self.level), recorded: self.events }),
            overflows: Some(self.overflows),
            ..self.report?
        })
    }
}

impl TraceCollector for Witness<'_> {
    fn is_enabled(&self) -> bool {
        true
    }

    fn interests(&self) -> Interests {
        Interests::EVERYTHING.detail(self.level)
    }

    fn record_stage_event(&mut self, event: TraceEvent) {
        self.events.push(event_at(DetailLevel::Stage, &event));
    }

    fn record_item_event(&mut self, event: TraceEvent) {
        self.events.push(event_at(DetailLevel::Item, &event));
    }

    fn record_overflow(&mut self, event: OverflowEvent) {
        self.overflows.push(overflow(self.positions, &event));
    }

    fn on_pipeline_completed(
        &mut self,
        completed: &SelectionReport,
        _budget: &ContextBudget,
        stages: &[StageTraceSnapshot],
    ) {
        let snapshots = stages.iter().map(|it| snapshot(self.positions, it)).collect();
        self.report = Some(Report {
            snapshots: Some(snapshots),
            ..report(self.positions, self.level, completed)
        });
    }
}
