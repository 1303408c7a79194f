//! `cupel count`

use predicates::str::contains;

use crate::{CHAT, cupel, json_lines, stdout_of};

const INPUT: &str =
    "{\"content\":\"hello world\",\"id\":7}\n{\"content\":\"x\", \"tokens\": 100}\n";

#[test]
fn items_are_added_up_and_own_counts_are_kept() {
    assert_eq!(stdout_of(cupel().args(["count"]).write_stdin(INPUT)), "102\n");
    assert_eq!(stdout_of(cupel().args(["count", "--recount"]).write_stdin(INPUT)), "3\n");
}

#[test]
fn filling_adds_the_count_and_changes_nothing_else() {
    let filled = stdout_of(cupel().args(["count", "--fill", "-"]).write_stdin(INPUT));
    assert_eq!(
        filled,
        "{\"content\":\"hello world\",\"id\":7, \"tokens\": 2}\n{\"content\":\"x\", \"tokens\": 100}\n"
    );
    let recounted = stdout_of(cupel().args(["count", "--fill", "--recount"]).write_stdin(INPUT));
    assert_eq!(json_lines(&recounted)[1]["tokens"], 1);
}

#[test]
fn the_samples_carry_true_counts() {
    let own = stdout_of(cupel().args(["count", CHAT]));
    assert_eq!(own, stdout_of(cupel().args(["count", CHAT, "--recount", "-t", "o200k_base"])));
}

#[test]
fn plain_text_is_counted_as_it_is() {
    let mut command = cupel();
    let tokenizer = ["count", "--text", "--tokenizer", "cl100k_base"];
    assert_eq!(stdout_of(command.args(tokenizer).write_stdin("hello world")), "2\n");
    // A special token in a text is text.
    assert_ne!(stdout_of(cupel().args(["count", "--text"]).write_stdin("<|endoftext|>")), "1\n");
    cupel().args(["count", "--text", "--fill"]).assert().code(2);
}

#[test]
fn unknown_vocabularies_are_refused_with_those_there_are() {
    let assert = cupel().args(["count", CHAT, "--tokenizer", "gpt2"]).assert().code(2);
    assert.stderr(contains("o200k_base"));
}
