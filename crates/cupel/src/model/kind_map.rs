//! A map keyed by kind that keeps the order its kinds arrived in.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use super::ContextKind;

/// Kinds, owned or borrowed, with a value each, in order of arrival.
///
/// Real inputs have a handful of kinds, where a scan beats hashing; past [`SCAN_LIMIT`] an index is
/// built so that ten thousand kinds do not make every lookup linear.
#[derive(Debug, Clone)]
pub(crate) struct KindMap<K, V> {
    entries: Vec<Entry<K, V>>,
    index: Option<HashMap<K, usize>>,
}

#[derive(Debug, Clone)]
struct Entry<K, V> {
    /// [`ContextKind::fold`] of the kind.
    fold: u64,
    kind: K,
    value: V,
}

const SCAN_LIMIT: usize = 16;

impl<K: Borrow<ContextKind> + Clone + Hash + Eq, V> KindMap<K, V> {
    pub(crate) fn new() -> Self {
        Self::with_capacity(0)
    }

    pub(crate) fn with_capacity(kinds: usize) -> Self {
        Self { entries: Vec::with_capacity(kinds), index: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn position(&self, kind: &ContextKind) -> Option<usize> {
        let fold = kind.fold();
        if self.index.is_none() {
            let is_like = |entry: &Entry<K, V>| entry.fold >> 1 == fold >> 1;
            let at = self.entries.iter().position(is_like)?;
            if self.entries[at].fold & fold & 1 == 1 {
                return Some(at);
            }
        }
        self.position_by_name(kind)
    }

    /// Where the well-known kind with this [`fold`](ContextKind::fold) stands, if that can be told
    /// from the fold alone.
    #[inline]
    pub(crate) fn position_of_fold(&self, fold: u64) -> Option<usize> {
        let can_tell = fold % 2 == 1 && self.entries.len() <= SCAN_LIMIT;
        can_tell.then(|| self.entries.iter().position(|entry| entry.fold == fold)).flatten()
    }

    /// Apart, so that the scan stays small enough to be inlined.
    #[cold]
    fn position_by_name(&self, kind: &ContextKind) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(kind).copied(),
            None => self.entries.iter().position(|entry| entry.kind.borrow() == kind),
        }
    }

    #[inline]
    pub(crate) fn get(&self, kind: &ContextKind) -> Option<&V> {
        self.position(kind).map(|at| &self.entries[at].value)
    }

    /// Where `kind` stands, after adding it with `value` if it was not there.
    pub(crate) fn position_or_insert_with(&mut self, kind: K, value: impl FnOnce() -> V) -> usize {
        if let Some(at) = self.position(kind.borrow()) {
            return at;
        }
        let at = self.entries.len();
        match &mut self.index {
            Some(index) => {
                index.insert(kind.clone(), at);
            }
            None if at == SCAN_LIMIT => {
                let kinds = self.entries.iter().map(|entry| entry.kind.clone());
                self.index = Some(kinds.chain([kind.clone()]).zip(0..).collect());
            }
            None => {}
        }
        self.entries.push(Entry { fold: kind.borrow().fold(), kind, value: value() });
        at
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|entry| &entry.value)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|entry| &mut entry.value)
    }

    pub(crate) fn value_mut(&mut self, at: usize) -> &mut V {
        &mut self.entries[at].value
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
}
