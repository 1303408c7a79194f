//! Any bytes as what a conformance runner asks a program: answered line by line with JSON, up to the
//! first line that is no question.
#![no_main]

use cupel_conformance::external::serve;
use cupel_conformance::native::Native;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let mut output = Vec::new();
    let served = serve(&mut Native, bytes, &mut output);
    let output = String::from_utf8(output).expect("answers are text");
    for line in output.lines() {
        let answer: Value = serde_json::from_str(line).expect("an answer is JSON");
        assert!(answer["id"].is_u64(), "{answer}");
    }
    if served.is_ok() {
        assert_eq!(output.lines().count(), bytes.split_inclusive(|byte| *byte == b'\n').count());
    }
});
