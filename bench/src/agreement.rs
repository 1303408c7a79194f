//! Both engines must choose the same before their times mean anything.
//!
//! On the inputs that are timed, the same items. In which order equal ones are placed is not
//! specified; so on these inputs with the ties removed, the same items in the same order. Where sums
//! of ranks still make two scores equal, the two may change places.

use std::collections::HashMap;

use crate::args::Args;
use crate::records::{Record, Texts, half, records, without_ties};
use crate::setup::Setup;
use crate::{ours, theirs};

/// Checks every pipeline at the sizes that take the published crate less than a second.
pub(crate) fn check(args: &Args) -> Result<(), String> {
    for setup in args.setups() {
        let most = if setup == Setup::C { 100 } else { 1_000 };
        let sizes: Vec<usize> = args.sizes.iter().copied().filter(|size| *size <= most).collect();
        for size in &sizes {
            let timed = records(*size, Texts::Usual);
            same_items(setup, &timed)
                .map_err(|what| format!("pipeline {setup}, {size} items: {what}"))?;
            same_order(setup, &without_ties(timed))
                .map_err(|what| format!("pipeline {setup}, {size} items without ties: {what}"))?;
        }
        eprintln!("pipeline {setup}: the engines agree at {sizes:?} items");
    }
    Ok(())
}

fn same_items(setup: Setup, records: &[Record]) -> Result<(), String> {
    let (mut ours, mut theirs) = windows(setup, records)?;
    ours.sort_unstable();
    theirs.sort_unstable();
    compare(&ours, &theirs, |ours, theirs| ours == theirs)
}

fn same_order(setup: Setup, records: &[Record]) -> Result<(), String> {
    let problem = ours::Problem::new(records, half(records));
    let report = ours::pipeline(setup).dry_run(&problem.items, &problem.budget);
    let report = report.map_err(|error| format!("fails here: {error}"))?;
    let scores = report.included.iter().map(|included| (included.item.content(), included.score));
    let scores: HashMap<&str, f64> = scores.collect();
    let (ours, theirs) = windows(setup, records)?;
    compare(&ours, &theirs, |ours, theirs| {
        ours == theirs || scores.get(ours.as_str()) == scores.get(theirs.as_str())
    })
}

fn compare(
    ours: &[String],
    theirs: &[String],
    same: impl Fn(&String, &String) -> bool,
) -> Result<(), String> {
    let difference = ours.iter().zip(theirs).position(|(ours, theirs)| !same(ours, theirs));
    let counts = format!("{} items here, {} there", ours.len(), theirs.len());
    match difference {
        None if ours.len() == theirs.len() => Ok(()),
        None => Err(counts),
        Some(at) => {
            let (ours, theirs) = (&ours[at][..20], &theirs[at][..20]);
            Err(format!("at {at} {ours:?} here and {theirs:?} there; {counts}"))
        }
    }
}

/// The texts of what ours and the published crate choose.
fn windows(setup: Setup, records: &[Record]) -> Result<(Vec<String>, Vec<String>), String> {
    let problem = ours::Problem::new(records, half(records));
    let window = ours::pipeline(setup).run(&problem.items, &problem.budget);
    let window = window.map_err(|error| format!("fails here: {error}"))?;
    let ours = window.iter().map(|item| item.content().to_owned()).collect();

    let problem = theirs::Problem::new(records, half(records));
    let window = theirs::pipeline(setup).run(&problem.items, &problem.budget);
    let window = window.map_err(|error| format!("fails there: {error}"))?;
    let theirs = window.iter().map(|item| item.content().to_owned()).collect();
    Ok((ours, theirs))
}
