//! The mistakes, each with the vector that was written against it.

macro_rules! mistakes {
    ($($(#[$doc:meta])* $name:ident: $vector:literal,)+) => {
        /// A way to get Cupel wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Mistake {
            $($(#[$doc])* $name,)+
        }

        impl Mistake {
            /// Every mistake with a vector that must catch it.
            pub(crate) const ALL: &[(Self, &str)] = &[$((Self::$name, $vector),)+];
        }
    };
}

mistakes! {
    // Identity and order
    /// Items are the same if their fields are equal.
    ValueIdentity: "extended/scoring/frequency-equal-items-are-peers.toml",
    /// Items are the same if their contents are equal.
    ContentIdentity: "extended/slicing/count-quota-equal-content-is-not-identity.toml",
    /// One handle passed twice is one candidate.
    HandleIdentity: "extended/pipeline/same-instance-twice-without-deduplication.toml",
    /// Kinds are compared with case.
    KindsCaseSensitive: "extended/scoring/kind-spelling-does-not-matter.toml",
    /// Ties are shuffled, as quicksorts do in longer lists.
    UnstableSort: "extended/pipeline/sort-keeps-input-order-of-ties-in-a-long-list.toml",
    /// Scores are ordered by their bits: -0.0 below 0.0.
    TotalCmp: "extended/pipeline/sort-treats-negative-zero-as-zero.toml",
    /// NaN ranks above every number.
    NanFirst: "extended/slicing/greedy-nan-ranks-below-every-number.toml",
    /// Sums of tokens wrap at 64 bits.
    WrappingSums: "extended/pipeline/pinned-sum-does-not-wrap.toml",
    /// What cannot be built is refused only when it is run.
    ValidatesWhenRun: "extended/pipeline/budget-target-above-maximum-is-refused.toml",
    /// Of two spellings of one kind the last weight counts.
    MapsKeepTheLast: "extended/scoring/kind-two-spellings-are-refused.toml",
    /// Case is folded beyond ASCII.
    FoldsBeyondAscii: "extended/scoring/kind-folds-ascii-only.toml",

    // Scorers
    /// Items of equal value count as lower.
    RanksCountTies: "required/scoring/recency-equal-timestamps-share-a-rank.toml",
    /// Ranks are divided by the number of all items.
    RanksDivideByAll: "required/scoring/recency-null-timestamps-stay-out-of-the-rank.toml",
    /// Ranks are divided by N, not by N - 1.
    RanksDivideByN: "required/scoring/recency-ranks-by-age.toml",
    /// The only item with a value scores 0.
    SingleRankIsZero: "optional/scoring/recency-single-item.toml",
    /// Weights of kinds are at most 1.
    KindWeightsClamped: "required/scoring/kind-custom-weights-are-not-clamped.toml",
    /// TagScorer ignores case by default.
    TagsFoldByDefault: "extended/scoring/tag-compares-exactly-by-default.toml",
    /// A tag that stands twice counts once.
    TagsCountOnce: "extended/scoring/tag-repeated-tags-add-up-and-are-clamped.toml",
    /// Repeated tags take the score above 1.
    TagsUnclamped: "extended/scoring/tag-repeated-tags-add-up-and-are-clamped.toml",
    /// FrequencyScorer compares with case.
    FrequencyCaseSensitive: "required/scoring/frequency-share-of-peers.toml",
    /// Peers without tags do not count as peers.
    FrequencyDividesByTagged: "required/scoring/frequency-share-of-peers.toml",
    /// Timestamps are ranked by whole seconds.
    RecencyInSeconds: "extended/scoring/recency-sub-second-differences-count.toml",
    /// Hints beyond the unit range are passed on.
    HintsUnclamped: "required/scoring/reflexive-hint-clamped-to-unit-range.toml",
    /// An infinite hint is clamped to 1.
    HintsClampInfinity: "extended/scoring/reflexive-non-finite-hints.toml",
    /// Composites multiply.
    CompositeMultiplies: "required/scoring/composite-weighted-average.toml",
    /// Composites do not normalise their weights.
    CompositeRawWeights: "required/scoring/composite-weighted-average.toml",
    /// Equal scores scale to 0.
    ScaledTieIsZero: "optional/scoring/scaled-equal-inner-scores.toml",
    /// Scaling divides by the maximum.
    ScaledByMaximum: "required/scoring/scaled-spreads-to-unit-range.toml",
    /// Infinite trust is clamped to 1.
    TrustClampsInfinity: "extended/scoring/metadata-trust-non-finite-value.toml",
    /// A boost is at most 1.
    BoostClamped: "extended/scoring/metadata-key-match.toml",
    /// Items without the metadata entry score 0.
    NoMatchScoresZero: "extended/scoring/metadata-key-missing.toml",
    /// Items without a timestamp decay to 0.
    UndatedDecayIsZero: "extended/scoring/decay-missing-timestamp-default.toml",
    /// An item from the future has aged by its distance.
    FutureAgesByDistance: "extended/scoring/decay-future-item-is-fresh.toml",
    /// The end of a window belongs to it.
    WindowInclusive: "extended/scoring/decay-window-excludes-its-end.toml",
    /// The end of a step belongs to the younger one.
    StepInclusive: "extended/scoring/decay-step-boundaries-belong-to-the-older-window.toml",
    /// Beyond the last step the score is 0.
    BeyondStepsIsZero: "extended/scoring/decay-step-boundaries-belong-to-the-older-window.toml",
    /// Durations are cut to milliseconds.
    DurationsInMilliseconds: "extended/scoring/decay-below-a-millisecond.toml",
    /// Kinds without a weight score as messages do.
    UnknownKindsFallBack: "extended/scoring/kind-empty-weight-map.toml",
    /// Tags are divided by the weights an item could match.
    TagsDivideByMatched: "required/scoring/tag-weight-over-total.toml",
    /// Of an instance that stands twice only one place is skipped.
    FrequencySkipsOnce: "extended/scoring/frequency-same-instance-twice.toml",
    /// The value of a metadata entry does not matter.
    KeysMatchAlone: "extended/scoring/metadata-key-other-value.toml",

    // Slicers
    /// A target of 0 still takes what costs nothing.
    ZeroTargetTakesFreeItems: "extended/slicing/greedy-zero-target-selects-nothing.toml",
    /// What costs nothing is dropped.
    FreeItemsDropped: "required/slicing/greedy-zero-token-items-are-free.toml",
    /// Greedy goes by score, not by density.
    GreedyByScore: "required/slicing/greedy-fills-by-density.toml",
    /// Greedy stops at the first item that does not fit.
    GreedyStops: "extended/slicing/greedy-goes-on-after-an-item-that-does-not-fit.toml",
    /// Greedy does not fill its budget to the last token.
    GreedyNeedsRoomToSpare: "extended/slicing/greedy-single-item-at-the-limit.toml",
    /// Equal densities go to the later item.
    DensityTiesReversed: "required/slicing/greedy-equal-density-takes-the-earlier-item.toml",
    /// Equal totals go to the later item.
    KnapsackTakesTies: "extended/slicing/knapsack-tie-keeps-the-earlier-item.toml",
    /// Items are rounded down to buckets.
    WeightsRoundDown: "required/slicing/knapsack-rounds-weights-up-and-capacity-down.toml",
    /// The budget is rounded up to buckets.
    CapacityRoundsUp: "required/slicing/knapsack-rounds-weights-up-and-capacity-down.toml",
    /// What costs nothing counts for the size of the table.
    TableCountsFreeItems: "extended/slicing/knapsack-table-limit-is-inclusive.toml",
    /// Required percentages must not exceed 100 by the least rounding noise: an epsilon of zero.
    QuotaSumWithoutTolerance: "extended/slicing/quota-required-sum-allows-rounding-noise.toml",
    /// Kinds without candidates require nothing.
    AbsentKindsRequireNothing:
        "extended/slicing/quota-required-share-of-an-absent-kind-is-unused.toml",
    /// Kinds that cannot grow take part in the distribution.
    FixedKindsTakePart:
        "extended/slicing/quota-fixed-kind-takes-no-part-in-the-distribution.toml",
    /// Kinds get equal shares, whatever their candidates.
    EqualShares: "extended/slicing/quota-without-entries-shares-by-mass.toml",
    /// Caps on shares are ignored.
    QuotaIgnoresCap: "required/slicing/quota-require-and-cap.toml",
    /// Percentages are rounded to the nearest token.
    PercentagesRound: "extended/slicing/quota-percentages-round-down.toml",
    /// Shares are computed in floats.
    SharesInFloats: "extended/slicing/quota-shares-are-exact-integers.toml",
    /// Scarcity is noticed even without budget or candidates.
    ScarcityBeforeTheBudget: "extended/slicing/count-quota-zero-target-under-throw.toml",
    /// Required items are left out if they do not fit.
    RequiredItemsMustFit: "extended/slicing/count-quota-required-items-may-exceed-the-budget.toml",
    /// A kind without any candidate is not scarce.
    AbsentKindIsNoScarcity: "extended/slicing/count-quota-absent-kind-degrade.toml",
    /// Required items are taken in input order.
    RequiredInInputOrder: "extended/slicing/count-quota-commits-by-score-in-unsorted-input.toml",
    /// What is required does not reduce the rest of the budget.
    FullResidual: "extended/slicing/count-quota-required-items-exhaust-the-budget.toml",
    /// Caps forget what is required.
    CapsCountFromZero: "extended/slicing/count-constrained-knapsack-cap-exclusion.toml",
    /// Caps see items in the knapsack's order.
    CapsWithoutResort: "extended/slicing/count-constrained-knapsack-caps-keep-the-best.toml",
    /// Of equal scores caps keep the later item.
    ResortReversesTies:
        "extended/slicing/count-constrained-knapsack-equal-scores-keep-the-earlier-item.toml",
    /// CountQuotaSlice sorts what its inner slicer chose.
    CountQuotaResorts: "extended/slicing/count-quota-caps-follow-the-inner-order.toml",
    /// The largest table allowed is refused.
    TableLimitExclusive: "extended/slicing/knapsack-table-limit-is-inclusive.toml",
    /// The knapsack sees differences below four digits.
    KnapsackExactScores: "extended/slicing/knapsack-scores-are-cut-to-four-digits.toml",
    /// Kinds are sliced in alphabetical order.
    KindsAlphabetical: "extended/slicing/quota-takes-kinds-in-order-of-first-appearance.toml",
    /// Percentages are computed as if doubles were decimals.
    PercentagesInDecimals: "extended/slicing/quota-percentage-in-double-precision.toml",

    /// RankSlice stops at the first item that does not fit.
    RankStops: "extended/slicing/rank-goes-on-after-an-item-that-does-not-fit.toml",
    /// RankSlice divides by the tokens whatever the floor is.
    RankForgetsTheFloor: "extended/slicing/rank-size-floor.toml",

    // Placers
    /// The input-order placer puts pinned items first.
    InputOrderKeepsPinnedFirst: "extended/pipeline/input-order-keeps-pinned-items-in-place.toml",
    /// Documents come in order of the part that is given first.
    DocumentsByFirstPart: "extended/placing/reading-order-documents-by-their-best-part.toml",
    /// Items without a document are parts of one.
    NoDocumentIsOne: "extended/placing/reading-order-items-without-a-document.toml",
    /// Parts without a position come before those with one.
    UnplacedPartsFirst: "extended/placing/reading-order-parts-without-a-position.toml",
    /// Items without a timestamp come first.
    UndatedFirst: "required/placing/chronological-undated-items-last.toml",
    /// Equal timestamps are ordered by score.
    TimeTiesByScore: "extended/placing/chronological-equal-timestamps.toml",
    /// Items of one second keep the order given.
    PlacesInSeconds: "extended/placing/chronological-orders-instants.toml",
    /// The best item stands at the end.
    EdgesMirrored: "required/placing/u-shaped-best-at-the-edges.toml",
    /// Equal scores are ranked backwards.
    EdgeTiesReversed: "required/placing/u-shaped-equal-scores-rank-by-position.toml",

    // Stages
    /// A pinned item with negative tokens is pinned.
    PinnedBeforeNegative: "extended/pipeline/negative-tokens-win-over-pinned.toml",
    /// Pinned items must fit the target.
    PinnedAgainstTarget:
        "extended/pipeline/pinned-items-are-checked-against-the-maximum-not-the-target.toml",
    /// Scorers are given pinned and invalid items too.
    ScorersSeeEverything: "extended/diagnostics/scorer-sees-scoreable-items-only.toml",
    /// Contents that differ in case are duplicates.
    DuplicatesFoldCase: "extended/pipeline/deduplicate-compares-bytes.toml",
    /// Of duplicates the first is kept, whatever its score.
    DuplicatesKeepFirst: "optional/pipeline/duplicate-content-keeps-the-best-score.toml",
    /// Of duplicates the last is kept.
    DuplicatesKeepLast: "extended/pipeline/deduplicate-keeps-the-earlier-of-equal-scores.toml",
    /// The best of duplicates takes the place of the first.
    DuplicatesTakeTheFirstPlace:
        "extended/pipeline/deduplicate-survivors-keep-their-own-position.toml",
    /// A scoreable item equal to a pinned one is a duplicate.
    PinnedDeduplicate: "extended/pipeline/deduplicate-leaves-pinned-items-alone.toml",
    /// The safety margin is ignored.
    IgnoredMargin: "extended/pipeline/safety-margin-follows-the-subtractions.toml",
    /// The safety margin rounds to the nearest token.
    MarginRounds: "extended/pipeline/safety-margin-rounds-down.toml",
    /// The safety margin is taken before pinned items and slots.
    MarginBeforeSubtractions: "extended/pipeline/safety-margin-follows-the-subtractions.toml",
    /// Reserved slots are ignored.
    IgnoredReservedSlots: "extended/pipeline/reserved-slots-shrink-the-budget.toml",
    /// The output reserve is ignored when slicing.
    IgnoredOutputReserve: "extended/pipeline/output-reserve-caps-the-target.toml",
    /// Pinned items do not reduce the effective maximum.
    PinnedOutsideTheMaximum: "extended/pipeline/pinned-items-shrink-the-maximum-too.toml",
    /// Reserved slots do not reduce the effective maximum.
    SlotsOutsideTheMaximum: "extended/pipeline/reserved-slots-above-the-budget.toml",
    /// Chosen items are merged in the slicer's order.
    MergeInSlicerOrder: "extended/pipeline/merged-order-follows-scores-after-greedy.toml",
    /// Pinned items are merged after the chosen ones.
    PinnedAfterChosen: "extended/pipeline/merged-order-decides-ties-at-the-edges.toml",
    /// Placers see pinned items at score 0.
    PinnedScoreZero: "extended/pipeline/scores-above-one-outrank-pinned-items.toml",
    /// Overflow is measured against the effective target.
    OverflowAgainstEffectiveTarget:
        "extended/pipeline/overflow-is-measured-against-the-original-target.toml",
    /// Overflow is measured against the target alone.
    OverflowIgnoresReserve: "extended/pipeline/overflow-respects-the-output-reserve.toml",
    /// Truncation stops at the first item that does not fit.
    TruncateStops: "extended/pipeline/truncate-walks-forward.toml",
    /// Truncation does not fill the limit to the last token.
    TruncateNeedsRoomToSpare: "extended/pipeline/truncate-walks-forward.toml",
    /// Truncation drops pinned items.
    TruncateDropsPinned: "optional/pipeline/truncate-never-drops-pinned-items.toml",
    /// Pinned items that fill all there is are too many.
    PinnedNeedRoomToSpare: "extended/pipeline/zero-budget.toml",
    /// Scorers are not given repeated contents.
    ScorersSeeNoDuplicates: "extended/diagnostics/scorer-sees-duplicates.toml",
    /// The safety margin is computed as if doubles were decimals.
    MarginInDecimals: "extended/pipeline/safety-margin-in-double-precision.toml",
    /// The effective target may exceed the effective maximum.
    TargetBeyondMaximum: "extended/pipeline/output-reserve-caps-the-target.toml",
    /// A selection that fills the target overflows.
    OverflowAtTheLimit: "required/pipeline/pinned-items-join-scored-ones.toml",
    /// An overflow error states the target, not the limit.
    OverflowStatesTheTarget: "extended/pipeline/overflow-respects-the-output-reserve.toml",

    // Diagnostics
    /// Pinned items are reported with score 1.
    PinnedReportedWithOne: "extended/diagnostics/every-item-has-a-reason.toml",
    /// A pinned item that costs nothing is reported as free.
    FreeBeforePinned: "extended/diagnostics/zero-token-inclusion.toml",
    /// What was left is never reported below 0.
    AvailableAtLeastZero: "extended/diagnostics/budget-exceeded-can-go-below-zero.toml",
    /// The target is reported as what was left.
    AvailableIsTheTarget:
        "extended/diagnostics/budget-exceeded-reports-what-is-left-at-the-end.toml",
    /// Count caps are reported as a lack of budget.
    CapsReportedAsBudget: "extended/diagnostics/count-cap-exceeded-fields.toml",
    /// Pinned items are blamed under every strategy.
    PinnedOverrideAlways: "extended/diagnostics/no-pinned-override-without-truncate.toml",
    /// Pinned items are never blamed at Place.
    NoPinnedOverrideAtPlace: "extended/diagnostics/pinned-override-at-place.toml",
    /// Excluded items are not sorted.
    ExcludedInOrderOfExclusion: "extended/diagnostics/every-item-has-a-reason.toml",
    /// Negative tokens are left out of the total.
    TotalsSkipNegative: "extended/diagnostics/every-item-has-a-reason.toml",
    /// Events count the items that leave a stage.
    EventsCountLeaving: "extended/diagnostics/stage-events-count-items-entering.toml",
    /// Item events are recorded at stage level too.
    ItemEventsAtStageLevel: "extended/diagnostics/item-events-are-dropped-at-stage-level.toml",
    /// Item events follow the event of their stage.
    ItemEventsAfterTheStage: "extended/diagnostics/item-events-precede-their-stage.toml",
    /// Item events have a duration.
    ItemEventsLast: "extended/diagnostics/item-events-precede-their-stage.toml",
    /// The overflow event lists items as they are placed.
    OverflowListsPlacedOrder: "extended/diagnostics/overflow-event-under-proceed.toml",
    /// Duplicates are reported without their score.
    DuplicatesLoseTheirScore: "extended/diagnostics/deduplicated-names-the-survivor.toml",
    /// Shortfalls spell kinds in lower case.
    ShortfallsFoldKinds: "extended/diagnostics/shortfalls-are-reported.toml",
    /// Count caps spell kinds in lower case.
    CapsFoldKinds: "extended/diagnostics/count-cap-exceeded-fields.toml",
    /// Pinned items are blamed for what a cap removed.
    PinnedOverrideBeforeCaps: "extended/diagnostics/count-cap-wins-over-pinned-override.toml",
    /// Pinned items are blamed if an item fits the plain target.
    PinnedOverrideByTheTarget:
        "extended/diagnostics/pinned-override-respects-the-whole-budget-formula.toml",
    /// The last pinned item is blamed.
    DisplacedByTheLast: "extended/diagnostics/pinned-override-at-slice.toml",
    /// At Place the limit is reported as what was left.
    PlaceReportsTheLimit: "extended/diagnostics/budget-exceeded-at-place.toml",
    /// Equal scores are reported in input order.
    ExcludedTiesByInput: "extended/diagnostics/excluded-ties-in-order-of-exclusion.toml",
    /// The slicer's rest is excluded in input order.
    SliceExcludesInInputOrder:
        "extended/diagnostics/item-events-of-slice-follow-the-sort-order.toml",
    /// What caps removed is excluded before the rest.
    CapsExcludedFirst: "extended/diagnostics/slice-exclusions-in-sort-order.toml",
    /// A stage that is switched off has no event.
    DisabledStageIsSilent: "extended/diagnostics/deduplication-off-still-reports-its-stage.toml",
    /// A stage without items has no event.
    EmptyStagesAreSilent: "extended/diagnostics/events-of-an-empty-run.toml",
    /// Scored items have no events.
    NoScoreEvents: "extended/diagnostics/item-events-precede-their-stage.toml",
    /// Snapshots repeat what earlier stages excluded.
    SnapshotsAddUp: "extended/diagnostics/stage-events-count-items-entering.toml",
    /// Truncation reports an overflow event.
    TruncateReportsOverflow: "extended/pipeline/truncate-walks-forward.toml",
    /// The overflow event carries the slicer's budget.
    OverflowCarriesTheEffectiveBudget: "extended/diagnostics/overflow-event-under-proceed.toml",

    // Simulation
    /// Guards do not look inside slicers.
    GuardsSeeTheOuterSlicerOnly: "extended/simulation/marginal-items-refuse-a-nested-quota.toml",
    /// The smaller budget keeps its target.
    MarginalKeepsTheTarget: "extended/simulation/marginal-items-reduce-the-target-too.toml",
    /// The smaller budget loses its slots and margin.
    MarginalDropsReservations: "extended/simulation/marginal-items-keep-the-rest-of-the-budget.toml",
    /// CountConstrainedKnapsackSlice is not guarded against.
    CountKnapsackUnguarded: "extended/simulation/min-budget-refuses-count-constrained-knapsack.toml",
    /// The item's own size is not tried.
    LowBoundUntested: "extended/simulation/min-budget-is-the-items-own-size.toml",
    /// The ceiling is returned without a try.
    MinBudgetUnverified: "extended/simulation/min-budget-not-found-below-the-ceiling.toml",
    /// Budgets tried keep an output reserve that does not fit.
    MinBudgetKeepsTheReserve: "extended/simulation/min-budget-below-the-output-reserve.toml",
    /// A budget too small for the pinned items ends the search.
    MinBudgetPassesErrorsOn: "extended/simulation/min-budget-with-pinned-items.toml",
    /// Differences are listed by name.
    DiffsAlphabetical: "extended/simulation/sensitivity-of-three-slicers.toml",
    /// Contents on which all agree are listed too.
    DiffsListEverything: "extended/simulation/sensitivity-without-a-swing.toml",
    /// Count quotas are guarded against where they need not be.
    MarginalGuardsCounts: "extended/simulation/marginal-items-with-count-quota.toml",
    /// Marginal items are listed in input order.
    MarginalInInputOrder: "extended/simulation/marginal-items-in-placed-order.toml",
    /// Budgets tried have no slots and no margin.
    MinBudgetDropsReservations: "extended/simulation/min-budget-with-slots-and-margin.toml",
    /// An item that can never be selected is sought for.
    NegativeTokensAreSought: "extended/simulation/min-budget-of-negative-tokens.toml",
    /// A content is included only if all its items are.
    StatusNeedsAllItems: "extended/simulation/sensitivity-of-repeated-contents.toml",
}
