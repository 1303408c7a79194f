//! What changes when a person is watching: under `script`, which gives a command a terminal.
#![cfg(target_os = "linux")]

use assert_cmd::Command;

use unicode_width::UnicodeWidthStr;

use crate::batch::request;
use crate::{CHAT, root};

/// What a terminal shows of `cupel` with these arguments, standard output and standard error alike.
fn shown(arguments: &str, no_color: Option<&str>) -> String {
    shown_at(60, arguments, no_color)
}

/// The same on a terminal of so many columns.
fn shown_at(columns: usize, arguments: &str, no_color: Option<&str>) -> String {
    let mut script = Command::new("script");
    let line =
        format!("stty rows 24 cols {columns}; '{}' {arguments}", env!("CARGO_BIN_EXE_cupel"));
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
const ERASE: &str = "\u{1b}[2K";

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

#[test]
fn tables_are_as_wide_as_the_terminal() {
    for columns in [40, 80, 200] {
        let screen = shown_at(columns, &format!("explain {CHAT} --budget 1500"), Some("1"));
        let widest = screen.lines().map(|line| line.trim_end().width()).max().unwrap();
        assert!(widest <= columns && widest > columns - 5, "{widest} of {columns}: {screen}");
    }
}

#[test]
fn warnings_and_errors_break_between_words() {
    let items = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&items, "[{\"content\":\"a\",\"tokens\":3},{\"content\":\"b\",\"tokens\":4}]")
        .unwrap();
    let line = format!("select '{}' --budget 5 > /dev/null", items.path().display());
    let wide = shown_at(300, &line, Some("1"));
    let narrow = shown_at(40, &line, Some("1"));
    assert!(wide.starts_with("warning: policy chat") && wide.lines().count() == 3, "{wide}");
    assert!(narrow.lines().all(|line| line.trim_end().width() <= 40), "{narrow}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&wide), words(&narrow));
}

#[test]
fn a_batch_draws_its_progress_on_one_line_and_removes_it() {
    let requests = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&requests, (1..=8_000).map(request).collect::<String>() + "{oops\n").unwrap();
    let line = format!("batch '{}' > /dev/null || true", requests.path().display());
    for columns in [40, 60] {
        let screen = shown_at(columns, &line, Some("1"));
        let (drawn, end) = screen.rsplit_once(ESCAPE).expect("the line is removed");
        assert!(end.contains("1 of 8,001 requests failed"), "{end:?}");
        for part in ["\u{2588}", "%", " requests, "] {
            assert!(drawn.contains(part), "{part:?} is not in {drawn:?}");
        }
        let lines = drawn.split('\r').map(|line| line.trim_start_matches(ERASE));
        let widest = lines.map(|line| line.chars().count()).max();
        assert!(!drawn.contains('\n') && widest <= Some(columns), "{widest:?}: {drawn:?}");
    }
}
