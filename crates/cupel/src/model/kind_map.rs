//! A map keyed by kind that keeps the order its kinds arrived in.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use super::ContextKind;

/// Kinds, owned or borrowed, with a value each, in order of arrival.
///
/// Most candidates are of a well-known kind, which is found by its index, without hashing a name.
#[derive(Debug, Clone)]
pub(crate) struct KindMap<K, V> {
    entries: Vec<(K, V)>,
    well_known: [Option<usize>; ContextKind::WELL_KNOWN.len()],
    others: HashMap<K, usize>,
}

impl<K: Borrow<ContextKind> + Clone + Hash + Eq, V> KindMap<K, V> {
    pub(crate) fn new() -> Self {
        let well_known = [None; ContextKind::WELL_KNOWN.len()];
        Self { entries: Vec::new(), well_known, others: HashMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where `kind` stands.
    pub(crate) fn position(&self, kind: &ContextKind) -> Option<usize> {
        self.position_of(kind.well_known_index(), kind)
    }

    /// Where a kind stands whose index among the well-known ones is known already.
    #[inline]
    pub(crate) fn position_of(
        &self,
        well_known: Option<usize>,
        kind: &ContextKind,
    ) -> Option<usize> {
        match well_known {
            Some(index) => self.well_known[index],
            None => self.others.get(kind).copied(),
        }
    }

    pub(crate) fn get(&self, kind: &ContextKind) -> Option<&V> {
        self.position(kind).map(|at| &self.entries[at].1)
    }

    /// Where `kind` stands, after adding it with `value` if it was not there.
    pub(crate) fn position_or_insert_with(&mut self, kind: K, value: impl FnOnce() -> V) -> usize {
        if let Some(at) = self.position(kind.borrow()) {
            return at;
        }
        let at = self.entries.len();
        match kind.borrow().well_known_index() {
            Some(index) => self.well_known[index] = Some(at),
            None => drop(self.others.insert(kind.clone(), at)),
        }
        self.entries.push((kind, value()));
        at
    }

    /// The value at a position.
    pub(crate) fn value_mut(&mut self, at: usize) -> &mut V {
        &mut self.entries[at].1
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    pub(crate) fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

impl<K: Borrow<ContextKind> + Clone + Hash + Eq, V> FromIterator<(K, V)> for KindMap<K, V> {
    /// Later values of a kind already present are dropped; callers refuse duplicates before.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (kind, value) in entries {
            map.position_or_insert_with(kind, || value);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_keep_the_order_they_arrived_in_and_are_found_in_any_case() {
        let mut map = KindMap::new();
        for n in 0..40 {
            let kind = ContextKind::new(format!("Kind-{n}")).unwrap();
            assert_eq!(map.position_or_insert_with(kind.clone(), || n), n);
            for earlier in 0..=n {
                let shouted = ContextKind::new(format!("KIND-{earlier}")).unwrap();
                assert_eq!(map.get(&shouted), Some(&earlier));
                assert_eq!(map.position_or_insert_with(shouted, || 999), earlier);
            }
        }
        assert_eq!(map.get(&ContextKind::message()), None);
    }

    #[test]
    fn well_known_kinds_are_found_however_spelled() {
        for (put, sought) in [("Memory", "MEMORY"), ("memory", "Memory"), ("mEmory", "MeMory")] {
            let kind = |name| ContextKind::new(name).unwrap();
            let map = KindMap::from_iter([(kind("other"), 0), (kind(put), 1)]);
            assert_eq!(map.get(&kind(sought)), Some(&1), "{put}, {sought}");
            assert_eq!(map.get(&ContextKind::message()), None);
        }
    }
}
