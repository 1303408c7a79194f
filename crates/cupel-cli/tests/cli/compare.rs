//! `cupel compare`

use predicates::str::contains;

use crate::{AGENT, cupel, stdout_of};

const FLAGS: [&str; 4] = ["compare", AGENT, "--budget", "1500"];

#[test]
fn policies_stand_side_by_side() {
    let policies = ["--policy", "chat", "--policy", "toolUse", "--policy", "debugging"];
    insta::assert_snapshot!(stdout_of(cupel().env("COLUMNS", "100").args(FLAGS).args(policies)));
}

#[test]
fn equal_policies_have_labels_of_their_own_and_no_differences() {
    let told = stdout_of(cupel().args(FLAGS).args(["-p", "chat", "-p", "Chat"]));
    assert!(told.contains("chat (2)") && told.contains("All select the same."), "{told}");
}

#[test]
fn json_names_windows_and_differences() {
    let json = stdout_of(cupel().args(FLAGS).args(["-p", "chat", "-p", "debugging", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["variants"][1]["policy"], "debugging");
    assert!(json["variants"][0]["totalTokens"].as_i64().unwrap() <= 1500);
    let first = &json["diffs"][0];
    let number = first["items"][0].as_u64().unwrap();
    for (variant, status) in
        json["variants"].as_array().unwrap().iter().zip(first["statuses"].as_array().unwrap())
    {
        let included = variant["items"].as_array().unwrap().iter().any(|it| *it == number);
        assert_eq!(status["status"] == "Included", included);
        assert_eq!(status["policy"], variant["policy"]);
    }
}

#[test]
fn one_policy_is_not_enough() {
    let one = cupel().args(FLAGS).args(["--policy", "chat"]).assert().code(2);
    one.stderr(contains("at least twice"));
    cupel().args(FLAGS).assert().code(2).stderr(contains("--policy"));
}

#[test]
fn lenient_and_output_work_here_too() {
    let folder = tempfile::tempdir().unwrap();
    let (policy, out) = (folder.path().join("p.json"), folder.path().join("out.txt"));
    std::fs::write(&policy, r#"{"scorers":[{"type":"priority","weight":1}],"x":1}"#).unwrap();
    let mut command = cupel();
    command.args(FLAGS).args(["-p", "chat", "--lenient", "-p"]).arg(&policy).arg("-o").arg(&out);
    command.assert().success().stdout("").stderr(contains("\"x\""));
    assert!(std::fs::read_to_string(&out).unwrap().contains("B  p.json"));
}
