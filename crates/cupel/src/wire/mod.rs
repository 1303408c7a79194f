//! The wire format: how the model and the diagnostics are written and read, with feature `serde`.
//!
//! The public types carry no serde attributes. Each has a private definition here that says what
//! its JSON looks like, and reading always ends in the type's validating constructor: what could
//! not be built cannot be read.
//!
//! | rule | items, budgets, queries, quota entries | reports and what they are made of |
//! |---|---|---|
//! | keys are written in | camelCase | snake_case |
//! | keys are read in | both | both |
//! | unknown keys | refused | ignored, in their items too |
//! | unknown stages and reasons | | `Unknown` |
//! | a key given twice, also once in each spelling | refused | refused |
//! | optional and at its default | omitted | omitted |
//! | `null` | absent; refused where a value is required | the same |
//!
//! Whole numbers are read exactly: `12.0` is not one. Timestamps are RFC 3339; any offset is read,
//! UTC is written. Scores and hints that JSON has no number for are written as the strings `"NaN"`,
//! `"Infinity"` and `"-Infinity"`, so that none is lost and no report fails to be written.
//! Maps are written in key order: equal values give equal text.
//!
//! Reading needs a self-describing format such as JSON.

mod budget;
mod diagnostics;
mod entries;
mod float;
mod item;
mod name;
mod object;
mod query;
mod quota;
#[cfg(feature = "schema")]
mod reason_schema;
mod report;
mod reported;
mod sensitivity;
mod timestamp;

use object::Object;

/// Reads and writes a type as `$definition`, a serde `remote` description of it.
macro_rules! as_defined_by {
    ($type:ident, $definition:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $definition::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $definition::deserialize($crate::wire::Object(deserializer))
            }
        }

        $crate::wire::schema_of_definition!($type, $definition);
    };
}

/// Reads and writes a type by conversion from and to `$definition`, which validates.
macro_rules! by_way_of {
    ($type:ident, $definition:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $definition::from(self).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $definition::deserialize($crate::wire::Object(deserializer))?
                    .try_into()
                    .map_err(serde::de::Error::custom)
            }
        }

        $crate::wire::schema_of_definition!($type, $definition);
    };
}

/// Gives a type the JSON Schema of its definition.
macro_rules! schema_of_definition {
    ($type:ident, $definition:ident) => {
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $definition::json_schema(generator)
            }
        }
    };
}

use {as_defined_by, by_way_of, schema_of_definition};
