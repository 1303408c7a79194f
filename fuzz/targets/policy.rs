//! Any bytes as a policy file: read, or refused with a message; what is read is written and read
//! again as the same.
#![no_main]

use cupel_policy::PolicyFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match PolicyFile::from_json(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(file) => {
            let written = file.to_json().expect("what was read can be written");
            assert_eq!(PolicyFile::from_json(&written).expect("what was written can be read"), file);
            let _ = file.policy();
        }
    }
});
