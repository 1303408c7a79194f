//! Any bytes as an item: what is read is written and read again as the same.
#![no_main]

use cupel::ContextItem;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(item) = serde_json::from_slice::<ContextItem>(bytes) {
        let written = serde_json::to_string(&item).expect("what was read can be written");
        let again: ContextItem = serde_json::from_str(&written).expect("and read again");
        assert_eq!(serde_json::to_string(&again).expect("and written again"), written);
    }
});
