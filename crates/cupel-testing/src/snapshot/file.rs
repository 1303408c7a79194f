//! Snapshots kept in files.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use similar::TextDiff;

use super::ReportSnapshot;

/// The environment variable that makes comparisons write the file instead: set to anything but
/// nothing and `0`.
pub const UPDATE_VARIABLE: &str = "CUPEL_UPDATE_SNAPSHOTS";

impl ReportSnapshot {
    /// Compares with the text in a file, or writes it there while
    /// [`CUPEL_UPDATE_SNAPSHOTS`](UPDATE_VARIABLE) is set.
    ///
    /// `cargo test` runs in the package's folder, so that is where a relative path begins. How the
    /// file ends its lines makes no difference.
    ///
    /// # Errors
    /// When the text differs, when there is no file yet, and when it cannot be read or written.
    pub fn matches_file(&self, path: impl AsRef<Path>) -> Result<(), SnapshotError> {
        let updating = env::var_os(UPDATE_VARIABLE).is_some_and(|it| !it.is_empty() && it != "0");
        if updating { self.write(path.as_ref()) } else { self.compare(path.as_ref()) }
    }

    /// [`matches_file`](Self::matches_file), panicking with the difference.
    ///
    /// # Panics
    /// Where `matches_file` returns an error.
    #[track_caller]
    pub fn assert_matches_file(&self, path: impl AsRef<Path>) {
        if let Err(error) = self.matches_file(path) {
            panic!("{error}");
        }
    }

    fn compare(&self, path: &Path) -> Result<(), SnapshotError> {
        let stored = match fs::read_to_string(path) {
            Ok(stored) => stored.replace("\r\n", "\n"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(SnapshotError::Missing { path: path.to_owned() });
            }
            Err(source) => return Err(SnapshotError::Io { path: path.to_owned(), source }),
        };
        if stored == self.as_str() {
            return Ok(());
        }
        let diff = TextDiff::from_lines(stored.as_str(), self.as_str());
        let diff = diff.unified_diff().header("stored", "now").to_string();
        Err(SnapshotError::Different { path: path.to_owned(), diff })
    }

    fn write(&self, path: &Path) -> Result<(), SnapshotError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(path, self.as_str()))
            .map_err(|source| SnapshotError::Io { path: path.to_owned(), source })
    }
}

/// Why a snapshot and its file do not agree.
#[non_exhaustive]
pub enum SnapshotError {
    /// There is no file yet.
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file holds another text.
    Different {
        /// The file.
        path: PathBuf,
        /// What changed, as a unified diff.
        diff: String,
    },
    /// The file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path } => write!(
                f,
                "there is no snapshot {} yet; run with {UPDATE_VARIABLE}=1 to write it",
                path.display()
            ),
            Self::Different { path, diff } => write!(
                f,
                "the report is not the one in {}:\n{diff}\nIf that is as it should be, run with \
                 {UPDATE_VARIABLE}=1 to store it",
                path.display()
            ),
            Self::Io { path, source } => write!(f, "the snapshot {}: {source}", path.display()),
        }
    }
}

impl fmt::Debug for SnapshotError {
    /// The message, whose difference would be hard to read with its line ends escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Missing { .. } | Self::Different { .. } => None,
        }
    }
}
