//! Any text as a conformance vector: refused at a place that exists, or put to our engine, which
//! answers without breaking down.
#![no_main]

use cupel_conformance::native::Native;
use cupel_conformance::vector::Vector;
use cupel_conformance::{Failure, Verdict, check};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Vector::parse(text) {
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!((1..=text.split('\n').count()).contains(&error.line), "{error}");
            let line = text.split('\n').nth(error.line - 1).unwrap_or_default();
            assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}");
        }
        Ok(read) => {
            let verdict = check(&mut Native, &read.vector);
            let broken = matches!(verdict, Verdict::Failed(Failure::Broken(_)));
            assert!(!broken, "{verdict:?}");
            assert_eq!(
                check(&mut Native, &read.vector),
                verdict,
                "equal questions, unequal answers"
            );
        }
    }
});
