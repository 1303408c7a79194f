//! Candidates.

use std::collections::HashMap;

use arbitrary::{Result, Unstructured};
use chrono::{DateTime, TimeDelta, Utc};
use cupel::{ContextItem, ContextKind, ContextSource, ItemVariant};
use cupel_testing::generate::reference_time;

use super::one_of_or_any;

/// Tags in several spellings. Only ASCII letters have a case that counts, so the last two differ.
pub(super) const TAGS: [&str; 9] =
    ["important", "Important", "IMPORTANT", "rust", "Rust", "x", "", "ünï", "ÜNÏ"];

const KINDS: [&str; 9] = [
    "Message",
    "message",
    "MESSAGE",
    "Document",
    "document",
    "ToolOutput",
    "toolOUTPUT",
    "Memory",
    "Note",
];

/// Contents that are easily taken for one another, some of them longer than a fingerprint looks.
const CONTENTS: [&str; 12] = [
    "a",
    "b",
    "c",
    "alpha",
    "Alpha",
    "alpha ",
    "caf\u{e9}",
    "cafe\u{301}",
    "\u{feff}alpha",
    "\0",
    "the same head, a difference in the midst 1 of it, and at last the very same tail again",
    "the same head, a difference in the midst 2 of it, and at last the very same tail again",
];

/// Two of them differ only in how they are encoded.
const GROUPS: [&str; 4] = ["call", "other call", "caf\u{e9}", "cafe\u{301}"];

const DOCUMENTS: [&str; 3] = ["guide.md", "Guide.md", "notes"];

const SIMILARITIES: [f64; 8] = [0.5, 0.0, -0.0, -0.3, 1.0, 42.0, f64::MAX, f64::MIN];

const COORDINATES: [f32; 8] = [0.6, 0.8, 0.0, -0.0, -1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE];

const TRUST: [&str; 12] =
    ["0.85", "0.5", "0", "1.5", "-0.1", "-0.0", "NaN", "+Infinity", "1e-400", "high", "", " 0.5"];

const HINTS: [f64; 18] = [
    0.5,
    0.25,
    0.75,
    1.0,
    0.0,
    -0.0,
    -0.3,
    1.7,
    0.000_05,
    5e-324,
    1e15,
    1e300,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    -f64::NAN,
];

const EXTREME_TOKENS: [i64; 10] = [
    i64::MAX,
    i64::MAX - 1,
    i64::MAX / 2,
    i64::MAX / 3,
    (1 << 53) + 1,
    1_000_000_000_000,
    -1,
    -2,
    i64::MIN,
    i64::MIN + 1,
];

/// Up to `most` candidates: fresh ones, handles given again, and equal ones that are not the same.
pub(super) fn items(bytes: &mut Unstructured<'_>, most: usize) -> Result<Vec<ContextItem>> {
    let mut items: Vec<ContextItem> = Vec::new();
    while items.len() < most && !bytes.is_empty() {
        let earlier = match items.len() {
            0 => None,
            length => Some(bytes.choose_index(length)?),
        };
        items.push(match (bytes.int_in_range(0..=9_u8)?, earlier) {
            (8, Some(earlier)) => items[earlier].clone(),
            (9, Some(earlier)) => rebuilt(&items[earlier]),
            _ => fresh(bytes)?,
        });
    }
    Ok(items)
}

fn fresh(bytes: &mut Unstructured<'_>) -> Result<ContextItem> {
    let content = match bytes.int_in_range(0..=2_u8)? {
        0 => format!("item-{}", bytes.arbitrary::<u8>()?),
        _ => (*bytes.choose(&CONTENTS)?).to_owned(),
    };
    let has: u8 = bytes.arbitrary()?;
    let tokens = tokens(bytes)?;
    let mut builder = ContextItem::builder(content, tokens)
        .kind(kind(bytes.choose(&KINDS)?))
        .source(ContextSource::new(*bytes.choose(&["Chat", "Tool", "rag"])?).expect("not blank"))
        .pinned(has & 7 == 7);
    if has & 8 != 0 {
        builder = builder.priority(match bytes.int_in_range(0..=7)? {
            7 => *bytes.choose(&[i64::MIN, i64::MAX, i64::MAX - 1])?,
            small => small,
        });
    }
    if has & 16 != 0 {
        let count = bytes.int_in_range(0..=4)?;
        let tags = (0..count).map(|_| Ok((*bytes.choose(&TAGS)?).to_owned()));
        builder = builder.tags(tags.collect::<Result<Vec<_>>>()?);
    }
    if has & 32 != 0 {
        builder = builder.timestamp(timestamp(bytes)?);
    }
    if has & 64 != 0 {
        builder = builder.future_relevance_hint(one_of_or_any(bytes, &HINTS)?);
    }
    if has & 128 != 0 {
        builder = builder.metadata(metadata(bytes)?);
    }
    let more: u8 = bytes.arbitrary()?;
    if more & 3 == 3 {
        builder = builder.group(*bytes.choose(&GROUPS)?);
    }
    if more & 12 == 12 {
        builder = builder.variants(variants(bytes, tokens)?);
    }
    if more & 48 == 48 {
        builder = builder.document(*bytes.choose(&DOCUMENTS)?);
        if more & 64 != 0 {
            builder = builder.position(match bytes.int_in_range(0..=8)? {
                8 => *bytes.choose(&[i64::MIN, i64::MAX, i64::MAX - 1])?,
                small => small,
            });
        }
    }
    if more & 192 == 192 {
        builder = builder.similarity(*bytes.choose(&SIMILARITIES)?);
        let length = bytes.int_in_range(0..=3)?;
        let numbers = (0..length).map(|_| Ok(*bytes.choose(&COORDINATES)?));
        builder = builder.vector(numbers.collect::<Result<Vec<f32>>>()?);
    }
    Ok(builder.build().expect("no content in the table is empty, variants cost less and less"))
}

