//! The six stages.

use cupel_conformance::engine::*;

use super::report::Trace;
use super::slicers::Sliced;
use super::{Item, Mistake, Plain, Problem, Row, clamp, fold, problem};

/// A finished run.
pub(super) struct Window {
    pub(super) positions: Vec<usize>,
    pub(super) report: Report,
}

/// What the stages of one run share.
pub(super) struct Run<'t> {
    pub(super) engine: Plain,
    pub(super) spec: &'t PipelineSpec,
    pub(super) budget: &'t BudgetSpec,
    pub(super) trace: Trace,
    pub(super) pinned: Vec<Item<'t>>,
    pub(super) pinned_tokens: i128,
}

impl Plain {
    pub(super) fn run_pipeline<'t>(
        self,
        spec: &'t PipelineSpec,
        budget: &'t BudgetSpec,
        items: &[Item<'t>],
        level: DetailLevel,
    ) -> Result<Window, Problem> {
        let trace = Trace::new(self, level);
        let mut run =
            Run { engine: self, spec, budget, trace, pinned: Vec::new(), pinned_tokens: 0 };
        let scoreable = run.classify(items)?;
        let scored = run.score(items, scoreable);
        let unique = run.deduplicate(scored);
        let sorted = run.sort(unique);
        let chosen = run.slice(&sorted)?;
        let placed = run.place(chosen)?;
        Ok(Window {
            positions: placed.iter().map(|row| row.item.position).collect(),
            report: run.trace.finish(items, &placed),
        })
    }

    /// What pinned items and reservations leave for the slicer: maximum and target.
    pub(super) fn effective(self, budget: &BudgetSpec, pinned: i128) -> (i64, i64) {
        let slots = self.sum(budget.reserved_slots.iter().map(|slot| slot.tokens));
        let slots = if self.makes(Mistake::IgnoredReservedSlots) { 0 } else { slots };
        let reserve =
            if self.makes(Mistake::IgnoredOutputReserve) { 0 } else { budget.output_reserve };
        let margin = budget.safety_margin_percent;
        let margin = if self.makes(Mistake::IgnoredMargin) { 0.0 } else { margin };
        let multiplier = 1.0 - margin / 100.0;
        let reduced = |tokens: i128| {
            let mut product = tokens as f64 * multiplier;
            if self.makes(Mistake::MarginInDecimals) {
                product += 1e-6;
            }
            let whole =
                if self.makes(Mistake::MarginRounds) { product.round() } else { product.floor() };
            if margin > 0.0 { (whole as i128).min(tokens) } else { tokens }
        };
        let (max, target) =
            (i128::from(budget.max_tokens - reserve), i128::from(budget.target_tokens));
        let taken = pinned + slots;
        let (max, target) = if self.makes(Mistake::MarginBeforeSubtractions) {
            ((reduced(max) - taken).max(0), (reduced(target) - taken).max(0))
        } else {
            let off_the_maximum = match self.0 {
                Some(Mistake::PinnedOutsideTheMaximum) => slots,
                Some(Mistake::SlotsOutsideTheMaximum) => pinned,
                _ => taken,
            };
            let max = (max - off_the_maximum).max(0);
            (reduced(max), reduced((target - taken).max(0)))
        };
        if self.makes(Mistake::TargetBeyondMaximum) {
            return (clamp(max.max(target)), clamp(target));
        }
        (clamp(max), clamp(target.min(max)))
    }
}

impl<'t> Run<'t> {
    pub(super) fn makes(&self, mistake: Mistake) -> bool {
        self.engine.makes(mistake)
    }

