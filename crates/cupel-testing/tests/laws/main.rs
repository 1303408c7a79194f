//! Every law is broken by someone here, and the check says by whom and how.

mod placer;
mod run;
mod scorer;
mod slicer;

use cupel::{ContextItem, ScoredItem};

fn item(content: &str, tokens: i64) -> ContextItem {
    ContextItem::builder(content, tokens).build().unwrap()
}

fn items() -> Vec<ContextItem> {
    vec![item("alpha", 4), item("beta", 3), item("gamma", 2)]
}

fn scored() -> Vec<ScoredItem> {
    let scores = [0.2, 0.9, 0.5];
    items().into_iter().zip(scores).map(|(item, score)| ScoredItem { item, score }).collect()
}

fn handles(scored: &[ScoredItem]) -> Vec<ContextItem> {
    scored.iter().map(|entry| entry.item.clone()).collect()
}
