//! The program as it is called.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs};

fn conformance(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupel-conformance"));
    command.args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder of its own for one test.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const PASSES: &str = "
test = { name = \"It fits\", stage = \"slicing\", slicer = \"greedy\" }
budget = { target_tokens = 10 }
scored_items = [{ content = \"a\", tokens = 10, score = 1.0 }]
expected = { selected_contents = [\"a\"] }
";

fn fails() -> String {
    PASSES.replace("It fits", "It does not").replace("[\"a\"]", "[]")
}

#[test]
fn the_built_in_vectors_run_by_default_and_pass() {
    let output = conformance(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    let text = out(&output);
    let last = text.lines().last().unwrap();
    assert!(last.ends_with(" passed, 0 failed, 0 skipped"), "{text}");
    assert!(text.contains("\nCupel Fully Conformant\n"));
    assert!(text.contains(&format!("\nsuite: {}\n", cupel_conformance::suite::VERSION)), "{text}");
}

/// Rule [Running the suite]: a failure shows the file, what was expected and what came out
#[test]
fn a_failure_shows_file_expected_and_actual_and_exits_with_1() {
    let folder = folder("failure", &[("deep/fails.toml", &fails()), ("passes.toml", PASSES)]);
    let output = conformance(&[folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let path = folder.join("deep/fails.toml");
    let expected = format!(
        "FAILED  {}
  It does not
  selection by slice, select
    expected []
      actual [\"a\"]
engine: cupel
1 passed, 1 failed, 0 skipped
",
        path.display()
    );
    assert_eq!(out(&output), expected);
}

/// Rule [Running the suite]: levels are cumulative (ours)
#[test]
fn levels_are_cumulative_and_files_outside_of_them_always_run() {
    let files = [
        ("required/a.toml", PASSES),
        ("optional/b.toml", PASSES),
        ("extended/c.toml", PASSES),
        ("other/d.toml", PASSES),
    ];
    let folder = folder("levels", &files);
    let last = |level| {
        let output = conformance(&["--level", level, folder.to_str().unwrap()]);
        out(&output).lines().last().unwrap().to_owned()
    };
    assert_eq!(last("required"), "2 passed, 0 failed, 0 skipped");
    assert_eq!(last("OPTIONAL"), "3 passed, 0 failed, 0 skipped");
    assert_eq!(last("extended"), "4 passed, 0 failed, 0 skipped");
}

#[test]
fn filters_look_at_paths_and_names_in_any_case() {
    let folder = folder("filter", &[("one.toml", PASSES), ("two.toml", &fails())]);
    let listed = |filter| {
        out(&conformance(&["--list", "--filter", filter, folder.to_str().unwrap()])).lines().count()
    };
    assert_eq!(listed("IT FITS"), 1);
    assert_eq!(listed("two"), 1);
    assert_eq!(listed("it"), 2);
}

#[test]
fn listing_names_level_path_and_name_without_running() {
    let folder = folder("list", &[("required/one.toml", PASSES), ("broken.toml", "[test")]);
    let output = conformance(&["--list", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    let text = out(&output);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert!(lines[0][2].starts_with("unreadable: line 1, column "), "{text}");
    assert_eq!((lines[1][0], lines[1][2]), ("required", "It fits"));
    assert!(lines[1][1].ends_with("one.toml"));
}

#[test]
fn json_holds_everything_in_one_document() {
    let folder = folder("json", &[("one.toml", PASSES), ("two.toml", &fails())]);
    let output = conformance(&["--json", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["passed"], &report["failed"]), (&1.into(), &1.into()));
    assert_eq!(report["vectors"][0]["paths"], serde_json::json!(["slice", "select"]));
    assert_eq!(
        report["vectors"][1]["differences"],
        serde_json::json!([{
            "what": "selection", "expected": "[]", "actual": "[\"a\"]", "paths": ["slice", "select"]
        }])
    );
}

#[test]
fn what_cannot_be_used_exits_with_2_and_says_why() {
    let empty = folder("empty", &[("readme.txt", "no vectors here")]);
    let cases: [(&[&str], &str); 7] = [
        (&["--colour"], "invalid option '--colour'"),
        (&["--level", "best"], "unknown level \"best\", expected required, optional, extended"),
        (&["no-such-folder"], "no-such-folder: "),
        (&[empty.to_str().unwrap()], "there are no vectors (*.toml) in "),
        (&["--filter", "no such vector"], "no vector is left to run"),
        (&["--timeout", "0"], "a timeout of 0 seconds is not possible"),
        (&["--engine-command", "no-such-program"], "no-such-program cannot be started: "),
    ];
    for (arguments, reason) in cases {
        let output = conformance(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(err(&output).contains(reason), "{arguments:?}: {}", err(&output));
        assert_eq!(out(&output), "");
    }
}

#[test]
fn help_and_version_exit_with_0() {
    for option in ["--help", "-h", "--version", "-V"] {
        let output = conformance(&[option]);
        assert_eq!(output.status.code(), Some(0));
        assert!(out(&output).contains("cupel-conformance"));
    }
}

/// Rule [Running the suite]: who claims conformance names the version of the suite
#[test]
fn whoever_claims_conformance_names_the_version_of_the_suite() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in ["README.md", "docs/conformance.md"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let claim = text.find("Cupel Fully Conformant").unwrap();
        let version = format!("version {}", cupel_conformance::suite::VERSION);
        assert!(text[claim..].lines().next().unwrap().contains(&version), "{page}");
    }
}
