//! Problems written by hand: items scored by their hint.

use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, Pipeline, PipelineBuilder, ReflexiveScorer,
    Slicer,
};

pub(crate) fn item(content: &str, tokens: i64, hint: f64) -> ContextItem {
    ContextItem::builder(content, tokens).future_relevance_hint(hint).build().unwrap()
}

pub(crate) fn pinned(tokens: i64) -> ContextItem {
    ContextItem::builder("pinned", tokens).pinned(true).build().unwrap()
}

pub(crate) fn budget(tokens: i64) -> ContextBudget {
    ContextBudget::builder(tokens).build().unwrap()
}

/// Scores by hint, orders by time.
pub(crate) fn slicing_by(slicer: impl Slicer + 'static) -> PipelineBuilder {
    Pipeline::builder().scorer(ReflexiveScorer).slicer(slicer).placer(ChronologicalPlacer)
}
