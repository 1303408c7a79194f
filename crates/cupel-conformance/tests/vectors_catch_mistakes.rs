//! The vectors are worth something: whatever is got wrong, one of them fails.
//!
//! `cargo test -p cupel-conformance --test vectors_catch_mistakes -- --nocapture` shows what each
//! mistake costs.

mod plain;

use cupel_conformance::vector::Vector;
use cupel_conformance::{Failure, Verdict, built_in, check};
use plain::{Mistake, Plain};

/// All vectors, with their paths.
fn vectors() -> Vec<(String, Vector)> {
    let read = |text: &str| Vector::parse(text).expect("our vectors can be read").vector;
    built_in().map(|source| (source.path, read(&source.text))).collect()
}

/// Paths of the vectors that the engine fails. It must answer all of them.
fn failed(mut engine: Plain, vectors: &[(String, Vector)]) -> Vec<&str> {
    let mut failed = Vec::new();
    for (path, vector) in vectors {
        match check(&mut engine, vector) {
            Verdict::Passed(_) => {}
            Verdict::Failed(Failure::Differs(_)) => failed.push(path.as_str()),
            Verdict::Skipped(_) if is_about_units(path) => {}
            other => panic!("{engine:?} does not answer {path}: {other:?}"),
        }
    }
    failed
}

/// Whether the second engine may leave it out.
fn is_about_units(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let named = ["group-", "variants-"].iter().any(|beginning| name.starts_with(beginning));
    named || UNITS_IN_SIMULATION.contains(&name)
}

const UNITS_IN_SIMULATION: [&str; 4] = [
    "marginal-items-are-lost-with-their-unit.toml",
    "marginal-items-that-shrink-are-not-lost.toml",
    "min-budget-of-a-group-member.toml",
    "min-budget-of-the-shortest-form.toml",
];

#[test]
fn a_second_engine_without_mistakes_passes_every_vector() {
    assert_eq!(failed(Plain(None), &vectors()), Vec::<&str>::new());
}

#[test]
fn every_mistake_is_caught_by_the_vector_written_against_it() {
    let vectors = vectors();
    let mut missed = Vec::new();
    for (mistake, caught_by) in Mistake::ALL {
        let failed = failed(Plain(Some(*mistake)), &vectors);
        println!("{mistake:?}: {caught_by}, {} in all", failed.len());
        if !failed.contains(caught_by) {
            missed.push(format!("{mistake:?} passes {caught_by} and fails {failed:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
