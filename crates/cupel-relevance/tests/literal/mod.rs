//! The definition of relevance, read literally: every pair of items, every term, no index, no passes.

use cupel::ContextItem;
use cupel_relevance::RelevanceParameters;

/// The scores of items whose texts are words in lower case, separated by single spaces.
pub(crate) fn scores(
    items: &[ContextItem],
    query: &str,
    parameters: &RelevanceParameters,
) -> Vec<f64> {
    let lexical: Vec<f64> =
        (0..items.len()).map(|at| lexical(items, at, query, parameters)).collect();
    let greatest_lexical = greatest(&lexical);
    let similarities = similarities(items, parameters);
    let mixed: Vec<f64> = (0..items.len())
        .map(|at| {
            let lexical = over(lexical[at], greatest_lexical);
            match &similarities {
                Some(similarities) => {
                    let weight = parameters.similarity_weight;
                    (1.0 - weight) * lexical + weight * similarities[at]
                }
                None => lexical,
            }
        })
        .collect();
    let document_means: Vec<f64> = (0..items.len())
        .map(|at| {
            let parts: Vec<usize> =
                (0..items.len()).filter(|other| are_of_one_document(items, at, *other)).collect();
            parts.iter().map(|part| mixed[*part]).sum::<f64>() / parts.len() as f64
        })
        .collect();
    (0..items.len())
        .map(|at| {
            let own = over(mixed[at], greatest(&mixed));
            let document = over(document_means[at], greatest(&document_means));
            (own + parameters.document_weight * document) / (1.0 + parameters.document_weight)
        })
        .collect()
}

fn lexical(items: &[ContextItem], at: usize, query: &str, parameters: &RelevanceParameters) -> f64 {
    let mut terms: Vec<&str> = query.split_whitespace().collect();
    terms.sort_unstable();
    terms.dedup();
    let RelevanceParameters { k1, b, query_saturation, neighbour_share, .. } = *parameters;
    let mean_length =
        items.iter().map(|it| words(it).count()).sum::<usize>().max(1) as f64 / items.len() as f64;
    let occurrences = |of: usize, term: &str| {
        let item = &items[of];
        let times = words(item).filter(|word| *word == term).count() as f64;
        times / (1.0 - b + b * words(item).count() as f64 / mean_length)
    };
    let saturated = |c: f64| if c > 0.0 { c * (k1 + 1.0) / (c + k1) } else { 0.0 };
    let mut sum = 0.0;
    for term in terms {
        let holders =
            items.iter().filter(|item| words(item).any(|word| word == term)).count() as f64;
        let rarity = (1.0 + (items.len() as f64 - holders + 0.5) / (holders + 0.5)).ln();
        let times = query.split_whitespace().filter(|word| *word == term).count() as f64;
        let weight = rarity * (query_saturation + 1.0) * times / (times + query_saturation);
        let own = occurrences(at, term);
        let reaching: f64 = (0..items.len())
            .map(|other| {
                occurrences(other, term) * reach(items, at, other, parameters.neighbour_decay)
            })
            .sum();
        sum += weight
            * (neighbour_share * saturated(reaching) + (1.0 - neighbour_share) * saturated(own));
    }
    sum
}

/// Similarities with those around, from 0 to 1.
fn similarities(items: &[ContextItem], parameters: &RelevanceParameters) -> Option<Vec<f64>> {
    let said = |at: usize| items[at].similarity();
    let smoothed = |at: usize| {
        let reach = |other: usize| reach(items, at, other, parameters.similarity_decay);
        let all = || (0..items.len()).filter(|other| said(*other).is_some());
        let weight: f64 = all().map(reach).sum();
        let sum: f64 = all().map(|other| said(other).unwrap_or(0.0) * reach(other)).sum();
        let around = (weight > 0.0).then(|| sum / weight)?;
        let share = parameters.similarity_spread;
        Some(said(at).map_or(around, |own| share * around + (1.0 - share) * own))
    };
    let smoothed: Vec<Option<f64>> = (0..items.len()).map(smoothed).collect();
    let known: Vec<f64> = smoothed.iter().flatten().copied().collect();
    let least = known.iter().copied().reduce(f64::min)?;
    let range = known.iter().copied().reduce(f64::max)? - least;
    let is_rounding = range < 1e-9;
    let scale = |it: f64| if is_rounding { 0.0 } else { (it - least) / range };
    let scaled = |it: &Option<f64>| it.map_or(0.0, scale);
    Some(smoothed.iter().map(scaled).collect())
}

/// What is left of something at `other` when it has come to `at`: all at the item itself, less the more tokens lie between the
/// middles of two parts of one document, nothing elsewhere.
fn reach(items: &[ContextItem], at: usize, other: usize, decay: f64) -> f64 {
    if at == other {
        return 1.0;
    }
    let is_placed = items[at].position().is_some() && items[other].position().is_some();
    if !are_of_one_document(items, at, other) || !is_placed || decay == 0.0 {
        return 0.0;
    }
    let mut parts: Vec<usize> = (0..items.len())
        .filter(|part| are_of_one_document(items, at, *part) && items[*part].position().is_some())
        .collect();
    parts.sort_by_key(|part| items[*part].position());
    let mut middle = 0.0;
    let mut middles = vec![0.0; items.len()];
    for part in parts {
        let half = items[part].tokens() as f64 / 2.0;
        middles[part] = middle + half;
        middle += 2.0 * half;
    }
    (-(middles[at] - middles[other]).abs() / decay).exp()
}

fn are_of_one_document(items: &[ContextItem], one: usize, other: usize) -> bool {
    one == other
        || items[one].document().is_some() && items[one].document() == items[other].document()
}

fn words(item: &ContextItem) -> impl Iterator<Item = &str> {
    item.content().split_whitespace()
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn over(value: f64, by: f64) -> f64 {
    if by > 0.0 { value / by } else { 0.0 }
}
