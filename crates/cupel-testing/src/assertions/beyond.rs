//! Assertions of our own, which other implementations of Cupel need not have.

use std::borrow::Borrow;

use cupel::{ContextBudget, IncludedItem};

use super::{
    ReasonKind, SelectionReportAssertionChain, SelectionReportAssertionError,
    SelectionReportChecks, assertions, check,
};

assertions! {
    /// # Beyond the vocabulary
    ///
    /// These are this crate's own: useful, in the same style, and promised by no other
    /// implementation.
    impl {
        /// Nothing was excluded.
        fn have_no_exclusions();

        /// At least `n` items were excluded for this reason. Zero always holds.
        fn have_at_least_n_exclusions_with_reason(n: usize, reason: impl Into<ReasonKind>);

        /// The included tokens fit what a run may select: `target_tokens`, and in any case
        /// `max_tokens - output_reserve`.
        ///
        /// A run can go beyond the target, with pinned items or with the `Proceed` strategy; this is how
        /// to notice.
        fn have_included_tokens_within_budget(budget: impl Borrow<ContextBudget>);

        /// Every included item that satisfies `earlier` stands before every one that satisfies `later`,
        /// and there is at least one of each.
        fn place_items_before(
            earlier: impl Fn(&IncludedItem) -> bool,
            later: impl Fn(&IncludedItem) -> bool
        );

        /// No [group](cupel::ContextItem::group) is partly included and partly excluded.
        ///
        /// Every report of a run keeps that. It is for reports made by hand or read from elsewhere, and for windows that
        /// somebody edited.
        fn keep_groups_whole();

        /// An included item that satisfies the predicate is in a shorter form, one of its variants.
        fn shorten_item_matching(predicate: impl Fn(&IncludedItem) -> bool);

        /// Every included item is whole.
        fn include_items_whole();
    }
}
