//! Queries: a text, or an object with the text and its embedding.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Object;
use crate::{CupelError, Query};

/// What the window is to answer: in words, or with an embedding as well.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a query: a string, or an object with text and vector")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum QueryDefinition<'a> {
    /// The words.
    Text(Cow<'a, str>),
    /// The words and their embedding.
    WithVector(#[serde(deserialize_with = "object")] WithVector<'a>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct WithVector<'a> {
    /// The words.
    text: Cow<'a, str>,
    /// Their embedding, by the same model as those of the items.
    vector: Option<Cow<'a, [f32]>>,
}

fn object<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<WithVector<'static>, D::Error> {
    WithVector::deserialize(Object(deserializer))
}

impl<'a> From<&'a Query> for QueryDefinition<'a> {
    fn from(query: &'a Query) -> Self {
        let text = query.text().into();
        match query.vector() {
            [] => Self::Text(text),
            vector => Self::WithVector(WithVector { text, vector: Some(vector.into()) }),
        }
    }
}

impl TryFrom<QueryDefinition<'_>> for Query {
    type Error = CupelError;

    fn try_from(read: QueryDefinition<'_>) -> Result<Self, CupelError> {
        match read {
            QueryDefinition::Text(text) => Ok(Self::new(text)),
            QueryDefinition::WithVector(WithVector { text, vector }) => {
                Self::new(text).with_vector(vector.map(Cow::into_owned).unwrap_or_default())
            }
        }
    }
}

impl Serialize for Query {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        QueryDefinition::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Query {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = QueryDefinition::deserialize(deserializer)?;
        read.try_into().map_err(serde::de::Error::custom)
    }
}

super::schema_of_definition!(Query, QueryDefinition);
