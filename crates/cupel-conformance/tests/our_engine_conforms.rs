//! Our engine passes every vector, on every path it has.

use std::collections::HashSet;

use cupel_conformance::native::Native;
use cupel_conformance::vector::{Case, Vector};
use cupel_conformance::{Checked, Level, Verdict, built_in, in_folder, run};

fn checked() -> Vec<Checked> {
    let mut all = Vec::new();
    run(&mut Native, built_in(), |checked| all.push(checked.clone()));
    all
}

/// Rule [Running the suite]: every vector found in the folders is read and run
#[test]
fn every_vector_of_every_level_passes() {
    let all = checked();
    let not_passed: Vec<_> =
        all.iter().filter(|it| !matches!(it.verdict, Verdict::Passed(_))).collect();
    assert!(not_passed.is_empty(), "{not_passed:#?}");
    for level in Level::ALL {
        assert!(all.iter().any(|it| it.level == Some(*level)), "no vector is {level}");
    }
}

#[test]
fn every_vector_that_can_be_built_takes_all_paths() {
    for (source, checked) in built_in().zip(checked()) {
        let vector = Vector::parse(&source.text).unwrap().vector;
        let Verdict::Passed(paths) = checked.verdict else { panic!("{} fails", source.path) };
        if paths == ["construction"] {
            assert!(vector.error.is_some(), "{} cannot be built", source.path);
            continue;
        }
        let expected: &[&str] = match vector.case {
            Case::Scoring(..) => &["score", "score_batch"],
            Case::Slicing(..) => &["slice", "select"],
            Case::Placing(..) => &["place", "arrange"],
            Case::Pipeline(..) => &[
                "run",
                "run_traced (stage)",
                "run_traced with a custom collector (stage)",
                "run_traced (item)",
                "run_traced with a custom collector (item)",
                "dry_run",
                "dry_run_with_policy",
            ],
            Case::MarginalItems(..) => &["get_marginal_items"],
            Case::MinBudget(..) => &["find_min_budget_for"],
            Case::Sensitivity(..) => &["policy_sensitivity", "policy_sensitivity_from_pipelines"],
        };
        assert_eq!(paths, expected, "{}", source.path);
    }
}

/// Rule [Vector format]: each file is one test with a name of its own and its stage
#[test]
fn our_vectors_use_no_unknown_field_and_no_name_twice() {
    let mut names = HashSet::new();
    for checked in checked() {
        assert!(checked.unknown_fields.is_empty(), "{checked:?}");
        let name = checked.name.unwrap();
        assert!(names.insert(name.clone()), "two vectors are called {name:?}");
    }
}

/// Rule [Running the suite]: every vector found in the folders is read and run
#[test]
fn what_is_built_in_is_what_the_folder_holds() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance");
    let on_disk = in_folder(root.as_ref()).unwrap();
    let strip = |path: &str| path[root.len() + 1..].replace('\\', "/");
    let on_disk: Vec<_> = on_disk.iter().map(|it| (strip(&it.path), it.level, &it.text)).collect();
    let built_in: Vec<_> = built_in().collect();
    let built_in: Vec<_> =
        built_in.iter().map(|it| (it.path.clone(), it.level, &it.text)).collect();
    assert!(on_disk == built_in, "the folder and what is built in differ");
}
