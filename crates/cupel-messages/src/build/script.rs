//! Who says what when: steps of a builder made into turns, and those that make no sense refused.

use std::collections::{BTreeMap, BTreeSet};

use super::{Image, Json, an_object, unbuildable};
use crate::provider::First;
use crate::{Error, Format};

/// What a builder was told.
#[derive(Debug, Clone)]
pub(super) enum Step {
    User(String),
    Image(Image),
    Assistant(String),
    Call(ToolCall),
    Result { id: String, text: String },
}

/// A call of a tool.
#[derive(Debug, Clone)]
pub(super) struct ToolCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Json,
}

/// What one side says before another does.
#[derive(Debug)]
pub(super) enum Turn<'a> {
    User(Vec<Shown<'a>>),
    Model(Vec<Done<'a>>),
    Tools(Vec<Returned<'a>>),
}

/// What the user says or shows.
#[derive(Debug)]
pub(super) enum Shown<'a> {
    Words(&'a str),
    Image(&'a Image),
}

/// What the model says or does.
#[derive(Debug)]
pub(super) enum Done<'a> {
    Words(&'a str),
    Call(Called<'a>),
}

/// A call whose arguments are an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Called<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
}

/// What a tool returned.
#[derive(Debug)]
pub(super) struct Returned<'a> {
    pub(super) call: Called<'a>,
    pub(super) text: &'a str,
}

/// The turns that steps make.
pub(super) fn turns(steps: &[Step], format: Format) -> Result<Vec<Turn<'_>>, Error> {
    let mut script = Script::default();
    for step in steps {
        script.take(step)?;
    }
    let refused = match (script.turns.first(), format.provider().rules().first) {
        (None, _) => {
            let problem = "there is no message; add one with user(..)";
            return Err(unbuildable("build()".to_owned(), problem));
        }
        (Some(Turn::Model(_)), First::User) => true,
        (Some(Turn::Model(done)), First::NoCall) => {
            done.iter().any(|done| matches!(done, Done::Call(_)))
        }
        _ => false,
    };
    if refused {
        let step =
            steps.iter().find(|step| !step.says_nothing()).map_or_else(String::new, Step::shown);
        let problem = format!("{format} wants the user to speak first; begin with user(..)");
        return Err(unbuildable(step, problem));
    }
    Ok(script.turns)
}

/// What was said so far.
#[derive(Default)]
struct Script<'a> {
    turns: Vec<Turn<'a>>,
    calls: BTreeMap<&'a str, Called<'a>>,
    /// The calls without a result.
    waiting: BTreeSet<&'a str>,
}

impl<'a> Script<'a> {
    fn take(&mut self, step: &'a Step) -> Result<(), Error> {
        match step {
            _ if step.says_nothing() => Ok(()),
            Step::User(words) => self.user(Shown::Words(words), step),
            Step::Image(image) => self.user(Shown::Image(image), step),
            Step::Assistant(words) => self.model(Done::Words(words), step),
            Step::Call(call) => self.call(call, step),
            Step::Result { id, text } => self.result(id, text, step),
        }
    }

    fn user(&mut self, shown: Shown<'a>, step: &Step) -> Result<(), Error> {
        self.nothing_waits(step)?;
        match self.turns.last_mut() {
            Some(Turn::User(turn)) => turn.push(shown),
            _ => self.turns.push(Turn::User(vec![shown])),
        }
        Ok(())
    }

    fn model(&mut self, done: Done<'a>, step: &Step) -> Result<(), Error> {
        if let Some(Turn::Model(turn)) = self.turns.last_mut() {
            turn.push(done);
            return Ok(());
        }
        self.nothing_waits(step)?;
        self.turns.push(Turn::Model(vec![done]));
        Ok(())
    }

    fn call(&mut self, call: &'a ToolCall, step: &Step) -> Result<(), Error> {
        let arguments = an_object(&call.arguments, "its arguments", || step.shown())?;
        let called = Called { id: &call.id, name: &call.name, arguments };
        self.model(Done::Call(called), step)?;
        if self.calls.insert(&call.id, called).is_some() {
            let problem = "a call before it has the same id; give each its own";
            return Err(unbuildable(step.shown(), problem));
        }
        self.waiting.insert(&call.id);
        Ok(())
    }

    fn result(&mut self, id: &'a str, text: &'a str, step: &Step) -> Result<(), Error> {
        let Some(&call) = self.calls.get(id) else {
            let waiting = match self.waiting.first() {
                Some(waiting) => format!("{waiting:?} waits for a result"),
                None => format!("add call({id:?}, ..)"),
            };
            return Err(unbuildable(
                step.shown(),
                format!("nothing called {id:?} before it; {waiting}"),
            ));
        };
        if !self.waiting.remove(id) {
            return Err(unbuildable(step.shown(), "this call has a result already"));
        }
        let returned = Returned { call, text };
        match self.turns.last_mut() {
            Some(Turn::Tools(turn)) => turn.push(returned),
            _ => self.turns.push(Turn::Tools(vec![returned])),
        }
        Ok(())
    }

    /// Nobody speaks before all results of the calls are there.
    fn nothing_waits(&self, step: &Step) -> Result<(), Error> {
        let Some(waiting) = self.waiting.first() else { return Ok(()) };
        let problem = format!(
            "the call {waiting:?} has no result yet; add result({waiting:?}, ..) before it"
        );
        Err(unbuildable(step.shown(), problem))
    }
}

impl Step {
    /// Providers refuse words that are none.
    fn says_nothing(&self) -> bool {
        matches!(self, Self::User(words) | Self::Assistant(words) if words.trim().is_empty())
    }

    /// What was written to make it, cut to the length of a line.
    fn shown(&self) -> String {
        let clipped = |text: &str| {
            let start: String = text.chars().take(40).collect();
            if start.len() < text.len() { format!("{start:?}..") } else { format!("{start:?}") }
        };
        match self {
            Self::User(words) => format!("user({})", clipped(words)),
            Self::Image(_) => "image(..)".to_owned(),
            Self::Assistant(words) => format!("assistant({})", clipped(words)),
            Self::Call(call) => format!("call({:?}, {:?})", call.id, call.name),
            Self::Result { id, .. } => format!("result({id:?})"),
        }
    }
}
