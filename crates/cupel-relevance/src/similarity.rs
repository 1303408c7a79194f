//! How close is an item to the query, by the caller's measure?

use cupel::{ContextItem, CupelError, Query, RunContext, Scorer};
use wide::f32x8;

use crate::sequence::{Sequence, spread};

/// Scores an item by its [similarity](ContextItem::similarity) to the query, or by the cosine of its
/// [vector](ContextItem::vector) and the query's; 0 for an item that has neither.
///
/// Beside words, similarity is a part of what a [`RelevanceScorer`](crate::RelevanceScorer) goes by; this scorer is for those who
/// trust their embeddings alone.
///
/// ```
/// use cupel::{ContextItem, Query, RunContext, Scorer};
/// use cupel_relevance::SimilarityScorer;
///
/// let item = ContextItem::builder("Loans are renewed at the desk.", 8).vector([3.0, 4.0]).build()?;
/// let context = RunContext::new().with_query(Query::new("renewals").with_vector([0.0, 2.0])?);
/// assert_eq!(SimilarityScorer.score_batch(&[item], &context)?, [0.8]);
/// # Ok::<(), cupel::CupelError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SimilarityScorer;

impl Scorer for SimilarityScorer {
    /// The similarity that the item says; vectors need a query, which only a run has.
    fn score(&self, item: &ContextItem, _all_items: &[ContextItem]) -> f64 {
        item.similarity().unwrap_or(0.0)
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        let has_vector_only =
            |item: &ContextItem| item.similarity().is_none() && !item.vector().is_empty();
        let query = context.query().filter(|query| !query.vector().is_empty());
        if query.is_none() && items.iter().any(has_vector_only) {
            return Err(CupelError::InvalidVector(
                "items have vectors and the query has none; give the query its vector, or the items their similarity"
                    .to_owned(),
            ));
        }
        let similarities = similarities(items, query)?;
        Ok(similarities.into_iter().map(|it| it.unwrap_or(0.0)).collect())
    }

    fn name(&self) -> &str {
        "similarity"
    }
}

/// What each item says of its similarity, or what follows from its vector and the query's.
pub(crate) fn similarities(
    items: &[ContextItem],
    query: Option<&Query>,
) -> Result<Vec<Option<f64>>, CupelError> {
    let of_query = query.map_or(&[][..], Query::vector);
    let with_vectors = || items.iter().filter(|item| !item.vector().is_empty());
    let dimensions = match of_query.len() {
        0 => with_vectors().next().map_or(0, |first| first.vector().len()),
        dimensions => dimensions,
    };
    if let Some(other) = with_vectors().find(|item| item.vector().len() != dimensions) {
        let other_one = if of_query.is_empty() { "another item's" } else { "the query's" };
        return Err(CupelError::InvalidVector(format!(
            "an item's has {} numbers and {other_one} {dimensions}; take all of them from one model",
            other.vector().len(),
        )));
    }
    let length = length(of_query);
    let similarity = |item: &ContextItem| match (item.similarity(), item.vector()) {
        (Some(said), _) => Some(said),
        (None, vector) if vector.is_empty() || of_query.is_empty() => None,
        (None, vector) => Some(cosine(vector, of_query, length)),
    };
    Ok(items.iter().map(similarity).collect())
}

/// The cosine of two vectors of as many numbers, of which one has this `length`; 0 where one has none.
fn cosine(a: &[f32], b: &[f32], length_of_b: f64) -> f64 {
    let lengths = length(a) * length_of_b;
    if lengths > 0.0 { (dot(a, b) / lengths).clamp(-1.0, 1.0) } else { 0.0 }
}

fn length(vector: &[f32]) -> f64 {
    libm::sqrt(dot(vector, vector))
}

/// The sum of products: eight sums side by side, added up in a fixed order, so that it is the same on every platform.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    const LANES: usize = 8;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = f32x8::splat(0.0);
    for (a, b) in a.iter().zip(b) {
        // Multiplied, then added: fused, the last bit would depend on the processor.
        sums += f32x8::from(*a) * f32x8::from(*b);
    }
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| f64::from(*a) * f64::from(*b));
    sums.to_array().into_iter().map(f64::from).chain(rest).sum()
}

