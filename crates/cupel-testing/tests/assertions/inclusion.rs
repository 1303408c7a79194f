//! What is in.

use cupel::{ContextKind, IncludedItem, InclusionReason, SelectionReport};
use cupel_testing::SelectionReportAssertions;

use crate::support::{failure, including, item, kind, nothing};

/// Rule [Testing vocabulary]: IncludeItemWithKind: at least one included item of the kind
#[test]
fn include_item_with_kind_holds_for_a_kind_that_is_there_in_any_spelling() {
    let report = including(&[("Message", 0.9), ("toolOUTPUT", 0.5)]);
    report
        .should()
        .include_item_with_kind(ContextKind::message())
        .include_item_with_kind(ContextKind::tool_output());
}

#[test]
fn include_item_with_kind_fails_on_an_empty_window() {
    assert_eq!(
        failure(&nothing(), |it| it.include_item_with_kind(ContextKind::message())),
        "IncludeItemWithKind(Message) failed: Included contained 0 items with Kind=Message. \
         Included had 0 items with kinds: []."
    );
}

/// Rule [Testing vocabulary]: IncludeItemWithKind: at least one included item of the kind
#[test]
fn include_item_with_kind_names_the_kinds_there_are_in_order_of_appearance() {
    let report =
        including(&[("ToolOutput", 0.1), ("Message", 0.9), ("TOOLOUTPUT", 0.5), ("Message", 0.2)]);
    assert_eq!(
        failure(&report, |it| it.include_item_with_kind(kind("memory"))),
        "IncludeItemWithKind(memory) failed: Included contained 0 items with Kind=memory. \
         Included had 4 items with kinds: [ToolOutput, Message]."
    );
}

/// Rule [Testing vocabulary]: IncludeItemMatching: at least one included entry satisfies the predicate
#[test]
fn include_item_matching_sees_item_score_and_reason() {
    let report = including(&[("Message", 0.25), ("Document", 0.75)]);
    report
        .should()
        .include_item_matching(|entry| entry.item.content() == "item 1")
        .include_item_matching(|entry| entry.score == 0.25)
        .include_item_matching(|entry| entry.reason == InclusionReason::Scored);
}

#[test]
fn include_item_matching_fails_on_an_empty_window_with_nothing_to_list() {
    assert_eq!(
        failure(&nothing(), |it| it.include_item_matching(|_| true)),
        "IncludeItemMatching failed: no item in Included matched the predicate. Included had 0 \
         items."
    );
}

/// Rule [Testing vocabulary]: IncludeItemMatching: at least one included entry satisfies the predicate
#[test]
fn include_item_matching_lists_what_there_is() {
    let included = vec![
        IncludedItem::new(item("You are\nbrief.", "SystemPrompt", 5), 0.0, InclusionReason::Pinned),
        IncludedItem::new(
            item(&"long ".repeat(20), "Document", 0),
            0.0,
            InclusionReason::ZeroToken,
        ),
        IncludedItem::new(item("hello", "Message", 5), 0.625, InclusionReason::Scored),
    ];
    let report = SelectionReport::new(Vec::new(), included, Vec::new(), Vec::new());
    assert_eq!(
        failure(&report, |it| it.include_item_matching(|_| false)),
        r#"IncludeItemMatching failed: no item in Included matched the predicate. Included had 3 items.
  [0] kind=SystemPrompt, score=0, reason=Pinned: "You are\nbrief."
  [1] kind=Document, score=0, reason=ZeroToken: "long long long long long long long long long long long long "…
  [2] kind=Message, score=0.625, reason=Scored: "hello""#
    );
}

#[test]
fn include_item_matching_lists_five_items_and_counts_the_rest() {
    let report = including(&[("Message", 0.5); 7]);
    assert_eq!(
        failure(&report, |it| it.include_item_matching(|_| false)),
        r#"IncludeItemMatching failed: no item in Included matched the predicate. Included had 7 items.
  [0] kind=Message, score=0.5, reason=Scored: "item 0"
  [1] kind=Message, score=0.5, reason=Scored: "item 1"
  [2] kind=Message, score=0.5, reason=Scored: "item 2"
  [3] kind=Message, score=0.5, reason=Scored: "item 3"
  [4] kind=Message, score=0.5, reason=Scored: "item 4"
  ... and 2 more"#
    );
}

/// Rule [Testing vocabulary]: IncludeExactlyNItemsWithKind: exactly n included items of the kind
#[test]
fn include_exactly_n_items_with_kind_counts_every_spelling() {
    let report = including(&[("Message", 0.9), ("Document", 0.5), ("message", 0.5)]);
    report
        .should()
        .include_exactly_n_items_with_kind(ContextKind::message(), 2)
        .include_exactly_n_items_with_kind(ContextKind::document(), 1);
}

/// Rule [Testing vocabulary]: IncludeExactlyNItemsWithKind: zero says there is none
#[test]
fn include_exactly_zero_items_holds_where_the_kind_is_absent() {
    nothing().should().include_exactly_n_items_with_kind(ContextKind::memory(), 0);
    including(&[("Message", 0.9)])
        .should()
        .include_exactly_n_items_with_kind(ContextKind::memory(), 0);
}

#[test]
fn include_exactly_n_items_with_kind_fails_on_an_empty_window() {
    assert_eq!(
        failure(&nothing(), |it| it.include_exactly_n_items_with_kind(ContextKind::memory(), 1)),
        "IncludeExactlyNItemsWithKind(Memory, 1) failed: expected 1 items with Kind=Memory in \
         Included, but found 0. Included had 0 items total."
    );
}

/// Rule [Testing vocabulary]: IncludeExactlyNItemsWithKind: exactly n included items of the kind
#[test]
fn include_exactly_n_items_with_kind_fails_on_one_too_many() {
    let report = including(&[("Message", 0.9), ("Message", 0.8), ("Document", 0.1)]);
    assert_eq!(
        failure(&report, |it| it.include_exactly_n_items_with_kind(ContextKind::message(), 1)),
        "IncludeExactlyNItemsWithKind(Message, 1) failed: expected 1 items with Kind=Message in \
         Included, but found 2. Included had 3 items total."
    );
}
