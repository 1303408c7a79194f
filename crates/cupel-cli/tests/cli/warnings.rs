//! What is said on standard error although all went well.

use crate::{AGENT, CHAT, RAG, cupel};

/// What `cupel` says on standard error to these items.
fn told(items: &str, arguments: &[&str]) -> String {
    let mut command = cupel();
    let output = command.args(arguments).write_stdin(items).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

const UNDATED: &str = r#"[{"content": "How do I reset it?", "tokens": 9},
                          {"content": "Hold the button.", "tokens": 7},
                          {"content": "Thanks!", "tokens": 2}]"#;

#[test]
fn without_timestamps_a_policy_by_recency_says_that_it_has_nothing_to_judge_by() {
    for command in ["select", "explain"] {
        let said = told(UNDATED, &[command, "-b", "9"]);
        assert_eq!(
            said,
            "warning: policy chat has little to judge by: no item has a timestamp (recency, 75% of \
             the score), all are of one kind (kind, 25% of the score); all scores are equal, so the \
             shortest items win\n  help: give items \"timestamp\", or choose another --policy\n"
        );
    }
    assert_eq!(told(UNDATED, &["select", "-b", "9", "--quiet"]), "");
    assert_eq!(told(UNDATED, &["-q", "select", "-b", "9"]), "");
    assert_eq!(told(UNDATED, &["select", "-b", "90"]), "", "everything fits");
    let dated =
        UNDATED.replacen("\"tokens\"", "\"timestamp\": \"2025-01-01T00:00:00Z\", \"tokens\"", 1);
    assert_eq!(told(&dated, &["select", "-b", "9"]), "");
}

#[test]
fn every_sort_of_missing_information_is_named_with_its_key() {
    for (policy, missing, key) in [
        (
            "rag",
            "no item has a relevance hint (reflexive, 75% of the score)",
            "\"futureRelevanceHint\"",
        ),
        (
            "debugging",
            "no item has a priority (priority, 50% of the score)",
            "\"priority\" or \"timestamp\"",
        ),
        (
            "longRunning",
            "no item has tags (frequency, 20% of the score)",
            "\"timestamp\" or \"tags\"",
        ),
    ] {
        let said = told(UNDATED, &["select", "-b", "9", "-p", policy]);
        assert!(
            said.contains(missing) && said.contains(&format!("give items {key}, or")),
            "{said}"
        );
        assert_eq!(said.lines().count(), 2, "{said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.json");
    for (scorer, missing) in [
        (r#"{"type": "tag", "weight": 1, "tagWeights": {"a": 1}}"#, "no item has tags (tag, 100%"),
        (r#"{"type": "metadataTrust", "weight": 1}"#, "no item has metadata (metadataTrust, 100%"),
        (
            r#"{"type": "decay", "weight": 1, "curve": {"type": "window", "maxAgeSeconds": 9}}"#,
            "no item has a timestamp (decay, 100%",
        ),
        (
            r#"{"type": "scaled", "weight": 1, "innerScorer": {"type": "priority"}}"#,
            "no item has a priority (priority, 100%",
        ),
    ] {
        std::fs::write(&path, format!("{{\"scorers\": [{scorer}]}}")).unwrap();
        let said = told(UNDATED, &["select", "-b", "9", "-p", path.to_str().unwrap()]);
        assert!(said.contains(missing), "{said}");
    }
}

#[test]
fn a_retrievers_score_that_nothing_reads_is_pointed_out() {
    let items = r#"[{"content": "a", "tokens": 5, "score": 0.9}, {"content": "b", "tokens": 6, "score": 0.1}]"#;
    let said = told(items, &["select", "-b", "9", "-p", "rag"]);
    assert_eq!(
        said,
        "warning: items have a \"score\", which is passed through and not judged by\n  help: if it \
         says how relevant an item is, rename \"score\" to \"futureRelevanceHint\"\n"
    );
    let said = told(items, &["select", "-b", "9", "-p", "chat"]);
    assert!(said.contains("--policy rag") && said.contains("no item has a timestamp"), "{said}");
    let hinted = items.replace("0.9", "0.9, \"futureRelevanceHint\": 1");
    assert_eq!(told(&hinted, &["select", "-b", "9", "-p", "rag"]), "");
    let text = items.replace("0.9", "\"high\"").replace("0.1", "\"low\"");
    assert!(!told(&text, &["select", "-b", "9"]).contains("\"score\""), "text is no score");
}

#[test]
fn a_system_prompt_that_is_dropped_is_missed() {
    let time = "\"timestamp\": \"2025-01-01T00:00:00Z\"";
    let item = |more: &str| {
        format!(
            "[{{\"content\": \"Be kind.\", \"tokens\": 9, {time}, {more}}}, \
                  {{\"content\": \"Hi\", \"tokens\": 2, {time}}}]"
        )
    };
    let remedy = "  help: nothing is kept for its role or kind alone; \"pinned\": true keeps an item always\n";
    for more in ["\"role\": \"system\"", "\"role\": \"developer\"", "\"kind\": \"SystemPrompt\""] {
        let said = told(&item(more), &["select", "-b", "8"]);
        assert_eq!(
            said,
            format!("warning: item 1, a system prompt, was left out\n{remedy}"),
            "{more}"
        );
    }
    assert_eq!(told(&item("\"role\": \"user\""), &["select", "-b", "8"]), "");
    assert_eq!(told(&item("\"role\": \"system\", \"pinned\": true"), &["select", "-b", "9"]), "");
    let twice = item("\"role\": \"system\"")
        .replace("\"Hi\", \"tokens\": 2", "\"Be kind.\", \"tokens\": 9");
    assert_eq!(told(&twice, &["select", "-b", "9"]), "", "its text is in the window");
}

#[test]
fn the_samples_are_judged_without_a_word() {
    for (file, policy) in [(CHAT, "chat"), (CHAT, "longRunning"), (RAG, "rag"), (AGENT, "toolUse")]
    {
        assert_eq!(told("", &["select", file, "-b", "500", "-p", policy]), "", "{file} {policy}");
    }
}

#[test]
fn an_empty_selection_says_so_in_one_line() {
    for (items, budget, why) in [
        (UNDATED, "1", "there is room for 1 tokens, and the smallest of 3 candidates takes 2"),
        (UNDATED, "0", "there are 3 candidates, but the budget leaves no room"),
        ("[]", "9", "there are no candidates"),
        (r#"[{"content": "a", "tokens": -1}]"#, "9", "of 1 candidate none can be selected"),
    ] {
        let said = told(items, &["select", "-b", budget]);
        assert_eq!(said, format!("nothing was selected: {why}\n"));
        assert_eq!(told(items, &["select", "-b", budget, "-q"]), "");
    }
}
