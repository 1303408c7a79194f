//! Any bytes as a request: the response is one line of JSON, whatever they are.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let response = cupel_policy::respond(bytes).to_json();
    assert!(!response.contains('\n'));
    let read: serde_json::Value = serde_json::from_str(&response).expect("a response is JSON");
    assert!(read.get("error").is_some() != read.get("items").is_some());
});
