//! The built-in strategies keep the promises that custom ones are checked for.

use cupel_testing::generate::{
    items, placer_specs, scored_items, scorer_specs, slicer_specs, slicing_problems,
};
use cupel_testing::laws::{BudgetCompliance, check_placer, check_scorer, check_slicer};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn scorers_obey_the_laws(items in items(24), spec in scorer_specs()) {
        check_scorer(&spec.build()?, &items)?;
    }

    #[test]
    fn slicers_obey_the_laws((scored, budget) in slicing_problems(32), spec in slicer_specs()) {
        let slicer = spec.build()?;
        // Count quotas commit to what they require, whatever it costs.
        let compliance = if slicer.is_count_quota() {
            BudgetCompliance::Waived
        } else {
            BudgetCompliance::Required
        };
        check_slicer(&slicer, &scored, &budget, compliance)?;
    }

    #[test]
    fn placers_obey_the_laws(scored in scored_items(40), spec in placer_specs()) {
        check_placer(&spec.build(), &scored)?;
    }
}
