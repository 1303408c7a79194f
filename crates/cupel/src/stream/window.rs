//! What is taken of a stream.

use std::collections::{BTreeMap, BTreeSet};

use super::Setting;
use super::listener::Listener;
use crate::pipeline::input::Input;
use crate::pipeline::run::{Prepared, Run};
use crate::pipeline::stage::{Contents, Taken};
use crate::{Candidate, ContextItem, CupelError, NullTraceCollector, TraceCollector};

/// Items and units by the number of their first member in the stream.
type Units = BTreeMap<usize, Unit>;

/// An item that is held, or several that stay together.
struct Unit {
    /// In the order of the stream.
    members: Vec<Member>,
    score: f64,
    form: usize,
}

struct Member {
    index: usize,
    item: ContextItem,
    score: f64,
}

/// All that is held besides the batch.
#[derive(Default)]
pub(super) struct Window {
    pinned: Units,
    chosen: Units,
    /// What is chosen, to be found by content.
    contents: BTreeSet<(u64, Contents<ContextItem>)>,
    /// In the forms that fit.
    pinned_tokens: i128,
    whole_pinned_tokens: i128,
    first_pinned: Option<(usize, ContextItem)>,
    chosen_tokens: i128,
}

impl Window {
    /// What a slicer may not fill any more.
    pub(super) fn taken(&self) -> Taken<'_> {
        Taken {
            first_pinned: self.first_pinned.as_ref().map(|(_, item)| item),
            pinned_tokens: self.pinned_tokens,
            chosen_tokens: self.chosen_tokens,
        }
    }

    /// Whether something with the contents of `item` was chosen.
    pub(super) fn has_chosen(&self, item: &ContextItem) -> bool {
        self.contents.contains(&key(item))
    }

    /// Adds the pinned candidates of a batch.
    pub(super) fn pin(&mut self, prepared: &Prepared<'_>, numbers: &[usize]) {
        self.whole_pinned_tokens += prepared.tokens(&prepared.pinned);
        for candidate in &prepared.pinned {
            let (index, unit) = unit(prepared, candidate, numbers);
            // Units are blamed in their order, a unit by its first pinned member.
            if self.first_pinned.as_ref().is_none_or(|(first, _)| index < *first) {
                let mut members = unit.members.iter().map(|it| &it.item);
                let pinned = members.find(|item| item.pinned());
                self.first_pinned = pinned.map(|item| (index, item.clone()));
            }
            self.pinned.insert(index, unit);
        }
    }

    /// Adds candidates that were chosen from a batch.
    pub(super) fn choose<'a>(
        &mut self,
        prepared: &Prepared<'a>,
        chosen: &[Candidate<'a>],
        numbers: &[usize],
    ) {
        self.chosen_tokens += prepared.tokens(chosen);
        self.contents.extend(chosen.iter().map(|it| key(it.item())));
        self.chosen.extend(chosen.iter().map(|it| unit(prepared, it, numbers)));
    }

    /// Finds out what the pinned items cost together, in forms that fit.
    pub(super) fn fit_pinned(&mut self, setting: &Setting<'_>) -> Result<(), CupelError> {
        if self.whole_pinned_tokens <= i128::from(setting.budget.window_tokens()) {
            self.pinned_tokens = self.whole_pinned_tokens;
            return Ok(());
        }
        let (_, items) = lay_out([&self.pinned]);
        let input = Input::new(&items);
        let prepared = setting.run(&mut NullTraceCollector).classify(&input, None)?;
        self.pinned_tokens = prepared.pinned_within(setting.budget)?.tokens;
        Ok(())
    }

    /// Chooses again from what is chosen, if pinned items leave less for it than it takes. Where they leave nothing,
    /// nothing is chosen, not even what costs nothing: as in a run.
    pub(super) fn make_room(
        &mut self,
        setting: &Setting<'_>,
        listener: &mut Listener<'_>,
    ) -> Result<(), CupelError> {
        let target = setting.budget.effective(self.pinned_tokens).target_tokens();
        if target > 0 && self.chosen_tokens <= i128::from(target) {
            return Ok(());
        }
        let (numbers, items) = lay_out([&self.chosen]);
        let input = Input::new(&items);
        let mut collector = listener.numbering(&numbers);
        let mut run = setting.run(&mut collector);
        let prepared = self.prepare(&mut run, &input, &numbers)?;
        let beside_pinned = Taken { chosen_tokens: 0, ..self.taken() };
        let chosen = run.slice_beside(&beside_pinned, &prepared, 0)?;
        self.chosen.clear();
        self.contents.clear();
        self.chosen_tokens = 0;
        self.choose(&prepared, &chosen, &numbers);
        Ok(())
    }

    /// Everything that is held, in the order of the stream, and its numbers there.
    pub(super) fn lay_out(&self) -> (Vec<usize>, Vec<ContextItem>) {
        lay_out([&self.pinned, &self.chosen])
    }

    /// What is held, of these `numbers` in the stream, as candidates with the scores they were given.
    pub(super) fn prepare<'a, C: TraceCollector>(
        &self,
        run: &mut Run<'_, C>,
        input: &'a Input<'a>,
        numbers: &[usize],
    ) -> Result<Prepared<'a>, CupelError> {
        let mut prepared = run.classify(input, None)?;
        for candidate in &mut prepared.candidates {
            candidate.set_score(self.chosen[&numbers[candidate.index()]].score);
        }
        if prepared.has_units() {
            let members = self.chosen.values().flat_map(|unit| &unit.members);
            let scores: BTreeMap<_, _> = members.map(|it| (it.index, it.score)).collect();
            let score = |number: &usize| scores.get(number).copied().unwrap_or_default();
            prepared.member_scores = numbers.iter().map(score).collect();
        }
        run.sort(&mut prepared);
        Ok(prepared)
    }

    /// The chosen candidates in the forms they were chosen in.
    pub(super) fn in_their_forms<'a>(
        &self,
        prepared: &Prepared<'a>,
        numbers: &[usize],
    ) -> Vec<Candidate<'a>> {
        let form = |it: &Candidate<'a>| it.in_form(self.chosen[&numbers[it.index()]].form);
        prepared.candidates.iter().map(form).collect()
    }
}

fn key(item: &ContextItem) -> (u64, Contents<ContextItem>) {
    (item.fingerprint(), Contents(item.clone()))
}

/// A candidate of items that have these `numbers` in the stream, with the number it is held by.
fn unit<'a>(
    prepared: &Prepared<'a>,
    candidate: &Candidate<'a>,
    numbers: &[usize],
) -> (usize, Unit) {
    let member = |it: Candidate<'_>| Member {
        index: numbers[it.index()],
        item: it.item().clone(),
        score: it.score(),
    };
    let members = prepared.members(candidate).map(member).collect();
    let unit = Unit { members, score: candidate.score(), form: candidate.form() };
    (numbers[candidate.index()], unit)
}

fn lay_out<const N: usize>(held: [&Units; N]) -> (Vec<usize>, Vec<ContextItem>) {
    let members = held.into_iter().flat_map(BTreeMap::values).flat_map(|unit| &unit.members);
    let mut members: Vec<_> = members.map(|it| (it.index, it.item.clone())).collect();
    members.sort_by_key(|(index, _)| *index);
    members.into_iter().unzip()
}
