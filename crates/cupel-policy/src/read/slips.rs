//! Keys that mean nothing and are nobody's business, unless they look like a slip of the pen.

use std::collections::HashMap;

use super::is_slip;
use crate::error::{MAX_PROBLEMS, Problem, ProblemKind, Problems};
use crate::json::{Member, Path};

/// An unknown key that looks like a misspelt known one.
#[derive(Debug, Clone, PartialEq)]
pub struct Slip {
    /// The key, where it first occurs, and what was probably meant.
    pub problem: Problem,
    /// How often it occurs.
    pub times: usize,
}

/// The slips of a document, each key once.
#[derive(Debug, Default)]
pub(crate) struct Slips {
    /// Every unknown key so far, and where it stands below if it is a slip. Objects tend to have the
    /// keys of the one before, and looking a key up is cheaper than judging it again.
    judged: HashMap<String, Option<usize>>,
    first: Problems,
    times: Vec<usize>,
}

impl Slips {
    /// Notes an unknown key of the object at `path`, which knows the keys `known`.
    pub(crate) fn note(&mut self, member: &Member<'_>, path: &Path<'_>, known: &[&'static str]) {
        if let Some(judged) = self.judged.get(&*member.key) {
            if let Some(slip) = *judged {
                self.times[slip] += 1;
            }
            return;
        }
        let meant = known.iter().find(|known| is_slip(&member.key, known));
        let slip = meant.filter(|_| self.times.len() < MAX_PROBLEMS).map(|meant| {
            let kind = ProblemKind::UnknownKey {
                key: member.key.to_string(),
                allowed: known.iter().map(|known| (*known).to_owned()).collect(),
                suggestion: Some((*meant).to_owned()),
            };
            self.first.add(member.at, &path.key(&member.key), kind);
            self.times.push(1);
            self.times.len() - 1
        });
        self.judged.insert(member.key.to_string(), slip);
    }

    /// The slips in their order in `text`.
    pub(crate) fn locate(self, text: &str) -> Vec<Slip> {
        let first = self.first.locate(text).into_iter();
        first.zip(self.times).map(|(problem, times)| Slip { problem, times }).collect()
    }
}
