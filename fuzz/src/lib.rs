//! What targets share: laws of everything that is read, and problems to run.

pub mod problem;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a value is written as. Equal texts are equal values, NaN included, which `==` is not.
pub fn written<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("what was read can be written")
}

/// Reads `text` as a `T`; what is read survives being written and read again.
pub fn read<T: Serialize + DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    let value: T = serde_json::from_str(text)?;
    let once = written(&value);
    let again: T = serde_json::from_str(&once).expect("what was written can be read");
    assert_eq!(written(&again), once);
    Ok(value)
}

/// Two readers of one format: both refuse a text, or both make the same of it.
pub fn agree<T: Serialize + Debug, E: Debug, F: Debug>(one: &Result<T, E>, other: &Result<T, F>) {
    match (one, other) {
        (Ok(one), Ok(other)) => assert_eq!(written(one), written(other)),
        (Err(_), Err(_)) => {}
        _ => panic!("one reader refuses what the other takes:\n{one:?}\n{other:?}"),
    }
}
