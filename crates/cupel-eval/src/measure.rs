//! Runs every contender on every question at every budget.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cupel::CupelError;

use crate::budget::Size;
use crate::contender::Contender;
use crate::set::{Question, Set};

/// What is to be measured: who, on what, at which budgets.
///
/// ```
/// use cupel_eval::{Bootstrap, Contender, Evaluation, Set, Size};
///
/// let set = Set::parse(
///     r#"{"pool": "p", "items": [{"id": "a", "content": "Fines are waived."}, {"id": "b", "content": "We open at nine."}]}
///        {"question": "When do we open?", "pool": "p", "gold": ["b"]}
///        {"question": "Is there a fine?", "pool": "p", "gold": ["a"]}"#,
/// )?;
/// let contenders = [Contender::last_n(), Contender::ceiling()];
/// let recalls = Evaluation::new(&set, &contenders, &[Size::Tokens(5)]).run(2, |_| {})?;
/// let summary = recalls.summary(&Bootstrap::default());
/// assert_eq!(summary.contenders[0].overall.mean, 0.5);
/// assert_eq!(summary.contenders[1].overall.mean, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Evaluation<'e> {
    set: &'e Set,
    contenders: &'e [Contender],
    sizes: &'e [Size],
}

impl<'e> Evaluation<'e> {
    /// Every contender on every question of the set, at every size.
    pub fn new(set: &'e Set, contenders: &'e [Contender], sizes: &'e [Size]) -> Self {
        Self { set, contenders, sizes }
    }

    /// Measures on so many threads, at least one; how many does not change the result. `done` is told of each question that
    /// is done, from whichever thread.
    ///
    /// # Errors
    /// When a policy refuses a run: the first one in the order of the questions.
    pub fn run(
        &self,
        threads: usize,
        done: impl Fn(&Question) + Sync,
    ) -> Result<Recalls, RunError> {
        let questions = self.set.questions();
        let next = AtomicUsize::new(0);
        // After an error only the questions before it matter.
        let (end, errors) = (AtomicUsize::new(questions.len()), Mutex::new(Vec::new()));
        let work = || {
            let mut measured = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= end.load(Ordering::Relaxed) {
                    return measured;
                }
                match self.question(&questions[at]) {
                    Ok(recalls) => measured.push((at, recalls)),
                    Err(error) => {
                        end.fetch_min(at, Ordering::Relaxed);
                        errors.lock().expect("no thread panics with it").push((at, error));
                    }
                }
                done(&questions[at]);
            }
        };
        let mut measured: Vec<(usize, Vec<f64>)> = thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others = workers.into_iter().flat_map(|it| it.join().expect("runs do not panic"));
            own.into_iter().chain(others).collect()
        });
        let errors = errors.into_inner().expect("no thread panics with it");
        if let Some((_, error)) = errors.into_iter().min_by_key(|(at, _)| *at) {
            return Err(error);
        }
        measured.sort_unstable_by_key(|(at, _)| *at);
        Ok(Recalls {
            labels: self.contenders.iter().map(|it| it.label().to_owned()).collect(),
            sizes: self.sizes.to_vec(),
            by_question: measured.into_iter().map(|(_, recalls)| recalls).collect(),
        })
    }

    /// The recalls of one question: contender by contender, size by size.
    fn question(&self, question: &Question) -> Result<Vec<f64>, RunError> {
        let mut recalls = Vec::with_capacity(self.contenders.len() * self.sizes.len());
        for contender in self.contenders {
            for size in self.sizes {
                let tokens = size.tokens(self.set.candidates(question));
                let held =
                    contender.window(self.set, question, tokens).map_err(|error| RunError {
                        question: question.id().to_owned(),
                        contender: contender.label().to_owned(),
                        tokens,
                        error,
                    })?;
                recalls.push(question.gold().recall(|item| held.form(item)));
            }
        }
        Ok(recalls)
    }
}

/// A run that a policy refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RunError {
    /// The question's id.
    pub question: String,
    /// Who refused.
    pub contender: String,
    /// The budget.
    pub tokens: i64,
    /// Why.
    pub error: CupelError,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { question, contender, tokens, error } = self;
        write!(f, "question {question:?}, {contender} at {tokens} tokens: {error}")
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The recall of every contender on every question at every size.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalls {
    pub(crate) labels: Vec<String>,
    pub(crate) sizes: Vec<Size>,
    /// Of each question: contender by contender, size by size.
    pub(crate) by_question: Vec<Vec<f64>>,
}

impl Recalls {
    /// The share of the evidence, from 0 to 1, that `contender` has of `question` at the size number `size`.
    pub fn recall(&self, question: usize, contender: usize, size: usize) -> f64 {
        self.by_question[question][contender * self.sizes.len() + size]
    }

    /// The mean over all sizes.
    pub fn overall(&self, question: usize, contender: usize) -> f64 {
        let recalls = (0..self.sizes.len()).map(|size| self.recall(question, contender, size));
        recalls.sum::<f64>() / self.sizes.len() as f64
    }

    /// How many questions there are.
    pub fn questions(&self) -> usize {
        self.by_question.len()
    }

    /// The contenders' names.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The sizes.
    pub fn sizes(&self) -> &[Size] {
        &self.sizes
    }
}
