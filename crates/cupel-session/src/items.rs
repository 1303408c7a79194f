//! A turn of a session over items.

use std::collections::BTreeMap;

use cupel::{
    ContextBudget, ContextItem, ContextKind, CupelError, Pipeline, Policy, SelectionReport,
};
use cupel_messages::{Standing, fingerprint};

use crate::align::as_a_set;
use crate::cost::{Before, costs};
use crate::cut::{Candidates, Plan, cut, must_stay};
use crate::request::{common, sums_of};
use crate::settings::Levels;
use crate::state::{Kind, Unit};
use crate::turn::{Action, Cause, Cut, FirstChange, Note, Prefix, Report};
use crate::{Error, Price, Session};

/// Where an item says which zone it belongs to: `fixed`, `history` or `tail`. Unless it says, system prompts are fixed and
/// everything else is history.
pub const ZONE_KEY: &str = "cupel:zone";

/// A turn of a session over items.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ItemTurn {
    /// The window, in its order.
    pub window: Vec<ContextItem>,
    /// Where each item of the window stood in what came.
    pub indices: Vec<usize>,
    /// What the policy decided, if something was cut: its candidates are those that were open to it, in the order of
    /// windows.
    pub selection: Option<SelectionReport>,
    /// What the turn was.
    pub report: Report,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    Fixed,
    History,
    Tail,
}

fn zone(item: &ContextItem) -> Zone {
    match item.metadata().get(ZONE_KEY).map(String::as_str) {
        Some("fixed") => Zone::Fixed,
        Some("tail") => Zone::Tail,
        Some("history") => Zone::History,
        _ if *item.kind() == ContextKind::system_prompt() => Zone::Fixed,
        _ => Zone::History,
    }
}

fn hash(item: &ContextItem) -> u64 {
    let group = item.group().unwrap_or_default();
    fingerprint(&format!("{}\u{0}{group}\u{0}{}", item.kind().as_str(), item.content()))
}

impl Session {
    /// The next turn: all candidates, and the window of them.
    ///
    /// Items keep the order in which they first came, whatever the policy's placer says; new ones come behind them, and what
    /// is for this turn only comes last. What was out and is pinned comes back behind the history, where it breaks nothing.
    ///
    /// # Errors
    /// When pinned items do not fit, the policy refuses, or the session is one over requests. The session is then as it was.
    pub fn next_items(&mut self, items: &[ContextItem]) -> Result<ItemTurn, Error> {
        self.settings().check()?;
        if self.state.kind == Kind::Requests {
            return Err(Error::OtherKind { state: self.state.kind.name(), given: "items" });
        }
        let policy = match &self.policy {
            Some(policy) => policy.clone(),
            None => cupel_messages::default_policy()?,
        };
        let price = self.price.unwrap_or(Price::PLAIN_PREFIX);
        let hashes: Vec<u64> = items.iter().map(hash).collect();
        let lined_up = LinedUp::of(self, items, &hashes);
        step(self, items, &hashes, lined_up, policy, price)
    }
}

/// Candidates in the order of windows.
struct LinedUp {
    /// Where each stood in what came.
    order: Vec<usize>,
    standing: Vec<Standing>,
    /// How many at the end are for this turn only.
    tail: usize,
    notes: Vec<Note>,
    gone: bool,
    changed: bool,
}

impl LinedUp {
    fn of(session: &Session, items: &[ContextItem], hashes: &[u64]) -> Self {
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
        Self {
            order,
            standing,
            tail: tail.len(),
            notes,
            gone: missing > 0,
            changed: !news.is_empty(),
        }
    }
}

