//! Strategies that break their contracts, or choose more than fits, at a budget that is tried.

use cupel::{
    Candidate, ChronologicalPlacer, ContextBudget, ContextItem, CupelError, GreedySlice, Placer,
    RunContext, ScoredItem, Selection, Slicer,
};

use super::by_hand::{budget, item, slicing_by};

/// Answers with fixed positions whenever there is something to spend.
struct Positions(Vec<usize>);

impl Slicer for Positions {
    fn slice(
        &self,
        _sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        unreachable!("it has positions to give")
    }

    fn select(
        &self,
        _candidates: &[Candidate<'_>],
        budget: &ContextBudget,
        _context: &RunContext,
    ) -> Result<Selection, CupelError> {
        let kept = if budget.target_tokens() > 0 { self.0.clone() } else { Vec::new() };
        Ok(Selection::keeping(kept))
    }
}

impl Placer for Positions {
    fn place(&self, _items: &[ScoredItem]) -> Vec<ContextItem> {
        unreachable!("it has positions to give")
    }

    fn arrange(
        &self,
        _items: &[Candidate<'_>],
        _context: &RunContext,
    ) -> Result<Vec<usize>, CupelError> {
        Ok(self.0.clone())
    }
}

#[track_caller]
fn assert_broken<T: std::fmt::Debug>(answer: Result<T, CupelError>, family: &str) {
    match answer {
        Err(CupelError::ContractViolation { family: broken, .. }) => assert_eq!(broken, family),
        other => panic!("{other:?}"),
    }
}

/// Rule [Budget Simulation]: any other failure of a tried run is passed on (ours)
#[test]
fn a_slicer_that_breaks_its_contract_is_an_error_of_every_question() {
    let items = [item("a", 10, 0.9), item("b", 10, 0.5)];
    let pipeline = slicing_by(Positions(vec![0, 0])).placer(ChronologicalPlacer).build().unwrap();
    let enough = budget(100);
    assert_broken(pipeline.get_marginal_items(&items, &enough, 10), "slicer");
    assert_broken(pipeline.find_min_budget_for(&items, &enough, &items[0], 100), "slicer");
}

/// Rule [Budget Simulation]: any other failure of a tried run is passed on (ours)
#[test]
fn a_placer_that_breaks_its_contract_is_an_error_of_marginal_items() {
    let items = [item("a", 10, 0.9), item("b", 10, 0.5)];
    let pipeline = slicing_by(GreedySlice).placer(Positions(vec![0, 0])).build().unwrap();
    assert_broken(pipeline.get_marginal_items(&items, &budget(100), 10), "placer");
}

/// Chooses everything, whatever the budget.
struct TakeAll;

impl Slicer for TakeAll {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        Ok(sorted.iter().map(|scored| scored.item.clone()).collect())
    }
}

/// Rule [Budget Simulation]: a tried budget that overflows leaves the target out (ours)
#[test]
fn an_overflow_at_a_tried_budget_does_not_fail_the_search() {
    let items = [item("a", 10, 0.9), item("b", 20, 0.5)];
    let pipeline = slicing_by(TakeAll).build().unwrap();
    let overflows = pipeline.dry_run(&items, &budget(29)).unwrap_err();
    assert!(matches!(overflows, CupelError::Overflow { .. }), "{overflows}");
    let found = |ceiling| pipeline.find_min_budget_for(&items, &budget(100), &items[0], ceiling);
    assert_eq!(found(100), Ok(Some(30)));
    assert_eq!(found(29), Ok(None));
}
