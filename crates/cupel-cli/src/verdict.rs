//! What decided about each candidate, beyond the reason that the report gives.
//!
//! The report says that an item exceeded the budget. Under a greedy slicer that means: when its turn
//! came, which is by score *per token*, less was left than it takes. Under a knapsack it means that
//! another choice is worth more. Both are worked out here, for text and JSON alike.

use std::cmp::Ordering;
use std::collections::HashMap;

use cupel::{ContextKind, ExclusionReason, InclusionReason, SelectionReport};
use cupel_policy::{BucketSize, PolicyFile, SlicerConfig};

use crate::input::Candidates;

/// What a policy goes by when it chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The best score per token first, as long as it fits.
    PerToken(Scope),
    /// The greatest total score, in buckets.
    Packing { bucket: BucketSize, scope: Scope },
    /// The best score first, by as much per token as the policy says.
    Rank(Scope),
    /// Something that a program brought along.
    Custom,
}

/// What a choice is made from, and with how much room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All candidates, the whole window.
    Window,
    /// All candidates, after what a kind must have.
    AfterRequired,
    /// All candidates, those first that repeat nothing.
    Distinct,
    /// The candidates of one kind, the share of that kind.
    Share,
}

impl Rule {
    pub(crate) fn of(policy: &PolicyFile) -> Self {
        let scope = match (policy.quotas.is_empty(), policy.count_quotas.is_empty()) {
            (false, _) => Scope::Share,
            (true, false) => Scope::AfterRequired,
            (true, true) => Scope::Window,
        };
        Self::within(&policy.slicer, scope)
    }

    /// What it means that an item exceeded the budget.
    pub(crate) fn did_not_fit(self) -> &'static str {
        match self {
            Self::PerToken(Scope::Share) | Self::Rank(Scope::Share) => {
                "Did not fit into the share of its kind"
            }
            Self::PerToken(_) | Self::Rank(_) => "Did not fit",
            Self::Packing { .. } => "Not in the best packing",
            Self::Custom => "Not chosen",
        }
    }

    fn within(slicer: &SlicerConfig, scope: Scope) -> Self {
        match slicer {
            SlicerConfig::Greedy | SlicerConfig::Stream { .. } => Self::PerToken(scope),
            SlicerConfig::Rank { .. } => Self::Rank(scope),
            SlicerConfig::Knapsack { bucket_size } => Self::Packing { bucket: *bucket_size, scope },
            SlicerConfig::Quota { inner, .. } => Self::within(inner, Scope::Share),
            SlicerConfig::CountQuota { inner, .. } => match scope {
                Scope::Share => Self::within(inner, Scope::Share),
                _ => Self::within(inner, Scope::AfterRequired),
            },
            SlicerConfig::Distinct { inner, .. } => match scope {
                Scope::Window => Self::within(inner, Scope::Distinct),
                other => Self::within(inner, other),
            },
            _ => Self::Custom,
        }
    }
}

/// What decided about one candidate.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Verdict {
    /// Its score, where it was judged: a pinned item is not.
    pub(crate) score: Option<f64>,
    /// Its score per token, where that decided.
    pub(crate) per_token: Option<f64>,
    /// How many tokens were left when its turn came, where that kept it out.
    pub(crate) room: Option<i64>,
    /// Where the last item stands that was taken before it, where that kept it out.
    pub(crate) beaten_by: Option<usize>,
}

/// Where in the input an entry of a report stands.
pub(crate) fn position(index: Option<usize>) -> usize {
    index.expect("a run says where each item stands")
}

