//! Items as reports hold them: unknown keys are ignored, as everywhere in a report.

use std::borrow::Cow;

use serde::de::value::CowStrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::item::ItemDefinition;
use crate::ContextItem;

/// An item that may have unknown keys.
pub(super) struct ReportedItem(ContextItem);

impl<'de> Deserialize<'de> for ReportedItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = ItemDefinition::deserialize(KnownKeys(deserializer))?;
        read.try_into().map(Self).map_err(D::Error::custom)
    }
}

/// One item of a report.
pub(super) fn item<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ContextItem, D::Error> {
    ReportedItem::deserialize(deserializer).map(|it| it.0)
}

/// A list of them.
pub(super) fn items<'de, D>(deserializer: D) -> Result<Vec<ContextItem>, D::Error>
where
    D: Deserializer<'de>,
{
    let items = Vec::<ReportedItem>::deserialize(deserializer)?;
    Ok(items.into_iter().map(|it| it.0).collect())
}

/// Shows a struct only the keys that it has, and reads it from nothing but an object.
struct KnownKeys<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for KnownKeys<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Known { known, inner: visitor })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Passes on what has one of the `known` keys.
struct Known<T> {
    known: &'static [&'static str],
    inner: T,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Known<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Known { known: self.known, inner: map })
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Known<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.inner.next_key::<Cow<'de, str>>()? {
            if self.known.contains(&&*key) {
                return seed.deserialize(CowStrDeserializer::new(key)).map(Some);
            }
            self.inner.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ReportedItem {
    fn schema_name() -> Cow<'static, str> {
        "ReportedItem".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = ItemDefinition::json_schema(generator);
        schema.remove("additionalProperties");
        schema
    }
}
