//! Timestamps and durations in files.

use chrono::{DateTime, Datelike, Duration, Utc};
use cupel::CupelError;

/// Reads RFC 3339 with any offset, within the years it can name.
pub(crate) fn read(text: &str) -> Result<DateTime<Utc>, String> {
    let shown = crate::json::Quoted(text);
    let time = DateTime::parse_from_rfc3339(text)
        .map_err(|error| format!("{shown} is not an RFC 3339 timestamp: {error}"))?
        .to_utc();
    if (0..=9999).contains(&time.year()) {
        Ok(time)
    } else {
        Err(format!("in UTC, {shown} is not within the years 0000 to 9999"))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
