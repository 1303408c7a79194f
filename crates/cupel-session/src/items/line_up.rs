//! Items in the order of windows: what was there as it stood, what is new behind it, what is for this turn only last.

use std::collections::BTreeMap;

use cupel::ContextItem;
use cupel_messages::Standing;

use super::zone::{Zone, zone};
use crate::Session;
use crate::align::as_a_set;
use crate::turn::Note;

/// Candidates in the order of windows.
pub(super) struct LinedUp {
    /// Where each stood in what came.
    pub(super) order: Vec<usize>,
    pub(super) standing: Vec<Standing>,
    /// How many at the end are for this turn only.
    pub(super) tail: usize,
    pub(super) notes: Vec<Note>,
    /// Whether something that was in the window did not come.
    pub(super) gone: bool,
    /// Whether something came that was not there before.
    pub(super) new: bool,
}

impl LinedUp {
    pub(super) fn of(session: &Session, items: &[ContextItem], hashes: &[u64]) -> Self {
        let state = &session.state;
        let before: Vec<u64> = state.units.iter().map(|unit| unit.hash).collect();
        let lasting: Vec<usize> =
            (0..items.len()).filter(|at| zone(&items[*at]) != Zone::Tail).collect();
        let now: Vec<u64> = lasting.iter().map(|at| hashes[*at]).collect();
        let aligned = as_a_set(&before, &now);
        let mut item_of: Vec<Option<usize>> = vec![None; before.len()];
        for (now, known) in aligned.known.iter().enumerate() {
            if let Some(known) = known {
                item_of[*known] = Some(lasting[now]);
            }
        }
        let missing =
            aligned.gone.iter().filter(|(was, _)| state.units[*was].standing.is_in()).count();
        // A group that is out stays out, with whatever joins it.
        let mut groups_out: BTreeMap<&str, bool> = BTreeMap::new();
        for (unit, at) in state.units.iter().zip(&item_of) {
            if let Some(group) = at.and_then(|at| items[at].group()) {
                *groups_out.entry(group).or_insert(false) |= !unit.standing.is_in();
            }
        }
        for item in items.iter().filter(|item| item.pinned()) {
            if let Some(group) = item.group() {
                groups_out.insert(group, false);
            }
        }
        let is_out =
            |at: usize| items[at].group().is_some_and(|group| groups_out.get(group) == Some(&true));
        let (mut order, mut standing, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for (unit, at) in state.units.iter().zip(&item_of) {
            let Some(at) = *at else { continue };
            let pinned = items[at].pinned()
                || items[at].group().is_some_and(|group| groups_out.get(group) == Some(&false));
            if !unit.standing.is_in() && pinned && items[at].tokens() >= 0 {
                back.push(at);
                continue;
            }
            order.push(at);
            standing.push(unit.standing);
        }
        let news = lasting.iter().zip(&aligned.known).filter(|(_, known)| known.is_none());
        let news: Vec<usize> = news.map(|(at, _)| *at).collect();
        // New instructions join the others; everything else comes last.
        let fixed_end =
            order.iter().rposition(|at| zone(&items[*at]) == Zone::Fixed).map_or(0, |at| at + 1);
        let fixed: Vec<usize> =
            news.iter().copied().filter(|at| zone(&items[*at]) == Zone::Fixed).collect();
        let stands = |at: usize| {
            let out = is_out(at) || items[at].tokens() < 0;
            if out { Standing::Out } else { Standing::WHOLE }
        };
        for (nth, at) in fixed.iter().enumerate() {
            order.insert(fixed_end + nth, *at);
            standing.insert(fixed_end + nth, stands(*at));
        }
        let history = news.iter().copied().filter(|at| zone(&items[*at]) == Zone::History);
        let tail: Vec<usize> =
            (0..items.len()).filter(|at| zone(&items[*at]) == Zone::Tail).collect();
        for at in back.iter().copied().chain(history).chain(tail.iter().copied()) {
            order.push(at);
            standing.push(stands(at));
        }
        let mut notes = Vec::new();
        if missing > 0 {
            notes.push(Note::Disappeared { count: missing });
        }
        if let Some(first) = back.first() {
            notes.push(Note::BroughtBack { first: *first, count: back.len() });
        }
        Self { order, standing, tail: tail.len(), notes, gone: missing > 0, new: !news.is_empty() }
    }
}
