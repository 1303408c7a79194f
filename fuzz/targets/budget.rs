//! Any bytes as a budget: what is read obeys the rules, and is written and read again as the same.
#![no_main]

use cupel::ContextBudget;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(budget) = serde_json::from_slice::<ContextBudget>(bytes) {
        assert!((0..=budget.max_tokens()).contains(&budget.target_tokens()));
        assert!((0..=budget.max_tokens()).contains(&budget.output_reserve()));
        let written = serde_json::to_string(&budget).expect("what was read can be written");
        let again: ContextBudget = serde_json::from_str(&written).expect("and read again");
        assert_eq!(again, budget);
    }
});