/// Up to four shorter forms, now and then one of no tokens.
fn variants(bytes: &mut Unstructured<'_>, tokens: i64) -> Result<Vec<ItemVariant>> {
    let mut variants = Vec::new();
    let mut longer = tokens;
    for _ in 0..bytes.int_in_range(1..=4_u8)? {
        if longer <= 0 {
            break;
        }
        let shorter = match bytes.int_in_range(0..=3_u8)? {
            0 => longer / 2,
            1 => longer - 1,
            2 => longer.min(256) - 1 - i64::from(bytes.arbitrary::<u8>()?).min(longer.min(256) - 1),
            _ => 0,
        };
        let variant = ItemVariant::new("in short", shorter);
        variants.push(match bytes.arbitrary()? {
            true => variant.with_worth(*bytes.choose(&[0.5, 0.0, 1.0, 0.9, -0.0])?),
            false => variant,
        });
        longer = shorter;
    }
    Ok(variants)
}

/// Another instance with the same fields.
fn rebuilt(item: &ContextItem) -> ContextItem {
    let mut builder = ContextItem::builder(item.content(), item.tokens())
        .kind(item.kind().clone())
        .source(item.source().clone())
        .tags(item.tags().to_vec())
        .metadata(item.metadata().clone())
        .pinned(item.pinned());
    if let Some(priority) = item.priority() {
        builder = builder.priority(priority);
    }
    if let Some(timestamp) = item.timestamp() {
        builder = builder.timestamp(timestamp);
    }
    if let Some(hint) = item.future_relevance_hint() {
        builder = builder.future_relevance_hint(hint);
    }
    if let Some(group) = item.group() {
        builder = builder.group(group);
    }
    if let Some(document) = item.document() {
        builder = builder.document(document);
    }
    if let Some(position) = item.position() {
        builder = builder.position(position);
    }
    if let Some(similarity) = item.similarity() {
        builder = builder.similarity(similarity);
    }
    builder = builder.vector(item.vector());
    builder.variants(item.variants().iter().cloned()).build().expect("it was built before")
}

pub(super) fn kind(name: &str) -> ContextKind {
    ContextKind::new(name).expect("no kind in a table is blank")
}

fn tokens(bytes: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match bytes.int_in_range(0..=15_u8)? {
        0..=3 => *bytes.choose(&[10, 1, 0, 50, 100])?,
        4..=11 => bytes.arbitrary::<u8>()?.into(),
        12..=13 => bytes.int_in_range(0..=4_000)?,
        14 => *bytes.choose(&EXTREME_TOKENS)?,
        _ => bytes.arbitrary()?,
    })
}

/// Moments around the clock of the scorers, where decay curves have their edges.
fn timestamp(bytes: &mut Unstructured<'_>) -> Result<DateTime<Utc>> {
    let age = match bytes.int_in_range(0..=15_u8)? {
        0..=7 => TimeDelta::hours(bytes.int_in_range(-2..=30)?),
        8 => TimeDelta::nanoseconds(bytes.int_in_range(-2..=2)?),
        9 => TimeDelta::microseconds(bytes.int_in_range(498..=502)?),
        10 => TimeDelta::seconds(bytes.arbitrary::<u16>()?.into()),
        11 => TimeDelta::days(bytes.arbitrary::<i16>()?.into()),
        12 => TimeDelta::nanoseconds(bytes.arbitrary()?),
        13 => return Ok(DateTime::from_timestamp(-62_167_219_200, 0).unwrap_or_default()),
        14 => return Ok(DateTime::from_timestamp(253_402_300_799, 999_999_999).unwrap_or_default()),
        _ => return Ok(DateTime::UNIX_EPOCH),
    };
    Ok(reference_time() - age)
}

fn metadata(bytes: &mut Unstructured<'_>) -> Result<HashMap<String, String>> {
    let trust = ("cupel:trust".to_owned(), (*bytes.choose(&TRUST)?).to_owned());
    let priority = *bytes.choose(&["high", "High", "normal", ""])?;
    let priority = ("cupel:priority".to_owned(), priority.to_owned());
    Ok(match bytes.int_in_range(0..=2_u8)? {
        0 => HashMap::from([trust]),
        1 => HashMap::from([priority]),
        _ => HashMap::from([trust, priority]),
    })
}
