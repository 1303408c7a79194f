//! The page in a real browser: it renders, filters, moves with the slider, and nothing goes wrong.
//!
//! Needs Debian's chromium. `scripts/chromium.sh` installs it if it is absent and may be installed;
//! where it cannot be, the test says so and is skipped.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The browser, or `None` with a message when there is none to be had.
fn chromium() -> Option<String> {
    let script = root().join("crates/cupel-cli/scripts/chromium.sh");
    let output = Command::new("bash").arg(script).output().expect("bash runs");
    if output.status.success() {
        return Some(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    // Past the capturing of test output: a test that did not run must not look like one that did.
    let reason = String::from_utf8_lossy(&output.stderr);
    let _ = writeln!(std::io::stderr(), "SKIPPED, no browser: {}", reason.trim());
    None
}

/// What the page's own test wrote down, at that width, and what the browser logged meanwhile.
fn self_test(chromium: &str, arguments: &[&str], width: u32) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let status = Command::new(env!("CARGO_BIN_EXE_cupel"))
        .current_dir(root())
        .arg("explain")
        .args(arguments)
        .arg("--html")
        .arg(&page)
        .status()
        .unwrap();
    assert!(status.success());

    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=5000"])
        .arg(format!("--window-size={width},1000"))
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}#selftest", page.display()))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    let messages: Vec<_> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(messages.is_empty(), "the page logged {messages:#?}");

    let dom = String::from_utf8_lossy(&output.stdout);
    let written =
        dom.split("<pre id=\"selftest\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let written = written.unwrap_or_else(|| panic!("the page did not test itself:\n{dom}\n{log}"));
    let report: Value = serde_json::from_str(&written.replace("&amp;", "&")).unwrap();
    assert_eq!(report["errors"], serde_json::json!([]));
    report
}

#[test]
fn the_page_renders_filters_and_moves_with_the_slider() {
    let Some(chromium) = chromium() else { return };
    let arguments =
        ["examples/data/support-chat.jsonl", "--budget", "1500", "--output-reserve", "300"];
    for width in [1400, 500] {
        let report = self_test(&chromium, &arguments, width);
        let number = |state: &str, what: &str| report[state][what].as_u64().unwrap();

        assert_eq!((number("start", "in"), number("start", "out")), (41, 21));
        assert_eq!((number("start", "segments"), number("start", "bars")), (41, 41));
        assert_eq!(report["start"]["used"], "1,191");
        assert_eq!(report["start"]["changeShown"], false);

        // The last item repeats another, which is in the window.
        assert_eq!((number("searched", "in"), number("searched", "out")), (1, 1));
        assert_eq!((number("searchedInVain", "in"), number("searchedInVain", "out")), (0, 0));
        assert_eq!(report["oneKind"]["kind"], "SystemPrompt");
        assert_eq!((number("oneKind", "in"), number("oneKind", "out")), (1, 0));
        assert_eq!((number("oneReason", "in"), number("oneReason", "out")), (0, 19));

        assert!(report["steps"].as_u64().unwrap() >= 35);
        assert_eq!((number("smallest", "in"), number("smallest", "segments")), (1, 1));
        assert_eq!((number("largest", "in"), number("largest", "out")), (60, 2));
        assert_eq!(number("largest", "entered"), 19);
        assert_eq!(report["largest"]["changeShown"], true);
        assert_eq!(report["end"], report["start"]);

        assert_eq!(report["themeSwitched"], true);
        assert_eq!(report["revealed"], 1);
        assert_eq!(report["overflow"], 0, "nothing sticks out at {width} pixels");
    }
}

#[test]
fn a_window_placed_in_a_u_is_a_page_too() {
    let Some(chromium) = chromium() else { return };
    let arguments = ["examples/data/rag-candidates.json", "--budget", "500", "--policy", "rag"];
    let report = self_test(&chromium, &arguments, 390);
    assert_eq!(report["smallest"]["in"], 2, "the two pinned items");
    assert!(report["largest"]["in"].as_u64() > report["start"]["in"].as_u64());
}
