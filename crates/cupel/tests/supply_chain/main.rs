//! What the project is built from: where it comes from, under which licence, and why it is there.
//!
//! Read from what cargo itself resolved, for all platforms and features, without a network.
//! Advisories are not checked here: their database is on the network.

mod licence;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What tests and benches may bring along twice, and on whose account.
const TWICE: &[(&str, &str)] = &[
    ("getrandom", "jsonschema (tests) is one behind proptest (tests)"),
    ("r-efi", "comes with getrandom, on machines without an operating system"),
    ("rand", "opentelemetry_sdk (tests) is one behind proptest (tests)"),
    ("rand_core", "comes with rand"),
    ("similar", "insta (tests) is one behind cupel-testing"),
    ("syn", "half of the macros have moved to the next one"),
];

/// All that the engine brings along without optional features.
const ENGINE: &[&str] = &["chrono", "cupel", "foldhash", "libm", "num-traits"];

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn packages() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--format-version=1", "--locked", "--all-features"]);
    let mut metadata: Value = serde_json::from_str(&metadata).unwrap();
    let Value::Array(packages) = metadata["packages"].take() else { panic!("no packages") };
    assert!(packages.len() > 50, "{} packages", packages.len());
    packages
}

/// The crates of bindings, which are workspaces of their own.
fn bindings() -> Vec<Value> {
    let manifest = root().join("bindings/python/Cargo.toml");
    let arguments = ["metadata", "--no-deps", "--format-version=1", "--locked", "--manifest-path"];
    let arguments = [&arguments[..], &[manifest.to_str().unwrap()]].concat();
    let metadata: Value = serde_json::from_str(&cargo(&arguments)).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

fn is_ours(package: &Value) -> bool {
    package["source"].is_null()
}

#[test]
fn everything_comes_from_crates_io_or_from_here() {
    let crates = root().join("crates").canonicalize().unwrap();
    for package in &packages() {
        match package["source"].as_str() {
            Some(source) => assert_eq!(source, CRATES_IO, "{}", name(package)),
            None => {
                let manifest = Path::new(package["manifest_path"].as_str().unwrap());
                assert!(manifest.canonicalize().unwrap().starts_with(&crates), "{manifest:?}");
            }
        }
    }
    for lock in ["Cargo.lock", "bench/Cargo.lock", "fuzz/Cargo.lock"] {
        let lock = fs::read_to_string(root().join(lock)).unwrap();
        for source in lock.lines().filter_map(|line| line.strip_prefix("source = ")) {
            assert_eq!(source.trim_matches('"'), CRATES_IO);
        }
    }
}

#[test]
fn every_licence_lets_anybody_use_it() {
    for package in &packages() {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(
            licence::is_permissive(licence),
            "{} is under {licence:?}; if that may be used, add it to the list",
            name(package)
        );
    }
}

#[test]
fn what_is_there_twice_is_known() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in &packages() {
        let version = package["version"].as_str().unwrap().to_owned();
        versions.entry(name(package).to_owned()).or_default().insert(version);
    }
    let twice: BTreeSet<_> =
        versions.iter().filter(|(_, it)| it.len() > 1).map(|(name, _)| name.as_str()).collect();
    let known: BTreeSet<_> = TWICE.iter().map(|(name, _)| *name).collect();
    assert_eq!(twice, known, "left: there twice; right: known to be");
}

#[test]
fn nothing_that_users_build_is_there_twice() {
    // What only a build script needs is left out: it is built for the host, and so apart, even in the same version.
    let arguments = "tree --workspace --locked --edges normal --target all --duplicates";
    assert_eq!(cargo(&arguments.split(' ').collect::<Vec<_>>()), "");
}

#[test]
fn the_engine_brings_next_to_nothing_along() {
    let arguments = "tree --locked --package cupel --edges normal --target all --prefix none";
    let tree = cargo(&arguments.split(' ').collect::<Vec<_>>());
    let names: BTreeSet<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ENGINE.iter().copied().collect());
}

#[test]
fn counting_tokens_knows_nothing_of_the_rest_of_the_project() {
    let arguments =
        "tree --locked --package cupel-tokens --edges normal --target all --prefix none";
    let tree = cargo(&arguments.split(' ').collect::<Vec<_>>());
    let ours: BTreeSet<_> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| name.starts_with("cupel"))
        .collect();
    assert_eq!(ours, BTreeSet::from(["cupel-tokens"]));
}

#[test]
fn every_direct_dependency_is_explained() {
    let table = fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let explained: BTreeSet<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    let mut used = BTreeSet::new();
    let ours = packages().into_iter().filter(is_ours);
    for package in ours.chain(bindings()) {
        for dependency in package["dependencies"].as_array().unwrap() {
            if dependency["path"].is_null() {
                used.insert(name(dependency).to_owned());
            }
        }
    }
    let unexplained: Vec<_> = used.difference(&explained).collect();
    assert!(
        unexplained.is_empty(),
        "say in docs/dependencies.md what these are for: {unexplained:?}"
    );
    let unused: Vec<_> = explained.difference(&used).collect();
    assert!(unused.is_empty(), "docs/dependencies.md explains what is not used: {unused:?}");
}

#[test]
fn every_crate_states_the_same_oldest_compiler_and_obeys_the_same_lints() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let line = |text: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix("rust-version = "));
        found.map(|version| version.trim_matches('"').to_owned())
    };
    let oldest = line(&workspace).expect("the workspace states it");
    for package in packages().iter().filter(|package| is_ours(package)) {
        assert_eq!(package["rust_version"].as_str(), Some(&*oldest), "{}", name(package));
        let manifest = fs::read_to_string(package["manifest_path"].as_str().unwrap()).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{}", name(package));
        assert_eq!(package["license"], "MIT", "{}", name(package));
    }
    let fuzz = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    assert_eq!(line(&fuzz), Some(oldest), "fuzz");
}
