//! An agent's transcript: a tool call stays with its result, and a giant output gets shorter.
//!
//! Run with `cargo run --example tool_calls`, or with other budgets:
//! `cargo run --example tool_calls -- 200 1000 9000`.

use std::error::Error;

use cupel::{
    ContextBudget, ContextItem, ContextItemBuilder, ContextKind, InputOrderPlacer, ItemVariant,
    Pipeline, PriorityScorer, RankSlice,
};

fn main() -> Result<(), Box<dyn Error>> {
    let told: Vec<i64> = std::env::args().skip(1).map(|it| it.parse()).collect::<Result<_, _>>()?;
    let budgets = if told.is_empty() { vec![9_000, 1_000, 200] } else { told };

    // The most important first, whatever its size; the window in the order things happened.
    let pipeline = Pipeline::builder()
        .scorer(PriorityScorer)
        .slicer(RankSlice::default())
        .placer(InputOrderPlacer)
        .build()?;
    let items = transcript()?;
    for max_tokens in budgets {
        let budget = ContextBudget::builder(max_tokens).build()?;
        print(&pipeline, &items, &budget)?;
    }
    Ok(())
}

fn transcript() -> Result<Vec<ContextItem>, Box<dyn Error>> {
    let log = "08:00 GET /orders 200\n".repeat(1_000);
    let items = [
        ContextItem::builder("Why were orders slow on Thursday?", 9).pinned(true),
        // A group is in the window whole or not at all: what APIs refuse cannot happen.
        call("call_1", "read_log(\"2026-03-05\")", 12).priority(2),
        result("call_1", log, 8_000)
            .priority(2)
            .variant(ItemVariant::new("1,000 lines, 40 slow, first and last ten: ...", 400))
            .variant(ItemVariant::new("[1,000 lines: 40 requests took over 2 s]", 14)),
        call("call_2", "explain(\"select * from orders\")", 11).priority(3),
        result("call_2", "Seq Scan on orders (rows=1204118)", 15).priority(3),
        call("call_3", "weather(\"Thursday\")", 8),
        result("call_3", "Sunny spells, wind from the west. ".repeat(20), 140),
        ContextItem::builder("The index on orders.day is missing. Shall I add it?", 14).priority(4),
    ];
    Ok(items.into_iter().map(ContextItemBuilder::build).collect::<Result<_, _>>()?)
}

fn call(id: &str, text: &str, tokens: i64) -> ContextItemBuilder {
    ContextItem::builder(text, tokens).group(id)
}

fn result(id: &str, text: impl Into<String>, tokens: i64) -> ContextItemBuilder {
    ContextItem::builder(text, tokens).kind(ContextKind::tool_output()).group(id)
}

fn print(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Result<(), Box<dyn Error>> {
    let report = pipeline.dry_run(items, budget)?;
    let used: i64 = report.included.iter().map(|it| it.item.tokens()).sum();
    println!("{used} of {} tokens:", budget.max_tokens());
    for it in &report.included {
        let group = it.item.group().unwrap_or("");
        let text: String =
            it.item.content().lines().next().unwrap_or("").chars().take(48).collect();
        let shortened = match it.shortened {
            Some(short) => format!("  ({} tokens saved)", short.tokens_saved),
            None => String::new(),
        };
        println!("  {:>5}  {group:6}  {text}{shortened}", it.item.tokens());
    }
    for it in pipeline.counterfactuals(items, budget)? {
        let text: String = it.item.content().chars().take(24).collect();
        println!("  out: {text}: {it}");
    }
    println!();
    Ok(())
}
