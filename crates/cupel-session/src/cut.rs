//! Where to cut first, and what to keep behind it.
//!
//! Everything before the first cut is read from the cache at a fraction of its price; everything behind it that is kept
//! is written again. An early cut lets the policy choose among almost everything; a late one keeps what is old and cheap
//! to send. So a number of places is tried, and the one is taken where what is kept is worth most for what a turn costs until
//! the next cut.
//!
//! Behind it, what is old becomes short before anything is dropped: a few lines of a result say what was there, and often
//! hold what a later step needs of it. What of that does not fit, the policy drops.

use cupel_messages::Standing;

use crate::Error;
use crate::settings::Terms;

/// How many places are tried, about. Each costs a run of the policy, at a cut only.
const TRIALS: usize = 8;

/// Of the room that is left once everything is as short as age makes it, this share has the latest whole; the rest has what
/// comes before them less short.
const WHOLE_SHARE: f64 = 0.7;

/// This share of the low-water mark has the latest whole in any case, if the oldest must be dropped for it.
const WHOLE_AT_LEAST: f64 = 0.25;

/// What a cut can choose from.
pub(crate) trait Candidates {
    /// How everything stands, chosen by a policy.
    type Choice;

    fn len(&self) -> usize;
    /// Tokens beside the candidates.
    fn fixed(&self) -> i64;
    /// What a candidate costs as it stands.
    fn tokens(&self, at: usize, standing: Standing) -> i64;
    /// The least a candidate costs that must stay; nothing for any other.
    fn must_stay(&self, at: usize) -> Option<i64>;
    /// How many shorter forms a candidate has.
    fn forms(&self, at: usize) -> usize;
    /// The first of all that is in or out with it.
    fn group(&self, at: usize) -> usize;
    /// Lets the policy choose from `from` on, within `budget` for everything.
    fn choose(
        &self,
        standing: &[Standing],
        from: usize,
        budget: i64,
    ) -> Result<Self::Choice, Error>;
    fn standing<'c>(&self, choice: &'c Self::Choice) -> &'c [Standing];
    fn scores<'c>(&self, choice: &'c Self::Choice) -> &'c [Option<f64>];
    /// What everything costs, so chosen.
    fn total(&self, choice: &Self::Choice) -> i64 {
        let tokens = self.standing(choice).iter().enumerate();
        let tokens = tokens.map(|(at, standing)| self.tokens(at, *standing));
        tokens.fold(self.fixed(), i64::saturating_add)
    }
    /// The same, as it is sent: what is merged may cost less.
    fn sent(&self, choice: &Self::Choice) -> i64;
    /// An error if what must stay cannot fit, however short.
    fn can_fit(&self, budget: i64) -> Result<(), Error>;
    /// Of each candidate, what could be read from the cache if everything before it stayed as it is.
    fn readable(&self, standing: &[Standing]) -> Vec<i64>;
}

/// What a cut must know beside its candidates.
pub(crate) struct Plan<'a> {
    pub(crate) terms: Terms,
    /// Tokens that come in a turn, about.
    pub(crate) growth: i64,
    /// Of each candidate, what could be read from the cache if everything before it stayed as it is.
    pub(crate) readable: &'a [i64],
}

/// What must stay, in tokens, as it stands, what stands beside the candidates included.
pub(crate) fn must_stay<C: Candidates>(candidates: &C, standing: &[Standing]) -> i64 {
    let is_in = (0..candidates.len()).filter(|at| standing[*at].is_in());
    let stays = is_in.filter(|at| candidates.must_stay(*at).is_some());
    let tokens = stays.map(|at| candidates.tokens(at, standing[at]));
    tokens.fold(candidates.fixed(), i64::saturating_add)
}

/// The best cut, if any place allows one.
pub(crate) fn cut<C: Candidates>(
    candidates: &C,
    standing: &[Standing],
    plan: &Plan<'_>,
) -> Result<C::Choice, Error> {
    let levels = plan.terms.levels;
    let low = levels.low.min(levels.budget);
    let free = candidates.choose(standing, 0, low);
    let worth = match &free {
        Ok(choice) => worths(candidates, standing, candidates.scores(choice)),
        Err(_) => vec![0.0; candidates.len()],
    };
    let shortened = shortened_by_age(candidates, standing, low);
    let mut best: Option<(f64, C::Choice)> = None;
    let mut refusal = None;
    for from in places(candidates, standing, low) {
        // What stands before the cut stays as it is, whatever is offered behind it.
        let offered: Vec<Standing> =
            standing[..from].iter().chain(&shortened[from..]).copied().collect();
        let choice = match candidates.choose(&offered, from, low) {
            Ok(choice) => choice,
            Err(error) => {
                refusal = Some(error);
                continue;
            }
        };
        if candidates.total(&choice) > levels.budget {
            continue;
        }
        let value = value(candidates, standing, &choice, &worth, plan);
        if best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, choice));
        }
    }
    match (best, free) {
        (Some((_, choice)), _) => Ok(choice),
        (None, Ok(choice)) => Ok(choice),
        (None, Err(error)) => Err(refusal.unwrap_or(error)),
    }
}

