//! Shorthand that the chapter tests share.
#![allow(dead_code, reason = "every test target includes all of it and uses its own part")]

use chrono::{DateTime, Utc};
use cupel::{
    ChronologicalPlacer, ContextBudget, ContextItem, ContextItemBuilder, CupelError, GreedySlice,
    OverflowStrategy, Pipeline, PipelineBuilder, ReflexiveScorer, RunContext, ScoredItem, Scorer,
    Slicer,
};

pub(crate) fn at(time: &str) -> DateTime<Utc> {
    time.parse().unwrap()
}

/// Starts an item of ten tokens whose content is its name.
pub(crate) fn named(name: &str) -> ContextItemBuilder {
    ContextItem::builder(name, 10)
}

/// An item of ten tokens and nothing else.
pub(crate) fn plain(name: &str) -> ContextItem {
    named(name).build().unwrap()
}

/// An item of so many tokens.
pub(crate) fn sized(name: &str, tokens: i64) -> ContextItem {
    ContextItem::builder(name, tokens).build().unwrap()
}

/// An item of so many tokens that is always in the window.
pub(crate) fn pinned(name: &str, tokens: i64) -> ContextItem {
    ContextItem::builder(name, tokens).pinned(true).build().unwrap()
}

/// An item of so many tokens whose hint, and so its score under [`greedy`], is `hint`.
pub(crate) fn hinted(name: &str, tokens: i64, hint: f64) -> ContextItem {
    ContextItem::builder(name, tokens).future_relevance_hint(hint).build().unwrap()
}

/// An item of ten tokens with a timestamp.
pub(crate) fn dated(name: &str, time: &str) -> ContextItem {
    named(name).timestamp(at(time)).build().unwrap()
}

/// An item of ten tokens with tags.
pub(crate) fn tagged(name: &str, tags: &[&str]) -> ContextItem {
    named(name).tags(tags.iter().map(ToString::to_string)).build().unwrap()
}

/// A budget whose target is all of it.
pub(crate) fn budget(max_tokens: i64) -> ContextBudget {
    ContextBudget::builder(max_tokens).build().unwrap()
}

/// Scores by hint, chooses greedily, places chronologically.
pub(crate) fn greedy() -> PipelineBuilder {
    Pipeline::builder().scorer(ReflexiveScorer).slicer(GreedySlice).placer(ChronologicalPlacer)
}

/// Scores by hint and chooses everything, whatever the budget.
pub(crate) fn choosing_all(overflow: OverflowStrategy) -> Pipeline {
    greedy().slicer(TakeAll).overflow_strategy(overflow).build().unwrap()
}

/// Chooses everything, whatever the budget.
pub(crate) struct TakeAll;

impl Slicer for TakeAll {
    fn slice(
        &self,
        sorted: &[ScoredItem],
        _budget: &ContextBudget,
    ) -> Result<Vec<ContextItem>, CupelError> {
        Ok(sorted.iter().map(|scored| scored.item.clone()).collect())
    }
}

pub(crate) fn contents<'a>(items: impl IntoIterator<Item = &'a ContextItem>) -> Vec<&'a str> {
    items.into_iter().map(ContextItem::content).collect()
}

/// The scores of all items, asked all at once.
pub(crate) fn score_all(scorer: &dyn Scorer, items: &[ContextItem]) -> Vec<f64> {
    scorer.score_batch(items, &RunContext::default()).unwrap()
}

/// The scores of all items, asked one by one and all at once, which must agree to the bit.
pub(crate) fn scores(scorer: &dyn Scorer, items: &[ContextItem]) -> Vec<f64> {
    let at_once = score_all(scorer, items);
    let one_by_one: Vec<f64> = items.iter().map(|item| scorer.score(item, items)).collect();
    let bits = |scores: &[f64]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&at_once), bits(&one_by_one), "{at_once:?} at once, {one_by_one:?} one by one");
    at_once
}

/// Fails unless the message has every part in it.
pub(crate) fn assert_says(error: &dyn std::error::Error, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

/// Fails unless construction was refused as a scorer's configuration, saying every part.
pub(crate) fn assert_scorer_refused<T: std::fmt::Debug>(
    built: Result<T, CupelError>,
    parts: &[&str],
) {
    let error = built.unwrap_err();
    assert!(matches!(error, CupelError::ScorerConfig(_)), "{error:?}");
    assert_says(&error, parts);
}
