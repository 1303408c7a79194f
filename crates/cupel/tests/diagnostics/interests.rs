//! What a run tells a collector depends on what the collector wants to know.

use cupel::{
    ContextBudget, ContextItem, ExclusionReason, InclusionReason, Interests, PipelineStage,
    SelectionReport, StageTraceSnapshot, TraceCollector, TraceDetailLevel, TraceEvent,
};

use crate::shorthand::{budget, greedy, sized};

/// Counts what it hears.
struct Listener {
    interests: Interests,
    decisions: usize,
    item_events: usize,
    finished: Vec<(PipelineStage, usize, usize)>,
    snapshots: Vec<(PipelineStage, usize, usize)>,
    reported: usize,
    reported_item_events: usize,
}

impl Listener {
    fn new(interests: Interests) -> Self {
        Self {
            interests,
            decisions: 0,
            item_events: 0,
            finished: Vec::new(),
            snapshots: Vec::new(),
            reported: 0,
            reported_item_events: 0,
        }
    }
}

impl TraceCollector for Listener {
    fn is_enabled(&self) -> bool {
        true
    }

    fn record_stage_event(&mut self, event: TraceEvent) {
        assert!(self.finished.iter().all(|(stage, ..)| *stage != event.stage));
    }

    fn on_stage_finished(&mut self, stage: PipelineStage, entered: usize, left: usize) {
        self.finished.push((stage, entered, left));
    }

    fn record_item_event(&mut self, _event: TraceEvent) {
        self.item_events += 1;
    }

    fn interests(&self) -> Interests {
        self.interests
    }

    fn record_included(&mut self, _item: ContextItem, _score: f64, _reason: InclusionReason) {
        self.decisions += 1;
    }

    fn record_excluded(&mut self, _item: ContextItem, _score: f64, _reason: ExclusionReason) {
        self.decisions += 1;
    }

    fn on_pipeline_completed(
        &mut self,
        report: &SelectionReport,
        _budget: &ContextBudget,
        stages: &[StageTraceSnapshot],
    ) {
        let counts = |it: &StageTraceSnapshot| (it.stage, it.item_count_in, it.item_count_out);
        self.snapshots = stages.iter().map(counts).collect();
        self.reported = report.included.len() + report.excluded.len();
        let of_items = report.events.iter().filter(|event| event.message.is_some());
        self.reported_item_events = of_items.count();
    }
}

/// Five candidates: one invalid, one repeated, one too large, two in the window.
fn run(collector: &mut impl TraceCollector) {
    let items = [("a", 10), ("a", 10), ("b", 10), ("c", 1_000), ("d", -1)]
        .map(|(name, tokens)| sized(name, tokens));
    greedy().build().unwrap().run_traced(&items, &budget(100), collector).unwrap();
}

/// Rule [Completion hook]: one snapshot per stage, in order, with the items that entered and left
#[test]
fn a_collector_hears_how_many_items_each_stage_let_through() {
    let mut listener = Listener::new(Interests::NOTHING.completion(true));
    run(&mut listener);
    assert_eq!(
        listener.finished,
        [
            (PipelineStage::Classify, 5, 4),
            (PipelineStage::Score, 4, 4),
            (PipelineStage::Deduplicate, 4, 3),
            (PipelineStage::Slice, 3, 2),
            (PipelineStage::Place, 2, 2),
        ]
    );
    assert_eq!(listener.snapshots, listener.finished);
}

#[test]
fn a_collector_that_only_counts_is_spared_the_decisions() {
    let mut listener = Listener::new(Interests::NOTHING);
    run(&mut listener);
    assert_eq!((listener.decisions, listener.finished.len()), (0, 5));

    let mut listener = Listener::new(Interests::NOTHING.decisions(true));
    run(&mut listener);
    assert_eq!(listener.decisions, 5);
}

/// Rule [Completion hook]: the report it is given is complete, whatever else the collector wants (ours)
#[test]
fn the_report_at_the_end_is_complete_without_the_decisions() {
    let mut listener = Listener::new(Interests::NOTHING.completion(true));
    run(&mut listener);
    assert_eq!((listener.decisions, listener.reported), (0, 5));
}

#[test]
fn item_events_come_without_the_decisions() {
    let mut listener = Listener::new(Interests::NOTHING.detail(TraceDetailLevel::Item));
    run(&mut listener);
    assert_eq!((listener.decisions, listener.item_events), (0, 4 + 3));
}

#[test]
fn of_a_pair_only_the_one_that_wants_decisions_gets_them() {
    let mut counting = Listener::new(Interests::NOTHING);
    let mut deciding = Listener::new(Interests::NOTHING.decisions(true));
    run(&mut (&mut counting, &mut deciding));
    assert_eq!((counting.decisions, deciding.decisions), (0, 5));
    assert_eq!(counting.finished, deciding.finished);

    let mut neither = (Listener::new(Interests::NOTHING), Listener::new(Interests::NOTHING));
    run(&mut neither);
    assert_eq!((neither.0.decisions, neither.1.decisions), (0, 0));
}

/// Rule [Completion hook]: the report it is given has the events that the collector wants
#[test]
fn the_report_at_the_end_is_as_detailed_as_the_collector_wants() {
    for (detail, item_events) in [(TraceDetailLevel::Stage, 0), (TraceDetailLevel::Item, 4 + 3)] {
        let mut listener = Listener::new(Interests::NOTHING.completion(true).detail(detail));
        run(&mut listener);
        assert_eq!(listener.reported_item_events, item_events, "{detail:?}");
    }
}

/// Rule [TraceCollector]: of a pair, either gets the events of the finer level (ours)
#[test]
fn a_pair_hears_at_the_finer_level_of_the_two() {
    let listening = |detail| Listener::new(Interests::NOTHING.detail(detail));
    let (coarse, fine) = (TraceDetailLevel::Stage, TraceDetailLevel::Item);
    for (first, second) in [(coarse, fine), (fine, coarse)] {
        let mut pair = (listening(first), listening(second));
        assert_eq!(pair.interests().detail, fine);
        run(&mut pair);
        let heard = if first == fine { pair.0.item_events } else { pair.1.item_events };
        assert_eq!(heard, 4 + 3);
    }
}
