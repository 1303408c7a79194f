//! A map keyed by kind that keeps the order its kinds arrived in.

use std::collections::HashMap;

use super::ContextKind;

/// Kinds with a value each, in order of arrival.
///
/// Real inputs have a handful of kinds, where a scan beats hashing; past [`SCAN_LIMIT`] an index is
/// built so that ten thousand kinds do not make every lookup linear.
#[derive(Debug, Clone)]
pub(crate) struct KindMap<V> {
    entries: Vec<(ContextKind, V)>,
    /// Each entry's [`ContextKind::fold`], side by side for the scan.
    folds: Vec<u64>,
    index: HashMap<ContextKind, usize>,
}

const SCAN_LIMIT: usize = 16;

impl<V> KindMap<V> {
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new(), folds: Vec::new(), index: HashMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn entries(&self) -> &[(ContextKind, V)] {
        &self.entries
    }

    pub(crate) fn position(&self, kind: &ContextKind) -> Option<usize> {
        if self.entries.len() <= SCAN_LIMIT {
            let fold = kind.fold();
            let mut folds = self.folds.iter().enumerate();
            folds.find(|(at, it)| **it == fold && self.entries[*at].0 == *kind).map(|(at, _)| at)
        } else {
            self.index.get(kind).copied()
        }
    }

    pub(crate) fn get(&self, kind: &ContextKind) -> Option<&V> {
        self.position(kind).map(|at| &self.entries[at].1)
    }

    /// Where `kind` stands, after adding it with `value` if it was not there.
    pub(crate) fn position_or_insert(&mut self, kind: &ContextKind, value: V) -> usize {
        if let Some(at) = self.position(kind) {
            return at;
        }
        let at = self.entries.len();
        self.entries.push((kind.clone(), value));
        self.folds.push(kind.fold());
        if at == SCAN_LIMIT {
            let kinds = self.entries.iter().enumerate();
            self.index = kinds.map(|(at, (kind, _))| (kind.clone(), at)).collect();
        } else if at > SCAN_LIMIT {
            self.index.insert(kind.clone(), at);
        }
        at
    }

    pub(crate) fn value_mut(&mut self, at: usize) -> &mut V {
        &mut self.entries[at].1
    }
}

impl<V> FromIterator<(ContextKind, V)> for KindMap<V> {
    /// Later values of a kind already present are dropped; callers refuse duplicates before.
    fn from_iter<I: IntoIterator<Item = (ContextKind, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (kind, value) in entries {
            map.position_or_insert(&kind, value);
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
            assert_eq!(map.position_or_insert(&kind, n), n);
            for earlier in 0..=n {
                let shouted = ContextKind::new(format!("KIND-{earlier}")).unwrap();
                assert_eq!(map.get(&shouted), Some(&earlier));
                assert_eq!(map.position_or_insert(&shouted, 999), earlier);
            }
        }
        assert_eq!(map.get(&ContextKind::message()), None);
    }
}
