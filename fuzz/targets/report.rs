//! Any text as a report: what is read accounts for every candidate, and is written and read again as
//! the same.
#![no_main]

use cupel::SelectionReport;
use cupel_fuzz::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(report) = read::<SelectionReport>(text) {
        assert_eq!(report.total_candidates, report.included.len() + report.excluded.len());
    }
});
