//! `cupel count`

use predicates::prelude::PredicateBooleanExt;
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
fn models_go_by_their_name() {
    let count = |tokenizer: &str| {
        stdout_of(cupel().args(["count", "--text", "-t", tokenizer]).write_stdin("hello world"))
    };
    for name in ["gpt-4o", "openai/gpt-4o-mini-2024-07-18", "gpt-3.5-turbo", "o200k_harmony"] {
        assert_eq!(count(name), "2\n", "{name}");
    }
    // Two tokens of o200k_base, times 1.18 and 1.53, rounded up.
    assert_eq!(count("claude-sonnet-4-5"), "3\n");
    assert_eq!(count("anthropic/claude-sonnet-5.5"), "4\n");
    assert_eq!(count("models/gemini-2.5-flash"), "3\n");
}

#[test]
fn estimates_say_so_with_their_factor() {
    let note = contains("counted with claude 4.7 and later (an estimate, 1.53 x o200k_base)");
    let claude = ["-t", "claude-sonnet-5.5"];
    cupel()
        .args(["count", "--text"])
        .args(claude)
        .write_stdin("hello")
        .assert()
        .stderr(note.clone());
    cupel().args(["count", CHAT]).args(claude).assert().stderr(note);
    let exact = cupel().args(["count", "--text", "-t", "gpt-4o"]).write_stdin("hello").assert();
    exact.stderr("");
    let quiet = ["count", "--text", "--quiet", "-t", "claude-sonnet-5.5"];
    cupel().args(quiet).write_stdin("hello").assert().success().stderr("");
}

#[test]
fn a_selection_can_be_counted_for_a_model() {
    let items = "{\"content\":\"hello world\"}";
    let select = ["select", "--budget", "2", "-t"];
    let exact = stdout_of(cupel().args(select).arg("gpt-4o").write_stdin(items));
    assert_eq!(json_lines(&exact).len(), 1);
    // The same text is more tokens for this one, and that is said to be an estimate.
    let mut command = cupel();
    let estimated = command.args(select).arg("claude-opus-4-7").write_stdin(items).assert();
    estimated
        .stdout(contains("hello").not())
        .stderr(contains("counted with claude 4.7 and later (an estimate, 1.53 x o200k_base)"));
}

#[test]
fn two_megabytes_of_spaces_are_counted() {
    let spaces = " ".repeat(2_000_000);
    assert_eq!(stdout_of(cupel().args(["count", "--text"]).write_stdin(spaces)), "15625\n");
}

#[test]
fn unknown_names_are_refused_with_near_ones_and_the_vocabularies() {
    let assert = cupel().args(["count", CHAT, "--tokenizer", "gpt4o"]).assert().code(2);
    assert.stderr(contains("did you mean gpt-4o").and(contains("o200k_base")));
    cupel().args(["count", CHAT, "-t", "llama-3"]).assert().code(2).stderr(contains("llama-3"));
}
