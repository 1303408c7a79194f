//! What the score of relevance is made of, in numbers.

use cupel::CupelError;

use crate::Language;

/// What a [`RelevanceScorer`](crate::RelevanceScorer) goes by.
///
/// The defaults were chosen on chat memories, meetings, documents, multi-hop questions and code; around them quality is flat,
/// so that there is rarely a reason to change more than one.
///
/// ```
/// use cupel_relevance::{RelevanceParameters, RelevanceScorer};
///
/// let mut parameters = RelevanceParameters::default();
/// parameters.neighbour_decay = 400.0;
/// let scorer = RelevanceScorer::with(parameters)?;
/// # let _ = scorer;
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RelevanceParameters {
    /// Whose stop words are passed over and whose endings are cut off; found out from the items unless said.
    pub language: Language,
    /// How soon more of a term stops to count, in occurrences: the BM25 parameter of that name, at least 0. At 0 a term is there or not. 1.2 unless changed.
    pub k1: f64,
    /// How much long items must repeat a term to be as good as short ones: the BM25 parameter of that name, from 0, not at all, to 1, in
    /// proportion. 0.5 unless changed.
    pub b: f64,
    /// How soon repeating a term in the query stops to count, in occurrences, more than 0: one that is there n times weighs
    /// (s + 1)n / (n + s). 8 unless changed.
    pub query_saturation: f64,
    /// Over how many tokens the terms of a neighbour in the same document lose 63 % of their effect; 0 to leave neighbours out. 200 unless changed.
    pub neighbour_decay: f64,
    /// How much of the score is by an item's terms and its neighbours', and not by its own alone: a share from 0 to 1. 0.5 unless changed.
    pub neighbour_share: f64,
    /// How much the mean of the document counts beside the item itself, at least 0; 0 to leave it out. 0.3 unless changed.
    pub document_weight: f64,
    /// How much of the score is by similarity and not by terms, where items say theirs or have vectors: a share from 0 to 1. 0.35 unless changed.
    pub similarity_weight: f64,
    /// Over how many tokens the similarity of a neighbour in the same document loses 63 % of its effect; 0 to leave neighbours out. 100 unless changed.
    pub similarity_decay: f64,
    /// How much of an item's similarity is the mean around it, and not its own alone: a share from 0 to 1. 0.7 unless changed.
    pub similarity_spread: f64,
}

/// Beyond it a parameter changes nothing any more, and sums might not be finite.
const MOST: f64 = 1e6;

impl Default for RelevanceParameters {
    fn default() -> Self {
        Self {
            language: Language::Auto,
            k1: 1.2,
            b: 0.5,
            query_saturation: 8.0,
            neighbour_decay: 200.0,
            neighbour_share: 0.5,
            document_weight: 0.3,
            similarity_weight: 0.35,
            similarity_decay: 100.0,
            similarity_spread: 0.7,
        }
    }
}

impl RelevanceParameters {
    pub(crate) fn check(&self) -> Result<(), CupelError> {
        let at_least_0 = [
            ("k1", self.k1),
            ("neighbourDecay", self.neighbour_decay),
            ("documentWeight", self.document_weight),
            ("similarityDecay", self.similarity_decay),
        ];
        let shares = [
            ("b", self.b),
            ("neighbourShare", self.neighbour_share),
            ("similarityWeight", self.similarity_weight),
            ("similaritySpread", self.similarity_spread),
        ];
        let refused = |name: &str, value: f64, rule: &str| {
            Err(CupelError::ScorerConfig(format!("{name} ({value}) of relevance must be {rule}")))
        };
        for (name, value) in at_least_0 {
            if !(0.0..=MOST).contains(&value) {
                return refused(name, value, "from 0 to a million");
            }
        }
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return refused(name, value, "a share from 0 to 1");
            }
        }
        if !(self.query_saturation > 0.0 && self.query_saturation <= MOST) {
            return refused("querySaturation", self.query_saturation, "above 0, at most a million");
        }
        Ok(())
    }
}
