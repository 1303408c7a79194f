//! The built-in strategies keep the promises that custom ones are checked for.

use cupel_testing::generate::{
    items, loader, placers, scored_items, scorers, slicers, slicing_problems,
};
use cupel_testing::laws::{BudgetCompliance, check_placer, check_scorer, check_slicer};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn scorers_obey_the_laws(items in items(24), config in scorers()) {
        check_scorer(&loader().build_scorer(&config)?, &items)?;
    }

    #[test]
    fn slicers_obey_the_laws((scored, budget) in slicing_problems(32), config in slicers()) {
        let slicer = loader().build_slicer(&config)?;
        // Count quotas commit to what they require, whatever it costs.
        let compliance = if slicer.is_count_quota() {
            BudgetCompliance::Waived
        } else {
            BudgetCompliance::Required
        };
        check_slicer(&slicer, &scored, &budget, compliance)?;
    }

    #[test]
    fn placers_obey_the_laws(scored in scored_items(40), config in placers()) {
        check_placer(&loader().build_placer(&config)?, &scored)?;
    }
}
