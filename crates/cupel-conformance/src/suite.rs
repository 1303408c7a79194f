//! Where vectors come from.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::engine::names;

/// The version of the vectors that are [built in](built_in), from `conformance/VERSION`.
pub const VERSION: &str = include!(concat!(env!("OUT_DIR"), "/version.rs"));

static BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// A vector's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file's path, as it is shown.
    pub path: String,
    /// The level it belongs to, if it lies in a folder of that name.
    pub level: Option<Level>,
    /// The version of the suite it belongs to, if there is a file `VERSION` that says it.
    pub suite: Option<String>,
    /// The file's text.
    pub text: String,
}

names! {
    /// How far conformance goes. Each level includes those before it.
    pub Level, "level" {
        /// Enough to be called Cupel Conformant.
        Required = "required",
        /// Together with what is required, Cupel Fully Conformant.
        Optional = "optional",
        /// Beyond the published scenarios.
        Extended = "extended",
    }
}

impl Level {
    /// The level of the innermost folder on `path` that is named after one.
    fn of(path: &Path) -> Option<Self> {
        let names = path.components().rev().filter_map(|it| it.as_os_str().to_str());
        names
            .filter_map(|name| Self::ALL.iter().find(|level| level.as_str() == name))
            .next()
            .copied()
    }
}

/// The vectors of this repository, embedded when the crate was built, sorted by path.
pub fn built_in() -> impl Iterator<Item = Source> {
    BUILT_IN.iter().map(|(path, text)| Source {
        path: (*path).to_owned(),
        level: Level::of(Path::new(path)),
        suite: Some(VERSION.to_owned()),
        text: (*text).to_owned(),
    })
}

/// All vectors below `folder`, sorted by path; or the one that `folder` itself is. The version of their
/// suite is that in the nearest file `VERSION` beside or above them.
///
/// # Errors
/// When a folder or file cannot be read; the error names it.
pub fn in_folder(folder: &Path) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    if fs::metadata(folder).map_err(|error| named(folder, error))?.is_dir() {
        collect(folder, &mut files)?;
        files.sort();
    } else {
        files.push(folder.to_owned());
    }
    files.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> io::Result<Source> {
    let text = fs::read_to_string(&path).map_err(|error| named(&path, error))?;
    let absolute = std::path::absolute(&path)?;
    let (level, suite) = (Level::of(&absolute), version_of(&absolute));
    Ok(Source { path: path.display().to_string(), level, suite, text })
}

/// The suite's version, from the nearest folder that has one, as far up as a suite goes: a vector lies in
/// a folder of its kind, in one of its level.
fn version_of(vector: &Path) -> Option<String> {
    const LEVELS_UP: usize = 3;
    let mut folders = vector.ancestors().skip(1).take(LEVELS_UP);
    let version = folders.find_map(|folder| fs::read_to_string(folder.join("VERSION")).ok())?;
    Some(version.trim().to_owned())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder).map_err(|error| named(folder, error))? {
        let path = entry.map_err(|error| named(folder, error))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_scenarios_are_built_in_with_their_levels() {
        let count = |level| built_in().filter(|source| source.level == Some(level)).count();
        assert_eq!((count(Level::Required), count(Level::Optional)), (28, 9));
        assert!(built_in().all(|source| source.level.is_some()));
    }

    #[test]
    fn vectors_know_the_version_of_their_suite_wherever_they_are_read() {
        assert!(VERSION.split('.').all(|part| part.parse::<u32>().is_ok()), "{VERSION}");
        assert!(built_in().all(|source| source.suite.as_deref() == Some(VERSION)));
        for folder in ["conformance", "conformance/required/slicing"] {
            let read =
                in_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("vectors");
            assert!(read.iter().all(|source| source.suite.as_deref() == Some(VERSION)));
        }
    }

    #[test]
    fn the_innermost_folder_decides_the_level() {
        let level = |path| Level::of(Path::new(path));
        assert_eq!(level("/x/required/conformance/optional/scoring/a.toml"), Some(Level::Optional));
        assert_eq!(level("somewhere/a.toml"), None);
    }
}
