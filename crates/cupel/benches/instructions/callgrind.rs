//! Valgrind's callgrind, as far as it is needed here.

use std::process::{Command, Stdio};

/// The function inside which instructions are counted.
const COUNTED: &str = "--toggle-collect=*::measured";

pub(crate) fn is_present() -> bool {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

fn command(out: &str) -> Result<Command, String> {
    let this =
        std::env::current_exe().map_err(|error| format!("which program is this? {error}"))?;
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", COUNTED])
        .arg(format!("--callgrind-out-file={out}"))
        .arg(this);
    Ok(command)
}

/// The instructions of one run of a subject, after one that is not counted.
pub(crate) fn count(name: &str, items: usize) -> Result<u64, String> {
    let mut command = command("/dev/null")?;
    let output = command.args([name, &items.to_string(), "1"]).output();
    let output = output.map_err(|error| format!("valgrind did not start: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split("Collected : ").nth(1));
    match collected.and_then(|count| count.trim().parse().ok()) {
        Some(count) if count > 0 && output.status.success() => Ok(count),
        _ => Err(format!("valgrind counted nothing for {name} with {items} items:\n{said}")),
    }
}

/// Prints where the instructions go.
pub(crate) fn profile(name: &str, items: &str) -> Result<(), String> {
    let out = std::env::temp_dir().join(format!("callgrind.{}", name.replace('/', ".")));
    let out = out.to_string_lossy().into_owned();
    let run = command(&out)?.args([name, items, "1"]).status();
    let annotate = |_| Command::new("callgrind_annotate").args(["--auto=no", &out]).status();
    let annotated = run.and_then(annotate).map_err(|error| format!("valgrind: {error}"))?;
    println!("the whole profile: {out}");
    annotated.success().then_some(()).ok_or("callgrind_annotate failed".to_owned())
}
