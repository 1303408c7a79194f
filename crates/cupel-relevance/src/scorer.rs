//! The scorer.

use cupel::{
    ContextItem, CupelError, Query, RunContext, ScoreBreakdown, ScoreDetail, ScorePart, Scorer,
};

use crate::RelevanceParameters;
use crate::bm25::{self, Match};
use crate::index::Index;
use crate::lexicon::{Counted, Lexicon};
use crate::pool::Pool;
use crate::relevance::Relevance;
use crate::similarity::{similarities, smoothed};
use crate::terms::Analyzer;

/// Scores items by how well they answer the run's query, from 0 to 1.
///
/// It goes by the words that an item shares with the query (BM25 over the candidates of the run), those that its neighbours in the same
/// [document](ContextItem::document) share with it, how well the document does as a whole and, where items say it or have vectors,
/// their [similarity](ContextItem::similarity). No model is asked. [`RelevanceParameters`] says how much each counts.
///
/// ```
/// use cupel::{ContextItem, RunContext, Scorer};
/// use cupel_relevance::RelevanceScorer;
///
/// let items = [
///     ContextItem::builder("Reminders are sent by a nightly job.", 8).build()?,
///     ContextItem::builder("The coffee machine is on the second floor.", 9).build()?,
/// ];
/// let context = RunContext::new().with_query("When does the reminder job run?");
/// let scores = RelevanceScorer::new().score_batch(&items, &context)?;
/// assert!(scores[0] > 0.9 && scores[1] == 0.0);
/// # Ok::<(), cupel::CupelError>(())
/// ```
///
/// Time grows in proportion to the text, and is bounded for any: of a query with more than 512 terms that items have, those that
/// weigh most are scored; a word of more than 256 bytes counts towards the length of its item and is found by nothing; what is known of words
/// is forgotten after 131,072 of them and found out again.
///
/// A run without a query is refused with [`CupelError::MissingQuery`].
#[derive(Debug, Clone, Default)]
pub struct RelevanceScorer {
    parameters: RelevanceParameters,
    query: Option<Query>,
    index: Option<Index>,
}

impl RelevanceScorer {
    /// With the default parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// With parameters of the caller's own.
    ///
    /// # Errors
    /// When one is not in its range.
    pub fn with(parameters: RelevanceParameters) -> Result<Self, CupelError> {
        parameters.check()?;
        Ok(Self { parameters, ..Self::default() })
    }

    /// The same for one query, whatever the run's is.
    #[must_use]
    pub fn for_query(mut self, query: impl Into<Query>) -> Self {
        self.query = Some(query.into());
        self
    }

    /// The same with an index that is kept between runs, for several queries over mostly the same items.
    #[must_use]
    pub fn with_index(mut self, index: Index) -> Self {
        self.index = Some(index);
        self
    }

    /// What it goes by.
    pub fn parameters(&self) -> &RelevanceParameters {
        &self.parameters
    }

    fn query<'q>(&'q self, context: &'q RunContext) -> Result<&'q Query, CupelError> {
        let query = self.query.as_ref().or(context.query());
        query.ok_or_else(|| CupelError::MissingQuery { scorer: self.name().to_owned() })
    }

    /// Scores the items in reading order, and tells `hear` of every match.
    fn judge<T>(
        &self,
        items: &[ContextItem],
        context: &RunContext,
        hear: impl FnMut(Match),
        answer: impl FnOnce(&Pool, &Relevance) -> T,
    ) -> Result<T, CupelError> {
        let query = self.query(context)?;
        let judge = |pool: &Pool, terms: &Counted| {
            let parameters = &self.parameters;
            let sums = bm25::sums(pool, &terms.terms, parameters, hear);
            let similarities = if pool.has_similarities {
                let (decay, share) = (parameters.similarity_decay, parameters.similarity_spread);
                smoothed(&similarities(items, Some(query))?, &pool.sequence, decay, share)
            } else {
                None
            };
            let relevance = Relevance::new(sums, similarities, &pool.sequence, parameters);
            Ok(answer(pool, &relevance))
        };
        let language = self.parameters.language;
        match &self.index {
            Some(index) => index.ask(items, language, query.text(), judge),
            None => {
                let (mut lexicon, terms) = Lexicon::of(language.of(items), query.text());
                let counted: Vec<_> = items.iter().map(|it| lexicon.count(it.content())).collect();
                judge(&Pool::new(items, |at| &counted[at], lexicon.len()), &terms)
            }
        }
    }
}

impl Scorer for RelevanceScorer {
    /// The score among all items, for a scorer that is [for one query](RelevanceScorer::for_query); 0 without.
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        let Some(at) = all_items.iter().position(|it| it.is_same_instance(item)) else {
            return 0.0;
        };
        self.score_batch(all_items, &RunContext::default()).map_or(0.0, |scores| scores[at])
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        self.judge(
            items,
            context,
            |_| (),
            |pool, relevance| {
                let mut scores = vec![0.0; items.len()];
                for (item, parts) in pool.sequence.items.iter().zip(relevance.parts()) {
                    scores[*item as usize] = parts.score();
                }
                scores
            },
        )
    }

    fn breakdown(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        let language = self.parameters.language.of(items);
        let words = Analyzer::new(language).words_by_term(self.query(context)?.text());
        let mut matches: Vec<Vec<Match>> = items.iter().map(|_| Vec::new()).collect();
        let hear = |found: Match| matches[found.place as usize].push(found);
        let (scored, scale) = self.judge(items, context, hear, |pool, relevance| {
            let scored: Vec<_> =
                pool.sequence.items.iter().copied().zip(relevance.parts()).collect();
            (scored, relevance.scale)
        })?;
        let mut breakdowns = Vec::with_capacity(items.len());
        for ((index, parts), found) in scored.into_iter().zip(&matches) {
            let found = found.iter().map(|found| detail(found, &words, scale));
            let details: Vec<_> = found.chain(parts.details()).collect();
            let part = ScorePart::new(self.name(), parts.score()).with_details(details);
            breakdowns.push(ScoreBreakdown::new(index as usize, parts.score(), vec![part]));
        }
        breakdowns.sort_by_key(|it| it.index);
        Ok(breakdowns)
    }

    fn name(&self) -> &str {
        "relevance"
    }
}

/// What a match added, in the query's own words.
fn detail(found: &Match, words: &[String], scale: f64) -> ScoreDetail {
    let word = words.get(found.number).map_or("?", String::as_str);
    ScoreDetail::new(word, scale * found.added).matched(found.count as usize)
}
