//! How much do an item's terms say about the query?

use crate::RelevanceParameters;
use crate::lexicon::Term;
use crate::pool::{Pool, Posting};
use crate::sequence::spread;

/// The terms of a longer query that weigh least are left out: those that are found everywhere.
pub(crate) const MOST_TERMS: usize = 512;

/// BM25 sums by place in the sequence.
pub(crate) struct Sums {
    /// By the terms of each item alone.
    pub(crate) own: Vec<f64>,
    /// By its terms and those of its neighbours, where there are any.
    pub(crate) spread: Option<Vec<f64>>,
}

/// A term of the query that an item has.
pub(crate) struct Match {
    /// Which of the query's terms it is.
    pub(crate) number: usize,
    pub(crate) place: u32,
    pub(crate) count: u32,
    /// What it adds to the item's own sum.
    pub(crate) added: f64,
}

/// A term of the query that counts.
struct Weighed {
    number: usize,
    term: Term,
    weight: f64,
}

/// Scores every item of the pool by the terms of a query and how often each is in it, and tells `hear` of every match.
pub(crate) fn sums(
    pool: &Pool,
    query: &[(Term, u32)],
    parameters: &RelevanceParameters,
    mut hear: impl FnMut(Match),
) -> Sums {
    let norms = Norms::new(&pool.lengths, parameters.b);
    let mut own = vec![0.0; pool.len()];
    let weighed = weighed(pool, query, parameters);
    for &Weighed { number, term, weight } in &weighed {
        for &Posting { place, count } in pool.holders(term) {
            let added = weight * saturated(f64::from(count) / norms.of(place), parameters.k1);
            own[place as usize] += added;
            hear(Match { number, place, count, added });
        }
    }
    let has_neighbours = pool.sequence.documents.len() < pool.len();
    let spread = (has_neighbours && parameters.neighbour_decay > 0.0)
        .then(|| spread_sums(pool, &weighed, &norms, parameters));
    Sums { own, spread }
}

/// The same sums over what reaches each item from all parts of its document.
fn spread_sums(
    pool: &Pool,
    weighed: &[Weighed],
    norms: &Norms<'_>,
    parameters: &RelevanceParameters,
) -> Vec<f64> {
    let documents = &pool.sequence.documents;
    let carries = pool.sequence.carries(parameters.neighbour_decay);
    let mut document_of = vec![0_u32; pool.len()];
    for (number, places) in documents.iter().enumerate() {
        document_of[places.clone()].fill(number as u32);
    }
    let mut sums = vec![0.0; pool.len()];
    let (mut values, mut reaching) = (Vec::new(), Vec::new());
    for &Weighed { term, weight, .. } in weighed {
        let in_one_document = |a: &Posting, b: &Posting| {
            document_of[a.place as usize] == document_of[b.place as usize]
        };
        for holders in pool.holders(term).chunk_by(in_one_document) {
            let places = documents[document_of[holders[0].place as usize] as usize].clone();
            values.clear();
            values.resize(places.len(), 0.0);
            for holder in holders {
                let place = holder.place as usize;
                values[place - places.start] = f64::from(holder.count) / norms.of(holder.place);
            }
            spread(&values, &carries[places.clone()], &mut reaching);
            for (sum, reaching) in sums[places].iter_mut().zip(&reaching) {
                *sum += weight * saturated(*reaching, parameters.k1);
            }
        }
    }
    sums
}

/// What the occurrences in an item are divided by: more than 1 for long items, less for short ones.
struct Norms<'p> {
    lengths: &'p [u32],
    mean: f64,
    b: f64,
}

impl<'p> Norms<'p> {
    fn new(lengths: &'p [u32], b: f64) -> Self {
        let total: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
        Self { lengths, mean: total.max(1) as f64 / lengths.len().max(1) as f64, b }
    }

    fn of(&self, place: u32) -> f64 {
        1.0 - self.b + self.b * f64::from(self.lengths[place as usize]) / self.mean
    }
}

/// The terms that any item has, with their weights, in the query's order.
fn weighed(pool: &Pool, query: &[(Term, u32)], parameters: &RelevanceParameters) -> Vec<Weighed> {
    let s = parameters.query_saturation;
    let mut weighed = Vec::new();
    for (number, &(term, times)) in query.iter().enumerate() {
        let (items, holders) = (pool.len() as f64, pool.holders(term).len() as f64);
        if holders > 0.0 {
            let rarity = libm::log(1.0 + (items - holders + 0.5) / (holders + 0.5));
            let times = f64::from(times);
            weighed.push(Weighed {
                number,
                term,
                weight: rarity * (s + 1.0) * times / (times + s),
            });
        }
    }
    if weighed.len() > MOST_TERMS {
        weighed.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        weighed.truncate(MOST_TERMS);
        weighed.sort_by_key(|it| it.number);
    }
    weighed
}

fn saturated(occurrences: f64, k1: f64) -> f64 {
    if occurrences > 0.0 { occurrences * (k1 + 1.0) / (occurrences + k1) } else { 0.0 }
}
