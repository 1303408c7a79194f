//! Keys of the caller's own, kept beside what an item says.

use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use cupel::ContextItem;

use crate::json::Member;

/// The keys of an item that mean nothing here, and their values as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnKeys(Vec<(String, String)>);

impl OwnKeys {
    pub(crate) fn of<'n>(members: impl Iterator<Item = &'n Member<'n>>) -> Self {
        let mut keys: Vec<(String, String)> = Vec::new();
        for member in members {
            let value = member.value.value.to_json();
            // Of a key that is given twice the last value counts, as with most readers of JSON.
            match keys.iter_mut().find(|(key, _)| *key == member.key) {
                Some((_, earlier)) => *earlier = value,
                None => keys.push((member.key.to_string(), value)),
            }
        }
        Self(keys)
    }

    /// Each key with its value as JSON, in the order of the item.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// An item with keys of the caller's own after those that it has.
pub(crate) struct Complete<'a>(pub(crate) &'a ContextItem, pub(crate) &'a OwnKeys);

impl Serialize for Complete<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(item, OwnKeys(own)) = self;
        if own.is_empty() {
            return item.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        let written = serde_json::to_string(item).map_err(Error::custom)?;
        let known: Known<'_> = serde_json::from_str(&written).map_err(Error::custom)?;
        for (key, value) in &known.0 {
            map.serialize_entry(key, value)?;
        }
        for (key, value) in own {
            let value: &RawValue = serde_json::from_str(value).map_err(Error::custom)?;
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// The members of an object in their order.
struct Known<'t>(Vec<(String, &'t RawValue)>);

impl<'de> serde::Deserialize<'de> for Known<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> serde::de::Visitor<'de> for Members {
            type Value = Known<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Known<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Known(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