/// How everything is offered to the policy: the latest whole, what comes before them in its first shorter form, and all that
/// is older in its second, so that it fits, if that can be, and nothing has to be dropped.
fn shortened_by_age<C: Candidates>(
    candidates: &C,
    standing: &[Standing],
    low: i64,
) -> Vec<Standing> {
    let short = |at: usize, to: usize| match standing[at] {
        Standing::In { form, thinking } if candidates.must_stay(at).is_none() => {
            Standing::In { form: to.min(candidates.forms(at)).max(form), thinking }
        }
        as_it_is => as_it_is,
    };
    let mut offer: Vec<Standing> = (0..candidates.len()).map(|at| short(at, 2)).collect();
    let tokens = |at: usize, standing: Standing| candidates.tokens(at, standing);
    let shortest = offer.iter().enumerate().map(|(at, standing)| tokens(at, *standing));
    let room = low.saturating_sub(candidates.fixed());
    let spare = room.saturating_sub(shortest.fold(0, i64::saturating_add));
    let share = |of: i64, share: f64| (of as f64 * share) as i64;
    let whole = share(spare, WHOLE_SHARE).max(share(room, WHOLE_AT_LEAST));
    let mut rest = candidates.len();
    for (most, to) in [(whole, 0), (spare.saturating_sub(whole), 1)] {
        let mut taken = 0_i64;
        while let Some(at) = rest.checked_sub(1) {
            let longer = short(at, to);
            taken = taken.saturating_add(tokens(at, longer) - tokens(at, offer[at]));
            if taken > most.max(0) {
                break;
            }
            offer[at] = longer;
            rest = at;
        }
    }
    offer
}

/// What each candidate is worth: its score for each of its tokens. What must stay is in whatever is chosen.
fn worths<C: Candidates>(
    candidates: &C,
    standing: &[Standing],
    scores: &[Option<f64>],
) -> Vec<f64> {
    let worth = |at: usize| {
        let score = scores.get(at).copied().flatten().filter(|score| score.is_finite());
        score.unwrap_or(0.0).max(0.0) * candidates.tokens(at, standing[at]).max(0) as f64
    };
    (0..candidates.len()).map(worth).collect()
}

/// What is kept, by its worth, for what a turn costs until the next cut. A shorter form keeps the square root of its share of
/// the tokens, as elsewhere: a quarter of them keeps half of the worth.
fn value<C: Candidates>(
    candidates: &C,
    standing: &[Standing],
    choice: &C::Choice,
    worth: &[f64],
    plan: &Plan<'_>,
) -> f64 {
    let Terms { levels, price } = &plan.terms;
    let now = candidates.standing(choice);
    let kept = (0..candidates.len()).map(|at| {
        let (was, is) = (candidates.tokens(at, standing[at]), candidates.tokens(at, now[at]));
        if was > 0 { worth[at] * (is as f64 / was as f64).sqrt() } else { 0.0 }
    });
    let kept: f64 = kept.sum();
    let first = (0..candidates.len()).find(|at| standing[*at] != now[*at]);
    let after = candidates.total(choice).max(1);
    let read = first.map_or(0, |first| plan.readable[first]).clamp(0, after);
    let charge = |tokens: i64, each: i64| tokens as f64 * each as f64 / 1_000.0;
    let once = charge(read, price.read) + charge(after - read, price.write);
    let turns = ((levels.mark - after) as f64 / plan.growth.max(1) as f64).clamp(1.0, 1_000.0);
    let later = turns * charge((after + levels.mark) / 2, price.read);
    kept * turns / (once + later).max(1.0)
}

/// Places where a cut may begin: no group stands on both sides, and what must stay behind it still fits. From the first
/// on, about evenly spread over the tokens before them.
fn places<C: Candidates>(candidates: &C, standing: &[Standing], low: i64) -> Vec<usize> {
    let len = candidates.len();
    let mut last_of_group = vec![0; len];
    (0..len).for_each(|at| last_of_group[candidates.group(at)] = at);
    let stays = |at: usize| candidates.must_stay(at).filter(|_| standing[at].is_in());
    let mut must: i64 = (0..len).filter_map(stays).sum();
    let (mut before, mut reach) = (candidates.fixed(), 0);
    let mut allowed = Vec::new();
    for at in 0..len {
        let is_border = at == 0 || reach < at;
        // A cut begins with something that can go.
        let can_go = standing[at].is_in() && candidates.must_stay(at).is_none();
        if is_border && can_go && before.saturating_add(must) <= low {
            allowed.push((at, before));
        }
        reach = reach.max(last_of_group[candidates.group(at)]);
        before = before.saturating_add(candidates.tokens(at, standing[at]));
        must -= stays(at).unwrap_or(0);
    }
    let Some((_, most)) = allowed.last().copied() else { return vec![0] };
    let least = allowed.first().map_or(0, |(_, before)| *before);
    let step = ((most - least) / TRIALS as i64).max(1);
    let mut places = Vec::with_capacity(TRIALS + 2);
    let mut next = least;
    for (at, before) in allowed {
        if before >= next {
            places.push(at);
            next = before.saturating_add(step);
        }
    }
    places
}
