//! A few bytes of a text, enough to tell most texts apart without reading them.

/// Mixes the length with eight bytes each of head, middle and tail.
///
/// Equal texts have equal fingerprints. Unequal texts may too, and an adversary can arrange it, so
/// a match is only ever a reason to compare in full.
pub(super) fn fingerprint(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let last = bytes.len().saturating_sub(8);
    let mut hash = bytes.len() as u64;
    for at in [0, last / 2, last] {
        hash = mix(hash ^ word_at(bytes, at));
    }
    hash
}

fn word_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    let available = &bytes[at..bytes.len().min(at + 8)];
    word[..available.len()].copy_from_slice(available);
    u64::from_le_bytes(word)
}

fn mix(value: u64) -> u64 {
    let value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value ^ (value >> 32)
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn differences_at_head_middle_and_tail_show() {
        let text = "a".repeat(400);
        for at in [0, 7, 196, 203, 392, 399] {
            let mut changed = text.clone();
            changed.replace_range(at..=at, "b");
            assert_ne!(fingerprint(&text), fingerprint(&changed), "byte {at}");
        }
        assert_ne!(fingerprint(&text), fingerprint(&text[1..]));
    }

    #[test]
    fn every_short_length_is_accepted() {
        let text = "0123456789abcdefghij";
        for end in 0..text.len() {
            assert_eq!(fingerprint(&text[..end]), fingerprint(&String::from(&text[..end])));
        }
    }
}
