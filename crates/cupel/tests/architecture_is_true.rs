//! ARCHITECTURE.md names files and folders that exist, and counts the files of its walks right.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn architecture() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// What stands in backticks and looks like a path.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|it| !it.contains([' ', ':', '(']) && (it.contains('/') || it.ends_with(".rs")))
}

/// Where a path may start from: the root, or one of the crates that the text is about.
fn exists(path: &str) -> bool {
    let bases = [
        "",
        "crates/cupel/src",
        "crates/cupel/tests",
        "crates/cupel-policy/src",
        "crates/cupel-cli/src",
    ];
    bases.iter().any(|base| root().join(base).join(path).exists())
}

#[test]
fn every_path_that_is_named_exists() {
    let text = architecture();
    let missing: Vec<_> = paths(&text).filter(|path| !exists(path)).collect();
    assert!(paths(&text).count() > 50, "the paths are not found in the text");
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:?}");
}

#[test]
fn the_walks_pass_as_many_files_as_they_say() {
    let text = architecture();
    let walks = text.split("## Two walks").nth(1).and_then(|it| it.split("\n## ").next()).unwrap();
    let walks: Vec<_> = walks.split("\n\n").filter(|it| it.starts_with("**")).collect();
    assert_eq!(walks.len(), 2);
    for walk in walks {
        let files: BTreeSet<_> = paths(walk).filter(|path| path.ends_with(".rs")).collect();
        let stated = walk.split("That is ").nth(1).unwrap();
        let stated: usize =
            stated.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
        assert_eq!(files.len(), stated, "{files:?}");
    }
}