fn step(
    session: &mut Session,
    items: &[ContextItem],
    hashes: &[u64],
    lined_up: LinedUp,
    policy: Policy,
    price: Price,
) -> Result<ItemTurn, Error> {
    let LinedUp { order, mut standing, tail, mut notes, gone, changed } = lined_up;
    let (settings, budget) = (*session.settings(), session.budget);
    let pipeline = Pipeline::from(policy).in_context(session.context.clone());
    let candidates = Lined { items: order.iter().map(|at| &items[*at]).collect(), pipeline };
    let total = |standing: &[Standing]| -> i64 {
        let tokens = standing.iter().enumerate().map(|(at, it)| candidates.tokens(at, *it));
        tokens.fold(0, i64::saturating_add)
    };
    let uncut = total(&standing);
    let grown = uncut.saturating_sub(session.state.tokens).max(0);
    let mut levels = settings.levels(budget, &price, 0);
    let (mut action, mut warned, mut selection) = (Action::Extended, false, None);
    if uncut > levels.mark {
        let must = must_stay(&candidates, &standing);
        let base = levels.mark;
        levels = settings.levels(budget, &price, must);
        warned = levels.overloaded;
        if warned && !session.state.warned {
            notes.push(Note::MustStayOverMark { must_stay: must, mark: base });
        }
        let forced = uncut > budget;
        let would_free = uncut.saturating_sub(levels.low);
        if (uncut > levels.mark && would_free >= levels.least_freed) || forced {
            let (choice, cut) =
                make_cut(session, &candidates, &standing, levels, &price, uncut, grown)?;
            if cut.freed < levels.least_freed && !forced {
                action = Action::Held { would_free: cut.freed, least: levels.least_freed };
            } else {
                standing = choice.standing;
                selection = Some(choice.report);
                action = Action::Cut(Cut { forced, ..cut });
            }
        } else if uncut > levels.mark {
            action = Action::Held { would_free, least: levels.least_freed };
        }
    }
    let sent: Vec<usize> = (0..order.len()).filter(|at| standing[*at].is_in()).collect();
    // What a cache sees is what is said, in the form in which it is said.
    let block = |at: &usize| {
        let item = candidates.items[*at];
        let variant = match standing[*at] {
            Standing::In { form, .. } => {
                form.checked_sub(1).and_then(|nth| item.variants().get(nth))
            }
            Standing::Out => None,
        };
        fingerprint(variant.map_or(item.content(), |variant| variant.content()))
    };
    let window: Vec<u64> = sent.iter().map(block).collect();
    let sums = sums_of(sent.iter().map(|at| candidates.tokens(*at, standing[*at])));
    let state = &session.state;
    let kept = common(&state.window, window.iter().copied());
    let tokens = sums.last().copied().unwrap_or(0);
    let before = Before { marks: &[], asked: None };
    let costs = costs(before, kept, &sums, &[], None, tokens, &price);
    let kept_tokens = kept.checked_sub(1).map_or(0, |at| sums[at]);
    let first_change = (state.turns > 0 && kept < state.window.len()).then(|| {
        let in_fixed = sent.get(kept).is_some_and(|at| zone(candidates.items[*at]) == Zone::Fixed);
        let cause = match () {
            () if kept >= state.window.len() - state.tail => Cause::Tail,
            () if in_fixed && !gone => Cause::Fixed,
            () if matches!(action, Action::Cut(_)) && !gone => Cause::Cut,
            () if gone && changed => Cause::Changed,
            () if gone => Cause::Disappeared,
            () => Cause::Mended,
        };
        FirstChange { block: kept, message: sent.get(kept).map(|at| order[*at]), cause }
    });
    if let Action::Cut(cut) = &mut action {
        cut.rewritten = (tokens - kept_tokens).max(0);
        cut.payback_turns = price.payback_turns(cut.freed, cut.rewritten);
    }
    let was_cut = matches!(action, Action::Cut(_));
    let blocks_before = state.window.len();
    let report = Report {
        turn: state.turns + 1,
        action,
        prefix: Prefix { kept_blocks: kept, kept_tokens, blocks_before, first_change },
        costs,
        tokens,
        budget,
        high_water: levels.mark,
        low_water: levels.low,
        breakpoints: Vec::new(),
        notes,
    };
    let lasting = order.len() - tail;
    let in_tail = sent.iter().filter(|at| **at >= lasting).count();
    let units = (0..lasting).map(|at| Unit { hash: hashes[order[at]], standing: standing[at] });
    let units = units.collect();
    let placed = sent.iter().map(|at| match standing[*at] {
        Standing::In { form, .. } => candidates.items[*at].in_form(form),
        Standing::Out => candidates.items[*at].clone(),
    });
    let turn = ItemTurn {
        window: placed.collect(),
        indices: sent.iter().map(|at| order[*at]).collect(),
        selection,
        report,
    };
    let state = &mut session.state;
    state.kind = Kind::Items;
    state.turns += 1;
    state.units = units;
    state.window = window;
    state.marks = Vec::new();
    state.asked = None;
    state.tail = in_tail;
    state.tokens = tokens;
    state.warned = warned;
    state.after_turn(grown, was_cut);
    Ok(turn)
}

