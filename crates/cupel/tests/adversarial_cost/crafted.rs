//! Inputs that somebody who has read the source would send.

use chrono::{DateTime, TimeDelta, Utc};
use cupel::{ContextItem, ContextItemBuilder, ContextKind, ItemVariant};

/// A sequence that looks random and is the same every time.
pub(crate) struct Sequence(u64);

impl Sequence {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        self.0 >> 31
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

pub(crate) fn built(count: usize, of: impl FnMut(usize) -> ContextItemBuilder) -> Vec<ContextItem> {
    (0..count).map(of).map(|builder| builder.build().unwrap()).collect()
}

fn start() -> DateTime<Utc> {
    "2025-01-01T00:00:00Z".parse().unwrap()
}

const LENGTH: usize = 400;

/// Candidates as programs have them: texts of 400 bytes, five kinds, up to four of 64 tags,
/// scattered times, priorities and hints.
pub(crate) fn ordinary(count: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| ordinary_item(&mut random, text(at)))
}

/// An ordinary candidate with that text.
fn ordinary_item(random: &mut Sequence, text: String) -> ContextItemBuilder {
    const KINDS: [&str; 5] = ["Message", "Document", "ToolOutput", "Memory", "Note"];
    let tags =
        (0..random.below(5)).map(|_| format!("tag {}", random.below(64))).collect::<Vec<_>>();
    ContextItem::builder(text, 1 + random.below(500) as i64)
        .kind(ContextKind::new(KINDS[random.below(5) as usize]).unwrap())
        .tags(tags)
        .timestamp(start() + TimeDelta::seconds(random.below(30_000_000) as i64))
        .priority(random.below(100) as i64)
        .future_relevance_hint(random.below(100_000) as f64 / 100_000.0)
}

fn text(at: usize) -> String {
    let mut text = format!("{at:08x}");
    text.extend(std::iter::repeat_n("lorem ipsum ", LENGTH / 12));
    text
}

/// The numbers below the next power of two, each once and far from in order, so that there is
/// something to sort.
fn scattered(at: usize, count: usize) -> usize {
    at * 2_654_435_761 % count.next_power_of_two()
}

/// Ordinary but for texts that differ only where no fingerprint looks, and as late as possible.
pub(crate) fn same_fingerprints(count: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    let (head, tail) = ("x".repeat(LENGTH - 16), "x".repeat(8));
    built(count, |at| {
        let number = scattered(at, count);
        ordinary_item(&mut random, format!("{head}{number:08x}{tail}"))
    })
}

/// Ordinary but for texts whose fingerprints differ in nothing but their last bits.
pub(crate) fn similar_fingerprints(count: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    let mut head = 0;
    built(count, |at| {
        let wanted = 0xdead_beef_0000_0000 | scattered(at, count) as u64;
        let text = loop {
            head += 1;
            if let Some(text) = with_fingerprint(wanted, ascii_word(head)) {
                break text;
            }
        };
        ordinary_item(&mut random, text)
    })
}

/// Eight bytes of text for a number, seven bits each.
fn ascii_word(number: u64) -> u64 {
    (0..8).map(|byte| (number >> (7 * byte) & 0x7f) << (8 * byte)).sum()
}

/// Inverts the engine's fingerprint: a text that begins with `head` and has the number `wanted`,
/// if there is one that is text.
fn with_fingerprint(wanted: u64, head: u64) -> Option<String> {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |value: u64| {
        let value = value.wrapping_mul(MULTIPLIER);
        value ^ (value >> 32)
    };
    // Newton's iteration doubles the number of right bits.
    let inverse = (0..6).fold(1u64, |inverse, _| {
        inverse.wrapping_mul(2u64.wrapping_sub(MULTIPLIER.wrapping_mul(inverse)))
    });
    let unmix = |value: u64| (value ^ (value >> 32)).wrapping_mul(inverse);

    let middle = u64::from_le_bytes([b'm'; 8]);
    let so_far = mix(mix(LENGTH as u64 ^ head) ^ middle);
    let tail = (unmix(wanted) ^ so_far).to_le_bytes();
    let tail = std::str::from_utf8(&tail).ok().filter(|tail| tail.is_ascii())?;
    let head = String::from_utf8(head.to_le_bytes().into()).ok()?;
    Some(format!("{head}{}{tail}", "m".repeat(LENGTH - 16)))
}

