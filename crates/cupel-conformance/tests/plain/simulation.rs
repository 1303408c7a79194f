//! Questions that take several runs.

use cupel_conformance::engine::*;

use super::build::check_budget;
use super::{Item, Mistake, Plain, Problem, problem};

const MARGINAL_GUARD: &str = "GetMarginalItems requires monotonic item inclusion. QuotaSlice \
    produces non-monotonic inclusion as budget changes shift percentage allocations.";
const MIN_BUDGET_GUARD: &str = "FindMinBudgetFor requires monotonic item inclusion. QuotaSlice and \
    CountQuotaSlice produce non-monotonic inclusion as budget changes shift allocations. Use a \
    GreedySlice or KnapsackSlice inner slicer for budget simulation.";

impl Plain {
    fn window<'t>(
        self,
        pipeline: &'t PipelineSpec,
        budget: &'t BudgetSpec,
        items: &[Item<'t>],
    ) -> Result<Vec<usize>, Problem> {
        Ok(self.run_pipeline(pipeline, budget, items, DetailLevel::Stage)?.positions)
    }

    /// Whether a slicer, or one inside it, is one of these.
    fn contains(self, slicer: &SlicerSpec, is: impl Fn(&SlicerSpec) -> bool + Copy) -> bool {
        let inner = match slicer {
            _ if self.makes(Mistake::GuardsSeeTheOuterSlicerOnly) => None,
            SlicerSpec::Quota { inner, .. } | SlicerSpec::CountQuota { inner, .. } => Some(inner),
            _ => None,
        };
        is(slicer) || inner.is_some_and(|inner| self.contains(inner, is))
    }

    pub(super) fn find_marginal(self, task: &MarginalItemsTask) -> Result<Marginal, Problem> {
        let MarginalItemsTask { pipeline, budget, slack_tokens: slack, .. } = task;
        if self.contains(&pipeline.slicer, |it| matches!(it, SlicerSpec::Quota { .. })) {
            return Err(problem("PipelineConfig", MARGINAL_GUARD));
        }
        let counts = |it: &SlicerSpec| matches!(it, SlicerSpec::CountQuota { .. });
        if self.makes(Mistake::MarginalGuardsCounts) && self.contains(&pipeline.slicer, counts) {
            return Err(problem("PipelineConfig", MARGINAL_GUARD));
        }
        let most = budget.max_tokens.min(budget.target_tokens);
        if !(0..=most).contains(slack) || budget.max_tokens - slack < budget.output_reserve {
            return Err(problem("InvalidBudget", "slack"));
        }
        let max_tokens = budget.max_tokens - slack;
        let target_tokens = if self.makes(Mistake::MarginalKeepsTheTarget) {
            budget.target_tokens.min(max_tokens)
        } else {
            budget.target_tokens - slack
        };
        let mut reduced = BudgetSpec { max_tokens, target_tokens, ..budget.clone() };
        if self.makes(Mistake::MarginalDropsReservations) {
            reduced.reserved_slots.clear();
            reduced.safety_margin_percent = 0.0;
        }
        let items = self.items(&task.items);
        let mut full = self.window(pipeline, budget, &items)?;
        if self.makes(Mistake::MarginalInInputOrder) {
            full.sort_unstable();
        }
        let small = self.window(pipeline, &reduced, &items)?;
        let lost =
            |&at: &usize| !small.iter().any(|&other| self.is_item(&items[at], &items[other]));
        Ok(Marginal { items: full.into_iter().filter(lost).collect() })
    }

    fn is_item(self, a: &Item<'_>, b: &Item<'_>) -> bool {
        if self.makes(Mistake::ContentIdentity) {
            return a.spec.content == b.spec.content;
        }
        self.same(a, b)
    }

