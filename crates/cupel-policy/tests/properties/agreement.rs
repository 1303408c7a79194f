//! Items and budgets have two readers, the engine's and the one that says where a problem is. They
//! accept the same texts and make the same of them.

use cupel::{ContextBudget, ContextItem};
use cupel_policy::Loader;
use cupel_testing::generate::{budgets, items};
use proptest::prelude::*;
use serde::Serialize;

use crate::generate::{damaged, has_a_timestamp_to_write};

/// What a value is written as; equal texts are equal values, NaN included.
fn written<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap()
}

fn item_texts() -> impl Strategy<Value = String> {
    let one = items(1).prop_filter_map("an item to write", |items| {
        items.into_iter().find(has_a_timestamp_to_write)
    });
    one.prop_map(|item| written(&item))
}

fn budget_texts() -> impl Strategy<Value = String> {
    budgets().prop_map(|budget| written(&budget))
}

/// Only the reader for files skips a byte order mark.
fn has_no_mark(text: &str) -> bool {
    !text.starts_with('\u{feff}')
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn about_items(text in damaged(item_texts()).prop_filter("no mark", |it| has_no_mark(it))) {
        let theirs = serde_json::from_str::<ContextItem>(&text);
        let ours = Loader::new().parse_item(&text);
        match (&theirs, &ours) {
            (Ok(theirs), Ok(ours)) => prop_assert_eq!(written(theirs), written(ours)),
            (Err(_), Err(_)) => {}
            _ => prop_assert!(false, "{}\n{:?}\n{:?}", text, theirs, ours),
        }
    }

    #[test]
    fn about_budgets(text in damaged(budget_texts()).prop_filter("no mark", |it| has_no_mark(it))) {
        let theirs = serde_json::from_str::<ContextBudget>(&text);
        let ours = Loader::new().parse_budget(&text);
        match (&theirs, &ours) {
            (Ok(theirs), Ok(ours)) => prop_assert_eq!(written(theirs), written(ours)),
            (Err(_), Err(_)) => {}
            _ => prop_assert!(false, "{}\n{:?}\n{:?}", text, theirs, ours),
        }
    }
}
