//! What terms, neighbours, similarity and document make together.

use std::ops::Range;

use cupel::ScoreDetail;

use crate::RelevanceParameters;
use crate::bm25::Sums;
use crate::sequence::Sequence;

/// The scores of the places in a sequence, from 0 to 1.
pub(crate) struct Relevance<'s> {
    sequence: &'s Sequence,
    /// What a place's own terms add, its neighbours and its similarity, all unscaled.
    own: Vec<f64>,
    neighbours: Option<Vec<f64>>,
    similarity: Option<Vec<f64>>,
    /// The mean of each document.
    means: Vec<f64>,
    /// What a place's own terms are multiplied with.
    pub(crate) scale: f64,
    of_mixed: f64,
    of_means: f64,
}

/// What a score is the sum of.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    terms: f64,
    neighbours: f64,
    similarity: f64,
    document: f64,
}

impl Parts {
    pub(crate) fn score(&self) -> f64 {
        self.terms + self.neighbours + self.similarity + self.document
    }

    /// All but the terms, as far as there is anything to say.
    pub(crate) fn details(&self) -> impl Iterator<Item = ScoreDetail> {
        let parts = [
            ("neighbours", self.neighbours),
            ("similarity", self.similarity),
            ("document", self.document),
        ];
        let said = parts.into_iter().filter(|(_, added)| *added != 0.0);
        said.map(|(what, added)| ScoreDetail::new(what, added))
    }
}

impl<'s> Relevance<'s> {
    /// Of BM25 sums and, where there are any, similarities from 0 to 1.
    pub(crate) fn new(
        Sums { own, spread }: Sums,
        similarities: Option<Vec<f64>>,
        sequence: &'s Sequence,
        parameters: &RelevanceParameters,
    ) -> Self {
        let share = parameters.neighbour_share;
        let by_neighbours = |(spread, own): (f64, &f64)| share * (spread - own);
        let neighbours: Option<Vec<_>> =
            spread.map(|spread| spread.into_iter().zip(&own).map(by_neighbours).collect());
        let weight = if similarities.is_some() { parameters.similarity_weight } else { 0.0 };
        let similarity: Option<Vec<_>> =
            similarities.map(|it| it.into_iter().map(|it| weight * it).collect());

        let lexical = plus(own.clone(), neighbours.as_deref());
        let of_terms = (1.0 - weight) * over(greatest(&lexical));
        let mixed = lexical.into_iter().map(|it| of_terms * it).collect();
        let mixed = plus(mixed, similarity.as_deref());
        let mean =
            |places: &Range<usize>| mixed[places.clone()].iter().sum::<f64>() / places.len() as f64;
        let means: Vec<_> = sequence.documents.iter().map(mean).collect();
        let whole = over(1.0 + parameters.document_weight);
        let of_mixed = whole * over(greatest(&mixed));
        let of_means = whole * parameters.document_weight * over(greatest(&means));
        let scale = of_mixed * of_terms;
        Self { sequence, own, neighbours, similarity, means, scale, of_mixed, of_means }
    }

    /// By place.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Parts> {
        let documents = self.sequence.documents.iter().zip(&self.means);
        documents.flat_map(|(places, mean)| places.clone().map(|at| self.part(at, *mean)))
    }

    fn part(&self, at: usize, mean: f64) -> Parts {
        Parts {
            terms: self.scale * self.own[at],
            neighbours: self.neighbours.as_ref().map_or(0.0, |it| self.scale * it[at]),
            similarity: self.similarity.as_ref().map_or(0.0, |it| self.of_mixed * it[at]),
            document: self.of_means * mean,
        }
    }
}

/// The sums of values and others, if there are any.
fn plus(mut values: Vec<f64>, others: Option<&[f64]>) -> Vec<f64> {
    for (value, other) in values.iter_mut().zip(others.unwrap_or(&[])) {
        *value += other;
    }
    values
}

/// The greatest of numbers of which none is less than 0.
fn greatest(values: &[f64]) -> f64 {
    // Eight side by side: one after the other, each comparison would wait for the one before.
    let (chunks, rest) = values.as_chunks::<8>();
    let mut greatest = [0.0; 8];
    for chunk in chunks {
        for (greatest, value) in greatest.iter_mut().zip(chunk) {
            *greatest = value.max(*greatest);
        }
    }
    greatest.iter().chain(rest).copied().fold(0.0, f64::max)
}

/// One over it; nothing over nothing.
fn over(value: f64) -> f64 {
    if value > 0.0 { 1.0 / value } else { 0.0 }
}
