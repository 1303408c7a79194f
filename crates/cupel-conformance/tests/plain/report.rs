//! What a run reports.

use cupel_conformance::engine::*;

use super::{Item, Mistake, Plain, Row, clamp};

/// The report while it grows.
pub(super) struct Trace {
    engine: Plain,
    level: DetailLevel,
    events: Vec<Event>,
    excluded: Vec<Excluded>,
    snapshots: Vec<Snapshot>,
    /// What the running stage has excluded so far.
    pending: Vec<usize>,
    /// Item events of the running stage that wait for the stage's own.
    late: Vec<Event>,
    pub(super) shortfalls: Vec<Shortfall>,
    pub(super) overflows: Vec<Overflow>,
}

impl Trace {
    pub(super) fn new(engine: Plain, level: DetailLevel) -> Self {
        Self {
            engine,
            level,
            events: Vec::new(),
            excluded: Vec::new(),
            snapshots: Vec::new(),
            pending: Vec::new(),
            late: Vec::new(),
            shortfalls: Vec::new(),
            overflows: Vec::new(),
        }
    }

    pub(super) fn item_event(&mut self, stage: &str, message: String) {
        if self.engine.makes(Mistake::NoScoreEvents) && stage == "Score" {
            return;
        }
        if self.level < DetailLevel::Item && !self.engine.makes(Mistake::ItemEventsAtStageLevel) {
            return;
        }
        let duration_ms = if self.engine.makes(Mistake::ItemEventsLast) { 0.25 } else { 0.0 };
        let event = Event {
            stage: stage.to_owned(),
            level: DetailLevel::Item,
            item_count: 1,
            duration_ms,
            message: Some(message),
        };
        if self.engine.makes(Mistake::ItemEventsAfterTheStage) {
            self.late.push(event);
        } else {
            self.events.push(event);
        }
    }

    pub(super) fn excluded(
        &mut self,
        stage: &str,
        row: Row<'_>,
        reason: &str,
        details: ReasonDetails,
    ) {
        let text = match (details.item_tokens, details.available_tokens) {
            (Some(item), Some(left)) => {
                format!("{reason}: {item} tokens requested, {left} available")
            }
            _ => format!("{reason}: item {}", row.item.position),
        };
        self.item_event(stage, text);
        self.pending.push(row.item.position);
        let (item, score) = (row.item.position, row.score);
        self.excluded.push(Excluded { item, score, reason: reason.to_owned(), details });
    }

    pub(super) fn stage_done(&mut self, stage: &str, entered: usize, left: usize) {
        let silent = self.engine.makes(Mistake::EmptyStagesAreSilent) && entered == 0;
        if silent {
            return;
        }
        let counted = if self.engine.makes(Mistake::EventsCountLeaving) { left } else { entered };
        self.events.push(Event {
            stage: stage.to_owned(),
            level: DetailLevel::Stage,
            item_count: counted as i64,
            duration_ms: 0.5,
            message: None,
        });
        self.events.append(&mut self.late);
        self.snapshots.push(Snapshot {
            stage: stage.to_owned(),
            item_count_in: entered as i64,
            item_count_out: left as i64,
            excluded: if self.engine.makes(Mistake::SnapshotsAddUp) {
                self.pending.clone()
            } else {
                std::mem::take(&mut self.pending)
            },
        });
    }

    pub(super) fn finish(mut self, items: &[Item<'_>], placed: &[Row<'_>]) -> Report {
        let engine = self.engine;
        if !engine.makes(Mistake::ExcludedInOrderOfExclusion) {
            if engine.makes(Mistake::ExcludedTiesByInput) {
                self.excluded.sort_by_key(|it| it.item);
            }
            self.excluded.sort_by(|a, b| engine.best_first(a.score, b.score));
        }
        let negative_too = !engine.makes(Mistake::TotalsSkipNegative);
        let tokens = items.iter().map(|it| it.spec.tokens).filter(|it| negative_too || *it >= 0);
        Report {
            included: Some(placed.iter().map(|row| engine.included(row)).collect()),
            excluded: Some(self.excluded),
            total_candidates: Some(items.len() as i64),
            total_tokens_considered: Some(clamp(engine.sum(tokens))),
            shortfalls: Some(self.shortfalls),
            events: Some(Events { detail_level: self.level, recorded: self.events }),
            snapshots: Some(self.snapshots),
            overflows: Some(self.overflows),
        }
    }
}

impl Plain {
    fn included(self, row: &Row<'_>) -> Included {
        let free = row.tokens() == 0;
        let free_first = self.makes(Mistake::FreeBeforePinned) && free;
        let (score, reason) = if row.item.spec.pinned && !free_first {
            let shown = if self.makes(Mistake::PinnedReportedWithOne) { 1.0 } else { 0.0 };
            (shown, "Pinned")
        } else if free {
            (0.0, "ZeroToken")
        } else {
            (row.score, "Scored")
        };
        Included { item: row.item.position, score, reason: reason.to_owned(), form: 0 }
    }
}
