//! The schema of reasons, which must not refuse what reading does not.

use schemars::Schema;
use serde_json::{Value, json};

/// Turns "one of the known reasons" into "any reason, and a known one carries what it should".
///
/// A name that is not known is read as `Unknown`, so the schema lets it pass as well.
pub(super) fn any_reason(schema: &mut Schema) {
    let Some(Value::Array(known)) = schema.remove("oneOf") else { return };
    let names: Vec<_> =
        known.iter().map(|reason| &reason["properties"]["reason"]["const"]).collect();
    let carries_data =
        |reason: &&Value| reason["required"].as_array().is_some_and(|required| required.len() > 1);
    let rules: Vec<_> = known
        .iter()
        .filter(carries_data)
        .map(|reason| {
            json!({
                "if": { "properties": { "reason": reason["properties"]["reason"] } },
                "then": { "properties": reason["properties"], "required": reason["required"] },
            })
        })
        .collect();

    schema.insert("type".to_owned(), json!("object"));
    schema.insert(
        "properties".to_owned(),
        json!({ "reason": { "type": "string", "examples": names } }),
    );
    schema.insert("required".to_owned(), json!(["reason"]));
    if !rules.is_empty() {
        schema.insert("allOf".to_owned(), json!(rules));
    }
}
