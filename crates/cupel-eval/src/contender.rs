//! What is measured: policies, and baselines to compare them with.

use cupel::{ContextBudget, ContextItem, CupelError, Pipeline, RunContext, SelectionReport};

use crate::set::{Gold, Question, Set};

/// Something that fills a window, under a name.
#[derive(Debug, Clone)]
pub struct Contender {
    label: String,
    method: Method,
}

#[derive(Debug, Clone)]
enum Method {
    Policy(Box<Pipeline>),
    LastN,
    Ceiling,
}

impl Contender {
    /// The name of [`last_n`](Self::last_n).
    pub const LAST_N: &'static str = "last-n";
    /// The name of [`ceiling`](Self::ceiling).
    pub const CEILING: &'static str = "ceiling";

    /// A policy.
    pub fn policy(label: impl Into<String>, pipeline: Pipeline) -> Self {
        Self { label: label.into(), method: Method::Policy(Box::new(pipeline)) }
    }

    /// What programs do that cut a history: pinned items, then the newest until one does not fit.
    pub fn last_n() -> Self {
        Self { label: Self::LAST_N.to_owned(), method: Method::LastN }
    }

    /// What nobody can do without knowing the answer: the evidence itself, the most of it per token first. Where even
    /// that does not fit, no policy can have it all.
    pub fn ceiling() -> Self {
        Self { label: Self::CEILING.to_owned(), method: Method::Ceiling }
    }

    /// The baseline of that name.
    pub fn baseline(name: &str) -> Option<Self> {
        [Self::last_n(), Self::ceiling()].into_iter().find(|it| it.label == name)
    }

    /// Its name.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The same under another name.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The policy as it runs for `question`, if it is one.
    pub(crate) fn asked(&self, set: &Set, question: &Question) -> Option<Pipeline> {
        match &self.method {
            Method::Policy(pipeline) => {
                let context = context(set.candidates(question), question);
                Some(Pipeline::clone(pipeline).in_context(context))
            }
            _ => None,
        }
    }

    /// Which candidates of `question` are in its window of so many tokens.
    ///
    /// # Errors
    /// When the policy refuses the run.
    pub fn window(&self, set: &Set, question: &Question, tokens: i64) -> Result<Held, CupelError> {
        let items = set.candidates(question);
        match &self.method {
            Method::Policy(_) => {
                let pipeline = self.asked(set, question).expect("it is a policy");
                let report = pipeline.dry_run(items, &ContextBudget::builder(tokens).build()?)?;
                Ok(Held::of_report(&report, set, question))
            }
            Method::LastN => Ok(Held::new(last_n(items, tokens), set, question)),
            Method::Ceiling => {
                Ok(Held::new(ceiling(items, question.gold(), tokens), set, question))
            }
        }
    }
}

/// When and for what a question is asked: at the time of the newest candidate, so that equal sets have equal results.
fn context(items: &[ContextItem], question: &Question) -> RunContext {
    let newest = items.iter().filter_map(ContextItem::timestamp).max();
    newest.map_or_else(RunContext::new, RunContext::at).with_query(question.query().clone())
}

/// Which candidates are whole in a window, or say the same as one that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held(Vec<bool>);

impl Held {
    fn new(mut held: Vec<bool>, set: &Set, question: &Question) -> Self {
        let pool = set.pool_of(question);
        for position in 0..held.len() {
            held[pool.twin(position)] |= held[position];
        }
        for position in 0..held.len() {
            held[position] = held[pool.twin(position)];
        }
        Self(held)
    }

    fn of_report(report: &SelectionReport, set: &Set, question: &Question) -> Self {
        let mut held = vec![false; set.candidates(question).len()];
        let whole = report.included.iter().filter(|it| it.shortened.is_none());
        whole.filter_map(|it| it.index).for_each(|position| held[position] = true);
        Self::new(held, set, question)
    }

    /// Whether the candidate at `position` is.
    pub fn holds(&self, position: usize) -> bool {
        self.0[position]
    }
}

/// Pinned items, whatever they cost, then the newest up to the first that does not fit.
fn last_n(items: &[ContextItem], tokens: i64) -> Vec<bool> {
    let mut held: Vec<_> = items.iter().map(ContextItem::pinned).collect();
    let mut left = i128::from(tokens) - pinned_tokens(items);
    for (position, item) in items.iter().enumerate().rev().filter(|(_, item)| !item.pinned()) {
        left -= i128::from(item.tokens().max(0));
        if left < 0 {
            break;
        }
        held[position] = true;
    }
    held
}

/// Pinned items, then units with evidence: the most of it per token first, skipping what does not fit.
fn ceiling(items: &[ContextItem], gold: &Gold, tokens: i64) -> Vec<bool> {
    let mut held: Vec<_> = items.iter().map(ContextItem::pinned).collect();
    let mut left = i128::from(tokens) - pinned_tokens(items);
    let mut units = units(items, gold);
    // The greater share per token first, without dividing by nothing; what costs nothing before all else.
    units.sort_by(|a, b| (b.holds as i128 * a.tokens).cmp(&(a.holds as i128 * b.tokens)));
    for unit in units {
        if !held[unit.members[0]] && unit.tokens <= left {
            left -= unit.tokens;
            unit.members.iter().for_each(|it| held[*it] = true);
        }
    }
    held
}

/// Candidates that are in or out together, at least one of them with evidence.
struct Unit {
    members: Vec<usize>,
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
            let tokens = members.iter().map(|it| i128::from(items[*it].tokens().max(0))).sum();
            units.push(Unit { members, tokens, holds: 0 });
        }
        units[at].holds += piece.covers.len();
    }
    units
}

fn pinned_tokens(items: &[ContextItem]) -> i128 {
    items.iter().filter(|it| it.pinned()).map(|it| i128::from(it.tokens().max(0))).sum()
}
