//! A byte that names a type, then any text as that type: every type of the wire format that has no
//! target of its own. What is read is written and read again as the same.
#![no_main]

use cupel::{CountQuotaEntry, OverflowEvent, PolicySensitivityReport, QuotaEntry};
use cupel_fuzz::read;
use cupel_policy::Response;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let Some((name, text)) = input.split_at_checked(1) else { return };
    match name {
        "q" => drop(read::<QuotaEntry>(text)),
        "c" => drop(read::<CountQuotaEntry>(text)),
        "o" => drop(read::<OverflowEvent>(text)),
        "s" => drop(read::<PolicySensitivityReport>(text)),
        "r" => drop(read::<Response>(text)),
        _ => {}
    }
});
