//! Instants as TOML writes them.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Deserializer, de};
use toml::value::{Datetime, Offset};

/// An instant, in any of RFC 3339 and the TOML 1.1 form without seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instant(pub(super) DateTime<Utc>);

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Datetime::deserialize(deserializer)?;
        instant(written).map(Self).ok_or_else(|| {
            de::Error::custom(format!(
                "{written} is not an instant; write date, time and offset, such as \
                 2024-06-15T12:00:00Z"
            ))
        })
    }
}

fn instant(written: Datetime) -> Option<DateTime<Utc>> {
    let (date, time) = (written.date?, written.time?);
    let offset = match written.offset? {
        Offset::Z => 0,
        Offset::Custom { minutes } => minutes,
    };
    // chrono counts a leap second as the second before it, with more than a second of nanoseconds.
    let second = time.second.unwrap_or(0);
    let leap = u32::from(second == 60) * 1_000_000_000;
    let local = NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into())?
        .and_hms_nano_opt(
            time.hour.into(),
            time.minute.into(),
            second.min(59).into(),
            time.nanosecond.unwrap_or(0) + leap,
        )?;
    local.and_utc().checked_sub_signed(TimeDelta::minutes(offset.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Option<String> {
        instant(written.parse().unwrap()).map(|it| it.to_rfc3339())
    }

    /// Rule [Vector format]: datetimes are instants of RFC 3339
    #[test]
    fn offsets_fractions_and_missing_seconds_are_read_as_instants() {
        let noon = Some("2024-06-15T12:00:00+00:00".to_owned());
        assert_eq!(read("2024-06-15T12:00:00Z"), noon);
        assert_eq!(read("2024-06-15T12:00Z"), noon);
        assert_eq!(read("2024-06-15 14:30:00+02:30"), noon);
        let fraction = Some("2024-06-15T12:00:00.000500+00:00".to_owned());
        assert_eq!(read("2024-06-15T12:00:00.0005Z"), fraction);
    }

    /// Rule [Vector format]: datetimes are instants of RFC 3339
    #[test]
    fn local_times_and_dates_are_no_instants() {
        assert_eq!(read("2024-06-15T12:00:00"), None);
        assert_eq!(read("2024-06-15"), None);
        assert_eq!(read("12:00:00"), None);
    }
}
