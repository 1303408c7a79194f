//! `docs/quality.md` shows what its commands print.
//!
//! After a change that is to change numbers, `UPDATE_QUALITY=1 cargo test -p cupel-cli --test cli quality` writes them anew. Then read
//! the sentences around them.

use crate::{cupel, root, stdout_of};

const BEGIN: &str = "<!-- printed -->\n";
const END: &str = "<!-- end -->";

/// The words of the last command before a place that shows what it prints.
fn command(before: &str) -> Vec<String> {
    let block = before.rsplit("```console\n").next().unwrap();
    let line = block.split("```").next().unwrap().replace("\\\n", " ");
    let words = line.trim().strip_prefix("$ cupel ").expect("a command of ours");
    words.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_table_is_what_its_command_prints() {
    let path = root().join("docs/quality.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut parts = page.split(BEGIN);
    let mut renewed = parts.next().unwrap().to_owned();
    let mut tables = 0;
    for part in parts {
        let printed = stdout_of(cupel().args(command(&renewed)));
        let (_, rest) = part.split_once(END).expect("each table has an end");
        renewed.push_str(&format!("{BEGIN}{printed}{END}{rest}"));
        tables += 1;
    }
    assert!(tables >= 5, "{tables} tables");
    if std::env::var_os("UPDATE_QUALITY").is_some() {
        return std::fs::write(&path, &renewed).unwrap();
    }
    let differing = page.lines().zip(renewed.lines()).find(|(shown, printed)| shown != printed);
    assert!(page == renewed, "docs/quality.md is out of date; see this test's head: {differing:?}");
}

#[test]
fn the_sample_set_of_the_page_is_one() {
    let page = std::fs::read_to_string(root().join("docs/quality.md")).unwrap();
    let sample = page.split("```jsonl\n").nth(1).unwrap().split("```").next().unwrap();
    let told = stdout_of(cupel().args(["eval", "--budgets", "5"]).write_stdin(sample.to_owned()));
    assert!(told.contains("1 question about 1 pool of 2 items"), "{told}");
}
