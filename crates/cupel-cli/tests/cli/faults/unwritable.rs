//! Disks that are full, places that may not be written to.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{Writer, partial_files, plain_cupel, printers, skipped, workplace, writers};
use crate::{CHAT, cupel, root};

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_full_disk_behind_standard_output_fails_every_command() {
    let folder = workplace();
    for arguments in printers(folder.path()) {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = plain_cupel().args(&arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        assert!(stderr(&output).contains("No space left"), "{arguments:?}: {}", stderr(&output));
    }
}

/// Runs `cupel` where a file can have `kilobytes` at most. The limit comes as an error when its
/// signal is ignored, and as death otherwise.
fn limited(kilobytes: usize, ignored: bool, writer: &Writer, out: &Path) -> Output {
    let trap = if ignored { "trap '' XFSZ; " } else { "" };
    let script = format!("{trap}ulimit -c 0; ulimit -f {kilobytes}; exec \"$@\"");
    Command::new("bash")
        .args(["-c", &script, "bash", env!("CARGO_BIN_EXE_cupel")])
        .args(&writer.arguments)
        .arg(writer.flag)
        .arg(out)
        .current_dir(root())
        .output()
        .unwrap()
}

#[test]
fn a_file_that_may_not_grow_is_not_left_half_written() {
    let mut refused = 0;
    let folder = workplace();
    for writer in writers(folder.path()) {
        let name = writer.name;
        let out = folder.path().join("out");
        fs::write(&out, "old").unwrap();
        let output = limited(1, true, &writer, &out);
        if output.status.success() {
            assert!(fs::metadata(&out).unwrap().len() <= 1024, "{name}");
            continue; // it had less than that to say
        }
        refused += 1;
        assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
        assert!(stderr(&output).contains("cannot be written"), "{name}: {}", stderr(&output));
        assert_eq!(fs::read_to_string(&out).unwrap(), "old", "{name}");
        assert_eq!(partial_files(folder.path()), [] as [&Path; 0], "{name}");
    }
    assert!(refused >= 6, "only {refused} commands wrote more than the limit");
}

#[test]
fn a_command_that_a_limit_kills_leaves_the_old_file() {
    let folder = workplace();
    for writer in writers(folder.path()) {
        let name = writer.name;
        let out = folder.path().join("out");
        fs::write(&out, "old").unwrap();
        let output = limited(1, false, &writer, &out);
        if !output.status.success() {
            assert_eq!(output.status.code(), None, "{name}: {output:?}");
            assert_eq!(fs::read_to_string(&out).unwrap(), "old", "{name}");
        }
    }
}

/// A disk of 64 kilobytes, as long as it lives.
struct TinyDisk(tempfile::TempDir);

impl TinyDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder.path());
        let mounted = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        mounted.then_some(Self(folder))
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_disk_that_fills_up_keeps_the_old_file_and_nothing_else() {
    let Some(disk) = TinyDisk::mount() else {
        return skipped("full disk: a small one cannot be mounted here");
    };
    let (folder, out) = (workplace(), disk.0.path().join("out"));
    let mut refused = 0;
    for writer in writers(folder.path()) {
        let name = writer.name;
        fs::write(&out, "old").unwrap();
        let output = writer.to(&out).output().unwrap();
        if output.status.success() {
            continue;
        }
        refused += 1;
        assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
        assert!(stderr(&output).contains("No space left"), "{name}: {}", stderr(&output));
        assert_eq!(fs::read_to_string(&out).unwrap(), "old", "{name}");
        assert_eq!(partial_files(disk.0.path()), [] as [&Path; 0], "{name}");
    }
    assert!(refused >= 3, "only {refused} commands filled the disk");
}

#[test]
fn a_write_protected_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::write(&out, "old").unwrap();
    fs::set_permissions(&out, Permissions::from_mode(0o444)).unwrap();
    let assert = cupel().args(["select", CHAT, "-b", "800", "-o"]).arg(&out).assert().code(2);
    assert.stderr(predicates::str::contains("write-protected"));
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(partial_files(folder.path()), [] as [&Path; 0]);
}

#[test]
fn a_folder_that_may_not_be_written_to_is_refused() {
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::write(&out, "old").unwrap();
    let input = root().join(CHAT);
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    let run = |as_nobody: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cupel"));
        command.args(["select", "-", "-b", "800", "-o"]).arg(&out).current_dir("/");
        command.stdin(File::open(&input).unwrap());
        if as_nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output()
    };
    // Root may write anywhere, so it becomes nobody for this.
    let is_root = File::create(folder.path().join("probe")).is_ok();
    let Ok(output) = run(is_root) else {
        return skipped("unwritable folder: nobody may run the command here");
    };
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("you may not write here"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn links_to_nothing_create_what_they_point_to_and_circles_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (link, file) = (folder.path().join("link"), folder.path().join("not yet"));
    std::os::unix::fs::symlink("not yet", &link).unwrap();
    cupel().args(["select", CHAT, "-b", "800", "-o"]).arg(&link).assert().success();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::symlink_metadata(&file).unwrap().is_file());

    let circle = folder.path().join("circle");
    std::os::unix::fs::symlink("circle", &circle).unwrap();
    let assert = cupel().args(["select", CHAT, "-b", "800", "-o"]).arg(&circle).assert().code(2);
    assert.stderr(predicates::str::contains("circle"));
    assert!(fs::symlink_metadata(&circle).unwrap().is_symlink());
}
