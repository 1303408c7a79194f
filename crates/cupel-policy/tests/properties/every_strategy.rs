//! A strategy that files can name and the generators leave out is tested by no property.

use std::collections::BTreeSet;

use cupel_policy::schema;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::generate::policy_files;

/// Every name that is a constant or one of an enumeration somewhere below, `null` being none.
fn names_in(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            let choices = members.get("enum").and_then(Value::as_array).into_iter().flatten();
            names.extend(
                choices.chain(members.get("const")).filter_map(Value::as_str).map(str::to_owned),
            );
            members.values().for_each(|value| names_in(value, names));
        }
        Value::Array(elements) => elements.iter().for_each(|value| names_in(value, names)),
        _ => {}
    }
}

/// Every text below.
fn texts_in(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => members.values().for_each(|value| texts_in(value, texts)),
        Value::Array(elements) => elements.iter().for_each(|value| texts_in(value, texts)),
        Value::String(text) => drop(texts.insert(text.clone())),
        _ => {}
    }
}

#[test]
fn whatever_a_file_can_name_is_generated() {
    let mut nameable = BTreeSet::new();
    names_in(&serde_json::to_value(schema::policy()).unwrap(), &mut nameable);
    for name in ["recency", "decay", "step", "knapsack", "countQuota", "uShaped", "proceed"] {
        assert!(nameable.contains(name), "{name} is missing from {nameable:?}");
    }

    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let mut generated = BTreeSet::new();
    for _ in 0..512 {
        let file = policy_files().new_tree(&mut runner).unwrap().current();
        texts_in(&serde_json::to_value(file).unwrap(), &mut generated);
    }
    let missing: Vec<_> = nameable.difference(&generated).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}
