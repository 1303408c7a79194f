//! `docs/tokens.md` shows people the table that the crate counts by.

use std::path::Path;

use cupel_tokens::{Counter, Model, Vocabulary};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tokens.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_family_has_its_row() {
    let page = page();
    for model in Model::families() {
        let row = format!("| {} | {} |", model.family, model.basis());
        assert!(page.contains(&row), "docs/tokens.md lacks: {row}");
    }
}

#[test]
fn every_vocabulary_is_named() {
    let page = page();
    for vocabulary in Vocabulary::ALL {
        assert!(page.contains(&format!("`{vocabulary}`")), "{vocabulary}");
    }
}
