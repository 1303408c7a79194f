//! Imports flow one way: model, then scorers, slicers, placers and diagnostics, then the pipeline,
//! then what reruns a pipeline.
//!
//! The crate re-exports everything at its root, so a name imported from there is followed to the
//! module that it comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every module with the modules it may import from.
const LAYERS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("any_case", &[]),
    ("sort_keys", &[]),
    ("context", &["model"]),
    ("model", &["error", "any_case", "sort_keys"]),
    ("candidate", &["model"]),
    ("contract", &["error", "model"]),
    ("diagnostics", &["error", "sort_keys", "model"]),
    ("scorer", &["error", "any_case", "sort_keys", "context", "model", "contract"]),
    ("slicer", &["error", "sort_keys", "context", "model", "candidate", "contract"]),
    ("placer", &["error", "sort_keys", "context", "model", "candidate", "contract"]),
    (
        "pipeline",
        &[
            "error",
            "sort_keys",
            "context",
            "model",
            "candidate",
            "diagnostics",
            "scorer",
            "slicer",
            "placer",
        ],
    ),
    (
        "simulation",
        &[
            "error",
            "sort_keys",
            "context",
            "model",
            "candidate",
            "contract",
            "diagnostics",
            "slicer",
            "pipeline",
        ],
    ),
    ("stream", &["error", "context", "model", "candidate", "diagnostics", "pipeline"]),
    ("analytics", &["model", "diagnostics"]),
    ("wire", &["error", "model", "diagnostics", "slicer", "simulation"]),
];

/// Single names that may cross: a slicer states its reasons; analytics reads the constraints of a
/// slicer it is given, and offers the sensitivity analysis of the simulation under its own name.
const CROSSINGS: &[(&str, &[&str])] = &[
    ("slicer", &["ExclusionReason", "CountRequirementShortfall"]),
    ("analytics", &["QuotaPolicy", "QuotaConstraint", "QuotaConstraintMode", "simulation"]),
];

fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file but the root, with its top-level module.
fn sources() -> Vec<(String, PathBuf)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let (root, mut found) = (source_root(), Vec::new());
    walk(&root, &mut found);
    found.retain(|path| *path != root.join("lib.rs"));
    found.sort();
    let module = |path: &PathBuf| {
        let inside = path.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        first.trim_end_matches(".rs").to_owned()
    };
    found.into_iter().map(|path| (module(&path), path)).collect()
}

/// The source without comments; imports never stand beside one on a line.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The leading identifier of a path.
fn first_name(path: &str) -> &str {
    let path = path.trim();
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    &path[..end]
}

/// The parts of `{a, b::{c, d}}` at its outermost level.
fn group_parts(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 1, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            parts.push(&group[start..at]);
            break;
        }
    }
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

/// The names that follow `prefix` wherever it occurs: of `crate::{A, b::C}`, `A` and `b`.
fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        if rest.starts_with('{') {
            names.extend(group_parts(rest).into_iter().map(first_name));
        } else {
            names.push(first_name(rest));
        }
    }
    names
}

/// What a module's own file makes public: what it defines and what it re-exports.
fn public_names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for word in ["trait", "struct", "enum", "fn", "type", "const", "mod"] {
        names.extend(names_after(code, &format!("pub {word} ")));
    }
    for statement in code.split("pub use ").skip(1) {
        let statement = &statement[..statement.find(';').unwrap()];
        match statement.find('{') {
            Some(group) => {
                names.extend(group_parts(&statement[group..]).into_iter().map(last_name))
            }
            None => names.push(last_name(statement)),
        }
    }
    names.into_iter().map(str::to_owned).collect()
}

fn last_name(path: &str) -> &str {
    path.rsplit([':', ' ']).next().unwrap_or(path).trim()
}

/// Every name at the crate's root with the module that it comes from.
fn root_names(modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut names: BTreeMap<String, String> =
        modules.iter().map(|module| (module.clone(), module.clone())).collect();
    let root = code(&source_root().join("lib.rs"));
    for statement in root.split("pub use ").skip(1) {
        let statement = &statement[..statement.find(';').unwrap()];
        let module = first_name(statement).to_owned();
        let exported = if statement.ends_with("::*") {
            public_names(&code(&source_root().join(&module).join("mod.rs")))
        } else {
            public_names(&format!("pub use {statement};"))
        };
        names.extend(exported.into_iter().map(|name| (name, module.clone())));
    }
    names
}

