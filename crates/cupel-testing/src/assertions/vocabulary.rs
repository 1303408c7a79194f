//! The thirteen patterns of Cupel's testing vocabulary: names and what they ask.

use std::borrow::Borrow;

use cupel::{ContextBudget, ContextKind, ExcludedItem, IncludedItem};

use super::{
    ReasonKind, SelectionReportAssertionChain, SelectionReportAssertionError,
    SelectionReportChecks, assertions, check,
};

assertions! {
    /// # The vocabulary
    ///
    /// Thirteen patterns that every implementation of Cupel shares, with the same meaning and the
    /// same messages. Kinds and budgets may be given by value or by reference; kinds are compared
    /// without regard to ASCII case, as everywhere. Reasons are compared by variant, whatever data
    /// they carry: give a [`ReasonKind`] or any [`ExclusionReason`](cupel::ExclusionReason).
    impl {
        /// At least one included item has this kind.
        fn include_item_with_kind(kind: impl Borrow<ContextKind>);

        /// At least one included item satisfies the predicate.
        ///
        /// The message lists up to five of the included items.
        fn include_item_matching(predicate: impl Fn(&IncludedItem) -> bool);

        /// Exactly `n` included items have this kind. Zero says that none has.
        fn include_exactly_n_items_with_kind(kind: impl Borrow<ContextKind>, n: usize);

        /// At least one item was excluded for this reason.
        fn exclude_item_with_reason(reason: impl Into<ReasonKind>);

        /// At least one excluded item satisfies the predicate and was excluded for this reason.
        fn exclude_item_matching_with_reason(
            predicate: impl Fn(&ExcludedItem) -> bool,
            reason: impl Into<ReasonKind>
        );

        /// At least one excluded item satisfies the predicate and did not fit the budget by exactly
        /// these numbers: `BudgetExceeded` with both values equal.
        fn exclude_item_with_budget_details(
            predicate: impl Fn(&ExcludedItem) -> bool,
            expected_item_tokens: i64,
            expected_available_tokens: i64
        );

        /// No excluded item has this kind.
        ///
        /// That is not the same as including them: there may have been no candidate of the kind.
        fn have_no_exclusions_for_kind(kind: impl Borrow<ContextKind>);

        /// At least `n` items were excluded. Zero always holds.
        fn have_at_least_n_exclusions(n: usize);

        /// No excluded item scores higher than the one before it; NaN ranks below every number.
        ///
        /// Every report of a run has this order. It is for reports made by hand or read from elsewhere.
        fn excluded_items_are_sorted_by_score_descending();

        /// The included tokens are at least this share of the budget's `max_tokens`.
        ///
        /// The comparison is `>=` without tolerance: choose a threshold that is not on the edge of what
        /// a division gives. A window without tokens uses 0 of every budget, an empty one included.
        fn have_budget_utilization_above(threshold: f64, budget: impl Borrow<ContextBudget>);

        /// The included items are of at least `n` different kinds. Zero always holds.
        fn have_kind_coverage_count(n: usize);

        /// The first or the last included item satisfies the predicate.
        ///
        /// What stands at the edges is up to the placer, so this is for pipelines whose placer you know.
        fn place_item_at_edge(predicate: impl Fn(&IncludedItem) -> bool);

        /// The `n` best-scored included items stand at the `n` outermost positions: first, last, second,
        /// second to last, and so on inwards. Zero always holds.
        ///
        /// Their order among those positions is not looked at, and among equal scores any will do. What
        /// counts is the score in the report, which is 0 for pinned items and items that cost nothing,
        /// although a placer sees pinned ones at 1.
        fn place_top_n_scored_at_edges(n: usize);
    }
}
