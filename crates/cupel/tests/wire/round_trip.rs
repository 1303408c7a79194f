//! Whatever can be built survives writing and reading.

use cupel::{ContextBudget, ContextItem, SelectionReport, TraceDetailLevel};
use cupel_testing::generate::{budgets, items, policies, problems};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes, reads and writes again. The texts are compared, because a NaN is not equal to itself.
fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> (T, String, String) {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).unwrap();
    let again = serde_json::to_string(&read).unwrap();
    (read, text, again)
}

/// RFC 3339 has years of four digits; the generators go further.
fn has_a_timestamp_to_write(item: &ContextItem) -> bool {
    use chrono::Datelike;
    item.timestamp().is_none_or(|time| (0..=9999).contains(&time.year()))
}

fn hint_is_a_number(item: &ContextItem) -> bool {
    item.future_relevance_hint().is_none_or(|hint| !hint.is_nan())
}

proptest! {
    #[test]
    fn items_survive(items in items(4)) {
        for item in items.iter().filter(|item| has_a_timestamp_to_write(item)) {
            let (read, text, again) = there_and_back(item);
            prop_assert_eq!(text, again);
            if hint_is_a_number(item) {
                prop_assert_eq!(&read, item);
            }
            prop_assert_eq!(read.source().as_str(), item.source().as_str());
            prop_assert_eq!(read.kind().as_str(), item.kind().as_str());
        }
    }

    #[test]
    fn any_text_survives(
        content in ".+", tag in ".*", key in ".*", value in ".*", hint in any::<f64>(),
        tokens in any::<i64>(), seconds in -62_167_219_200_i64..=253_402_300_799,
        nanos in 0_u32..1_000_000_000,
    ) {
        let item = ContextItem::builder(content, tokens)
            .tag(tag)
            .metadata_entry(key, value)
            .future_relevance_hint(hint)
            .timestamp(chrono::DateTime::from_timestamp(seconds, nanos).unwrap())
            .build()
            .unwrap();
        let (read, text, again) = there_and_back(&item);
        prop_assert_eq!(text, again);
        if !hint.is_nan() {
            prop_assert_eq!(read, item);
        }
    }

    #[test]
    fn budgets_survive(budget in budgets()) {
        let (read, text, again) = there_and_back::<ContextBudget>(&budget);
        prop_assert_eq!(read, budget);
        prop_assert_eq!(text, again);
    }

    #[test]
    fn reports_survive((items, budget) in problems(12), policy in policies()) {
        let items: Vec<_> = items.into_iter().filter(has_a_timestamp_to_write).collect();
        let pipeline = policy.pipeline().unwrap();
        let mut collector = cupel::DiagnosticTraceCollector::new(TraceDetailLevel::Item);
        if pipeline.run_traced(&items, &budget, &mut collector).is_ok() {
            let (report, overflow) = collector.into_parts();
            let (read, text, again) = there_and_back::<SelectionReport>(&report);
            prop_assert_eq!(text, again);
            let numbers = report.included.iter().all(|it| it.score.is_finite())
                && report.excluded.iter().all(|it| it.score.is_finite());
            if numbers && items.iter().all(hint_is_a_number) {
                prop_assert_eq!(read, report);
            }
            if let Some(overflow) = overflow {
                let (_, text, again) = there_and_back(&overflow);
                prop_assert_eq!(text, again);
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = serde_json::from_slice::<ContextItem>(&bytes);
        let _ = serde_json::from_slice::<ContextBudget>(&bytes);
        let _ = serde_json::from_slice::<SelectionReport>(&bytes);
    }
}
