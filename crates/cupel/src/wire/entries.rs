//! Maps that refuse to hold a key twice.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{ContextKind, CupelError};

/// Reads an object entry by entry, in its order.
fn read_entries<'de, D, V, C>(
    deserializer: D,
    expected: &'static str,
    collection: C,
    add: fn(&mut C, String, V) -> Result<(), String>,
) -> Result<C, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Entries<V, C> {
        expected: &'static str,
        collection: C,
        add: fn(&mut C, String, V) -> Result<(), String>,
        value: PhantomData<V>,
    }

    impl<'de, V: Deserialize<'de>, C> Visitor<'de> for Entries<V, C> {
        type Value = C;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.expected)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<C, A::Error> {
            let mut collection = self.collection;
            while let Some((key, value)) = map.next_entry()? {
                (self.add)(&mut collection, key, value).map_err(A::Error::custom)?;
            }
            Ok(collection)
        }
    }

    deserializer.deserialize_map(Entries { expected, collection, add, value: PhantomData })
}

/// Strings by string.
pub(super) struct Metadata<'a>(pub(super) Cow<'a, HashMap<String, String>>);

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries: Vec<_> = self.0.iter().collect();
        entries.sort_unstable();
        serializer.collect_map(entries)
    }
}

impl<'de> Deserialize<'de> for Metadata<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let add = |metadata: &mut HashMap<_, _>, key: String, value: String| match metadata
            .insert(key.clone(), value)
        {
            None => Ok(()),
            Some(_) => Err(format!("duplicate metadata key {key:?}")),
        };
        let metadata = read_entries(deserializer, "an object of strings", HashMap::new(), add)?;
        Ok(Self(Cow::Owned(metadata)))
    }
}

/// Tokens by kind.
pub(super) struct Slots(pub(super) HashMap<ContextKind, i64>);

impl Serialize for Slots {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries: Vec<_> = self.0.iter().collect();
        entries.sort_unstable_by_key(|(kind, _)| kind.as_str());
        serializer.collect_map(entries)
    }
}

impl<'de> Deserialize<'de> for Slots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let add = |slots: &mut HashMap<_, _>, kind: String, tokens: i64| {
            let kind = ContextKind::new(kind).map_err(|error| error.to_string())?;
            if slots.contains_key(&kind) {
                return Err(twice(&kind).to_string());
            }
            slots.insert(kind, tokens);
            Ok(())
        };
        let slots = read_entries(deserializer, "an object of tokens by kind", HashMap::new(), add)?;
        Ok(Self(slots))
    }
}

fn twice(kind: &ContextKind) -> CupelError {
    CupelError::InvalidBudget(format!(
        "reservedSlots names the kind {kind} twice; kinds are compared without case"
    ))
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Metadata, Slots};

    impl JsonSchema for Metadata<'_> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Metadata".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            BTreeMap::<String, String>::json_schema(generator)
        }
    }

    impl JsonSchema for Slots {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Slots".into()
        }

        fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "type": "object",
                "propertyNames": { "pattern": "\\S" },
                "additionalProperties": { "type": "integer", "format": "int64", "minimum": 0 },
            })
        }
    }
}
