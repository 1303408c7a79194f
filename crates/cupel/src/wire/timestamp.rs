//! Points in time.

use chrono::{DateTime, Datelike, Utc};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{self, Serialize, Serializer};

/// RFC 3339, written in UTC with as many sub-second digits as there are.
///
/// Read with any offset and brought to UTC; digits below the nanosecond are dropped. RFC 3339 ends
/// with the years 0000 and 9999, and so do both directions.
pub(super) struct Timestamp(pub(super) DateTime<Utc>);

const OUT_OF_RANGE: &str = "in UTC the timestamp is not within the years 0000 to 9999";

fn in_range(time: DateTime<Utc>) -> bool {
    (0..=9999).contains(&time.year())
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !in_range(self.0) {
            return Err(ser::Error::custom(OUT_OF_RANGE));
        }
        let mut text = self.0.format("%Y-%m-%dT%H:%M:%S%.9f").to_string();
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        text.push('Z');
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = DateTime::parse_from_rfc3339(&text).map_err(|error| {
            D::Error::custom(format!("{text:?} is not an RFC 3339 timestamp: {error}"))
        })?;
        let time = time.to_utc();
        if !in_range(time) {
            return Err(D::Error::custom(OUT_OF_RANGE));
        }
        Ok(Self(time))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}
