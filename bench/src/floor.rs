//! The least that any engine could do with these candidates.

use cupel::ContextItem;
use rapidhash::v3::rapidhash_v3;

/// One pass over the items, one fast hash of all text, and one sort of as many pairs.
pub(crate) fn floor(items: &[ContextItem]) -> u64 {
    let mut hashes = 0;
    let mut keys = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        hashes ^= rapidhash_v3(item.content().as_bytes());
        keys.push((item.future_relevance_hint().unwrap_or_default(), at as u32));
    }
    keys.sort_unstable_by(|a: &(f64, u32), b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    hashes ^ keys.first().map_or(0, |key| u64::from(key.1))
}
