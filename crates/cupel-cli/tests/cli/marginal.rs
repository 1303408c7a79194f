//! `cupel marginal`

use predicates::str::contains;

use crate::{AGENT, cupel, json_lines, stdout_of};

const FLAGS: [&str; 4] = ["marginal", AGENT, "--budget", "1500"];

#[test]
fn what_a_smaller_budget_loses_is_listed() {
    let mut command = cupel();
    command.env("COLUMNS", "100").args(FLAGS).args(["--slack", "150"]);
    insta::assert_snapshot!(stdout_of(&mut command));
}

#[test]
fn it_is_the_difference_between_two_selections() {
    let select = |budget| stdout_of(cupel().args(["select", AGENT, "--budget", budget]));
    let (large, small) = (select("1500"), select("1350"));
    let lost: Vec<_> = large.lines().filter(|line| !small.contains(line)).collect();
    let told = stdout_of(cupel().args(FLAGS).args(["--slack", "150", "--format", "jsonl"]));
    assert_eq!(told.lines().collect::<Vec<_>>(), lost);
    assert!(!json_lines(&told).is_empty());
}

#[test]
fn no_slack_loses_nothing() {
    let told = stdout_of(cupel().args(FLAGS).args(["--slack", "0"]));
    assert_eq!(told, "Nothing is lost with 0 tokens less.\n");
}

#[test]
fn impossible_questions_are_refused() {
    for slack in ["-1", "1501"] {
        cupel().args(FLAGS).args(["--slack", slack]).assert().code(2).stderr(contains("slack"));
    }
    let quotas = cupel()
        .args(FLAGS)
        .args(["--slack", "10", "--policy", "examples/policies/support-bot.json"])
        .assert();
    quotas.code(2).stderr(contains("shares the budget out by quotas"));
}
