//! What changes when a person is watching: under `script`, which gives a command a terminal.
#![cfg(target_os = "linux")]

use assert_cmd::Command;

use crate::{CHAT, root};

/// What a terminal shows of `cupel` with these arguments, standard output and standard error alike.
fn shown(arguments: &str, no_color: Option<&str>) -> String {
    let mut script = Command::new("script");
    let line = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_cupel"));
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).current_dir(root());
    script.env("TERM", "xterm-256color");
    for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
        script.env_remove(variable);
    }
    if let Some(value) = no_color {
        script.env("NO_COLOR", value);
    }
    let output = script.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("a terminal is shown UTF-8")
}

const ESCAPE: char = '\u{1b}';

#[test]
fn a_terminal_is_shown_colours() {
    let screen = shown(&format!("explain {CHAT} --budget 1500"), None);
    assert!(screen.contains(ESCAPE) && screen.contains("The window, in order"), "{screen}");
}

#[test]
fn no_color_is_honoured() {
    let screen = shown(&format!("explain {CHAT} --budget 1500"), Some("1"));
    assert!(!screen.contains(ESCAPE) && screen.contains("The window, in order"), "{screen}");
}

#[test]
fn a_selection_is_summed_up_in_one_line_for_whoever_watches() {
    let screen = shown(&format!("select {CHAT} --budget 800 > /dev/null"), Some("1"));
    assert_eq!(screen.trim(), "kept 33 of 62, 796 of 800 tokens");
}
