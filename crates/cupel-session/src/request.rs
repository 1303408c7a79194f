//! A turn of a session over requests.

use cupel::CupelError;
use cupel_messages::{
    Block, Choice, Fitted, Meter, Pin, Prepared, Request, Sent, Standing, fingerprint,
};

use crate::align::{Alignment, in_order};
use crate::breakpoints::{Ground, place};
use crate::cost::{Before, asked, costs};
use crate::cut::{Candidates, Plan, cut, must_stay};
use crate::settings::Levels;
use crate::state::{Kind, Unit};
use crate::turn::{Action, Cause, Cut, FirstChange, Note, Prefix, Report};
use crate::{Cache, Error, Price, Session};

/// A turn of a session over requests.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Turn {
    /// The request to send, and what became of every message.
    pub request: Fitted,
    /// What the turn was.
    pub report: Report,
}

impl Session {
    /// The next turn: the conversation so far, all of it, and what is sent of it.
    ///
    /// Hashing and reading the conversation costs its length; a [`Conversation`](crate::Conversation) costs what is new.
    ///
    /// # Errors
    /// When what must stay does not fit, the request is broken in a way that cannot be mended, or the session is one over
    /// items. The session is then as it was.
    pub fn next(&mut self, request: &Request, meter: &dyn Meter) -> Result<Turn, Error> {
        self.next_with_window(request, meter).map(|(turn, _)| turn)
    }

    /// The next turn, and the request without breakpoints, as a cache sees it.
    pub(crate) fn next_with_window(
        &mut self,
        request: &Request,
        meter: &dyn Meter,
    ) -> Result<(Turn, Window), Error> {
        self.settings().check()?;
        if self.state.kind == Kind::Items {
            return Err(Error::OtherKind { state: self.state.kind.name(), given: "a request" });
        }
        let hashes: Vec<u64> = request.messages().iter().map(|it| it.fingerprint()).collect();
        let options = self.options.clone();
        let prepared = request.prepare(&options, meter)?;
        let price = self.price_for(request);
        Step { session: self, request, prepared: &prepared, meter, hashes, price }.take()
    }

    /// Where breakpoints stand: the caller's, and with them ours, which come second by themselves.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn mark(
        &self,
        window: &Request,
        blocks: &[Block],
        sums: &[i64],
        tail: usize,
        kept: usize,
        levels: Levels,
        price: &Price,
    ) -> (Vec<usize>, Vec<usize>) {
        let own: Vec<usize> = (0..blocks.len()).filter(|at| blocks[*at].marked).collect();
        let taken =
            if own.is_empty() && !window.text().contains("cache") { 0 } else { window.marks() };
        self.marks_beside(own, taken, blocks, sums, tail, kept, levels, price)
    }

    /// The same, where the caller's own are known.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn marks_beside(
        &self,
        own: Vec<usize>,
        taken: usize,
        blocks: &[Block],
        sums: &[i64],
        tail: usize,
        kept: usize,
        levels: Levels,
        price: &Price,
    ) -> (Vec<usize>, Vec<usize>) {
        if !self.settings().breakpoints {
            return (own, Vec::new());
        }
        let end_before = self.state.marks.iter().copied().filter(|at| *at < kept).max();
        let anchor = (levels.low / 2).max(0);
        let placed = place(Ground { blocks, sums, tail, end_before, taken, anchor }, price);
        let mut marks: Vec<usize> = own.into_iter().chain(placed.iter().copied()).collect();
        marks.sort_unstable();
        marks.dedup();
        (marks, placed)
    }

    /// The request with its breakpoints.
    pub(crate) fn marked(
        &self,
        window: &Request,
        blocks: &[Block],
        placed: &[usize],
        key: u64,
    ) -> String {
        if !self.settings().breakpoints {
            return window.text().to_owned();
        }
        window.marked(blocks, placed, Some(&format!("cupel-{key:016x}")))
    }

    /// What a request's provider charges, unless the session was told.
    pub(crate) fn price_for(&self, request: &Request) -> Price {
        let model = request.model().or(self.model.as_deref());
        self.price.unwrap_or_else(|| Price::of(request.format(), model))
    }
}

