//! Embeds the vectors, so that a program can check itself without a checkout.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = vectors(Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")));
    println!("cargo::rerun-if-changed={}", root.display());

    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root).expect("it was found below the root");
        let name = name.to_str().expect("vectors have ASCII names").replace('\\', "/");
        let path = file.canonicalize()?;
        writeln!(table, "    ({name:?}, include_str!({path:?})),").expect("strings take all text");
    }
    table.push_str("]\n");
    let version = fs::read_to_string(root.join("VERSION"))?;

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("vectors.rs"), table)?;
    fs::write(out.join("version.rs"), format!("{:?}\n", version.trim()))
}

/// The folder of the vectors: a link to the workspace's one, which packaging turns into a copy.
/// Where links are not checked out as such, the workspace's own.
fn vectors(manifest: &Path) -> PathBuf {
    let linked = manifest.join("conformance");
    if linked.is_dir() { linked } else { manifest.join("../../conformance") }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
