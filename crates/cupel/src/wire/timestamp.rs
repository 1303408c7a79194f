//! Points in time.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// RFC 3339, written in UTC with as many sub-second digits as there are.
///
/// Read with any offset and brought to UTC; digits below the nanosecond are dropped. RFC 3339 ends
/// with the years 0000 and 9999, and so do items.
pub(super) struct Timestamp(pub(super) DateTime<Utc>);

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_text(self.0))
    }
}

/// chrono writes 0, 3, 6 or 9 digits; zeros at their end say nothing.
fn to_text(time: DateTime<Utc>) -> String {
    let mut text = time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    if text.contains('.') {
        text.truncate(text.trim_end_matches('Z').trim_end_matches('0').len());
        text.push('Z');
    }
    text
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = DateTime::parse_from_rfc3339(&text).map_err(|error| {
            D::Error::custom(format!("{text:?} is not an RFC 3339 timestamp: {error}"))
        })?;
        Ok(Self(time.to_utc()))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NANOS_PER_SECOND: u32 = 1_000_000_000;

    proptest! {
        #[test]
        fn timestamps_are_written_with_as_many_digits_as_they_have(
            seconds in -62_167_219_200..=253_402_300_799_i64,
            nanos in prop_oneof![
                Just(0),
                (0..9u32).prop_map(|place| 10u32.pow(place)),
                0..NANOS_PER_SECOND,
            ],
            is_leap: bool,
        ) {
            let seconds = if is_leap { seconds - seconds.rem_euclid(60) + 59 } else { seconds };
            let nanos = nanos + if is_leap { NANOS_PER_SECOND } else { 0 };
            let time = DateTime::from_timestamp(seconds, nanos).unwrap();
            let chronos = time.format("%Y-%m-%dT%H:%M:%S%.9f").to_string();
            let expected = chronos.trim_end_matches('0').trim_end_matches('.');
            prop_assert_eq!(to_text(time), format!("{expected}Z"));
        }
    }
}
