//! One turn of everybody on the same passages.

use std::hint::black_box;
use std::time::Duration;

use cupel::ContextItem;
use cupel_relevance::RelevanceScorer;

use crate::passages::items;
use crate::peer::{Peers, Theirs};
use crate::theirs::Tantivy;
use crate::{floor, ours};

/// Seconds on the processor to answer one question, and what was found for the first one.
#[derive(Debug)]
pub(crate) struct Asked {
    /// From the texts.
    pub(crate) cold: f64,
    /// From what was indexed before.
    pub(crate) kept: f64,
    pub(crate) top: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) floor: f64,
    pub(crate) ours: Asked,
    pub(crate) in_documents: Asked,
    pub(crate) tantivy: Asked,
    pub(crate) python: Option<Theirs>,
}

/// The same passages for everybody, and everybody's index of them.
pub(crate) struct Field<'p> {
    passages: &'p [String],
    ours: Ours,
    in_documents: Ours,
    tantivy: Tantivy,
}

struct Ours {
    items: Vec<ContextItem>,
    scorer: RelevanceScorer,
}

impl Ours {
    fn of(passages: &[String], in_documents: bool) -> Self {
        let items = items(passages, in_documents);
        Self { scorer: ours::indexed(&items), items }
    }

    fn ask(&self, questions: &[String]) -> Asked {
        asked(
            questions,
            |question| ours::cold(&self.items, question),
            |question| ours::top(&self.scorer, &self.items, question),
        )
    }
}

impl<'p> Field<'p> {
    pub(crate) fn of(passages: &'p [String]) -> Result<Self, String> {
        let tantivy = Tantivy::of(passages);
        if tantivy.segments() != 1 {
            return Err(format!("tantivy made {} segments instead of one", tantivy.segments()));
        }
        let (ours, in_documents) = (Ours::of(passages, false), Ours::of(passages, true));
        Ok(Self { passages, ours, in_documents, tantivy })
    }

    /// Who goes first changes from turn to turn, so that none always follows the same one.
    pub(crate) fn turn(
        &self,
        number: u64,
        questions: &[String],
        peers: Option<&mut Peers>,
    ) -> Result<Turn, String> {
        let (mut floor, mut ours, mut in_documents, mut tantivy) = (0.0, None, None, None);
        for contender in 0..4 {
            match (contender + number) % 4 {
                0 => floor = seconds_of_second(|| floor::split(&self.ours.items)),
                1 => ours = Some(self.ours.ask(questions)),
                2 => in_documents = Some(self.in_documents.ask(questions)),
                _ => tantivy = Some(self.ask_tantivy(questions)),
            }
        }
        let (Some(ours), Some(in_documents), Some(tantivy)) = (ours, in_documents, tantivy) else {
            unreachable!("each had its turn");
        };
        let python = peers.map(|peers| peers.ask(questions)).transpose()?;
        Ok(Turn { floor, ours, in_documents, tantivy, python })
    }

    fn ask_tantivy(&self, questions: &[String]) -> Asked {
        asked(
            questions,
            |question| Tantivy::of(self.passages).top(question),
            |question| self.tantivy.top(question),
        )
    }

    /// Bytes of tantivy's index.
    pub(crate) fn tantivy_bytes(&self) -> u64 {
        self.tantivy.bytes()
    }
}

/// One question from the texts, all of them from an index.
fn asked(
    questions: &[String],
    cold: impl Fn(&str) -> Vec<usize>,
    kept: impl Fn(&str) -> Vec<usize>,
) -> Asked {
    let first = &questions[0];
    let all = || questions.iter().map(|question| kept(question)).collect::<Vec<_>>();
    Asked {
        cold: seconds_of_second(|| cold(first)),
        kept: seconds_of_second(all) / questions.len() as f64,
        top: kept(first),
    }
}

/// Seconds of the second time: the first one brings memory and caches into the same state for everybody.
pub(crate) fn seconds_of_second<T>(work: impl Fn() -> T) -> f64 {
    black_box(work());
    let start = clock();
    let result = black_box(work());
    let spent = clock() - start;
    drop(result);
    spent.as_secs_f64()
}

/// How long all threads of this process have been on processors.
#[cfg(unix)]
fn clock() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn clock() -> Duration {
    crate::timing::clock()
}
