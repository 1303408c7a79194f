//! The evidence itself, packed.

use cupel::ContextItem;

use crate::contender::{pinned, pinned_tokens, tokens_of};
use crate::set::Gold;

/// Pinned items, then the units that hold the most evidence together, each in the shortest forms that still hold it.
pub(crate) fn ceiling(items: &[ContextItem], gold: &Gold, tokens: i64) -> Vec<Option<usize>> {
    let mut held = pinned(items);
    let left = i128::from(tokens) - pinned_tokens(items);
    let mut units = units(items, gold);
    units.retain(|unit| held[unit.members[0].0].is_none());
    for unit in best_packing(&units, left) {
        units[unit].members.iter().for_each(|(item, form)| held[*item] = Some(*form));
    }
    held
}

/// Candidates that are in or out together, at least one of them with evidence.
struct Unit {
    /// Each with the shortest form that holds all it has of the evidence.
    members: Vec<(usize, usize)>,
    tokens: i128,
    /// How much of the evidence its members hold.
    holds: usize,
}

fn units(items: &[ContextItem], gold: &Gold) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut unit_of = vec![None; items.len()];
    for piece in gold.pieces() {
        let at = *unit_of[piece.item].get_or_insert(units.len());
        if at == units.len() {
            let members: Vec<_> = match items[piece.item].group() {
                None => vec![piece.item],
                group => (0..items.len()).filter(|it| items[*it].group() == group).collect(),
            };
            members.iter().for_each(|it| unit_of[*it] = Some(at));
            let members: Vec<_> =
                members.into_iter().map(|it| (it, shortest_form(items, gold, it))).collect();
            let tokens = members.iter().map(|(it, form)| tokens_of(&items[*it], *form)).sum();
            units.push(Unit { members, tokens, holds: 0 });
        }
        units[at].holds += piece.covers.len();
    }
    units
}

/// The cheapest form of an item that still holds all it has of the evidence.
fn shortest_form(items: &[ContextItem], gold: &Gold, item: usize) -> usize {
    let pieces = || gold.pieces().iter().filter(|piece| piece.item == item);
    let forms = 0..=items[item].variants().len();
    let enough = forms.filter(|form| pieces().all(|piece| piece.is_in(*form)));
    enough.min_by_key(|form| tokens_of(&items[item], *form)).unwrap_or(0)
}

/// A choice of units that no other of as many tokens beats.
struct Packing {
    holds: usize,
    tokens: i128,
    /// The packing that it adds a unit to, and that unit.
    adds: Option<(usize, usize)>,
}

/// More packings than these are not followed: those that hold least are let go.
const MOST_PACKINGS: usize = 4_096;

/// The units that hold the most within `room`, the cheapest of such choices: a knapsack by the packings that nothing beats,
/// of which there are few, because questions have little evidence.
fn best_packing(units: &[Unit], room: i128) -> Vec<usize> {
    let mut all = vec![Packing { holds: 0, tokens: 0, adds: None }];
    let mut unbeaten = vec![0];
    for (number, unit) in units.iter().enumerate() {
        let old = unbeaten.clone();
        for before in old {
            let Packing { holds, tokens, .. } = all[before];
            if tokens + unit.tokens <= room {
                unbeaten.push(all.len());
                let (holds, tokens) = (holds + unit.holds, tokens + unit.tokens);
                all.push(Packing { holds, tokens, adds: Some((before, number)) });
            }
        }
        // The most first, and of those that hold as much the cheapest: what costs no less than one before is beaten.
        unbeaten.sort_by_key(|at| (std::cmp::Reverse(all[*at].holds), all[*at].tokens, *at));
        let mut cheapest = i128::MAX;
        unbeaten.retain(|at| {
            let is_cheaper = all[*at].tokens < cheapest;
            cheapest = cheapest.min(all[*at].tokens);
            is_cheaper
        });
        unbeaten.truncate(MOST_PACKINGS);
    }
    let links = std::iter::successors(all[unbeaten[0]].adds, |(before, _)| all[*before].adds);
    links.map(|(_, unit)| unit).collect()
}
