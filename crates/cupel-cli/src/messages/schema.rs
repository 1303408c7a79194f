//! The JSON Schema of a batch's lines, for editors and validators.
//!
//! Lines with messages are described by the type that reads them; what providers take is described as far as the
//! formats are told apart by it. Whether a line is right, reading says.

use cupel_messages::Format;
use cupel_policy::schema;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::batch::Line;

/// A line of a batch: items or messages, how much of them, and how it is chosen.
pub(crate) fn batch() -> Schema {
    let mut items = schema::request();
    let Some(Value::Object(mut definitions)) = items.remove("$defs") else { return items };
    items.remove("$schema");
    if let Some(item) = definitions.get_mut("ContextItem") {
        // A batch keeps a caller's own keys, and counts what has no tokens.
        item["additionalProperties"] = Value::Bool(true);
        item["required"] = json!(["content"]);
    }
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let messages = generator.subschema_for::<Line<'_>>();
    definitions.extend(generator.take_definitions(true));
    let own =
        definitions.get_mut("MessagesLine").and_then(|line| line["properties"].as_object_mut());
    for property in own.into_iter().flat_map(|properties| properties.values_mut()) {
        // What need not be there is nothing, which is no value for an editor to put in.
        if let Some(property) =
            property.as_object_mut().filter(|it| it.get("default") == Some(&Value::Null))
        {
            property.remove("default");
        }
    }
    definitions.insert("ItemsLine".to_owned(), items.to_value());
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cupel batch line",
        "description": "Items or a request to a model, how much of it may stay, and how that is chosen.",
        "anyOf": [{ "$ref": "#/$defs/ItemsLine" }, messages],
        "$defs": definitions,
    })
}

/// The budget of a request with items.
pub(super) fn budget(_generator: &mut SchemaGenerator) -> Schema {
    let request = schema::request();
    let budget = request.pointer("/properties/budget").cloned().unwrap_or_default();
    Schema::try_from(budget).unwrap_or_default()
}

/// A policy by what [`batch`] has of it.
pub(super) fn policy(_generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [{ "$ref": "#/$defs/Preset" }, { "$ref": "#/$defs/Policy" }, { "type": "null" }],
    })
}

pub(super) fn provider(_generator: &mut SchemaGenerator) -> Schema {
    let names = Format::ALL.iter().map(|format| Value::from(format.name()));
    json_schema!({ "enum": names.chain([Value::Null]).collect::<Vec<_>>() })
}

/// The state of a session, which only the program that wrote it looks into.
pub(super) fn session(_generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["object", "null"] })
}

pub(super) fn list(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Vec<Message>>()
}

/// A whole request, or a bare list of messages.
pub(super) fn request(generator: &mut SchemaGenerator) -> Schema {
    let list = list(generator);
    json_schema!({
        "anyOf": [
            list,
            {
                "type": "object",
                "properties": {
                    "model": { "type": ["string", "null"] },
                    "messages": list,
                    "input": { "anyOf": [{ "type": "string" }, list] },
                    "contents": list,
                },
                "oneOf": [
                    { "required": ["messages"] },
                    { "required": ["input"] },
                    { "required": ["contents"] },
                ],
            },
        ],
    })
}

/// A message of any provider.
struct Message;

impl JsonSchema for Message {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        let hints = json!({
            "description": "What the message says to Cupel; it is not sent.",
            "type": "object",
            "properties": {
                "priority": { "type": "integer" },
                "pinned": { "type": "boolean" },
                "tags": { "type": "array", "items": { "type": "string" } },
                "volatile": { "type": "boolean" },
            },
            "additionalProperties": false,
        });
        json_schema!({
            "type": "object",
            "properties": { "cupel": hints },
            "anyOf": [
                {
                    "description": "A message of OpenAI or Anthropic.",
                    "properties": {
                        "role": { "enum": ["system", "developer", "user", "assistant", "tool", "function"] },
                        "content": { "type": ["string", "array", "null"] },
                    },
                    "required": ["role"],
                    "not": { "required": ["parts"] },
                },
                {
                    "description": "An item of OpenAI Responses that is no message.",
                    "properties": { "type": { "type": "string", "not": { "const": "message" } } },
                    "required": ["type"],
                },
                {
                    "description": "A content of Gemini.",
                    "properties": {
                        "role": { "enum": ["user", "model", "function"] },
                        "parts": { "type": "array", "items": { "type": "object" } },
                    },
                    "required": ["parts"],
                },
            ],
        })
    }
}
