//! One object as an item: its known keys validated by the engine, the others noted and left alone.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use cupel::ContextItem;
use serde::Deserialize;
use serde::de::value::CowStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::keys;

/// An item, and what else its object holds.
#[derive(Debug)]
pub(super) struct ReadItem<'t> {
    pub(super) item: ContextItem,
    /// Keys that mean nothing to an item.
    pub(super) unknown: Vec<Cow<'t, str>>,
    /// Whether the object has a token count of its own.
    pub(super) has_tokens: bool,
}

/// Reads one object. `tokens` is for objects that do not have a count of their own.
pub(super) fn read(object: &str, tokens: Option<i64>) -> Result<ReadItem<'_>, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(object);
    let mut notes = Notes { tokens, ..Notes::default() };
    let item = ContextItem::deserialize(Known { json: &mut json, notes: &mut notes })?;
    json.end()?;
    Ok(ReadItem { item, unknown: notes.unknown, has_tokens: notes.has_tokens })
}

/// All keys of an object, for messages; none if it is not one.
pub(super) fn keys_of(object: &str) -> Vec<Cow<'_, str>> {
    struct Keys<'t>(Vec<Cow<'t, str>>);

    impl<'t> Deserialize<'t> for Keys<'t> {
        fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
            struct KeyVisitor;

            impl<'t> Visitor<'t> for KeyVisitor {
                type Value = Keys<'t>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("an object")
                }

                fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Keys<'t>, A::Error> {
                    let mut keys = Vec::new();
                    while let Some((Key(key), IgnoredAny)) = map.next_entry()? {
                        keys.push(key);
                    }
                    Ok(Keys(keys))
                }
            }

            deserializer.deserialize_map(KeyVisitor)
        }
    }

    serde_json::from_str(object).map(|Keys(keys)| keys).unwrap_or_default()
}

#[derive(Debug, Default)]
struct Notes<'t> {
    tokens: Option<i64>,
    has_tokens: bool,
    unknown: Vec<Cow<'t, str>>,
}

/// A deserializer that shows its visitor only the keys an item knows.
struct Known<'n, 't, D> {
    json: D,
    notes: &'n mut Notes<'t>,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Known<'_, 'de, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.json.deserialize_map(KnownVisitor { visitor, notes: self.notes })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

struct KnownVisitor<'n, 't, V> {
    visitor: V,
    notes: &'n mut Notes<'t>,
}

impl<'t, V: Visitor<'t>> Visitor<'t> for KnownVisitor<'_, 't, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<A: MapAccess<'t>>(self, map: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(KnownKeys { map, notes: self.notes, supplied: None })
    }

    fn visit_seq<A: SeqAccess<'t>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(seq)
    }
}

struct KnownKeys<'n, 't, A> {
    map: A,
    notes: &'n mut Notes<'t>,
    /// A count to hand out as the next value.
    supplied: Option<i64>,
}

impl<'t, A: MapAccess<'t>> MapAccess<'t> for KnownKeys<'_, 't, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'t>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(Key(key)) = self.map.next_key()? {
            if keys::is_known(&key) {
                self.notes.has_tokens |= key == "tokens";
                let key: CowStrDeserializer<'_, A::Error> = key.into_deserializer();
                return seed.deserialize(key).map(Some);
            }
            self.map.next_value::<IgnoredAny>()?;
            self.notes.unknown.push(key);
        }
        let missing = !self.notes.has_tokens && self.supplied.is_none();
        match self.notes.tokens.take().filter(|_| missing) {
            None => Ok(None),
            Some(tokens) => {
                self.supplied = Some(tokens);
                let key: CowStrDeserializer<'_, A::Error> = Cow::from("tokens").into_deserializer();
                seed.deserialize(key).map(Some)
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        match self.supplied {
            Some(tokens) => seed.deserialize(tokens.into_deserializer()),
            None => self.map.next_value_seed(seed),
        }
    }
}

/// A key, borrowed from the text where it has no escapes.
struct Key<'t>(Cow<'t, str>);

impl<'t> Deserialize<'t> for Key<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor<'t>(PhantomData<&'t str>);

        impl<'t> Visitor<'t> for KeyVisitor<'t> {
            type Value = Key<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, key: &'t str) -> Result<Key<'t>, E> {
                Ok(Key(Cow::Borrowed(key)))
            }

            fn visit_str<E>(self, key: &str) -> Result<Key<'t>, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }

        deserializer.deserialize_str(KeyVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_noted_and_the_rest_is_validated() {
        let read = read(r#"{"id": {"a": [1]}, "content": "x", "\u0069d2": 1, "tokens": 3}"#, None);
        let read = read.unwrap();
        assert_eq!((read.item.content(), read.item.tokens()), ("x", 3));
        assert_eq!(read.unknown, ["id", "id2"]);
        assert!(read.has_tokens);
    }

    #[test]
    fn a_count_is_supplied_only_where_there_is_none() {
        let counted = read(r#"{"content": "x"}"#, Some(7)).unwrap();
        assert_eq!((counted.item.tokens(), counted.has_tokens), (7, false));
        let own = read(r#"{"content": "x", "tokens": 2}"#, Some(7)).unwrap();
        assert_eq!((own.item.tokens(), own.has_tokens), (2, true));
    }

    #[test]
    fn refusals_stand() {
        for object in [
            r#"{"content": "x"}"#,
            r#"{"content": "", "tokens": 1}"#,
            r#"{"content": "x", "tokens": 1, "tokens": 1}"#,
            r#"{"content": "x", "tokens": 1.0}"#,
            r#"["x", 1]"#,
            r#"{"content": "x", "originalTokens": 1, "original_tokens": 1, "tokens": 1}"#,
        ] {
            assert!(read(object, None).is_err(), "{object}");
        }
    }
}