/// Ordinary but for groups.
pub(crate) fn grouped(count: usize, group: impl Fn(usize) -> String) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| ordinary_item(&mut random, text(at)).group(group(at)))
}

/// Groups of two with texts of which the sum of fingerprints, and all but the last text, agree.
pub(crate) fn alike_units(count: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    let (head, tail) = ("x".repeat(LENGTH - 16), "x".repeat(8));
    built(count, |at| {
        let number = if at % 2 == 0 { 0 } else { scattered(at, count) };
        ordinary_item(&mut random, format!("{head}{number:08x}{tail}")).group(format!("{}", at / 2))
    })
}

/// Ordinary but for as many variants each.
pub(crate) fn with_variants(count: usize, variants: i64) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| {
        let tokens = variants + random.below(500) as i64;
        let variant = |tokens| ItemVariant::new("in short", tokens);
        ContextItem::builder(text(at), tokens)
            .future_relevance_hint(random.below(100_000) as f64 / 100_000.0)
            .variants((0..variants).rev().map(variant))
    })
}

/// Ordinary but for texts that are all the same.
pub(crate) fn same_texts(count: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |_| ordinary_item(&mut random, text(0)))
}

/// Ordinary but for kinds: `kinds` of them, spelled by `name`.
pub(crate) fn kinds(
    count: usize,
    kinds: usize,
    name: impl Fn(usize) -> String,
) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| {
        let kind = ContextKind::new(name(at % kinds)).unwrap();
        ordinary_item(&mut random, text(at)).kind(kind)
    })
}

/// One kind in as many spellings as it has letters for.
pub(crate) fn spelling(at: usize) -> String {
    let letter = |(bit, letter): (usize, char)| match at >> bit & 1 {
        0 => letter,
        _ => letter.to_ascii_uppercase(),
    };
    "abcdefghijklmnopqrst".chars().enumerate().map(letter).collect()
}

/// Kinds that differ only at the end of a long name.
pub(crate) fn long_name(at: usize) -> String {
    format!("{}{at}", "k".repeat(200))
}

/// Ordinary but for tags: `width` different ones of `pool` on every item, nearly all of them
/// different sets, any two of which overlap.
pub(crate) fn overlapping_tags(count: usize, width: usize, pool: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    let mut numbers: Vec<usize> = (0..pool).collect();
    built(count, |at| {
        for place in 0..width {
            numbers.swap(place, place + random.below((pool - place) as u64) as usize);
        }
        let tags = numbers[..width].iter().map(|tag| format!("tag {tag}"));
        ordinary_item(&mut random, text(at)).tags(tags)
    })
}

/// Ordinary but for tags, as many as `overlapping_tags` has and shared with nobody.
pub(crate) fn tags_of_their_own(count: usize, width: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| {
        let tags = (0..width).map(|tag| format!("tag {at} {tag}"));
        ordinary_item(&mut random, text(at)).tags(tags)
    })
}

/// Ordinary but for hints, priorities and times that agree in all leading bits.
pub(crate) fn nearly_equal_keys(count: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| {
        let scattered = random.below(count as u64);
        ordinary_item(&mut random, text(at))
            .future_relevance_hint(f64::from_bits(0.5f64.to_bits() + scattered))
            .priority(if at == 0 { i64::MIN } else { scattered as i64 })
            .timestamp(start() + TimeDelta::nanoseconds(scattered as i64))
    })
}

/// Ordinary but for times that lie further apart than nanoseconds in 64 bits reach, up to the last year that items may have.
pub(crate) fn far_times(count: usize) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| {
        let time = DateTime::from_timestamp(random.below(1 << 32) as i64 * 58, 0).unwrap();
        ordinary_item(&mut random, text(at)).timestamp(time)
    })
}

/// Ordinary but for costs and hints that no bound can tell apart: every item is worth the same per
/// token, and no sum of them fills the window exactly before many were tried.
pub(crate) fn equally_dense(count: usize, worth: f64) -> Vec<ContextItem> {
    let mut random = Sequence::new(7);
    built(count, |at| {
        let tokens = 100 * (2 + 2 * random.below(40) as i64);
        ContextItem::builder(text(at), tokens).future_relevance_hint(tokens as f64 * worth)
    })
}
