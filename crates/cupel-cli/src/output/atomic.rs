//! Files that are there completely or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};

use tempfile::TempPath;

use crate::failure::{Complaint, Failure, Outcome};

/// A file that is written beside its place and moved there when it is complete.
///
/// What is no plain file (a terminal, a pipe, `/dev/null`) is written to directly: nothing may take
/// its place.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    file: BufWriter<File>,
    /// Where the file is and where it belongs, unless it is written to directly.
    beside: Option<(TempPath, PathBuf)>,
}

impl AtomicFile {
    pub(crate) fn create(path: &Path) -> Outcome<Self> {
        let refuse = |error: &io::Error| refusal(path, error);
        let target = behind_links(path).map_err(|error| refuse(&error))?;
        let existing = fs::metadata(&target).ok();
        if let Some(existing) = &existing {
            if existing.is_dir() {
                return Err(refuse(&io::ErrorKind::IsADirectory.into()));
            }
            if !existing.is_file() {
                let file = File::options().write(true).open(&target).map_err(|it| refuse(&it))?;
                return Ok(Self { file: BufWriter::new(file), beside: None });
            }
            // Replacing a file asks its folder for permission, not the file.
            if existing.permissions().readonly() {
                return Err(refuse(&io::ErrorKind::ReadOnlyFilesystem.into()));
            }
        }
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!(".{name}.");
        let mut temporary = tempfile::Builder::new();
        temporary.prefix(&prefix).suffix(".partial");
        if let Some(permissions) = existing.map(|it| it.permissions()).or_else(new_file) {
            temporary.permissions(permissions);
        }
        let temporary = temporary.tempfile_in(folder).map_err(|error| refuse(&error))?;
        let (file, path) = temporary.into_parts();
        remove_when_interrupted(&path);
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok(Self { file, beside: Some((path, target)) })
    }

    pub(crate) fn finish(self) -> Outcome {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some((path, target)) = self.beside {
            file.sync_all()?;
            path.persist(&target).map_err(|error| refusal(&target, &error.error))?;
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What `path` leads to: a link stays a link, and what it points to is replaced or created.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    if fs::metadata(path).is_ok() {
        // `/dev/stdout` leads to something that has no path.
        return Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            // Relative to where the link stands.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// What a new file may be, before the user's mask; temporary files are more private than that.
fn new_file() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}

fn refusal(path: &Path, error: &io::Error) -> Failure {
    let (problem, remedy) = match error.kind() {
        io::ErrorKind::NotFound => {
            ("its folder does not exist".to_owned(), "create the folder first")
        }
        io::ErrorKind::IsADirectory => {
            ("this is a folder".to_owned(), "name a file in it to write to")
        }
        io::ErrorKind::NotADirectory => {
            ("its folder is a file".to_owned(), "write to another folder")
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            ("this is write-protected".to_owned(), "allow writing, or write to another file")
        }
        io::ErrorKind::PermissionDenied => {
            ("you may not write here".to_owned(), "check the permissions of the folder")
        }
        _ => (format!("cannot be written: {error}"), "check the disk and its free space"),
    };
    Failure::bad_input(Complaint::new(problem).at(path.display().to_string()).remedy(remedy))
}

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Sees to it that Ctrl-C leaves no file behind that nobody will finish.
fn remove_when_interrupted(path: &Path) {
    static HANDLER: Once = Once::new();
    const INTERRUPTED: i32 = 130;
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.push(path.to_owned());
    }
    HANDLER.call_once(|| {
        let remove_all = || {
            for path in UNFINISHED.lock().iter().flat_map(|unfinished| unfinished.iter()) {
                let _ = fs::remove_file(path);
            }
            std::process::exit(INTERRUPTED);
        };
        // Without a handler an interruption leaves a hidden file behind, and is still one.
        let _ = ctrlc::set_handler(remove_all);
    });
}
