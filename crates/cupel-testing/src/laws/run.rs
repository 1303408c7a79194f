//! What a whole run promises, whatever its strategies are.

use std::collections::BTreeMap;

use cupel::{ContextBudget, ContextItem, IncludedItem, Pipeline, SelectionReport};

use super::{BrokenLaw, Law};
use crate::describe;

/// Checks one run of a pipeline: [`UnitsWhole`](Law::UnitsWhole) and [`OneForm`](Law::OneForm).
///
/// Units are in or out whole, and their members are adjacent in the window, in input order, unless all of the window
/// is in [the input's order](cupel::InputOrderPlacer). A run may fail; then there is nothing to check.
///
/// # Errors
/// The first law that does not hold.
pub fn check_run(
    pipeline: &Pipeline,
    items: &[ContextItem],
    budget: &ContextBudget,
) -> Result<(), BrokenLaw> {
    let Ok(report) = pipeline.dry_run(items, budget) else { return Ok(()) };
    one_form_each(&report, items)?;
    units_stay_whole(&report, items)
}

/// [`check_run`] for tests.
///
/// # Panics
/// When a law does not hold.
#[track_caller]
pub fn assert_run(pipeline: &Pipeline, items: &[ContextItem], budget: &ContextBudget) {
    if let Err(broken) = check_run(pipeline, items, budget) {
        panic!("{broken}");
    }
}

fn broken(law: Law, finding: String) -> Result<(), BrokenLaw> {
    Err(BrokenLaw::new("the run", law, finding))
}

fn one_form_each(report: &SelectionReport, items: &[ContextItem]) -> Result<(), BrokenLaw> {
    let mut is_in = vec![false; items.len()];
    for entry in &report.included {
        let told = describe::item(&entry.item);
        let Some(index) = entry.index.filter(|index| *index < items.len()) else {
            return broken(
                Law::OneForm,
                format!("has {told} in its window, which is no candidate"),
            );
        };
        if std::mem::replace(&mut is_in[index], true) {
            return broken(Law::OneForm, format!("has two forms of candidate {index}: {told}"));
        }
        if !is_a_form(entry, &items[index]) {
            return broken(
                Law::OneForm,
                format!("has {told}, which is no form of candidate {index}"),
            );
        }
    }
    Ok(())
}

fn is_a_form(entry: &IncludedItem, whole: &ContextItem) -> bool {
    let placed = &entry.item;
    match entry.shortened {
        None => placed.is_same_instance(whole),
        Some(shortened) => {
            let variant = shortened.form.checked_sub(1).and_then(|at| whole.variants().get(at));
            let says = |it: &ContextItem| (it.content().to_owned(), it.tokens());
            variant.is_some_and(|it| says(placed) == (it.content().to_owned(), it.tokens()))
                && placed.original_tokens() == Some(whole.tokens())
        }
    }
}

fn units_stay_whole(report: &SelectionReport, items: &[ContextItem]) -> Result<(), BrokenLaw> {
    let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(group) = item.group() {
            members.entry(group).or_default().push(index);
        }
    }
    let window: Vec<Option<usize>> = report.included.iter().map(|entry| entry.index).collect();
    let may_be_apart = window.is_sorted();
    let mut place = vec![None; items.len()];
    for (at, index) in window.iter().enumerate() {
        if let Some(index) = index {
            place[*index] = Some(at);
        }
    }
    for (group, members) in members {
        let places: Vec<usize> = members.iter().filter_map(|&index| place[index]).collect();
        let told = format!("group {group:?} of {} candidates", members.len());
        if !places.is_empty() && places.len() < members.len() {
            return broken(
                Law::UnitsWhole,
                format!("has {} of {told} in its window", places.len()),
            );
        }
        let are_adjacent = places.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let are_in_order = places.is_sorted();
        if !are_in_order || !(may_be_apart || are_adjacent) {
            return broken(Law::UnitsWhole, format!("has {told} at the places {places:?}"));
        }
    }
    Ok(())
}
