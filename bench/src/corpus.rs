//! What this repository says and does, as text to count.

use std::fs;
use std::path::Path;

/// The files under these folders of the repository that end in `.extension`, one after the other.
pub(crate) fn corpus(folders: &[&str], extensions: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut text = String::new();
    for folder in folders {
        gather(&root.join(folder), extensions, &mut text);
    }
    text
}

fn gather(folder: &Path, extensions: &[&str], text: &mut String) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").flatten().map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        let is_ours = |it: &str| extensions.contains(&it);
        if path.is_dir() {
            gather(&path, extensions, text);
        } else if path.extension().and_then(|it| it.to_str()).is_some_and(is_ours) {
            text.push_str(&fs::read_to_string(&path).expect("our own files are text"));
        }
    }
}