/// Similarities by place in the sequence, from 0 for the least to 1 for the greatest, with those of the neighbours in them;
/// nothing where no item has one.
pub(crate) fn smoothed(
    similarities: &[Option<f64>],
    sequence: &Sequence,
    decay: f64,
    share: f64,
) -> Option<Vec<f64>> {
    if similarities.iter().all(Option::is_none) {
        return None;
    }
    // Scaled before as well: sums of the largest numbers are none.
    let scaled_before = scaled(similarities, 0.0);
    let own = |at: &u32| similarities[*at as usize].map(|_| scaled_before[*at as usize]);
    let own: Vec<_> = sequence.items.iter().map(own).collect();
    let carries = sequence.carries(decay);
    let (mut sums, mut weights) = (Vec::new(), Vec::new());
    let mut smoothed = Vec::with_capacity(own.len());
    for places in &sequence.documents {
        let (own, carries) = (&own[places.clone()], &carries[places.clone()]);
        let values: Vec<_> = own.iter().map(|it| it.unwrap_or(0.0)).collect();
        let is_said: Vec<_> = own.iter().map(|it| f64::from(u8::from(it.is_some()))).collect();
        spread(&values, carries, &mut sums);
        spread(&is_said, carries, &mut weights);
        for ((own, sum), weight) in own.iter().zip(&sums).zip(&weights) {
            let around = (*weight > 0.0).then(|| sum / weight);
            smoothed.push(match (own, around) {
                (Some(own), Some(around)) => Some(share * around + (1.0 - share) * own),
                (_, around) => around,
            });
        }
    }
    Some(scaled(&smoothed, ROUNDING))
}

/// Smoothed similarities from 0 to 1 that differ by no more are the same.
const ROUNDING: f64 = 1e-9;

/// From 0 for the least to 1 for the greatest; 0 for nothing, and where all are within `rounding` of each other.
fn scaled(values: &[Option<f64>], rounding: f64) -> Vec<f64> {
    let said = || values.iter().flatten().copied();
    let (least, greatest) =
        (said().fold(f64::INFINITY, f64::min), said().fold(f64::NEG_INFINITY, f64::max));
    // Halved, so that the difference of the largest numbers is one, too.
    let range = greatest / 2.0 - least / 2.0;
    let scale =
        |value: f64| if range > rounding { (value / 2.0 - least / 2.0) / range } else { 0.0 };
    values.iter().map(|value| value.map_or(0.0, scale)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(document: &str, position: i64) -> cupel::ContextItemBuilder {
        ContextItem::builder("text", 100).document(document).position(position)
    }

    fn built(items: impl IntoIterator<Item = cupel::ContextItemBuilder>) -> Vec<ContextItem> {
        items.into_iter().map(|item| item.build().expect("a valid item")).collect()
    }

    fn asking(vector: &[f32]) -> RunContext {
        let query = Query::new("").with_vector(vector).expect("finite numbers");
        RunContext::new().with_query(query)
    }

    #[test]
    fn cosines_are_those_of_the_literal_sum() {
        let a: Vec<f32> = (0..37).map(|n| (n * 7 % 11) as f32 - 5.0).collect();
        let b: Vec<f32> = (0..37).map(|n| (n * 5 % 13) as f32 - 6.0).collect();
        let literal = |a: &[f32], b: &[f32]| {
            a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
        };
        let expected = literal(&a, &b) / (literal(&a, &a).sqrt() * literal(&b, &b).sqrt());
        assert!((cosine(&a, &b, length(&b)) - expected).abs() < 1e-6);
    }

    #[test]
    fn a_vector_of_nothing_is_close_to_nothing() {
        let items = built([item("a", 0).vector([0.0, 0.0]), item("a", 1)]);
        let scores = SimilarityScorer.score_batch(&items, &asking(&[1.0, 0.0]));
        assert_eq!(scores, Ok(vec![0.0, 0.0]));
    }

    #[test]
    fn vectors_of_other_lengths_are_refused_with_both_lengths() {
        let items = built([item("a", 0).vector([1.0, 0.0]), item("a", 1).vector([1.0])]);
        let error = SimilarityScorer.score_batch(&items, &asking(&[1.0, 0.0])).unwrap_err();
        assert!(error.to_string().contains("1 numbers and the query's 2"), "{error}");
        let error = similarities(&items, None).unwrap_err();
        assert!(error.to_string().contains("1 numbers and another item's 2"), "{error}");
    }

    #[test]
    fn vectors_need_one_to_be_compared_with() {
        let items = built([item("a", 0).vector([1.0, 0.0])]);
        let context = RunContext::new().with_query("words only");
        assert!(SimilarityScorer.score_batch(&items, &context).is_err());
        let said = built([item("a", 0).vector([1.0, 0.0]).similarity(0.25)]);
        assert_eq!(SimilarityScorer.score_batch(&said, &context), Ok(vec![0.25]));
    }

    #[test]
    fn neighbours_smooth_a_similarity_and_fill_in_for_one_that_is_missing() {
        let items = built([item("a", 0), item("a", 1), item("a", 2), item("b", 0)]);
        let sequence = Sequence::of(&items);
        let given = [Some(1.0), None, Some(0.0), Some(0.5)];
        let e = (-1.0_f64).exp();
        let first = 0.7 * (1.0 / (1.0 + e * e)) + 0.3;
        let last = 0.7 * (e * e / (1.0 + e * e));
        let expected = [1.0, (0.5 - last) / (first - last), 0.0, (0.5 - last) / (first - last)];
        let smoothed = smoothed(&given, &sequence, 100.0, 0.7).expect("some are given");
        for (smoothed, expected) in smoothed.iter().zip(expected) {
            assert!((smoothed - expected).abs() < 1e-12, "{smoothed} instead of {expected}");
        }
    }
}