    fn classify(&mut self, items: &[Item<'t>]) -> Result<Vec<Item<'t>>, Problem> {
        let mut scoreable = Vec::new();
        for &item in items {
            let pinned_first = self.makes(Mistake::PinnedBeforeNegative) && item.spec.pinned;
            if item.spec.tokens < 0 && !pinned_first {
                let tokens = Some(item.spec.tokens);
                let details = ReasonDetails { tokens, ..ReasonDetails::default() };
                let row = Row { item, score: 0.0 };
                self.trace.excluded("Classify", row, "NegativeTokens", details);
            } else if item.spec.pinned {
                self.pinned.push(item);
            } else {
                scoreable.push(item);
            }
        }
        self.pinned_tokens = self.engine.sum(self.pinned.iter().map(|it| it.spec.tokens));
        let available = if self.makes(Mistake::PinnedAgainstTarget) {
            self.budget.target_tokens
        } else {
            self.budget.max_tokens - self.budget.output_reserve
        };
        let exactly = self.makes(Mistake::PinnedNeedRoomToSpare);
        if self.pinned_tokens > i128::from(available) - i128::from(exactly) {
            return Err(problem("PinnedExceedsBudget", "")
                .with("pinned_tokens", self.pinned_tokens)
                .with("available", available.into()));
        }
        self.trace.stage_done("Classify", items.len(), self.pinned.len() + scoreable.len());
        Ok(scoreable)
    }

    fn score(&mut self, items: &[Item<'t>], scoreable: Vec<Item<'t>>) -> Vec<Row<'t>> {
        let contents = |until: usize| scoreable[..until].iter().map(|it| &it.spec.content);
        let new = |&at: &usize| !contents(at).any(|it| *it == scoreable[at].spec.content);
        let unique: Vec<Item<'t>> =
            (0..scoreable.len()).filter(new).map(|at| scoreable[at]).collect();
        let list = match self.engine.0 {
            Some(Mistake::ScorersSeeEverything) => items,
            Some(Mistake::ScorersSeeNoDuplicates) => &unique,
            _ => &scoreable,
        };
        let score = |item: &Item<'t>| self.engine.score_of(&self.spec.scorer, item, list);
        let rows: Vec<Row<'t>> =
            scoreable.iter().map(|item| Row { item: *item, score: score(item) }).collect();
        for row in &rows {
            self.trace.item_event("Score", format!("Scored: {}", row.score));
        }
        self.trace.stage_done("Score", rows.len(), rows.len());
        rows
    }

    fn deduplicate(&mut self, rows: Vec<Row<'t>>) -> Vec<Row<'t>> {
        let folds = self.makes(Mistake::DuplicatesFoldCase);
        let key = |row: &Row<'_>| {
            let content = &row.item.spec.content;
            if folds { fold(content.trim()) } else { content.clone() }
        };
        let engine = self.engine;
        let wins = |row: &Row<'_>, kept: &Row<'_>| match engine.best_first(row.score, kept.score) {
            _ if engine.makes(Mistake::DuplicatesKeepFirst) => false,
            _ if engine.makes(Mistake::DuplicatesKeepLast) => true,
            order => order.is_lt(),
        };
        let mut best: Vec<(String, usize)> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            match best.iter_mut().find(|(content, _)| *content == key(row)) {
                Some((_, kept)) if wins(row, &rows[*kept]) => *kept = at,
                Some(_) => {}
                None => best.push((key(row), at)),
            }
        }
        let survivor = |at: usize| {
            let same = best.iter().find(|(content, _)| *content == key(&rows[at]));
            same.map_or(at, |(_, kept)| *kept)
        };
        let mut unique = Vec::new();
        if self.makes(Mistake::DuplicatesTakeTheFirstPlace) && self.spec.deduplication {
            return best.iter().map(|(_, kept)| rows[*kept]).collect();
        }
        for (at, row) in rows.iter().enumerate() {
            if !self.spec.deduplication || survivor(at) == at {
                unique.push(*row);
                continue;
            }
            let deduplicated_against = Some(rows[survivor(at)].item.spec.content.clone());
            let details = ReasonDetails { deduplicated_against, ..ReasonDetails::default() };
            let lost = self.makes(Mistake::DuplicatesLoseTheirScore);
            let row = if lost { Row { score: 0.0, ..*row } } else { *row };
            self.trace.excluded("Deduplicate", row, "Deduplicated", details);
        }
        if self.spec.deduplication || !self.makes(Mistake::DisabledStageIsSilent) {
            self.trace.stage_done("Deduplicate", rows.len(), unique.len());
        }
        if self.makes(Mistake::PinnedDeduplicate) {
            let pinned = |content: &str| self.pinned.iter().any(|it| it.spec.content == content);
            unique.retain(|row| !pinned(&row.item.spec.content));
        }
        unique
    }

    fn sort(&self, mut rows: Vec<Row<'t>>) -> Vec<Row<'t>> {
        if self.makes(Mistake::UnstableSort) && rows.len() > 20 {
            // What quicksorts do: keep short lists in order and shuffle ties in long ones.
            rows.sort_by_key(|row| row.item.position * 7 % 11);
        }
        rows.sort_by(|a, b| self.engine.best_first(a.score, b.score));
        rows
    }

    fn slice(&mut self, sorted: &[Row<'t>]) -> Result<Vec<Row<'t>>, Problem> {
        let (max, target) = self.engine.effective(self.budget, self.pinned_tokens);
        let sliced = self.engine.choose(&self.spec.slicer, sorted, max, target)?;
        let chosen_tokens = self.engine.sum(sliced.kept.iter().map(|&at| sorted[at].tokens()));
        let left = clamp(i128::from(target) - chosen_tokens);
        let left = if self.makes(Mistake::AvailableAtLeastZero) { left.max(0) } else { left };
        let available = if self.makes(Mistake::AvailableIsTheTarget) { target } else { left };

        let kept = self.matched(sorted, &sliced);
        let mut unchosen: Vec<usize> = (0..sorted.len()).filter(|at| !kept.contains(at)).collect();
        if self.makes(Mistake::SliceExcludesInInputOrder) {
            unchosen.sort_by_key(|&at| sorted[at].item.position);
        } else if self.makes(Mistake::CapsExcludedFirst) {
            unchosen.sort_by_key(|&at| !sliced.capped.iter().any(|it| it.row == at));
        }
        for (at, row) in unchosen.into_iter().map(|at| (at, &sorted[at])) {
            let (reason, details) = self.why_not_chosen(at, row, &sliced, target, available);
            self.trace.excluded("Slice", *row, reason, details);
        }
        let mut order: Vec<usize> = (0..sorted.len()).filter(|at| kept.contains(at)).collect();
        if self.makes(Mistake::MergeInSlicerOrder) {
            order = sliced.kept.clone();
        }
        self.trace.shortfalls = sliced.shortfalls;
        self.trace.stage_done("Slice", sorted.len(), order.len());
        Ok(order.into_iter().map(|at| sorted[at]).collect())
    }

    /// Which rows count as chosen.
    fn matched(&self, sorted: &[Row<'_>], sliced: &Sliced) -> Vec<usize> {
        let chosen = |at: usize| {
            let content = &sorted[at].item.spec.content;
            let by_content =
                || sliced.kept.iter().any(|&kept| sorted[kept].item.spec.content == *content);
            let earlier = || {
                let same = |&kept: &usize| {
                    kept < at && sorted[kept].item.instance == sorted[at].item.instance
                };
                sliced.kept.iter().any(same)
            };
            match self.engine.0 {
                Some(Mistake::ContentIdentity) => by_content(),
                Some(Mistake::HandleIdentity) => sliced.kept.contains(&at) && !earlier(),
                _ => sliced.kept.contains(&at),
            }
        };
        (0..sorted.len()).filter(|&at| chosen(at)).collect()
    }

    fn why_not_chosen(
        &self,
        at: usize,
        row: &Row<'_>,
        sliced: &Sliced,
        target: i64,
        available: i64,
    ) -> (&'static str, ReasonDetails) {
        let truncates = self.spec.overflow_strategy == OverflowStrategy::Truncate
            || self.makes(Mistake::PinnedOverrideAlways);
        let without_pinned = if self.makes(Mistake::PinnedOverrideByTheTarget) {
            self.budget.target_tokens
        } else {
            self.engine.effective(self.budget, 0).1
        };
        let displaced = truncates
            && self.pinned_tokens > 0
            && row.tokens() > target
            && row.tokens() <= without_pinned;
        let capped = sliced.capped.iter().find(|it| it.row == at);
        let blames_pinned_first = self.makes(Mistake::PinnedOverrideBeforeCaps) && displaced;
        if let Some(capped) = capped
            && !self.makes(Mistake::CapsReportedAsBudget)
            && !blames_pinned_first
        {
            let folds = self.makes(Mistake::CapsFoldKinds);
            let kind = &row.item.spec.kind;
            let kind = Some(if folds { self.engine.folded(kind) } else { kind.clone() });
            let (cap, count) = (Some(capped.cap), Some(capped.count));
            return ("CountCapExceeded", ReasonDetails { kind, cap, count, ..Default::default() });
        }
        if displaced {
            return self.pinned_override();
        }
        budget_exceeded(row, available)
    }

    pub(super) fn pinned_override(&self) -> (&'static str, ReasonDetails) {
        let last = self.makes(Mistake::DisplacedByTheLast);
        let pinned = if last { self.pinned.last() } else { self.pinned.first() };
        let displaced_by = pinned.map(|it| it.spec.content.clone());
        ("PinnedOverride", ReasonDetails { displaced_by, ..ReasonDetails::default() })
    }
}

pub(super) fn budget_exceeded(row: &Row<'_>, available: i64) -> (&'static str, ReasonDetails) {
    let (item_tokens, available_tokens) = (Some(row.tokens()), Some(available));
    ("BudgetExceeded", ReasonDetails { item_tokens, available_tokens, ..ReasonDetails::default() })
}
