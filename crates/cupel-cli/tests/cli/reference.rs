//! `cupel presets`, `schema`, `conformance`, `completions`, `man`, `help`

use cupel_policy::{PolicyFile, Preset};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::{cupel, root, stdout_of};

#[test]
fn presets_are_listed_and_printed_as_policy_files() {
    insta::assert_snapshot!(stdout_of(cupel().arg("presets")));
    for preset in Preset::ALL {
        let file = stdout_of(cupel().args(["presets", preset.name()]));
        assert_eq!(PolicyFile::from_json(&file).unwrap(), preset.policy_file());
    }
    let unknown = cupel().args(["presets", "chaat"]).assert().code(2);
    unknown.stderr(contains("did you mean \"chat\"?"));
}

#[test]
fn schemas_are_listed_and_printed() {
    let names = stdout_of(cupel().arg("schema"));
    assert_eq!(names, "item\nbudget\npolicy\nrequest\nresponse\nreport\nbatch\n");
    for name in names.lines() {
        let schema = stdout_of(cupel().args(["schema", name]));
        let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    cupel().args(["schema", "nothing"]).assert().code(2).stderr(contains("item, budget"));
}

#[test]
fn the_built_in_suite_passes() {
    let told = stdout_of(cupel().arg("conformance"));
    assert!(told.contains("Cupel Fully Conformant") && told.contains(" 0 failed"), "{told}");
}

#[test]
fn a_folder_of_vectors_is_checked_instead() {
    let folder = root().join("conformance/required");
    let json = stdout_of(cupel().args(["conformance", "--json"]).arg(&folder));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["passed"], &json["failed"]), (&28.into(), &0.into()));
}

#[test]
fn a_failed_vector_fails_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let vector = "[test]\nname = \"wrong\"\nstage = \"slicing\"\nslicer = \"greedy\"\n\
                  [budget]\ntarget_tokens = 5\n[[scored_items]]\ncontent = \"a\"\ntokens = 9\nscore = 1.0\n\
                  [expected]\nselected_contents = [\"a\"]\n";
    std::fs::write(folder.path().join("wrong.toml"), vector).unwrap();
    let assert = cupel().arg("conformance").arg(folder.path()).assert().code(1);
    assert.stdout(contains("FAILED").and(contains("1 failed")));
    cupel().args(["conformance", "no/such/folder"]).assert().code(2).stderr(contains("no/such"));
    let empty = tempfile::tempdir().unwrap();
    let assert = cupel().arg("conformance").arg(empty.path()).assert().code(2);
    assert.stderr(contains("no vectors"));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout_of(cupel().args(["completions", shell]));
        assert!(script.contains("min-budget"), "{shell}");
    }
    cupel().args(["completions", "ksh"]).assert().code(2);
}

#[test]
fn the_manual_has_a_page_per_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("not/yet/there");
    cupel().arg("man").arg(&folder).assert().success().stdout("");
    let page = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(page("cupel.1").contains(".TH cupel 1"));
    assert!(page("cupel-select.1").contains(".TH cupel-select 1"));
    assert!(page("cupel-select.1").contains("Examples:"));
    assert_eq!(stdout_of(cupel().arg("man")), page("cupel.1"));
}

#[test]
fn help_has_examples_everywhere() {
    let help = stdout_of(cupel().arg("--help"));
    assert!(help.contains("Exit codes: 0 done, 1 the work failed, 2 wrong usage or bad input"));
    let commands = [
        "select",
        "explain",
        "compare",
        "replay",
        "marginal",
        "min-budget",
        "batch",
        "count",
        "presets",
        "schema",
        "conformance",
        "completions",
    ];
    for command in commands {
        assert!(help.contains(command), "{command}");
        for flag in ["-h", "--help"] {
            let help = stdout_of(cupel().args([command, flag]));
            assert!(help.contains(&format!("Examples:\n  cupel {command}")), "{command}");
        }
    }
    insta::assert_snapshot!(stdout_of(cupel().args(["select", "-h"])));
}

#[test]
fn the_version_is_told() {
    let version = stdout_of(cupel().arg("--version"));
    assert_eq!(version, format!("cupel {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn that_greedy_goes_by_score_per_token_is_said_wherever_one_looks() {
    for command in ["select", "explain"] {
        let help = stdout_of(cupel().args([command, "--help"]));
        let words: Vec<_> = help.split_whitespace().collect();
        assert!(words.join(" ").contains("the best score per token"), "{help}");
    }
    assert!(stdout_of(cupel().arg("presets")).contains("best score per token first"));
    let schema = stdout_of(cupel().args(["schema", "policy"]));
    assert!(schema.contains("The best score per token first, skipping what no longer fits."));
    for file in ["README.md", "crates/cupel-cli/README.md", "docs/strategies.md"] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains("per token"), "{file}");
    }
}

#[test]
fn the_page_on_strategies_has_every_scorer_and_every_preset_as_it_is() {
    let page = std::fs::read_to_string(root().join("docs/strategies.md")).unwrap();
    let listed = stdout_of(cupel().arg("presets"));
    for preset in Preset::ALL {
        let lines: Vec<_> = listed.lines().collect();
        let at = lines.iter().position(|line| line.starts_with(preset.name())).unwrap();
        let parts = lines[at + 1].trim().split(';').next().unwrap();
        let row = format!("| `{}` | {parts} |", preset.name());
        assert!(page.contains(&row), "{row}");
    }
    let schema = stdout_of(cupel().args(["schema", "policy"]));
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let scorers = schema.pointer("/$defs/Scorer/anyOf").or(schema.pointer("/$defs/Scorer/oneOf"));
    let names = scorers.unwrap().as_array().unwrap().iter();
    let names: Vec<_> = names.filter_map(|it| it["properties"]["type"]["const"].as_str()).collect();
    assert!(names.len() >= 11, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
    let weights = cupel::KindScorer::with_default_weights();
    for (kind, weight) in page
        .lines()
        .skip_while(|line| !line.starts_with("| SystemPrompt"))
        .step_by(2)
        .take(2)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>())
        .collect::<Vec<_>>()
        .chunks(2)
        .flat_map(|rows| rows[0].iter().zip(&rows[1]))
    {
        let item =
            cupel::ContextItem::builder("x", 1).kind(cupel::ContextKind::new(*kind).unwrap());
        let score = cupel::Scorer::score(&weights, &item.build().unwrap(), &[]);
        assert_eq!(format!("{score:.1}"), *weight, "{kind}");
    }
}
