//! Assertions under names that other crates gave them.

use std::borrow::Borrow;

use cupel::{ContextKind, ExcludedItem};

use super::{
    SelectionReportAssertionChain, SelectionReportAssertionError, SelectionReportChecks,
    assertions, check,
};

assertions! {
    /// # Other names
    ///
    /// For tests that were written with these names; messages have the vocabulary's.
    impl {
        /// [`include_exactly_n_items_with_kind`](Self::include_exactly_n_items_with_kind).
        fn include_exact_n_items_with_kind(kind: impl Borrow<ContextKind>, n: usize);

        /// [`exclude_item_with_budget_details`](Self::exclude_item_with_budget_details).
        fn have_excluded_item_with_budget_details(
            predicate: impl Fn(&ExcludedItem) -> bool,
            expected_item_tokens: i64,
            expected_available_tokens: i64
        );
    }
}
