//! Which of the candidates have a term?

use cupel::ContextItem;

use crate::lexicon::{Counted, Term};
use crate::sequence::Sequence;

/// The candidates of a run by their terms, in reading order.
pub(crate) struct Pool {
    pub(crate) sequence: Sequence,
    /// Whether any item says its similarity or has a vector.
    pub(crate) has_similarities: bool,
    /// How many terms the item at each place has.
    pub(crate) lengths: Vec<u32>,
    /// Where the entries of each term begin, and where the last ones end.
    starts: Vec<usize>,
    entries: Vec<Posting>,
}

/// An item that has a term.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Posting {
    /// Where in the sequence it is.
    pub(crate) place: u32,
    /// How often it has the term.
    pub(crate) count: u32,
}

impl Pool {
    /// Of items and what they are made of, each in terms below `terms`.
    pub(crate) fn new<'c>(
        items: &[ContextItem],
        counted: impl Fn(usize) -> &'c Counted,
        terms: usize,
    ) -> Self {
        let sequence = Sequence::of(items);
        let in_order = || sequence.items.iter().map(|at| counted(*at as usize));
        // How many items have each term says where its entries begin.
        let mut starts = vec![0; terms + 1];
        for (term, _) in in_order().flat_map(|it| &it.terms) {
            starts[*term as usize + 1] += 1;
        }
        for term in 0..terms {
            starts[term + 1] += starts[term];
        }
        let mut ends = starts.clone();
        let mut entries = vec![Posting::default(); starts[terms]];
        for (place, counted) in in_order().enumerate() {
            for &(term, count) in &counted.terms {
                let end = &mut ends[term as usize];
                entries[*end] = Posting { place: place as u32, count };
                *end += 1;
            }
        }
        let lengths = in_order().map(|it| it.length).collect();
        let says = |item: &ContextItem| item.similarity().is_some() || !item.vector().is_empty();
        let has_similarities = items.iter().any(says);
        Self { sequence, has_similarities, lengths, starts, entries }
    }

    /// How many items there are.
    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// How many different terms they have.
    pub(crate) fn terms(&self) -> usize {
        self.starts.windows(2).filter(|pair| pair[0] < pair[1]).count()
    }

    /// The items that have a term, in reading order.
    pub(crate) fn holders(&self, term: Term) -> &[Posting] {
        let term = term as usize;
        match self.starts.get(term..term + 2) {
            Some(&[start, end]) => &self.entries[start..end],
            _ => &[],
        }
    }
}
