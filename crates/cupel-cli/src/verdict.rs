//! What decided about each candidate, beyond the reason that the report gives.
//!
//! The report says that an item exceeded the budget. Under a greedy slicer that means: when its turn
//! came, which is by score *per token*, less was left than it takes. Under a knapsack it means that
//! another choice is worth more. Both are worked out here, for text and JSON alike.

use std::cmp::Ordering;

use cupel::{ExclusionReason, InclusionReason, SelectionReport};
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

/// The verdicts on all candidates, in the order of the input.
pub(crate) fn verdicts(
    rule: Rule,
    candidates: &Candidates,
    report: &SelectionReport,
) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::default(); candidates.items().len()];
    let mut taken = Vec::new();
    for it in &report.included {
        if it.reason == InclusionReason::Pinned {
            continue;
        }
        let turn = Turn::new(candidates.position(&it.item), it.item.tokens(), it.score);
        verdicts[turn.position] = turn.verdict(rule);
        taken.push(turn);
    }
    taken.sort_by(Turn::compare);
    // What those take that come after a position in that order.
    let mut later = vec![0_i128; taken.len() + 1];
    for at in (0..taken.len()).rev() {
        later[at] = later[at + 1] + i128::from(taken[at].tokens);
    }
    for it in &report.excluded {
        let turn = Turn::new(candidates.position(&it.item), it.item.tokens(), it.score);
        let verdict = &mut verdicts[turn.position];
        *verdict = match it.reason {
            // These never had a turn.
            ExclusionReason::Deduplicated { .. } | ExclusionReason::NegativeTokens { .. } => {
                turn.verdict(Rule::Custom)
            }
            _ => turn.verdict(rule),
        };
        let ExclusionReason::BudgetExceeded { available_tokens, .. } = it.reason else { continue };
        let Rule::PerToken(scope) = rule else { continue };
        let before = taken.partition_point(|other| other.compare(&turn) == Ordering::Less);
        let same_kind = |other: &&Turn| {
            let items = candidates.items();
            scope != Scope::Share || items[other.position].kind() == it.item.kind()
        };
        verdict.beaten_by = taken[..before].iter().rev().find(same_kind).map(|it| it.position);
        let room = i128::from(available_tokens) + later[before];
        // Where something else than its turn kept it out, what was left then explains nothing.
        if scope == Scope::Window && room < i128::from(turn.tokens) {
            verdict.room = i64::try_from(room).ok();
        }
    }
    verdicts
}

/// When a greedy slicer comes to an item.
#[derive(Debug)]
struct Turn {
    position: usize,
    tokens: i64,
    score: f64,
}

impl Turn {
    fn new(position: usize, tokens: i64, score: f64) -> Self {
        Self { position, tokens, score }
    }

    fn verdict(&self, rule: Rule) -> Verdict {
        let decides = matches!(rule, Rule::PerToken(_)) && self.tokens > 0;
        let per_token = decides.then(|| self.per_token()).filter(|it| it.is_finite());
        let score = Some(self.score).filter(|score| score.is_finite());
        Verdict { score, per_token, ..Verdict::default() }
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
            .then_with(|| self.position.cmp(&other.position))
    }
}

#[cfg(test)]
mod tests;
