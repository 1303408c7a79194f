//! Any bytes as a request: the response is one line of JSON, the same every time, and holds what the
//! report says; a request that is read is written and read again as the same.
#![no_main]

use chrono::{DateTime, Utc};
use cupel::TimeProvider;
use cupel_fuzz::{read, written};
use cupel_policy::{Loader, Request, Responder, Response};
use libfuzzer_sys::fuzz_target;

struct StoppedClock;

impl TimeProvider for StoppedClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}

fuzz_target!(|bytes: &[u8]| {
    let responder = Responder::new().loader(Loader::new().clock(StoppedClock)).timings(false);
    let response = responder.respond(bytes);
    let told = response.to_json();
    assert!(!told.contains('\n'));
    assert_eq!(responder.respond(bytes).to_json(), told, "equal requests, unequal responses");
    let again: Response = read(&told).expect("a response is a response");
    assert_eq!(written(&again), told);

    if let Some(selected) = response.selected() {
        let included = &selected.report.included;
        let told = selected.items.len() == included.len()
            && selected
                .items
                .iter()
                .zip(included)
                .all(|(item, it)| item.is_same_instance(&it.item));
        assert!(told, "the window is not what the report includes");
        let tokens: i128 = selected.items.iter().map(|item| i128::from(item.tokens())).sum();
        assert_eq!(i128::from(selected.total_tokens), tokens.min(i64::MAX.into()));
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(request) = Request::from_json(text) {
        let once = written(&request);
        let again = Request::from_json(&once).expect("what was written can be read");
        assert_eq!(written(&again), once);
    }
});
