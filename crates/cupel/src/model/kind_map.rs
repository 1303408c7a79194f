//! A map keyed by kind that keeps the order its kinds arrived in.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use super::{ContextItem, ContextKind};

/// Kinds, owned or borrowed, with a value each, in order of arrival.
///
/// Real inputs have few kinds but the well-known ones, which are looked up by their place; the
/// others by a scan. Past [`SCAN_LIMIT`] an index is built, so that ten thousand kinds do not make
/// every lookup linear.
#[derive(Debug, Clone)]
pub(crate) struct KindMap<K, V> {
    entries: Vec<(K, V)>,
    /// Where each well-known kind stands.
    well_known: [Option<u32>; ContextKind::WELL_KNOWN.len()],
    index: Option<HashMap<K, usize>>,
}

const SCAN_LIMIT: usize = 16;

impl<K: Borrow<ContextKind> + Clone + Hash + Eq, V> KindMap<K, V> {
    pub(crate) fn new() -> Self {
        let well_known = [None; ContextKind::WELL_KNOWN.len()];
        Self { entries: Vec::new(), well_known, index: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn position(&self, kind: &ContextKind) -> Option<usize> {
        match kind.place() {
            Some(place) => self.well_known[place].map(|at| at as usize),
            None => self.position_by_name(kind),
        }
    }

    /// Apart, so that the usual way stays small enough to be inlined.
    #[cold]
    fn position_by_name(&self, kind: &ContextKind) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(kind).copied(),
            None => self.entries.iter().position(|(other, _)| other.borrow() == kind),
        }
    }

    #[inline]
    pub(crate) fn get(&self, kind: &ContextKind) -> Option<&V> {
        self.position(kind).map(|at| &self.entries[at].1)
    }

    /// [`get`](Self::get) of the kind of `item`.
    #[inline]
    pub(crate) fn get_of(&self, item: &ContextItem) -> Option<&V> {
        let position = match self.well_known.get(item.kind_place()) {
            Some(position) => position.map(|at| at as usize),
            None => self.position_by_name(item.kind()),
        };
        position.map(|at| &self.entries[at].1)
    }

    /// The values of the well-known kinds, by [`place`](ContextKind::place).
    pub(crate) fn of_well_known(&self) -> [Option<&V>; ContextKind::WELL_KNOWN.len()] {
        self.well_known.map(|position| position.map(|at| &self.entries[at as usize].1))
    }

    /// Where `kind` stands, after adding it with `value` if it was not there.
    pub(crate) fn position_or_insert_with(&mut self, kind: K, value: impl FnOnce() -> V) -> usize {
        if let Some(at) = self.position(kind.borrow()) {
            return at;
        }
        let at = self.entries.len();
        if let Some(place) = kind.borrow().place() {
            self.well_known[place] = Some(at as u32); // there are fewer kinds than candidates
        }
        match &mut self.index {
            Some(index) => {
                index.insert(kind.clone(), at);
            }
            None if at == SCAN_LIMIT => {
                let kinds = self.entries.iter().map(|(kind, _)| kind.clone());
                self.index = Some(kinds.chain([kind.clone()]).zip(0..).collect());
            }
            None => {}
        }
        self.entries.push((kind, value()));
        at
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    pub(crate) fn value(&self, at: usize) -> &V {
        &self.entries[at].1
    }

    pub(crate) fn value_mut(&mut self, at: usize) -> &mut V {
        &mut self.entries[at].1
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
    fn lookups_agree_on_both_sides_of_the_scan_limit() {
        let mut map = KindMap::new();
        for n in 0..SCAN_LIMIT * 3 {
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
            for name in [sought, "OTHER", "none"] {
                let item = ContextItem::builder("x", 1).kind(kind(name)).build().unwrap();
                assert_eq!(map.get_of(&item), map.get(&kind(name)), "{put}, {name}");
            }
            let message = ContextItem::builder("x", 1).build().unwrap();
            assert_eq!(map.get_of(&message), None);
        }
    }
}
