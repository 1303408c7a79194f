//! Whatever bytes come in, an answer or an error comes out.

use cupel::{ContextBudget, ContextItem, SelectionReport};
use cupel_policy::{ItemReader, Loader, PolicyFile, Request, Response, respond};
use proptest::prelude::*;

use crate::generate::{damaged, policy_files, requests};

/// Everything that reads, one after the other.
fn read_as_everything(bytes: &[u8]) {
    let response = respond(bytes);
    assert!(response.selected().is_some() != response.error().is_some());
    assert!(serde_json::from_str::<Response>(&response.to_json()).is_ok());
    let _ = serde_json::from_slice::<ContextItem>(bytes);
    let _ = serde_json::from_slice::<ContextBudget>(bytes);
    let _ = serde_json::from_slice::<SelectionReport>(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Request::from_json(text);
        let loader = Loader::new().lenient(true);
        let _ = (loader.parse_item(text), loader.parse_budget(text));
        let count = |contents: &[&str]| vec![1; contents.len()];
        let reader = ItemReader::new();
        for reader in [reader, reader.keep_unknown_keys().count_with(&count)] {
            for object in reader.read(text).into_iter().flat_map(|read| read.objects) {
                let alone = reader.read(&format!("[{}]", &text[object])).expect("an item");
                assert_eq!(alone.items.len(), 1);
            }
        }
        let _ = loader.parse_values(text);
        let _ = reader.take_non_finite().read(text);
        if let Err(error) = loader.parse(text) {
            assert!(!error.problems().is_empty() && !error.to_string().is_empty());
        }
        if let Ok(file) = PolicyFile::from_json(text) {
            let canonical = file.to_json().unwrap();
            assert_eq!(PolicyFile::from_json(&canonical).as_ref(), Ok(&file), "{text}");
            assert!(file.policy().is_ok(), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn over_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_as_everything(&bytes);
    }

    #[test]
    fn over_damaged_policies(text in damaged(policy_files().prop_map(|it| it.to_json().unwrap()))) {
        read_as_everything(text.as_bytes());
    }

    #[test]
    fn over_damaged_requests(
        text in damaged(requests().prop_map(|it| serde_json::to_string(&it).unwrap())),
    ) {
        read_as_everything(text.as_bytes());
    }

    #[test]
    fn over_damaged_reports(
        text in damaged(requests().prop_map(|request| {
            let response = cupel_policy::Responder::new().respond_to(&request);
            match response.selected() {
                Some(selected) => serde_json::to_string(&selected.report).unwrap(),
                None => response.to_json(),
            }
        })),
    ) {
        read_as_everything(text.as_bytes());
    }
}

#[test]
fn over_nothing_but_brackets() {
    for bracket in ["[", "{\"a\":", "{\"scorers\":[", "\"", "\\", "-", "1"] {
        read_as_everything(bracket.repeat(100_000).as_bytes());
    }
}
