//! A scorer of your own beside the built-in ones.
//!
//! Run with `cargo run --example custom_scorer -- invoice refund`.

use std::collections::HashSet;
use std::error::Error;

use cupel::{
    ChronologicalPlacer, CompositeScorer, ContextBudget, ContextItem, GreedySlice, Pipeline,
    PriorityScorer, Scorer,
};

/// Scores an item by the share of the question's words that it contains.
struct WordOverlap {
    question: HashSet<String>,
}

impl WordOverlap {
    fn new(question: &str) -> Self {
        Self { question: words(question).collect() }
    }
}

impl Scorer for WordOverlap {
    fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
        let found: HashSet<String> = words(item.content()).collect();
        let common = self.question.intersection(&found).count();
        common as f64 / self.question.len().max(1) as f64
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let question = if given.is_empty() {
        "Where is the refund for invoice 88?".into()
    } else {
        given.join(" ")
    };

    let pipeline = Pipeline::builder()
        .scorer(CompositeScorer::new(vec![
            (Box::new(WordOverlap::new(&question)), 4.0),
            (Box::new(PriorityScorer), 1.0),
        ])?)
        .slicer(GreedySlice)
        .placer(ChronologicalPlacer)
        .build()?;

    let notes = [
        ("Invoice 88: 240 EUR, paid on May 2.", 12, 3),
        ("Refund policy: money is back within ten days.", 11, 1),
        ("The refund for invoice 88 was approved on May 20.", 13, 2),
        ("Opening hours: Monday to Friday, nine to five.", 11, 5),
        ("Invoice 89: 15 EUR, open.", 9, 2),
    ];
    let items = notes
        .map(|(text, tokens, priority)| {
            ContextItem::builder(text, tokens).priority(priority).build()
        })
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;

    let report = pipeline.dry_run(&items, &ContextBudget::builder(40).build()?)?;
    println!("{question}\n");
    for included in &report.included {
        println!("  in   {:.2}  {}", included.score, included.item.content());
    }
    for excluded in &report.excluded {
        println!("  out  {:.2}  {}", excluded.score, excluded.item.content());
    }
    Ok(())
}
