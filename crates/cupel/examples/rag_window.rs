//! Retrieved passages for a question: a fair share per kind, the best at both ends.
//!
//! Run with `cargo run --example rag_window`.

use std::error::Error;

use cupel::analytics::{budget_utilization, quota_utilization};
use cupel::{
    CompositeScorer, ContextBudget, ContextItem, ContextKind, ContextSource, FrequencyScorer,
    GreedySlice, PolicyBuilder, QuotaEntry, QuotaSlice, ReflexiveScorer, UShapedPlacer,
};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    // Documents may not crowd out what tools and memory know, and memories get a tenth at least.
    let quotas = vec![
        QuotaEntry::new(ContextKind::document(), 0.0, 70.0)?,
        QuotaEntry::new(ContextKind::memory(), 10.0, 100.0)?,
    ];
    let slicer = Arc::new(QuotaSlice::new(quotas, GreedySlice)?);

    // The retriever's own score, nudged by how well a passage connects with the others.
    let scorer = CompositeScorer::new(vec![
        (Box::new(ReflexiveScorer), 4.0),
        (Box::new(FrequencyScorer), 1.0),
    ])?;
    let policy = PolicyBuilder::new()
        .scorer(Arc::new(scorer))
        .slicer(slicer.clone())
        .placer(Arc::new(UShapedPlacer))
        .build()?;

    let budget = ContextBudget::builder(1_000).safety_margin_percent(5.0).build()?;
    let report = cupel::Pipeline::from(policy).dry_run(&passages()?, &budget)?;

    println!("Question: why do the brakes of model K squeal in the rain?\n");
    println!("{:>5} {:>7}  the window: the best passages stand at its ends", "score", "tokens");
    for included in &report.included {
        let marks = "*".repeat((included.score * 20.0).round() as usize);
        println!(
            "{:>5.2} {:>7}  {marks:<20} {:<10} {}",
            included.score,
            included.item.tokens(),
            included.item.kind(),
            included.item.content()
        );
    }
    println!("\nleft out");
    for excluded in &report.excluded {
        println!(
            "{:>5.2} {:>7}  {:<20} {}",
            excluded.score,
            excluded.item.tokens(),
            excluded.reason.name(),
            excluded.item.content()
        );
    }
    println!("\n{:.0} % of the window is used", budget_utilization(&report, &budget) * 100.0);
    for quota in quota_utilization(&report, &*slicer, &budget) {
        println!(
            "{:<9} has {:>4.1} %, at least {:>2} %, at most {} %",
            quota.kind, quota.actual, quota.require, quota.cap
        );
    }
    Ok(())
}

fn passages() -> Result<Vec<ContextItem>, cupel::CupelError> {
    let found = [
        (
            ContextKind::document(),
            240,
            0.92,
            ["brakes", "rain"],
            "Manual K, ch. 4: wet rims and pad compounds",
        ),
        (
            ContextKind::document(),
            180,
            0.88,
            ["brakes", "noise"],
            "Service bulletin 17: squealing after pad change",
        ),
        (
            ContextKind::document(),
            310,
            0.81,
            ["brakes", "pads"],
            "Pad wear tables for models J to M",
        ),
        (
            ContextKind::document(),
            260,
            0.64,
            ["gears", "rain"],
            "Manual K, ch. 6: cables in wet weather",
        ),
        (ContextKind::document(), 150, 0.35, ["paint", "care"], "Care of the paintwork"),
        (
            ContextKind::tool_output(),
            90,
            0.73,
            ["brakes", "stock"],
            "stock.query: pad set K2 organic, 14 available",
        ),
        (
            ContextKind::tool_output(),
            60,
            0.41,
            ["weather", "rain"],
            "weather: showers until Thursday",
        ),
        (
            ContextKind::memory(),
            30,
            0.55,
            ["customer", "brakes"],
            "Customer cleaned the rims with oil spray in May",
        ),
        (
            ContextKind::memory(),
            25,
            0.20,
            ["customer", "order"],
            "Customer prefers delivery to a locker",
        ),
    ];
    let item = |(kind, tokens, score, tags, text): (_, _, _, [&str; 2], &str)| {
        ContextItem::builder(text, tokens)
            .kind(kind)
            .source(ContextSource::rag())
            .future_relevance_hint(score)
            .tags(tags.map(String::from).to_vec())
            .build()
    };
    found.into_iter().map(item).collect()
}
