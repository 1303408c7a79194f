//! The wire format: examples both ways, what is refused, and that nothing is lost.
#![cfg(feature = "serde")]

mod budgets;
mod examples;
mod items;
mod queries;
mod reports;
mod round_trip;
mod sensitivity;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads `example`, writes it back, and expects the same JSON.
fn survives<T: Serialize + DeserializeOwned>(example: &str) -> T {
    let value: T = serde_json::from_str(example).unwrap();
    let expected: Value = serde_json::from_str(example).unwrap();
    assert_eq!(serde_json::to_value(&value).unwrap(), expected);
    value
}

/// The message with which reading `json` as a `T` is refused.
fn refusal<T: DeserializeOwned + std::fmt::Debug>(json: &str) -> String {
    serde_json::from_str::<T>(json).unwrap_err().to_string()
}
