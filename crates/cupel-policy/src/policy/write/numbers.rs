//! Numbers in files, each kind with the limits its schema states.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Writes a number without a fraction where it has none: 3, not 3.0.
fn write<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    /// Up to here a whole number looks the same either way.
    const EXACT: f64 = 1e15;
    if !number.is_finite() {
        return Err(serde::ser::Error::custom(format!("JSON has no number for {number}")));
    }
    let negative_zero = number == 0.0 && number.is_sign_negative();
    if number.fract() == 0.0 && number.abs() <= EXACT && !negative_zero {
        serializer.serialize_i64(number as i64)
    } else {
        serializer.serialize_f64(number)
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $limits:tt;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name(pub(super) f64);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                write(self.0, serializer)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
                json_schema!($limits)
            }
        }
    )+};
}

numbers! {
    /// More than 0.
    Positive: { "type": "number", "exclusiveMinimum": 0 };
    /// 0 or more.
    NonNegative: { "type": "number", "minimum": 0 };
    /// From 0 to 1.
    Unit: { "type": "number", "minimum": 0, "maximum": 1 };
    /// From 0 to 100.
    Percent: { "type": "number", "minimum": 0, "maximum": 100 };
}
