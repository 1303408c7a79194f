//! Any bytes as a report: what is read accounts for every candidate, and is written and read again
//! as the same.
#![no_main]

use cupel::SelectionReport;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(report) = serde_json::from_slice::<SelectionReport>(bytes) {
        assert_eq!(report.total_candidates, report.included.len() + report.excluded.len());
        let written = serde_json::to_string(&report).expect("what was read can be written");
        let again: SelectionReport = serde_json::from_str(&written).expect("and read again");
        assert_eq!(serde_json::to_string(&again).expect("and written again"), written);
    }
});
