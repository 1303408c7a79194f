//! What if the budget were another? A support chat, several budgets, and what each would change.
//!
//! ```text
//! cargo run -p cupel --example what_if
//! ```

use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextKind, CupelError,
    GreedySlice, KindScorer, Pipeline, RecencyScorer,
};

const BUDGETS: [i64; 5] = [40, 60, 75, 80, 120];
const PRESENT: i64 = 60;
const SLACK: i64 = 10;

fn main() -> Result<(), CupelError> {
    let items = support_chat()?;
    let pipeline = Pipeline::builder()
        .scorer(CompositeScorer::new(vec![
            (Box::new(RecencyScorer), 2.0),
            (Box::new(KindScorer::with_default_weights()), 1.0),
        ])?)
        .slicer(GreedySlice)
        .placer(ChronologicalPlacer)
        .build()?;
    let present = budget(PRESENT)?;

    println!("Which items are in the window at which budget?\n");
    print_table(&pipeline, &items)?;

    println!("\nWith {PRESENT} tokens these are left out. What would change that?\n");
    for answer in pipeline.counterfactuals(&items, &present)? {
        println!("  {}\n      {answer}.", answer.item.content());
    }

    println!("\nWith {SLACK} tokens fewer, these would be the first to go:\n");
    for item in pipeline.get_marginal_items(&items, &present, SLACK)? {
        println!("  {}", item.content());
    }
    Ok(())
}

/// One row per item, one column per budget.
fn print_table(pipeline: &Pipeline, items: &[ContextItem]) -> Result<(), CupelError> {
    let windows: Vec<Vec<ContextItem>> = BUDGETS
        .iter()
        .map(|&tokens| pipeline.run(items, &budget(tokens)?))
        .collect::<Result<_, CupelError>>()?;
    let is_in = |item: &ContextItem, window: &[ContextItem]| {
        window.iter().any(|other| other.is_same_instance(item))
    };

    print!("  {:36} {:>6} |", "", "tokens");
    BUDGETS.iter().for_each(|tokens| print!("{tokens:>5}"));
    println!();
    for item in items {
        print!("  {:36} {:>6} |", item.content(), item.tokens());
        let mut was_in = is_in(item, &windows[0]);
        for window in &windows {
            let mark = match (was_in, is_in(item, window)) {
                (true, true) => '#',
                (false, true) => '+',
                (true, false) => '-',
                (false, false) => '.',
            };
            print!("{mark:>5}");
            was_in = is_in(item, window);
        }
        println!();
    }
    println!("\n  # in   . out   + came in with the larger budget   - was pushed out by it");
    Ok(())
}

fn support_chat() -> Result<Vec<ContextItem>, CupelError> {
    let said = |minute: u32, text: &str, tokens| {
        let time = format!("2025-06-01T09:{minute:02}:00Z").parse().expect("a valid time");
        ContextItem::builder(text, tokens).timestamp(time)
    };
    let tool = ContextKind::tool_output;
    [
        ContextItem::builder("You help customers of a bike shop.", 9)
            .kind(ContextKind::system_prompt())
            .pinned(true),
        ContextItem::builder("Ann rides a 2019 city bike.", 8).kind(ContextKind::memory()),
        said(0, "Hi! My rear brake squeals.", 7),
        said(1, "Manual, chapter 7: disc brakes", 40).kind(ContextKind::document()),
        said(2, "Is it a disc brake?", 6),
        said(3, "Yes. Can you look at it on Tuesday?", 9),
        said(4, "Free on Tuesday: 10:00, 14:30", 14).kind(tool()),
        said(5, "Invoices of Ann: none open", 22).kind(tool()),
        said(6, "Free on Tuesday: 10:00, 14:30", 14).kind(tool()),
        said(7, "Ten would be perfect!", 5),
    ]
    .into_iter()
    .map(|item| item.build())
    .collect()
}

fn budget(tokens: i64) -> Result<ContextBudget, CupelError> {
    ContextBudget::builder(tokens).build()
}
