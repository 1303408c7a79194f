//! The candidates as JSON, for programs in other languages.

use serde_json::{Value, json};

use crate::records::{Record, Texts, half, records};

pub(crate) fn to_json(count: usize) -> Value {
    let records = records(count, Texts::Usual);
    json!({
        "target_tokens": half(&records),
        "items": records.iter().map(item).collect::<Vec<Value>>(),
    })
}

fn item(record: &Record) -> Value {
    json!({
        "content": record.content,
        "tokens": record.tokens,
        "kind": record.kind,
        "timestamp": record.timestamp,
        "priority": record.priority,
        "tags": record.tags,
        "hint": record.hint,
    })
}
