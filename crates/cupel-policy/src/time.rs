//! Timestamps and durations in files.

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, Utc};
use cupel::CupelError;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Reads RFC 3339 with any offset, within the years it can name.
pub(crate) fn read(text: &str) -> Result<DateTime<Utc>, String> {
    let shown = crate::json::Quoted(text);
    let time = DateTime::parse_from_rfc3339(text)
        .map_err(|error| match (without_zone(text), of_epoch(text)) {
            (Some(utc), _) => {
                format!("{shown} does not say its time zone; if that is UTC, write {utc:?}")
            }
            (None, Some(meant)) => format!(
                "{shown} is not an RFC 3339 timestamp; as {} since 1970 it is {meant:?}",
                meant.unit
            ),
            (None, None) => format!("{shown} is not an RFC 3339 timestamp: {error}"),
        })?
        .to_utc();
    if (0..=9999).contains(&time.year()) {
        Ok(time)
    } else {
        Err(format!("in UTC, {shown} is not within the years 0000 to 9999"))
    }
}

/// A date, or a date and a time, that lacks nothing but its zone: the same in UTC.
fn without_zone(text: &str) -> Option<String> {
    let text = text.trim();
    let times =
        ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    let time = times.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
    let date = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    let utc = time.or_else(date)?.and_utc();
    (0..=9999).contains(&utc.year()).then(|| write(utc))
}

/// A point in time that was given as a number, and the unit it was probably counted in.
pub(crate) struct Epoch {
    pub(crate) unit: &'static str,
    time: DateTime<Utc>,
}

impl std::fmt::Debug for Epoch {
    /// The timestamp in quotes, as it should have been written.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", write(self.time))
    }
}

/// What a number of seconds, or of smaller units where it is too large for that, means as a time.
pub(crate) fn of_epoch(text: &str) -> Option<Epoch> {
    // Seconds have eleven digits until the year 5138.
    const UNITS: [(&str, f64, i32); 4] = [
        ("seconds", 1e11, 0),
        ("milliseconds", 1e14, 3),
        ("microseconds", 1e17, 6),
        ("nanoseconds", 1e20, 9),
    ];
    let number: f64 = text.parse().ok()?;
    let (unit, _, digits) = UNITS.into_iter().find(|(_, below, _)| number.abs() < *below)?;
    // A double holds today's seconds to the microsecond; a finer fraction would be noise.
    let micros = (number * 10_f64.powi(6 - digits)).round();
    let time = DateTime::from_timestamp_micros(micros as i64)?;
    (0..=9999).contains(&time.year()).then_some(Epoch { unit, time })
}

/// Writes RFC 3339 in UTC with as many sub-second digits as there are.
pub(crate) fn write(time: DateTime<Utc>) -> String {
    let text = time.format("%Y-%m-%dT%H:%M:%S%.9f").to_string();
    format!("{}Z", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A number of seconds as a duration, rounded to the nearest nanosecond.
pub(crate) fn duration(seconds: f64) -> Result<Duration, CupelError> {
    let out_of_range = || {
        CupelError::ScorerConfig(format!("{seconds} seconds are outside the range of a duration"))
    };
    let whole = seconds.trunc();
    // Both parts are exact; only the product rounds. A full second carries over.
    let nanos = ((seconds - whole) * 1e9).round();
    if !whole.is_finite() || whole.abs() >= i64::MAX as f64 {
        return Err(out_of_range());
    }
    let whole = Duration::try_seconds(whole as i64).ok_or_else(out_of_range)?;
    whole.checked_add(&Duration::nanoseconds(nanos as i64)).ok_or_else(out_of_range)
}

/// A point in time.
pub(crate) struct Time(pub(crate) DateTime<Utc>);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !(0..=9999).contains(&self.0.year()) {
            let problem = "the time is not within the years 0000 to 9999";
            return Err(serde::ser::Error::custom(problem));
        }
        serializer.serialize_str(&write(self.0))
    }
}

impl JsonSchema for Time {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_its_zone_is_offered_in_utc() {
        for (text, offered) in [
            ("2025-06-01T09:00:00", "2025-06-01T09:00:00Z"),
            ("2025-06-01 09:00:00.25", "2025-06-01T09:00:00.25Z"),
            ("2025-06-01T09:00", "2025-06-01T09:00:00Z"),
            ("2025-06-01", "2025-06-01T00:00:00Z"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains("time zone") && message.contains(offered), "{message}");
            assert!(read(offered).is_ok());
        }
        assert!(!read("yesterday").unwrap_err().contains("zone"));
        assert!(!read("2025-02-30").unwrap_err().contains("zone"));
    }

    #[test]
    fn a_number_is_shown_as_the_time_it_means() {
        let shown = |text: &str| of_epoch(text).map(|it| format!("{} {it:?}", it.unit));
        let noon = "\"2025-01-01T12:00:00Z\"";
        assert_eq!(shown("1735732800"), Some(format!("seconds {noon}")));
        assert_eq!(shown("1735732800.0"), Some(format!("seconds {noon}")));
        assert_eq!(shown("1735732800000"), Some(format!("milliseconds {noon}")));
        assert_eq!(shown("1735732800000000"), Some(format!("microseconds {noon}")));
        assert_eq!(shown("1735732800000000000"), Some(format!("nanoseconds {noon}")));
        assert_eq!(shown("1735732800.5"), Some("seconds \"2025-01-01T12:00:00.5Z\"".to_owned()));
        assert_eq!((shown("1e300"), shown("NaN"), shown("yesterday")), (None, None, None));
    }

    #[test]
    fn seconds_round_to_the_nearest_nanosecond() {
        let nanos = |seconds: f64| duration(seconds).unwrap().num_nanoseconds().unwrap();
        assert_eq!(nanos(0.1), 100_000_000);
        assert_eq!(nanos(1e-9), 1);
        assert_eq!(nanos(0.4e-9), 0);
        assert_eq!(nanos(0.6e-9), 1);
        assert_eq!(nanos(0.999_999_999_9), 1_000_000_000);
        assert_eq!(nanos(-1.5), -1_500_000_000);
        assert_eq!(nanos(86_400.000_000_001), 86_400_000_000_001);
    }

    #[test]
    fn durations_beyond_the_range_are_refused() {
        for seconds in [1e16, -1e16, 1e300, f64::MAX, f64::MIN, f64::INFINITY, f64::NAN] {
            assert!(duration(seconds).is_err(), "{seconds}");
        }
        assert!(duration(9e15).is_ok());
    }
}