/// A request that was sent, without breakpoints, as a cache sees it.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) request: Request,
    pub(crate) blocks: Vec<Block>,
    /// The tokens of all blocks up to each.
    pub(crate) sums: Vec<i64>,
}

/// One turn on its way.
struct Step<'a> {
    session: &'a mut Session,
    request: &'a Request,
    prepared: &'a Prepared<'a>,
    meter: &'a dyn Meter,
    hashes: Vec<u64>,
    price: Price,
}

/// Something that may have changed the prefix, by candidate.
type Event = (usize, Cause);

impl Step<'_> {
    fn take(self) -> Result<(Turn, Window), Error> {
        let (settings, budget) = (*self.session.settings(), self.session.budget);
        let (standing, known, mut events, mut notes) = self.as_it_stands();
        let new_from = (0..known.len()).rev().find(|at| known[*at]).map_or(0, |at| at + 1);
        let before = self.prepared.as_before(&standing, new_from);
        let standing: Vec<Standing> = before.standing().to_vec();
        let whole = self.prepared.carry_out(&before, budget);
        let uncut = whole.fitted.tokens.total();

        let grown = uncut.saturating_sub(self.session.state.tokens).max(0);
        let base = settings.levels(budget, &self.price, 0);
        if uncut <= base.mark {
            // What must stay is no more than all, so there is no need to look at it.
            let (action, warned) = (Action::Extended, false);
            return self.finish(before, whole, action, events, notes, base, grown, warned);
        }
        let candidates = Messages { prepared: self.prepared, request_tokens: uncut, budget };
        let must = must_stay(&candidates, &standing);
        let mut levels = settings.levels(budget, &self.price, must);
        let mut warned = false;
        if levels.overloaded {
            warned = true;
            if !self.session.state.warned {
                notes.push(Note::MustStayOverMark { must_stay: must, mark: base.mark });
            }
            // What must stay may be shortened before anything is refused.
            if must >= budget {
                let stays = (0..candidates.len()).filter(|at| standing[*at].is_in());
                let shortest = stays.filter_map(|at| candidates.must_stay(at));
                let shortest = shortest.fold(candidates.fixed(), i64::saturating_add);
                let left = (budget - shortest).max(0);
                levels.low = shortest.saturating_add((left as f64 * settings.low) as i64);
                levels.mark = budget;
            }
        }
        let forced = uncut > budget;
        let would_free = uncut.saturating_sub(levels.low);
        let (mut choice, mut sent, mut action) = (before, whole, Action::Extended);
        if uncut > levels.mark || forced {
            if would_free < levels.least_freed && !forced {
                action = Action::Held { would_free, least: levels.least_freed };
            } else {
                (choice, sent) = self.cut(&candidates, &standing, levels, grown)?;
                let after = sent.fitted.tokens.total();
                if after > budget {
                    // A policy may proceed past its budget; a provider would not.
                    let overflow =
                        CupelError::Overflow { merged_tokens: after, target_tokens: budget };
                    return Err(overflow.into());
                }
                if uncut - after < levels.least_freed && !forced {
                    action = Action::Held { would_free: uncut - after, least: levels.least_freed };
                    choice = self.prepared.as_before(&standing, new_from);
                    sent = self.prepared.carry_out(&choice, budget);
                } else {
                    let first = first_difference(&standing, choice.standing());
                    events.push((first, Cause::Cut));
                    action = Action::Cut(Cut {
                        first: self.origin_at(first),
                        dropped: count(&standing, choice.standing(), |_, is| !is.is_in()),
                        shortened: count(&standing, choice.standing(), |was, is| {
                            form(is) > form(was)
                        }),
                        freed: uncut - after,
                        rewritten: 0,
                        payback_turns: None,
                        forced,
                    });
                }
            }
        }
        self.finish(choice, sent, action, events, notes, levels, grown, warned)
    }

    /// How candidates stand by what is remembered, which of them were there before, and what is different.
    fn as_it_stands(&self) -> (Vec<Standing>, Vec<bool>, Vec<Event>, Vec<Note>) {
        let state = &self.session.state;
        let before: Vec<u64> = state.units.iter().map(|unit| unit.hash).collect();
        // What is for this turn only is not remembered, and nothing that is remembered is for one turn only.
        let lasting: Vec<usize> =
            (0..self.hashes.len()).filter(|at| !self.is_volatile(*at)).collect();
        let now: Vec<u64> = lasting.iter().map(|at| self.hashes[*at]).collect();
        let aligned = in_order(&before, &now);
        let mut of_message: Vec<Option<Standing>> = vec![None; self.hashes.len()];
        for (at, known) in lasting.iter().zip(&aligned.known) {
            of_message[*at] = known.map(|known| state.units[known].standing);
        }
        let mut standing: Vec<Option<Standing>> = self.candidates(|origin, _| of_message[origin?]);
        let known: Vec<bool> = standing.iter().map(Option::is_some).collect();
        let (events, notes) = self.differences(&aligned, &lasting, &mut standing);
        let standing = standing.into_iter().map(|it| it.unwrap_or(Standing::WHOLE)).collect();
        (standing, known, events, notes)
    }

    fn candidates<T>(&self, of: impl Fn(Option<usize>, usize) -> Option<T>) -> Vec<Option<T>> {
        (0..self.prepared.len()).map(|at| of(self.prepared.origin(at), at)).collect()
    }

    fn is_volatile(&self, message: usize) -> bool {
        self.request.messages()[message].hints().volatile
    }

    /// Settles what no memory settles, and names what is not as it was.
    fn differences(
        &self,
        aligned: &Alignment,
        lasting: &[usize],
        standing: &mut [Option<Standing>],
    ) -> (Vec<Event>, Vec<Note>) {
        let (mut events, mut notes) = (Vec::new(), Vec::new());
        let units = &self.session.state.units;
        let candidate_of = |message: usize| {
            (0..self.prepared.len())
                .find(|at| self.prepared.origin(*at).is_some_and(|origin| origin >= message))
                .unwrap_or(self.prepared.len())
        };
        let place =
            |now: usize| lasting.get(now).map_or(self.prepared.len(), |at| candidate_of(*at));
        let missing = aligned.gone.iter().filter(|(was, _)| units[*was].standing.is_in());
        let missing: Vec<usize> = missing.map(|(_, now)| *now).collect();
        let last_known = aligned.known.iter().rposition(Option::is_some);
        let inserted: Vec<usize> = (0..aligned.known.len())
            .filter(|at| aligned.known[*at].is_none() && last_known.is_some_and(|last| *at < last))
            .collect();
        for now in &missing {
            // Something else in its place is a change of it.
            let replaced = aligned.known.get(*now) == Some(&None)
                && last_known.is_some_and(|last| *now < last);
            let cause = if replaced { Cause::Changed } else { Cause::Disappeared };
            events.push((place(*now), cause));
        }
        if !missing.is_empty() {
            notes.push(Note::Disappeared { count: missing.len() });
        }
        if let Some(first) = inserted.first() {
            events.push((place(*first), Cause::Inserted));
            notes.push(Note::Inserted { first: lasting[*first], count: inserted.len() });
        }
        let back = self.settle(standing);
        if let Some(first) = back.first() {
            let origin = self.origin_at(*first);
            events.extend(back.iter().map(|at| (*at, Cause::Pinned)));
            notes.push(Note::BroughtBack { first: origin, count: back.len() });
        }
        (events, notes)
    }

    /// What belongs to something that is out is out; what must stay is in. Says what came back by that.
    #[expect(clippy::needless_range_loop, reason = "positions are of candidates as well")]
    fn settle(&self, standing: &mut [Option<Standing>]) -> Vec<usize> {
        let candidate = |at: usize| self.prepared.candidate(at).expect("within the candidates");
        let len = self.prepared.len();
        let mut unit_out = vec![false; len];
        let mut turn_out = vec![false; len + 1];
        let needs_its_turn = self.prepared.needs_its_turn();
        for at in 0..len {
            let it = candidate(at);
            if standing[at] == Some(Standing::Out) {
                unit_out[it.unit] = true;
                let opens = needs_its_turn && it.role == cupel_messages::Role::User;
                turn_out[it.turn] |= opens;
            }
        }
        let is_out = |at: usize| {
            let it = candidate(at);
            let alone = it.role == cupel_messages::Role::System && it.unit == at && !needs_its_turn;
            unit_out[it.unit] || (turn_out[it.turn] && !alone)
        };
        // Whoever is pinned takes its unit along, and where that needs its turn, what opens the turn.
        let mut unit_stays = vec![false; len];
        let mut turn_stays = vec![false; len + 1];
        for at in (0..len).filter(|at| brings_back(candidate(*at).pin)) {
            let it = candidate(at);
            unit_stays[it.unit] = true;
            turn_stays[it.turn] |= needs_its_turn;
        }
        let mut back = Vec::new();
        for at in 0..len {
            let it = candidate(at);
            let opens = it.role == cupel_messages::Role::User;
            let stays = unit_stays[it.unit] || (turn_stays[it.turn] && opens);
            if !is_out(at) {
                continue;
            }
            if stays {
                if standing[at] == Some(Standing::Out) {
                    back.push(at);
                    standing[at] = Some(Standing::WHOLE);
                }
            } else {
                standing[at] = Some(Standing::Out);
            }
        }
        back
    }

    fn origin_at(&self, candidate: usize) -> usize {
        let mut origins =
            (candidate..self.prepared.len()).filter_map(|at| self.prepared.origin(at));
        origins.next().unwrap_or(self.request.messages().len())
    }

    fn too_small(&self, budget: i64) -> Error {
        let least = self.prepared.least();
        let needed = least.total();
        cupel_messages::Error::BudgetTooSmall { budget, needed, least }.into()
    }

    fn cut(
        &self,
        candidates: &Messages<'_>,
        standing: &[Standing],
        levels: Levels,
        grown: i64,
    ) -> Result<(Choice, Sent), Error> {
        if self.prepared.least().total() > levels.budget {
            return Err(self.too_small(levels.budget));
        }
        let state = &self.session.state;
        let readable = self.readable(standing);
        let turns = i64::try_from(state.turns_since_cut).unwrap_or(i64::MAX).saturating_add(1);
        let growth = state.grown.saturating_add(grown) / turns.max(1);
        let plan = Plan { levels, price: &self.price, growth, readable: &readable };
        let choice = cut(candidates, standing, &plan)?;
        let sent = self.prepared.carry_out(&choice, levels.budget);
        Ok((choice, sent))
    }

    /// What could be read from the cache if everything before a candidate stayed as it was. Blocks are told from
    /// messages by their tokens, which is exact enough to choose by.
    fn readable(&self, standing: &[Standing]) -> impl Fn(usize) -> i64 + use<> {
        let state = &self.session.state;
        let mut sums = Vec::with_capacity(standing.len() + 1);
        let mut sum = self.prepared.fixed().total();
        let fixed = sum;
        let whole = self.prepared.as_before(standing, standing.len());
        let sent = self.prepared.carry_out(&whole, self.session.budget);
        let blocks = Request::read_as(sent.fitted.text, self.request.format())
            .map(|sent| sent.blocks(self.meter))
            .unwrap_or_default();
        for (at, standing) in standing.iter().enumerate() {
            sums.push(sum);
            sum = sum.saturating_add(self.prepared.tokens_as(at, *standing));
        }
        let common = common(&state.window, blocks.iter().map(|block| block.hash));
        let block_sums = sums_of(blocks.iter().map(|block| block.tokens));
        let upto = |block: usize| block_sums.get(block).copied().unwrap_or(0);
        let seen = common.checked_sub(1).map_or(0, upto);
        let entries: Option<Vec<i64>> = match self.price.cache {
            Cache::AnyPrefix => None,
            _ => {
                let marks = state.marks.iter().chain(&state.asked).filter(|at| **at < common);
                Some(marks.map(|at| upto(*at)).collect())
            }
        };
        move |first: usize| {
            let before = sums.get(first).copied().unwrap_or(fixed).min(seen);
            match &entries {
                None => before,
                Some(entries) => {
                    entries.iter().copied().filter(|entry| *entry <= before).max().unwrap_or(0)
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn finish(
        self,
        mut choice: Choice,
        mut sent: Sent,
        mut action: Action,
        events: Vec<Event>,
        mut notes: Vec<Note>,
        levels: Levels,
        grown: i64,
        warned: bool,
    ) -> Result<(Turn, Window), Error> {
        let state = &self.session.state;
        let model = fingerprint(self.request.model().unwrap_or_default());
        let same_model = state.turns == 0 || state.model == model;
        let read = |sent: &Sent| Request::read_as(sent.fitted.text.clone(), self.request.format());
        let mut window = read(&sent)?;
        let mut blocks = window.blocks(self.meter);
        let shared = |blocks: &[Block]| {
            if same_model { common(&state.window, blocks.iter().map(|it| it.hash)) } else { 0 }
        };
        let mut kept = shared(&blocks);
        if state.turns > 0 && kept < state.window.len() && self.prepared.binds_thinking() {
            // Thinking behind a change is bound to what is no more.
            let message = blocks.get(kept).and_then(|block| block.message);
            let from = message.map_or(0, |message| sent.firsts.get(message).copied().unwrap_or(0));
            let from = if kept < blocks.len() { from } else { self.prepared.len() };
            let thinks = |at: &usize| {
                let thinking =
                    matches!(choice.standing()[*at], Standing::In { thinking: true, .. });
                thinking && self.prepared.candidate(*at).is_some_and(|it| it.thinks)
            };
            if (from..self.prepared.len()).any(|at| thinks(&at)) {
                choice.strip_from(from);
                sent = self.prepared.carry_out(&choice, levels.budget);
                window = read(&sent)?;
                blocks = window.blocks(self.meter);
                kept = shared(&blocks);
            }
        }
        let stripped = self.newly_stripped(&choice);
        if stripped > 0 {
            notes.push(Note::ThinkingStripped { messages: stripped });
        }
        let sums = sums_of(blocks.iter().map(|block| block.tokens));
        let tail = self.tail(&choice, &sent, &blocks);
        let (marks, placed) =
            self.session.mark(&window, &blocks, &sums, tail, kept, levels, &self.price);
        let key = self.session.state.session_key(&self.hashes, &blocks);
        sent.fitted.text = self.session.marked(&window, &blocks, &placed, key);
        let total = sent.fitted.tokens.total();
        let before = Before { marks: &state.marks, asked: state.asked };
        let asked = asked(&blocks);
        let costs = costs(before, kept, &sums, &marks, asked, total, &self.price);
        if self.price.cache == Cache::Marked && marks.is_empty() {
            notes.push(Note::NothingMarked);
        }
        let kept_tokens = kept.checked_sub(1).and_then(|at| sums.get(at)).copied().unwrap_or(0);
        let first_change = (state.turns > 0 && kept < state.window.len()).then(|| {
            let cause = self.cause(kept, &blocks, same_model, &events, &sent);
            let message = blocks.get(kept).and_then(|block| block.message);
            FirstChange { block: kept, message, cause }
        });
        if let Action::Cut(cut) = &mut action {
            cut.rewritten = (total - kept_tokens).max(0);
            cut.payback_turns = self.price.payback_turns(cut.freed, cut.rewritten);
        }
        let report = Report {
            turn: state.turns + 1,
            prefix: Prefix {
                kept_blocks: kept,
                kept_tokens,
                blocks_before: state.window.len(),
                first_change,
            },
            costs,
            tokens: total,
            budget: levels.budget,
            high_water: levels.mark,
            low_water: levels.low,
            breakpoints: marks.clone(),
            notes,
            action,
        };
        let units = self.units(&choice);
        let was_cut = matches!(report.action, Action::Cut(_));
        let state = &mut self.session.state;
        if state.turns == 0 {
            let first = self.hashes.first().copied().unwrap_or_default();
            state.key =
                blocks.iter().take(1).fold(first, |key, block| key ^ block.hash.rotate_left(1));
        }
        state.kind = Kind::Requests;
        state.turns += 1;
        state.units = units;
        state.window = blocks.iter().map(|block| block.hash).collect();
        state.marks = marks;
        state.asked = asked;
        state.tail = tail;
        state.tokens = total;
        state.model = model;
        state.warned = warned;
        state.after_turn(grown, was_cut);
        Ok((Turn { request: sent.fitted, report }, Window { request: window, blocks, sums }))
    }

    /// How many messages have lost their thinking in this turn.
    fn newly_stripped(&self, choice: &Choice) -> usize {
        let without = |at: &usize| {
            let gone = matches!(choice.standing()[*at], Standing::In { form: 0, thinking: false });
            gone && self.prepared.candidate(*at).is_some_and(|it| it.thinks)
        };
        let now = (0..self.prepared.len()).filter(without).count();
        let stripped =
            |unit: &&Unit| matches!(unit.standing, Standing::In { form: 0, thinking: false });
        now.saturating_sub(self.session.state.units.iter().filter(stripped).count())
    }

    /// How everything that lasts stands now, by message.
    fn units(&self, choice: &Choice) -> Vec<Unit> {
        let mut of_message = vec![Standing::WHOLE; self.hashes.len()];
        for at in 0..self.prepared.len() {
            if let (Some(origin), Some(candidate)) =
                (self.prepared.origin(at), self.prepared.candidate(at))
            {
                of_message[origin] = match choice.standing()[at] {
                    // Only what has thinking can lose it.
                    Standing::In { form, thinking } => {
                        Standing::In { form, thinking: thinking || !candidate.thinks }
                    }
                    Standing::Out => Standing::Out,
                };
            }
        }
        let lasting = (0..self.hashes.len()).filter(|at| !self.is_volatile(*at));
        lasting.map(|at| Unit { hash: self.hashes[at], standing: of_message[at] }).collect()
    }

    /// How many blocks at the end are there, or stand behind something that is, for this turn only.
    fn tail(&self, choice: &Choice, sent: &Sent, blocks: &[Block]) -> usize {
        let volatile = |at: &usize| {
            let it = self.prepared.candidate(*at);
            choice.standing()[*at].is_in() && it.is_some_and(|it| it.volatile)
        };
        let Some(first) = (0..self.prepared.len()).find(volatile) else { return 0 };
        // The message it is in, or was merged into; of that, everything from its own first block on.
        let message =
            sent.firsts.partition_point(|candidate| *candidate <= first).saturating_sub(1);
        let parts_before = self.blocks_before(sent.firsts[message], first, choice);
        let start = blocks.iter().position(|block| block.message == Some(message));
        let start = start.map_or(blocks.len(), |start| start + parts_before);
        blocks.len().saturating_sub(start)
    }

    /// How many blocks candidates make that were merged into one message, up to one of them.
    fn blocks_before(&self, first: usize, upto: usize, choice: &Choice) -> usize {
        let sent = (first..upto).filter(|at| choice.standing()[*at].is_in());
        let parts = sent.filter_map(|at| {
            let origin = self.prepared.origin(at)?;
            Some(self.request.message_blocks(origin, self.meter).len())
        });
        parts.sum()
    }

    /// Why the prefix ends where it does: the first thing that is known to have changed, at or before that place.
    fn cause(
        &self,
        kept: usize,
        blocks: &[Block],
        same_model: bool,
        events: &[Event],
        sent: &Sent,
    ) -> Cause {
        let state = &self.session.state;
        if !same_model {
            return Cause::Model;
        }
        let fixed = blocks.iter().take_while(|block| block.instructs).count();
        if kept < fixed {
            return Cause::Fixed;
        }
        let message = blocks.get(kept).and_then(|block| block.message);
        // The last candidate of the message that the change is in.
        let until = match message {
            Some(message) => sent.firsts.get(message + 1).copied().unwrap_or(self.prepared.len()),
            None => self.prepared.len() + 1,
        };
        let first = events.iter().filter(|(at, _)| *at <= until).min_by_key(|(at, _)| *at);
        if kept >= state.window.len() - state.tail
            && first.is_none_or(|(_, cause)| matches!(cause, Cause::Inserted | Cause::Cut))
        {
            return Cause::Tail;
        }
        first.map_or(Cause::Mended, |(_, cause)| *cause)
    }
}

/// Whether a pin brings back what is out. That a message has become one of the first or the last turns does not: nobody
/// asked for it, and it would break the prefix.
fn brings_back(pin: Option<Pin>) -> bool {
    matches!(pin, Some(Pin::System | Pin::Hint | Pin::Pattern | Pin::Summary | Pin::CurrentTurn))
}

/// How many blocks are those of a window, from the first on.
pub(crate) fn common(before: &[u64], now: impl Iterator<Item = u64>) -> usize {
    before.iter().zip(now).take_while(|(one, other)| **one == *other).count()
}

pub(crate) fn sums_of(tokens: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut sum = 0_i64;
    let sums = tokens.map(|tokens| {
        sum = sum.saturating_add(tokens);
        sum
    });
    sums.collect()
}

fn form(standing: Standing) -> usize {
    match standing {
        Standing::In { form, .. } => form,
        Standing::Out => 0,
    }
}

fn first_difference(before: &[Standing], now: &[Standing]) -> usize {
    let same = |one: &Standing, other: &Standing| {
        one.is_in() == other.is_in() && form(*one) == form(*other)
    };
    before.iter().zip(now).position(|(one, other)| !same(one, other)).unwrap_or(before.len())
}

fn count(
    before: &[Standing],
    now: &[Standing],
    counts: impl Fn(Standing, Standing) -> bool,
) -> usize {
    let both = before.iter().zip(now).filter(|(was, _)| was.is_in());
    both.filter(|(was, is)| counts(**was, **is)).count()
}

/// A request's candidates.
struct Messages<'a> {
    prepared: &'a Prepared<'a>,
    request_tokens: i64,
    budget: i64,
}

impl Candidates for Messages<'_> {
    type Choice = Choice;

    fn len(&self) -> usize {
        self.prepared.len()
    }

    fn fixed(&self) -> i64 {
        self.prepared.fixed().total()
    }

    fn tokens(&self, at: usize, standing: Standing) -> i64 {
        self.prepared.tokens_as(at, standing)
    }

    fn must_stay(&self, at: usize) -> Option<i64> {
        self.prepared.candidate(at)?.pin?;
        // Shorter forms are made for whoever needs them: not as long as everything fits.
        let over = self.request_tokens > self.budget;
        Some(if over {
            self.prepared.shortest(at)
        } else {
            self.prepared.tokens_as(at, Standing::WHOLE)
        })
    }

    fn forms(&self, at: usize) -> usize {
        self.prepared.form_count(at)
    }

    fn group(&self, at: usize) -> usize {
        self.prepared.candidate(at).map_or(at, |it| it.group)
    }

    fn choose(&self, standing: &[Standing], from: usize, budget: i64) -> Result<Choice, Error> {
        Ok(self.prepared.cut(standing, from, budget)?)
    }

    fn standing<'c>(&self, choice: &'c Choice) -> &'c [Standing] {
        choice.standing()
    }

    fn scores<'c>(&self, choice: &'c Choice) -> &'c [Option<f64>] {
        choice.scores()
    }

    fn total(&self, choice: &Choice) -> i64 {
        let tokens = choice.standing().iter().enumerate();
        let tokens = tokens.map(|(at, standing)| self.prepared.tokens_as(at, *standing));
        tokens.fold(self.prepared.fixed().total(), i64::saturating_add)
    }
}