fn make_cut(
    session: &Session,
    candidates: &Lined<'_>,
    standing: &[Standing],
    levels: Levels,
    price: &Price,
    uncut: i64,
    grown: i64,
) -> Result<(Chosen, Cut), Error> {
    let state = &session.state;
    let sums = sums_of((0..candidates.len()).map(|at| candidates.tokens(at, standing[at])));
    let seen = if state.turns == 0 { 0 } else { state.tokens };
    let readable = |first: usize| first.checked_sub(1).map_or(0, |at| sums[at]).min(seen);
    let turns = i64::try_from(state.turns_since_cut).unwrap_or(i64::MAX).saturating_add(1);
    let growth = state.grown.saturating_add(grown) / turns.max(1);
    let choice = cut(candidates, standing, &Plan { levels, price, growth, readable: &readable })?;
    let after = candidates.total(&choice);
    if after > levels.budget {
        let overflow = CupelError::Overflow { merged_tokens: after, target_tokens: levels.budget };
        return Err(overflow.into());
    }
    let now = &choice.standing;
    let was_in = |at: &usize| standing[*at].is_in();
    let form = |standing: Standing| match standing {
        Standing::In { form, .. } => form,
        Standing::Out => 0,
    };
    let all = || 0..candidates.len();
    let cut = Cut {
        first: all().find(|at| standing[*at] != now[*at]).unwrap_or(candidates.len()),
        dropped: all().filter(was_in).filter(|at| !now[*at].is_in()).count(),
        shortened: all().filter(was_in).filter(|at| form(now[*at]) > form(standing[*at])).count(),
        freed: uncut - after,
        rewritten: 0,
        payback_turns: None,
        forced: false,
    };
    Ok((choice, cut))
}

/// Items in the order of windows, and who chooses among them.
struct Lined<'a> {
    items: Vec<&'a ContextItem>,
    pipeline: Pipeline,
}

struct Chosen {
    standing: Vec<Standing>,
    scores: Vec<Option<f64>>,
    report: SelectionReport,
}

impl Lined<'_> {
    fn is_fixed(&self, at: usize) -> bool {
        zone(self.items[at]) == Zone::Fixed && !self.items[at].pinned()
    }
}

impl Candidates for Lined<'_> {
    type Choice = Chosen;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn fixed(&self) -> i64 {
        0
    }

    fn tokens(&self, at: usize, standing: Standing) -> i64 {
        let item = self.items[at];
        match standing {
            Standing::Out => 0,
            Standing::In { form, .. } => {
                let variant = form.checked_sub(1).and_then(|nth| item.variants().get(nth));
                variant.map_or(item.tokens(), |variant| variant.tokens()).max(0)
            }
        }
    }

    fn must_stay(&self, at: usize) -> Option<i64> {
        let item = self.items[at];
        let stays = item.pinned() || (self.is_fixed(at) && item.tokens() >= 0);
        stays.then(|| item.tokens().max(0))
    }

    fn forms(&self, at: usize) -> usize {
        self.items[at].variants().len()
    }

    fn group(&self, at: usize) -> usize {
        match self.items[at].group() {
            Some(group) => self.items.iter().position(|it| it.group() == Some(group)).unwrap_or(at),
            None => at,
        }
    }

    fn choose(&self, standing: &[Standing], from: usize, budget: i64) -> Result<Chosen, Error> {
        let stays = |at: usize| at < from || self.is_fixed(at);
        let kept: i64 = (0..self.len())
            .filter(|at| stays(*at))
            .map(|at| self.tokens(at, standing[at]))
            .fold(0, i64::saturating_add);
        let open: Vec<usize> =
            (0..self.len()).filter(|at| !stays(*at) && standing[*at].is_in()).collect();
        let room = ContextBudget::builder(budget.saturating_sub(kept).max(0)).build()?;
        // One that is shorter already has no other form any more.
        let form_of = |at: usize| match standing[at] {
            Standing::In { form, .. } => form,
            Standing::Out => 0,
        };
        let items: Vec<ContextItem> =
            open.iter().map(|at| self.items[*at].in_form(form_of(*at))).collect();
        let report = self.pipeline.dry_run(&items, &room)?;
        let mut chosen = standing.to_vec();
        let mut scores = vec![None; self.len()];
        open.iter().for_each(|at| chosen[*at] = Standing::Out);
        for included in &report.included {
            let Some(at) = included.index.and_then(|index| open.get(index)) else { continue };
            let form = included.shortened.map_or(form_of(*at), |shortened| shortened.form);
            chosen[*at] = Standing::In { form, thinking: true };
            scores[*at] = (!included.item.pinned()).then_some(included.score);
        }
        for excluded in &report.excluded {
            let Some(at) = excluded.index.and_then(|index| open.get(index)) else { continue };
            scores[*at] = Some(excluded.score);
        }
        Ok(Chosen { standing: chosen, scores, report })
    }

    fn standing<'c>(&self, choice: &'c Chosen) -> &'c [Standing] {
        &choice.standing
    }

    fn scores<'c>(&self, choice: &'c Chosen) -> &'c [Option<f64>] {
        &choice.scores
    }

    fn total(&self, choice: &Chosen) -> i64 {
        let tokens = choice.standing.iter().enumerate().map(|(at, it)| self.tokens(at, *it));
        tokens.fold(0, i64::saturating_add)
    }
}
