//! Numbers, including those that JSON has no literal for.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

const NAN: &str = "NaN";
const INFINITY: &str = "Infinity";
const NEGATIVE_INFINITY: &str = "-Infinity";

/// A number, or the name of one that is not finite.
#[derive(Clone, Copy)]
pub(super) struct Float(pub(super) f64);

/// `#[serde(with = "float")]` for a plain `f64`.
pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Float(*number).serialize(serializer)
}

/// `#[serde(with = "float")]` for a plain `f64`.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Float::deserialize(deserializer).map(|Float(number)| number)
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            number if number.is_finite() => serializer.serialize_f64(number),
            number if number.is_nan() => serializer.serialize_str(NAN),
            number if number > 0.0 => serializer.serialize_str(INFINITY),
            _ => serializer.serialize_str(NEGATIVE_INFINITY),
        }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Float;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number, {NAN:?}, {INFINITY:?} or {NEGATIVE_INFINITY:?}")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Float, E> {
                Ok(Float(number))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Float, E> {
                Ok(Float(number as f64))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Float, E> {
                Ok(Float(number as f64))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Float, E> {
                match name {
                    NAN => Ok(Float(f64::NAN)),
                    INFINITY => Ok(Float(f64::INFINITY)),
                    NEGATIVE_INFINITY => Ok(Float(f64::NEG_INFINITY)),
                    _ => Err(E::invalid_value(Unexpected::Str(name), &self)),
                }
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Float {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Float".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "anyOf": [
                { "type": "number" },
                { "enum": [NAN, INFINITY, NEGATIVE_INFINITY] },
            ],
        })
    }
}
