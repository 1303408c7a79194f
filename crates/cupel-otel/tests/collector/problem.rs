//! Runs to look at.

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, ContextKind, GreedySlice, Pipeline,
    PipelineBuilder, ReflexiveScorer,
};

pub(crate) fn item(content: &str, tokens: i64, kind: ContextKind, relevance: f64) -> ContextItem {
    ContextItem::builder(content, tokens)
        .kind(kind)
        .future_relevance_hint(relevance)
        .build()
        .unwrap()
}

pub(crate) fn pinned(content: &str, tokens: i64) -> ContextItem {
    ContextItem::builder(content, tokens)
        .kind(ContextKind::system_prompt())
        .pinned(true)
        .build()
        .unwrap()
}

/// Items of which Classify, Deduplicate and Slice leave out one each.
pub(crate) fn items() -> Vec<ContextItem> {
    vec![
        pinned("You are a careful assistant.", 10),
        item("corrupt", -1, ContextKind::memory(), 0.9),
        item("Do you repair bikes?", 20, ContextKind::message(), 0.75),
        item("Do you repair bikes?", 20, ContextKind::message(), 0.25),
        item("the whole manual", 5_000, ContextKind::document(), 1.0),
        item("workshop: open", 30, ContextKind::new("Lookup").unwrap(), 0.5),
    ]
}

pub(crate) fn budget(max_tokens: i64) -> ContextBudget {
    ContextBudget::builder(max_tokens).build().unwrap()
}

/// A pipeline to change before it is built.
pub(crate) fn parts() -> PipelineBuilder {
    Pipeline::builder()
        .scorer(Box::new(ReflexiveScorer))
        .slicer(Box::new(GreedySlice))
        .placer(Box::new(ChronologicalPlacer))
}

pub(crate) fn pipeline() -> Pipeline {
    parts().build().unwrap()
}
