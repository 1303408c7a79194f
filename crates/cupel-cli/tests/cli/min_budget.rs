//! `cupel min-budget`

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use crate::{AGENT, cupel, json_lines, stdout_of};

const FLAGS: [&str; 2] = ["min-budget", AGENT];

#[test]
fn the_answer_lets_the_item_in_and_one_less_does_not() {
    let answer = stdout_of(cupel().args(FLAGS).args(["--item", "8"]));
    let least: i64 = answer.trim().parse().unwrap();
    let window = |budget: i64| {
        let out = stdout_of(cupel().args(["select", AGENT, "-b", &budget.to_string()]));
        json_lines(&out).iter().any(|item| item["step"] == 8)
    };
    assert!(window(least) && !window(least - 1));
}

#[test]
fn an_item_is_found_by_a_text_of_its_own() {
    let by_text = stdout_of(cupel().args(FLAGS).args(["--match", "SELECTBOOKINGS = "]));
    assert_eq!(by_text, stdout_of(cupel().args(FLAGS).args(["--item", "8"])));
    let many = cupel().args(FLAGS).args(["--match", "stockholm"]).assert().code(2);
    many.stderr(contains("items contain \"stockholm\": ").and(contains("--item N")));
    let none = cupel().args(FLAGS).args(["--match", "no such text"]).assert().code(2);
    none.stderr(contains("no item contains"));
}

#[test]
fn a_ceiling_that_is_too_low_fails_the_work() {
    let assert = cupel().args(FLAGS).args(["--item", "8", "--ceiling", "400"]).assert().code(1);
    assert.stdout(is_empty()).stderr(contains("at no budget up to 400").and(contains("--ceiling")));
    let below = cupel().args(FLAGS).args(["--item", "8", "--ceiling", "3"]).assert().code(2);
    below.stderr(contains("invalid budget"));
}

#[test]
fn json_says_how_sure_it_is() {
    let run = |policy: &str| {
        let out = stdout_of(cupel().args(FLAGS).args(["--item", "8", "--json", "-p", policy]));
        json_lines(&out).remove(0)
    };
    assert_eq!(run("chat")["exact"], true);
    assert_eq!(run("documentQa")["exact"], false);
    assert_eq!(run("chat")["item"], 8);
    let assert = cupel().args(FLAGS).args(["--item", "8", "--ceiling", "400", "--json"]).assert();
    assert.code(1).stdout(contains("\"minBudget\":null"));
}

#[test]
fn reservations_make_the_answer_larger() {
    let run = |flags: &[&str]| -> i64 {
        let mut command = cupel();
        let command = command.args(FLAGS).args(["--item", "8", "--ceiling", "9000"]).args(flags);
        stdout_of(command).trim().parse().unwrap()
    };
    assert_eq!(run(&["--output-reserve", "100"]), run(&[]) + 100);
    assert_eq!(run(&["--reserve", "note=40"]), run(&[]) + 40);
    assert!(run(&["--safety-margin", "10"]) > run(&[]));
}

#[test]
fn impossible_questions_are_refused() {
    for item in ["0", "81"] {
        let assert = cupel().args(FLAGS).args(["--item", item]).assert().code(2);
        assert.stderr(contains(format!("there is no item {item}")));
    }
    let neither = cupel().args(FLAGS).assert().code(2);
    neither.stderr(contains("--item <N>|--match <TEXT>"));
    cupel().args(FLAGS).args(["--item", "1", "--match", "x"]).assert().code(2);
    let quotas = ["--item", "8", "--policy", "examples/policies/support-bot.json"];
    cupel().args(FLAGS).args(quotas).assert().code(2).stderr(
        contains("shares the budget out by quotas")
            .and(contains("cupel explain"))
            .and(contains("QuotaSlice").not())
            .and(contains("FindMinBudgetFor").not()),
    );
}
