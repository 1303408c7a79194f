//! Any text as a budget: what is read obeys the rules and is written and read again as the same, and
//! the engine's reader and the one that says where a problem is agree about it.
#![no_main]

use cupel::ContextBudget;
use cupel_fuzz::{agree, read};
use cupel_policy::Loader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let engine = read::<ContextBudget>(text);
    if let Ok(budget) = &engine {
        assert!((0..=budget.max_tokens()).contains(&budget.target_tokens()));
        assert!((0..=budget.max_tokens()).contains(&budget.output_reserve()));
        assert!((0.0..=100.0).contains(&budget.estimation_safety_margin_percent()));
        assert!(budget.reserved_slots().values().all(|tokens| *tokens >= 0));
    }
    // Only the reader for files skips a byte order mark.
    if !text.starts_with('\u{feff}') {
        agree(&engine, &Loader::new().parse_budget(text));
    }
});