/// The verdicts on all candidates, in the order of the input. What decides about one member of a unit decides about
/// all of it.
pub(crate) fn verdicts(
    rule: Rule,
    candidates: &Candidates,
    report: &SelectionReport,
) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::default(); candidates.items().len()];
    let mut taken = Turns::default();
    for it in report.included.iter().filter(|it| it.reason != InclusionReason::Pinned) {
        let position = position(it.index);
        verdicts[position].score = finite(it.score);
        taken.add(candidates, position, it.score, it.item.tokens());
    }
    let mut refused = Turns::default();
    for it in &report.excluded {
        let position = position(it.index);
        verdicts[position].score = finite(it.score);
        let left = match it.reason {
            // These never had a turn.
            ExclusionReason::Deduplicated { .. }
            | ExclusionReason::NearDuplicate { .. }
            | ExclusionReason::NegativeTokens { .. }
            | ExclusionReason::GroupBroken { .. } => continue,
            ExclusionReason::BudgetExceeded { available_tokens, .. } => Some(available_tokens),
            _ => None,
        };
        let shortest = it.item.variants().last().map(|form| form.tokens());
        let cost = shortest.unwrap_or(it.item.tokens());
        refused.add(candidates, position, it.score, cost).left = left;
    }
    let (taken, refused) = (taken.in_order(), refused.in_order());
    for turn in taken.iter().chain(&refused) {
        let per_token = turn.told_per_token(rule);
        turn.members(candidates).for_each(|it| verdicts[it].per_token = per_token);
    }
    let Rule::PerToken(scope) = rule else { return verdicts };
    // What those take that come after a position in that order.
    let mut later = vec![0_i128; taken.len() + 1];
    for at in (0..taken.len()).rev() {
        later[at] = later[at + 1] + taken[at].cost;
    }
    for (turn, left) in refused.iter().filter_map(|turn| Some((turn, turn.left?))) {
        let before = taken.partition_point(|other| other.compare(turn) == Ordering::Less);
        let same_kind = |other: &&Turn| {
            scope != Scope::Share || other.kind(candidates) == turn.kind(candidates)
        };
        let beaten_by = taken[..before].iter().rev().find(same_kind).map(|it| it.first);
        // What repeats something has its turn after all others.
        let beaten_by = beaten_by.filter(|_| scope != Scope::Distinct);
        // Where something else than its turn kept it out, what was left then explains nothing.
        let room = i128::from(left) + later[before];
        let room = (scope == Scope::Window && room < turn.cost).then_some(room);
        for member in turn.members(candidates) {
            verdicts[member].beaten_by = beaten_by;
            verdicts[member].room = room.and_then(|room| i64::try_from(room).ok());
        }
    }
    verdicts
}

fn finite(score: f64) -> Option<f64> {
    Some(score).filter(|score| score.is_finite())
}

/// When a greedy slicer comes to an item, or to a unit.
#[derive(Debug)]
struct Turn {
    /// Where it stands; of a unit, where its first member does.
    first: usize,
    /// What it costs whole, which decides about its turn.
    tokens: i128,
    /// What it costs in the form that it was taken in, or in its shortest.
    cost: i128,
    score: f64,
    /// If it did not fit: how many tokens were left in the end.
    left: Option<i64>,
}

impl Turn {
    fn members<'c>(&self, candidates: &'c Candidates) -> impl Iterator<Item = usize> + use<'c> {
        let unit = candidates.units().members(self.first);
        let alone = unit.is_empty().then_some(self.first);
        unit.iter().copied().chain(alone)
    }

    /// That of the member with most tokens, the earlier of equals.
    fn kind<'c>(&self, candidates: &'c Candidates) -> &'c ContextKind {
        let members = self.members(candidates).map(|it| &candidates.items()[it]);
        let largest = members.reduce(|a, b| if b.tokens() > a.tokens() { b } else { a });
        largest.expect("there is at least one").kind()
    }

    fn told_per_token(&self, rule: Rule) -> Option<f64> {
        let decides = matches!(rule, Rule::PerToken(_)) && self.tokens > 0;
        decides.then(|| self.per_token()).and_then(finite)
    }

    fn per_token(&self) -> f64 {
        match self.tokens {
            0 => f64::INFINITY,
            tokens => self.score / tokens as f64,
        }
    }

    /// By score per token, then by score, both best first, then by place in the input.
    fn compare(&self, other: &Self) -> Ordering {
        let best_first = |a: f64, b: f64| b.partial_cmp(&a).unwrap_or(a.is_nan().cmp(&b.is_nan()));
        best_first(self.per_token(), other.per_token())
            .then_with(|| best_first(self.score, other.score))
            .then_with(|| self.first.cmp(&other.first))
    }
}

/// Turns by where they stand.
#[derive(Default)]
struct Turns(HashMap<usize, Turn>);

impl Turns {
    /// Adds an item that costs so much in its form to the turn of its unit.
    fn add(
        &mut self,
        candidates: &Candidates,
        position: usize,
        score: f64,
        cost: i64,
    ) -> &mut Turn {
        let first = candidates.units().first(position);
        let new = Turn { first, tokens: 0, cost: 0, score, left: None };
        let turn = self.0.entry(first).or_insert(new);
        turn.tokens += i128::from(candidates.items()[position].tokens());
        turn.cost += i128::from(cost);
        turn.score = turn.score.max(score);
        turn
    }

    fn in_order(self) -> Vec<Turn> {
        let mut turns: Vec<_> = self.0.into_values().collect();
        turns.sort_by(Turn::compare);
        turns
    }
}

#[cfg(test)]
mod tests;
