//! A chat that has outgrown its window: what stays, what goes, and why.
//!
//! Run with `cargo run --example chat_window`, or with another budget:
//! `cargo run --example chat_window -- 400`.

use std::error::Error;

use chrono::{DateTime, Duration, Utc};
use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, ContextKind, GreedySlice,
    KindScorer, Pipeline, RecencyScorer, SelectionReport,
};

fn main() -> Result<(), Box<dyn Error>> {
    let max_tokens = match std::env::args().nth(1) {
        Some(tokens) => tokens.parse()?,
        None => 220,
    };
    let budget = ContextBudget::builder(max_tokens).output_reserve(60).build()?;

    // Recent turns matter most; kinds break the tie in favour of facts over chatter.
    let pipeline = Pipeline::builder()
        .scorer(CompositeScorer::new(vec![
            (Box::new(RecencyScorer), 3.0),
            (Box::new(KindScorer::with_default_weights()), 1.0),
        ])?)
        .slicer(GreedySlice)
        .placer(ChronologicalPlacer)
        .build()?;

    let report = pipeline.dry_run(&conversation()?, &budget)?;
    print(&report, &budget);
    Ok(())
}

fn conversation() -> Result<Vec<ContextItem>, Box<dyn Error>> {
    let start: DateTime<Utc> = "2025-06-01T09:00:00Z".parse()?;
    let turns = [
        (ContextKind::message(), 14, "Customer: Hi, my order 4711 still has not arrived."),
        (ContextKind::message(), 16, "Agent: I am sorry to hear that. Let me look it up for you."),
        (ContextKind::tool_output(), 38, "orders.get(4711): shipped 2025-05-26, carrier NordPost"),
        (ContextKind::message(), 21, "Agent: It was shipped on May 26 with NordPost."),
        (ContextKind::message(), 9, "Customer: That is six days ago!"),
        (
            ContextKind::tool_output(),
            62,
            "tracking.get(NP-88): held at depot since 05-28, address unclear",
        ),
        (
            ContextKind::message(),
            24,
            "Agent: The parcel is held at the depot; the address was unclear.",
        ),
        (ContextKind::memory(), 11, "Customer moved to 12 Harbour Street in May."),
        (ContextKind::message(), 12, "Customer: I did move. 12 Harbour Street."),
        (ContextKind::message(), 12, "Customer: I did move. 12 Harbour Street."), // sent twice
        (ContextKind::message(), 15, "Customer: Can you send it there, please?"),
    ];
    let mut items = vec![
        ContextItem::builder("You are the support agent of a bike shop. Be brief and kind.", 15)
            .kind(ContextKind::system_prompt())
            .timestamp(start - Duration::minutes(1)) // so that it opens the window
            .pinned(true)
            .build()?,
    ];
    for (minute, (kind, tokens, text)) in (0..).zip(turns) {
        let timestamp = start + Duration::minutes(minute);
        items.push(ContextItem::builder(text, tokens).kind(kind).timestamp(timestamp).build()?);
    }
    Ok(items)
}

fn print(report: &SelectionReport, budget: &ContextBudget) {
    let used: i64 = report.included.iter().map(|included| included.item.tokens()).sum();
    let (max, reserve) = (budget.max_tokens(), budget.output_reserve());
    println!(
        "{} candidates, {} tokens; the model takes {max}, {reserve} of them for its answer\n",
        report.total_candidates, report.total_tokens_considered
    );
    println!("[{}] {used} of {} tokens used\n", bar(used, max, reserve), max - reserve);

    println!("The window, in order");
    for included in &report.included {
        let item = &included.item;
        println!(
            "{:>5}  {:<12} {:<9} {}",
            item.tokens(),
            item.kind(),
            included.reason,
            item.content()
        );
    }
    println!("\nLeft out, best first");
    for excluded in &report.excluded {
        println!(
            "{:>5}  {:<12} score {:.2}  {}",
            excluded.item.tokens(),
            excluded.item.kind(),
            excluded.score,
            excluded.item.content()
        );
        println!("{:>20}{}", "", excluded.reason);
    }
}

/// Used tokens as `#`, free ones as `.`, those kept for the answer as `-`.
fn bar(used: i64, max: i64, reserve: i64) -> String {
    const WIDTH: i64 = 50;
    (0..WIDTH)
        .map(|cell| match cell * max / WIDTH {
            token if token < used => '#',
            token if token < max - reserve => '.',
            _ => '-',
        })
        .collect()
}
