//! JSON Schema (draft 2020-12) of every format, for editors and validators.
//!
//! The schemas state the canonical spelling of keys and names. Reading is more generous (keys in
//! snake_case, names in any case) and knows rules that no schema states (a target within the
//! maximum, each kind once). A schema therefore helps writing a file; whether it is right, reading
//! says.
//!
//! The repository keeps them in `schemas/`. An editor that is pointed there, by its settings or by
//! `"$schema"` in a policy file, completes and checks as you type.

use cupel::{ContextBudget, ContextItem, SelectionReport};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::Registry;
use crate::policy::PolicyDefinition;
use crate::preset::Preset;
use crate::request::RequestDefinition;
use crate::response::Response;

/// One item.
pub fn item() -> Schema {
    of::<ContextItem>("Cupel item")
}

/// A budget.
pub fn budget() -> Schema {
    of::<ContextBudget>("Cupel budget")
}

/// A policy file of built-in strategies.
pub fn policy() -> Schema {
    of::<PolicyDefinition<'_>>("Cupel policy")
}

/// A policy file of built-in strategies and those of `registry`, whose arguments it leaves open.
pub fn policy_with(registry: &Registry) -> Schema {
    let mut schema = policy();
    let named = |name: &str| {
        json!({
            "type": "object",
            "properties": { "type": { "const": name } },
            "required": ["type"],
        })
    };
    if let Some(Value::Array(known)) = schema.pointer_mut("/$defs/Scorer/anyOf") {
        known.extend(registry.scorer_names().map(named));
    }
    let by_name = |name: &str| json!({ "const": name });
    if let Some(Value::Array(known)) = schema.pointer_mut("/$defs/Slicer/anyOf") {
        known.extend(registry.slicer_names().flat_map(|name| [by_name(name), named(name)]));
    }
    let placers: Vec<_> =
        registry.placer_names().flat_map(|name| [by_name(name), named(name)]).collect();
    if let Some(built_in) = schema.pointer_mut("/properties/placerType")
        && !placers.is_empty()
    {
        let all = [built_in.take()].into_iter().chain(placers);
        *built_in = json!({ "anyOf": all.collect::<Vec<_>>() });
    }
    schema
}

/// A request.
pub fn request() -> Schema {
    of::<RequestDefinition<'_>>("Cupel request")
}

/// A response.
pub fn response() -> Schema {
    of::<Response>("Cupel response")
}

/// A report.
pub fn report() -> Schema {
    of::<SelectionReport>("Cupel selection report")
}

/// Every schema with its name, in order.
pub fn all() -> [(&'static str, Schema); 6] {
    [
        ("item", item()),
        ("budget", budget()),
        ("policy", policy()),
        ("request", request()),
        ("response", response()),
        ("report", report()),
    ]
}

fn of<T: JsonSchema>(title: &str) -> Schema {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}

impl JsonSchema for Preset {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Preset".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A ready-made policy.",
            "oneOf": Self::ALL.map(|preset| {
                json_schema!({ "const": preset.name(), "description": preset.when_to_use() })
            }),
        })
    }
}

impl serde::Serialize for Preset {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
