//! How a team pins down its context policy in tests.
//!
//! A bike shop has a support bot. Its policy says which parts of a conversation the model gets to
//! see. Nobody wants to find out from a customer that a change to the policy dropped the workshop's
//! calendar, so what matters about it is written down below, in tests.
//!
//! See what the policy decides, and how a failing test explains itself:
//!
//! ```text
//! cargo run -p cupel-testing --example pinning_down_a_policy
//! ```
//!
//! Run the tests:
//!
//! ```text
//! cargo test -p cupel-testing --example pinning_down_a_policy
//! ```

use cupel::{
    CompositeScorer, ContextBudget, ContextItem, ContextKind, CountQuotaEntry, CountQuotaSlice,
    CupelError, GreedySlice, KindScorer, Pipeline, RecencyScorer, ScarcityBehavior,
    SelectionReport, UShapedPlacer,
};
use cupel_testing::{ReportSnapshot, SelectionReportAssertions};

/// The policy: recent things first, always the two best tool outputs, and the best of all at both
/// ends of the window, where models attend most.
fn policy() -> Result<Pipeline, CupelError> {
    let recent_and_important = CompositeScorer::new(vec![
        (Box::new(RecencyScorer), 3.0),
        (Box::new(KindScorer::with_default_weights()), 1.0),
    ])?;
    let two_tool_outputs = CountQuotaSlice::new(
        vec![CountQuotaEntry::new(ContextKind::tool_output(), 2, 5)?],
        Box::new(GreedySlice),
        ScarcityBehavior::Degrade,
    )?;
    Pipeline::builder()
        .scorer(Box::new(recent_and_important))
        .slicer(Box::new(two_tool_outputs))
        .placer(Box::new(UShapedPlacer))
        .build()
}

fn budget() -> Result<ContextBudget, CupelError> {
    ContextBudget::builder(240).build()
}

/// A conversation that is a little too long for the window.
fn conversation() -> Result<Vec<ContextItem>, CupelError> {
    let minute = |minute: i64| {
        chrono::DateTime::from_timestamp(1_748_768_400 + 60 * minute, 0).expect("a valid time")
    };
    [
        ContextItem::builder("You help the customers of a bike shop.", 20)
            .kind(ContextKind::system_prompt())
            .pinned(true),
        ContextItem::builder("Price list, page 1 of 40", 120)
            .kind(ContextKind::document())
            .timestamp(minute(0)),
        ContextItem::builder("Hi! My chain keeps jumping.", 25).timestamp(minute(1)),
        ContextItem::builder("Sounds worn. Shall we have a look at it?", 30).timestamp(minute(2)),
        ContextItem::builder("workshop: open, free on Tuesday 10:00", 45)
            .kind(ContextKind::tool_output())
            .timestamp(minute(3)),
        ContextItem::builder("Yes please, but not before Tuesday.", 30).timestamp(minute(4)),
        ContextItem::builder("stock: chains 3, cassettes 0", 35)
            .kind(ContextKind::tool_output())
            .timestamp(minute(5)),
        ContextItem::builder("And would you have a new cassette, too?", 35).timestamp(minute(6)),
    ]
    .into_iter()
    .map(|item| item.build())
    .collect()
}

fn report() -> Result<SelectionReport, CupelError> {
    policy()?.dry_run(&conversation()?, &budget()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = report()?;
    println!("What the policy decides:\n\n{}", ReportSnapshot::of(&report));

    report
        .try_should()
        .place_item_at_edge(|entry| *entry.item.kind() == ContextKind::system_prompt())?
        .have_no_exclusions_for_kind(ContextKind::tool_output())?
        .have_budget_utilization_above(0.8, budget()?)?;
    println!(
        "The system prompt is at an edge, no tool output is missing, the window is well used."
    );

    let wish = report.try_should().have_no_exclusions_for_kind(ContextKind::document());
    if let Err(error) = wish {
        println!("\nAsked for every document as well, it says:\n\n{error}");
    }
    Ok(())
}

#[cfg(test)]
mod the_policy {
    use cupel_testing::ReasonKind;

    use super::*;

    type Test = Result<(), CupelError>;

    fn is_the_question(entry: &cupel::IncludedItem) -> bool {
        entry.item.content() == "And would you have a new cassette, too?"
    }

    #[test]
    fn keeps_the_system_prompt_and_the_question_at_the_edges() -> Test {
        report()?
            .should()
            .place_item_at_edge(|entry| *entry.item.kind() == ContextKind::system_prompt())
            .place_item_at_edge(is_the_question);
        Ok(())
    }

    #[test]
    fn never_drops_what_a_tool_returned() -> Test {
        report()?
            .should()
            .have_no_exclusions_for_kind(ContextKind::tool_output())
            .include_exactly_n_items_with_kind(ContextKind::tool_output(), 2);
        Ok(())
    }

    #[test]
    fn makes_good_use_of_the_window() -> Test {
        report()?
            .should()
            .have_budget_utilization_above(0.8, budget()?)
            .have_kind_coverage_count(3);
        Ok(())
    }

    #[test]
    fn leaves_out_the_price_list_and_only_because_it_does_not_fit() -> Test {
        report()?
            .should()
            .have_at_least_n_exclusions(1)
            .exclude_item_matching_with_reason(
                |entry| entry.item.content().starts_with("Price list"),
                ReasonKind::BudgetExceeded,
            )
            .exclude_item_with_budget_details(|_| true, 120, 20);
        Ok(())
    }

    /// Beyond the vocabulary that all implementations share.
    #[test]
    fn stays_within_its_budget_and_instructs_before_it_asks() -> Test {
        report()?
            .should()
            .have_included_tokens_within_budget(budget()?)
            .have_at_least_n_exclusions_with_reason(1, ReasonKind::BudgetExceeded)
            .place_items_before(
                |entry| *entry.item.kind() == ContextKind::system_prompt(),
                is_the_question,
            );
        Ok(())
    }

    /// Everything else. When this fails, the difference is shown; if it is wanted, run the tests
    /// with `CUPEL_UPDATE_SNAPSHOTS=1` and commit the file.
    #[test]
    fn decides_as_it_did_when_we_last_looked() -> Test {
        ReportSnapshot::of(&report()?).assert_matches_file("examples/pinning_down_a_policy.txt");
        Ok(())
    }
}