fn modules() -> BTreeSet<String> {
    sources().into_iter().map(|(module, _)| module).collect()
}

/// What `module` imports although it must not: the name, and where it comes from.
fn forbidden(module: &str, code: &str, roots: &BTreeMap<String, String>) -> Vec<String> {
    let of = |table: &[(&str, &'static [&'static str])]| {
        let entry = table.iter().find(|(name, _)| *name == module);
        entry.map(|(_, names)| *names).unwrap_or_default()
    };
    let (may, crossing) = (of(LAYERS), of(CROSSINGS));
    let mut found = Vec::new();
    for name in names_after(code, "crate::") {
        match roots.get(name).map(String::as_str) {
            Some(from) if from == module || may.contains(&from) => {}
            Some(_) if crossing.contains(&name) => {}
            Some(from) => found.push(format!("{module} imports {name} from {from}")),
            None => found.push(format!("{module} imports {name:?}, whose module is unknown")),
        }
    }
    found
}

/// Rule [Size, memory and threads]: imports flow from the model to the pipeline and beyond (ours)
#[test]
fn imports_flow_one_way() {
    let roots = root_names(&modules());
    let broken: Vec<String> = sources()
        .iter()
        .flat_map(|(module, path)| {
            let here = path.display().to_string();
            let found = forbidden(module, &code(path), &roots);
            found.into_iter().map(move |problem| format!("{here}: {problem}"))
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Rule [Size, memory and threads]: imports flow from the model to the pipeline and beyond (ours)
#[test]
fn every_module_has_its_place() {
    let placed: BTreeSet<String> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let astray: Vec<String> = modules().difference(&placed).cloned().collect();
    assert!(astray.is_empty(), "say in LAYERS what {astray:?} may import");
}

/// Rule [Size, memory and threads]: imports flow from the model to the pipeline and beyond (ours)
#[test]
fn no_path_climbs_out_of_its_folder() {
    for (_, path) in sources() {
        let code = code(&path);
        let code = code.split("mod tests").next().unwrap_or_default();
        let (here, root) = (path.display(), source_root());
        assert!(!code.contains("super::super"), "{here} climbs two levels");
        let is_top = path.parent() == Some(&root)
            || path.file_name().is_some_and(|name| name == "mod.rs")
                && path.parent().and_then(Path::parent) == Some(&root);
        assert!(!is_top || !code.contains("super::"), "{here} reaches for the crate's root");
    }
}

#[test]
fn names_at_the_root_are_followed_to_their_modules() {
    let roots = root_names(&modules());
    let expected = [
        ("ContextItem", "model"),
        ("ContextKind", "model"),
        ("CupelError", "error"),
        ("Candidate", "candidate"),
        ("RunContext", "context"),
        ("Scorer", "scorer"),
        ("TimeProvider", "scorer"),
        ("Slicer", "slicer"),
        ("GreedySlice", "slicer"),
        ("Selection", "slicer"),
        ("Placer", "placer"),
        ("ExclusionReason", "diagnostics"),
        ("TraceCollector", "diagnostics"),
        ("Pipeline", "pipeline"),
        ("PolicyBuilder", "pipeline"),
    ];
    for (name, module) in expected {
        assert_eq!(roots.get(name).map(String::as_str), Some(module), "{name}");
    }
}

#[test]
fn an_import_against_the_flow_is_found() {
    let roots = root_names(&modules());
    let broken = |module: &str, code: &str| forbidden(module, code, &roots);
    assert_eq!(broken("model", "use crate::Pipeline;"), ["model imports Pipeline from pipeline"]);
    assert_eq!(
        broken(
            "scorer",
            "use crate::{\n    ContextItem, GreedySlice,\n    model::{KindMap, clamp_tokens},\n};"
        ),
        ["scorer imports GreedySlice from slicer"]
    );
    assert_eq!(
        broken("placer", "let reason = crate::diagnostics::ExclusionReason::Unknown;"),
        ["placer imports diagnostics from diagnostics"]
    );
    assert_eq!(
        broken("slicer", "use crate::{ExclusionReason, TraceCollector};"),
        ["slicer imports TraceCollector from diagnostics"]
    );
    assert_eq!(broken("pipeline", "use crate::{Slicer, sort_keys, model::sum_tokens};").len(), 0);
    assert_eq!(broken("model", "use crate::*;").len(), 1);
}
