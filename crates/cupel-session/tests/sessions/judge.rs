//! Judges of what is sent, written from the rules.

use cupel_messages::{Format, Request, Severity, validate};

use crate::provider::{Seen, seen};

/// What the provider would refuse.
pub(crate) fn refused(text: &str, format: Format) -> Vec<String> {
    let problems = validate(&Request::read_as(text, format).unwrap());
    let refused = problems.into_iter().filter(|problem| problem.severity == Severity::Invalid);
    refused.map(|problem| format!("{:?} {problem}", problem.rule)).collect()
}

/// Newer Claude models bind thinking to everything that was sent before it: as long as a thinking block is sent, what
/// stands before it is what stood before it when it was first sent.
#[derive(Debug, Default)]
pub(crate) struct BoundThinking {
    before: Vec<Seen>,
}

impl BoundThinking {
    /// What is wrong with the next request.
    pub(crate) fn check(&mut self, format: Format, text: &str) -> Result<(), String> {
        let now = seen(format, text);
        let same = self.before.iter().zip(&now).take_while(|(one, other)| one.what == other.what);
        let same = same.count();
        // Thinking at or behind the first change was bound to what is no more: what came from the model since then was
        // said in answer to the request before.
        let late = now.iter().skip(same).position(|block| block.thinks);
        let broken = same < self.before.len();
        self.before = now;
        match late.filter(|_| broken) {
            Some(at) => {
                Err(format!("thinking in block {}, behind the change in block {same}", same + at))
            }
            None => Ok(()),
        }
    }
}
