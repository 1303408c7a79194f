//! Any text as a policy file: read and built, or refused with problems that have a place; what is
//! read is written and read again as the same; and leniency takes nothing away.
#![no_main]

use cupel_policy::{Loader, Parsed, PolicyFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lenient = Loader::new().lenient(true).parse(text);
    match PolicyFile::from_json(text) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(!error.problems().is_empty());
            for problem in error.problems() {
                assert!(problem.line() >= 1 && problem.column() >= 1);
                assert!(problem.line() <= text.split('\n').count());
            }
            if let Ok(parsed) = &lenient {
                assert!(!parsed.warnings.is_empty(), "a refusal became nothing at all");
            }
        }
        Ok(file) => {
            let written = file.to_json().expect("what was read can be written");
            assert_eq!(PolicyFile::from_json(&written).as_ref(), Ok(&file));
            assert!(file.policy().is_ok(), "what was read can be built");
            let parsed = Parsed { policy: file, warnings: Vec::new() };
            assert_eq!(lenient, Ok(parsed), "leniency changes what was fine");
        }
    }
});