    pub(super) fn search_min_budget(self, task: &MinBudgetTask) -> Result<Option<i64>, Problem> {
        let quotas = |it: &SlicerSpec| match it {
            SlicerSpec::Quota { .. } | SlicerSpec::CountQuota { .. } => true,
            SlicerSpec::CountConstrainedKnapsack { .. } => {
                !self.makes(Mistake::CountKnapsackUnguarded)
            }
            _ => false,
        };
        if self.contains(&task.pipeline.slicer, quotas) {
            return Err(problem("PipelineConfig", MIN_BUDGET_GUARD));
        }
        let items = self.items(&task.items);
        let mut target = items[task.target];
        if task.target_rebuilt {
            target.instance = usize::MAX;
        }
        if !items.iter().any(|item| self.same(item, &target)) {
            return Err(problem("InvalidBudget", "no such item"));
        }
        if task.search_ceiling < target.spec.tokens {
            return Err(problem("InvalidBudget", "ceiling"));
        }
        if target.spec.tokens < 0 && !self.makes(Mistake::NegativeTokensAreSought) {
            return Ok(None);
        }
        let (mut low, mut high) = (target.spec.tokens, task.search_ceiling);
        if !self.makes(Mistake::LowBoundUntested) && self.includes(task, &items, &target, low)? {
            return Ok(Some(low));
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.includes(task, &items, &target, middle)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        let found = self.makes(Mistake::MinBudgetUnverified)
            || self.includes(task, &items, &target, high)?;
        Ok(found.then_some(high))
    }

    fn includes(
        self,
        task: &MinBudgetTask,
        items: &[Item<'_>],
        target: &Item<'_>,
        tokens: i64,
    ) -> Result<bool, Problem> {
        let reserve = task.budget.output_reserve;
        let unclamped = self.makes(Mistake::MinBudgetKeepsTheReserve);
        let mut budget = BudgetSpec {
            max_tokens: tokens,
            target_tokens: tokens,
            output_reserve: if unclamped { reserve } else { reserve.min(tokens) },
            ..task.budget.clone()
        };
        if self.makes(Mistake::MinBudgetDropsReservations) {
            budget.reserved_slots.clear();
            budget.safety_margin_percent = 0.0;
        }
        check_budget(&budget)?;
        match self.window(&task.pipeline, &budget, items) {
            Ok(window) => Ok(window.iter().any(|&at| self.is_item(&items[at], target))),
            Err(error)
                if matches!(error.variant, "PinnedExceedsBudget" | "Overflow")
                    && !self.makes(Mistake::MinBudgetPassesErrorsOn) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn compare(self, task: &SensitivityTask) -> Result<Sensitivity, Problem> {
        if task.variants.len() < 2 {
            let message = "policy_sensitivity requires at least 2 variants";
            return Err(problem("PipelineConfig", message));
        }
        let items = self.items(&task.items);
        let window = |variant: &Variant| {
            let included = self.window(&variant.pipeline, &task.budget, &items)?;
            Ok(VariantWindow { label: variant.label.clone(), included })
        };
        let variants: Vec<VariantWindow> =
            task.variants.iter().map(window).collect::<Result<_, Problem>>()?;
        let mut contents: Vec<&str> = Vec::new();
        for item in &items {
            if !contents.contains(&item.spec.content.as_str()) {
                contents.push(&item.spec.content);
            }
        }
        if self.makes(Mistake::DiffsAlphabetical) {
            contents.sort_unstable();
        }
        let status = |content: &str, variant: &VariantWindow| {
            let is = |at: usize| items[at].spec.content == content;
            let of_content = (0..items.len()).filter(|&at| is(at)).count();
            let shown = variant.included.iter().filter(|&&at| is(at)).count();
            let all = self.makes(Mistake::StatusNeedsAllItems);
            let included = shown > 0 && (shown == of_content || !all);
            let status = if included { "Included" } else { "Excluded" };
            VariantStatus { label: variant.label.clone(), status: status.to_owned() }
        };
        let diff = |content: &str| Diff {
            content: content.to_owned(),
            statuses: variants.iter().map(|variant| status(content, variant)).collect(),
        };
        let differs = |diff: &Diff| {
            self.makes(Mistake::DiffsListEverything)
                || diff.statuses.iter().any(|it| it.status != diff.statuses[0].status)
        };
        let diffs = contents.into_iter().map(diff).filter(differs).collect();
        Ok(Sensitivity { variants, diffs })
    }
}
