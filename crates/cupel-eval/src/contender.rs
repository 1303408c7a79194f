//! What is measured: policies, and baselines to compare them with.

use cupel::{ContextBudget, ContextItem, CupelError, Pipeline, RunContext, SelectionReport};

use crate::ceiling::ceiling;
use crate::set::{Question, Set};

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

    /// What nobody can do without knowing the answer: the evidence itself, as much of it as fits, in the shortest forms that
    /// still hold it. Where even that is not all, no policy can have it all.
    ///
    /// Where several items hold the same characters, each counts for itself while they are chosen, so that a little more may be
    /// possible than it finds.
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

/// Which candidates are in a window, or say the same as one that is, and in which of their forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held(Vec<Option<usize>>);

impl Held {
    fn new(mut held: Vec<Option<usize>>, set: &Set, question: &Question) -> Self {
        let pool = set.pool_of(question);
        for position in 0..held.len() {
            let twin = pool.twin(position);
            held[twin] = longer(held[twin], held[position]);
        }
        for position in 0..held.len() {
            held[position] = longer(held[position], held[pool.twin(position)]);
        }
        Self(held)
    }

    fn of_report(report: &SelectionReport, set: &Set, question: &Question) -> Self {
        let mut held = vec![None; set.candidates(question).len()];
        for included in &report.included {
            if let Some(position) = included.index {
                held[position] = Some(included.shortened.map_or(0, |it| it.form));
            }
        }
        Self::new(held, set, question)
    }

    /// In which form the candidate at `position` is there, if it is: 0 is the whole, 1 the longest of its shorter forms.
    pub fn form(&self, position: usize) -> Option<usize> {
        self.0[position]
    }
}

/// Of two forms of one text, the one that says more.
fn longer(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    one.into_iter().chain(other).min()
}

/// Pinned items, whatever they cost, then the newest up to the first that does not fit.
fn last_n(items: &[ContextItem], tokens: i64) -> Vec<Option<usize>> {
    let mut held = pinned(items);
    let mut left = i128::from(tokens) - pinned_tokens(items);
    for (position, item) in items.iter().enumerate().rev().filter(|(_, item)| !item.pinned()) {
        left -= i128::from(item.tokens().max(0));
        if left < 0 {
            break;
        }
        held[position] = Some(0);
    }
    held
}

/// What a form of an item costs.
pub(crate) fn tokens_of(item: &ContextItem, form: usize) -> i128 {
    let shorter = form.checked_sub(1).and_then(|shorter| item.variants().get(shorter));
    i128::from(shorter.map_or(item.tokens(), |it| it.tokens()).max(0))
}

pub(crate) fn pinned(items: &[ContextItem]) -> Vec<Option<usize>> {
    items.iter().map(|it| it.pinned().then_some(0)).collect()
}

pub(crate) fn pinned_tokens(items: &[ContextItem]) -> i128 {
    items.iter().filter(|it| it.pinned()).map(|it| tokens_of(it, 0)).sum()
}
