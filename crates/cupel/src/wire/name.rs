//! Kinds and sources, which are open, and enumerations, which are not.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::{
    ContextKind, ContextSource, ItemStatus, OverflowStrategy, PipelineStage, QuotaConstraintMode,
    ScarcityBehavior, TraceDetailLevel,
};

macro_rules! open_name {
    ($($type:ident),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::new(String::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let known = Self::WELL_KNOWN;
                schemars::json_schema!({ "type": "string", "pattern": "\\S", "examples": known })
            }
        }
    )+};
}

open_name!(ContextKind, ContextSource);

/// An enumeration of names, all of them known.
macro_rules! closed_names {
    ($($type:ident: $first:ident $(, $name:ident)*;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(match self {
                    Self::$first => stringify!($first),
                    $(Self::$name => stringify!($name),)*
                })
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const NAMES: &[&str] = &[stringify!($first) $(, stringify!($name))*];
                match String::deserialize(deserializer)?.as_str() {
                    stringify!($first) => Ok(Self::$first),
                    $(stringify!($name) => Ok(Self::$name),)*
                    other => Err(D::Error::unknown_variant(other, NAMES)),
                }
            }
        }
    )+};
}

closed_names! {
    OverflowStrategy: Throw, Truncate, Proceed;
    ScarcityBehavior: Degrade, Throw;
    QuotaConstraintMode: Percentage, Count;
    TraceDetailLevel: Stage, Item;
    ItemStatus: Included, Excluded;
}

impl Serialize for PipelineStage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for PipelineStage {
    /// Names of other implementations' stages are read as [`PipelineStage::Unknown`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(Self::ALL.into_iter().find(|stage| stage.name() == name).unwrap_or(Self::Unknown))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PipelineStage {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PipelineStage".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known = Self::ALL.map(Self::name);
        schemars::json_schema!({ "type": "string", "examples": known })
    }
}
