//! Reports as data for other programs: keys in snake_case, as the engine's reports have them.

use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use crate::{
    Fitted, Format, MessageReport, Outcome, Problem, Repair, RepairKind, Role, Rule, Severity,
    Tokens, Why,
};

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Tokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tokens = serializer.serialize_struct("Tokens", 6)?;
        tokens.serialize_field("system", &self.system)?;
        tokens.serialize_field("tools", &self.tools)?;
        tokens.serialize_field("messages", &self.messages)?;
        tokens.serialize_field("media", &self.media)?;
        tokens.serialize_field("request", &self.request)?;
        tokens.serialize_field("total", &self.total())?;
        tokens.end()
    }
}

impl Serialize for Fitted {
    /// Everything but the request itself and the engine's own report.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fitted = serializer.serialize_struct("Fitted", 6)?;
        fitted.serialize_field("budget", &self.budget)?;
        fitted.serialize_field("counted_by", &self.basis.to_string())?;
        fitted.serialize_field("tokens", &self.tokens)?;
        fitted.serialize_field("tokens_before", &self.before)?;
        fitted.serialize_field("messages", &self.messages)?;
        fitted.serialize_field("repairs", &self.repairs)?;
        fitted.end()
    }
}

impl Serialize for MessageReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_map(None)?;
        report.serialize_entry("index", &self.index)?;
        report.serialize_entry("path", &self.path)?;
        report.serialize_entry("role", &self.role)?;
        report.serialize_entry("turn", &self.turn)?;
        report.serialize_entry("unit", &self.unit)?;
        report.serialize_entry("tokens", &self.tokens)?;
        report.serialize_entry("sent", &self.sent)?;
        report.serialize_entry("outcome", self.outcome.name())?;
        if let Outcome::Shortened { form, forms } = self.outcome {
            report.serialize_entry("form", &form)?;
            report.serialize_entry("forms", &forms)?;
        }
        report.serialize_entry("edited", &self.edited)?;
        report.serialize_entry("reason", self.why.name())?;
        report.serialize_entry("why", &self.why.to_string())?;
        if let Some(score) = self.score {
            report.serialize_entry("score", &score)?;
        }
        report.end()
    }
}

impl Outcome {
    /// Its name as data: `kept`, `shortened`, `left_out`, `dropped`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Shortened { .. } => "shortened",
            Self::LeftOut => "left_out",
            Self::Dropped => "dropped",
        }
    }
}

impl Why {
    /// Its name as data; for what the engine left out, the engine's name of the reason.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Fits => "Fits",
            Self::Pinned(_) => "Pinned",
            Self::Scored => "Scored",
            Self::Excluded(reason) => reason.name(),
            Self::InBefore => "InBefore",
            Self::LeftOutBefore => "LeftOutBefore",
            Self::TurnLeftOut => "TurnLeftOut",
            Self::Refused => "Refused",
        }
    }
}

impl RepairKind {
    /// The variant's name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "Answered",
            Self::CallDropped { .. } => "CallDropped",
            Self::OrphanDropped { .. } => "OrphanDropped",
            Self::AnswersMovedFirst => "AnswersMovedFirst",
            Self::ReasoningDropped => "ReasoningDropped",
            Self::LeadingDropped => "LeadingDropped",
            Self::SystemDropped => "SystemDropped",
            Self::WordsBeforeCallDropped => "WordsBeforeCallDropped",
            Self::Merged { .. } => "Merged",
            Self::ThinkingStripped { .. } => "ThinkingStripped",
        }
    }
}

impl Serialize for Repair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut repair = serializer.serialize_map(None)?;
        repair.serialize_entry("message", &self.message)?;
        repair.serialize_entry("path", &self.path)?;
        repair.serialize_entry("repair", self.kind.name())?;
        match &self.kind {
            RepairKind::Answered { id, name } => {
                repair.serialize_entry("id", id)?;
                repair.serialize_entry("name", name)?;
            }
            RepairKind::CallDropped { id } | RepairKind::OrphanDropped { id } => {
                repair.serialize_entry("id", id)?
            }
            RepairKind::Merged { into } => repair.serialize_entry("into", into)?,
            RepairKind::ThinkingStripped { tokens, current_turn } => {
                repair.serialize_entry("tokens", tokens)?;
                repair.serialize_entry("current_turn", current_turn)?;
            }
            _ => {}
        }
        repair.serialize_entry("text", &self.to_string())?;
        repair.end()
    }
}

impl Rule {
    /// The variant's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "Empty",
            Self::CallWithoutAnswer => "CallWithoutAnswer",
            Self::AnswerWithoutCall => "AnswerWithoutCall",
            Self::AnsweredTwice => "AnsweredTwice",
            Self::AnswersFirst => "AnswersFirst",
            Self::UserFirst => "UserFirst",
            Self::RolesAlternate => "RolesAlternate",
            Self::ReasoningAlone => "ReasoningAlone",
            Self::ServerToolSplit => "ServerToolSplit",
            Self::SystemPlace => "SystemPlace",
            Self::CallPlace => "CallPlace",
            Self::AssistantLast => "AssistantLast",
            Self::Signature => "Signature",
            Self::CacheBreakpoints => "CacheBreakpoints",
            Self::TooManyMessages => "TooManyMessages",
        }
    }
}

impl Severity {
    /// Its name as data: `invalid` or `unfinished`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Unfinished => "unfinished",
        }
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut problem = serializer.serialize_struct("Problem", 6)?;
        problem.serialize_field("message", &self.message)?;
        problem.serialize_field("path", &self.path)?;
        problem.serialize_field("rule", self.rule.name())?;
        problem.serialize_field("severity", self.severity.name())?;
        problem.serialize_field("text", &self.text)?;
        problem.serialize_field("provider_says", &self.provider_says)?;
        problem.end()
    }
}
