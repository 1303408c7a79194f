//! Can a message simply be put behind what is there?
//!
//! Mending, pairing and merging look at a whole conversation. A conversation that grows by well-formed steps needs
//! none of it, and whether a step is one can be told from how the conversation ends: that costs the step and not the
//! history. What is not told to follow may still be fine; then the whole has to be looked at.

use std::collections::BTreeSet;

use super::pairs::only_answers;
use crate::model::{Message, PartKind, Role};
use crate::{Format, Request};

/// How a conversation ends, for whoever puts messages to it.
///
/// ```
/// use cupel_messages::{Ending, Request};
///
/// let mut request = Request::read(r#"[{"role": "user", "content": "hi"}]"#)?;
/// let mut ending = Ending::of(&request);
/// request.push(r#"{"role": "assistant", "content": "hello"}"#)?;
/// assert!(ending.follows(&request.messages()[1]));
/// request.push(r#"{"role": "tool", "tool_call_id": "c1", "content": "an answer to nothing"}"#)?;
/// assert!(!ending.follows(&request.messages()[2]));
/// # Ok::<(), cupel_messages::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ending {
    format: Format,
    last: Option<Last>,
    /// Ids of calls that wait for an answer.
    open: BTreeSet<String>,
    /// Ids that were used, where an answer may come at any time after its call.
    used: BTreeSet<String>,
    /// Whether something came that does not simply follow.
    broken: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Last {
    role: Role,
    /// Reasoning by itself, which something must follow.
    reasons: bool,
}

impl Ending {
    /// How a conversation ends.
    pub fn of(request: &Request) -> Self {
        let mut ending = Self {
            format: request.format(),
            last: None,
            open: BTreeSet::new(),
            used: BTreeSet::new(),
            broken: request.keeps_history(),
        };
        for message in request.messages() {
            if !ending.follows(message) {
                // Ids that were not looked at may come again.
                break;
            }
        }
        ending
    }

    /// Whether everything so far simply followed, and the conversation may be sent as it is.
    pub fn is_sound(&self) -> bool {
        !self.broken && !self.last.is_some_and(|last| last.reasons)
    }

    /// Whether a message simply follows: nothing before it needs mending, merging or moving because of it.
    pub fn follows(&mut self, message: &Message) -> bool {
        if !self.broken {
            self.broken = !self.takes(message);
        }
        !self.broken
    }

    fn takes(&mut self, message: &Message) -> bool {
        let (before, role) = (self.last, message.role);
        let reasons = self.format == Format::OpenAiResponses && message.has(&PartKind::Thinking);
        if message.signed || message.parts.is_empty() {
            return false;
        }
        let in_place = match self.format {
            Format::OpenAiChat => true,
            Format::OpenAiResponses => {
                !before.is_some_and(|it| it.reasons) || role == Role::Assistant
            }
            // Roles alternate, and the user begins; answers are the user's.
            Format::Anthropic | Format::Gemini => match before.map(|it| it.role) {
                None => role == Role::User,
                Some(Role::Assistant) => matches!(role, Role::User | Role::Tool),
                Some(Role::User | Role::Tool) => role == Role::Assistant,
                Some(Role::System) => false,
            },
        };
        if !in_place {
            return false;
        }
        let taken = match role {
            Role::Tool => self.answered(message),
            Role::Assistant => {
                // Calls of one step may come as several items, before the first of their answers.
                let goes_on = self.format == Format::OpenAiResponses
                    && before.is_some_and(|it| it.role == Role::Assistant);
                (self.open.is_empty() || goes_on) && self.called(message)
            }
            Role::User | Role::System => self.open.is_empty(),
        };
        self.last = Some(Last { role, reasons });
        taken
    }

    /// Takes note of calls; false if an id is used twice or missing.
    fn called(&mut self, message: &Message) -> bool {
        let anywhere = self.format == Format::OpenAiResponses;
        message.calls().all(|(_, call)| {
            let Some(id) = &call.id else { return false };
            let new = !anywhere || self.used.insert(id.clone());
            self.open.insert(id.clone()) && new
        })
    }

    /// Takes note of answers; false unless each is to a call that waits, and nothing else stands beside them.
    fn answered(&mut self, message: &Message) -> bool {
        let all = message
            .answers()
            .all(|(_, answer)| answer.id.as_ref().is_some_and(|id| self.open.remove(id)));
        // Where answers are parts, all of them come in one message.
        let complete = matches!(self.format, Format::OpenAiChat | Format::OpenAiResponses)
            || self.open.is_empty();
        all && complete && only_answers(message)
    }
}
