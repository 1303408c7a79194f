//! What became of messages, in words for people.

use std::collections::HashMap;
use std::fmt::Write;

use cupel_messages::{
    Fitted, Media, Message, MessageReport, Outcome, PartKind, Pin, Repair, Role, Why,
};

use crate::render::{REASONS, count, grouped, plural};

/// The name of the reason of a message whose turn is out.
pub(crate) const TURN_LEFT_OUT: &str = "TurnLeftOut";
/// The name of the reason of a message that the provider would refuse.
pub(crate) const REFUSED: &str = "Refused";

/// Who speaks, and whether it is to tools.
pub(crate) fn label(message: &Message) -> &'static str {
    match message.role() {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant if calls(message).next().is_some() => "tool call",
        Role::Assistant => "assistant",
        Role::Tool => "tool result",
    }
}

/// The tools that a message calls.
pub(crate) fn calls(message: &Message) -> impl Iterator<Item = &str> {
    message.parts().iter().filter_map(|part| match part.kind() {
        PartKind::Call(call) => Some(call.name.as_str()),
        _ => None,
    })
}

/// What a message says, with a word for what cannot be read.
pub(crate) fn shown(message: &Message) -> String {
    let mut text = String::new();
    let kinds = [
        (PartKind::Media(Media::Image), "image"),
        (PartKind::Media(Media::Audio), "recording"),
        (PartKind::Media(Media::Video), "video"),
        (PartKind::Media(Media::File), "file"),
        (PartKind::Thinking, "thought"),
        (PartKind::Opaque, "block of the provider's"),
    ];
    for (kind, name) in kinds {
        match message.parts().iter().filter(|part| *part.kind() == kind).count() {
            0 => {}
            1 => _ = write!(text, "[{name}] "),
            many => _ = write!(text, "[{}] ", plural(many, name)),
        }
    }
    text.push_str(&message.words());
    text
}

/// The messages that each belongs together with, by the calls and answers in them; itself among them.
pub(crate) fn units(fitted: &Fitted) -> Vec<Vec<usize>> {
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    for it in &fitted.messages {
        members.entry(it.unit).or_default().push(it.index);
    }
    fitted.messages.iter().map(|it| members[&it.unit].clone()).collect()
}

/// The name of the reason why a message is in or out.
pub(crate) fn reason(report: &MessageReport) -> &'static str {
    match &report.why {
        Why::Fits => "Fits",
        Why::Pinned(pin) => match pin {
            Pin::System => "System",
            Pin::CurrentTurn => "CurrentTurn",
            Pin::First => "KeptFirst",
            Pin::Last => "KeptLast",
            Pin::Pattern => "PinnedByPattern",
            Pin::Hint => "PinnedByHint",
            Pin::Summary => "Summary",
            _ => "Together",
        },
        Why::Scored => "Scored",
        Why::Excluded(reason) => reason.name(),
        Why::TurnLeftOut => TURN_LEFT_OUT,
        _ => REFUSED,
    }
}

/// Why a message is in or out, in a few words.
pub(crate) fn why_briefly(report: &MessageReport) -> String {
    let why = match &report.why {
        Why::Fits => "fits".to_owned(),
        Why::Pinned(pin) => match pin {
            Pin::System => "system",
            Pin::CurrentTurn => "current turn",
            Pin::First => "--keep-first",
            Pin::Last => "--keep-last",
            Pin::Pattern => "--pin",
            Pin::Hint => "pinned",
            Pin::Summary => "summary",
            _ => "with what stays",
        }
        .to_owned(),
        Why::Scored => "scored".to_owned(),
        Why::Excluded(reason) => {
            let known = REASONS.iter().find(|(name, _)| *name == reason.name());
            known.map_or("left out", |(_, title)| title).to_lowercase()
        }
        Why::TurnLeftOut => "its turn is out".to_owned(),
        _ => "refused".to_owned(),
    };
    let Outcome::Shortened { form, forms } = report.outcome else { return why };
    let shortened = format!("shortened, {form} of {forms}");
    match report.why {
        Why::Scored => shortened,
        _ => format!("{why}; {shortened}"),
    }
}

/// A repair without its place.
pub(crate) fn mended(repair: &Repair) -> String {
    let told = repair.to_string();
    let place = format!("{}: ", repair.path);
    told.strip_prefix(&place).unwrap_or(&told).to_owned()
}

/// What was done to a request, on one line.
pub(crate) fn summary(fitted: &Fitted) -> String {
    let number = |wanted: fn(&Outcome) -> bool| {
        fitted.messages.iter().filter(|message| wanted(&message.outcome)).count()
    };
    let kept = number(|it| matches!(it, Outcome::Kept | Outcome::Shortened { .. }));
    let mut line = format!(
        "kept {} of {}, {} of {} tokens (was {})",
        count(kept),
        plural(fitted.messages.len(), "message"),
        grouped(fitted.tokens.total()),
        grouped(fitted.budget),
        grouped(fitted.before.total()),
    );
    let shortened = number(|it| matches!(it, Outcome::Shortened { .. }));
    let left_out = number(|it| matches!(it, Outcome::LeftOut));
    let told = [
        (left_out, format!("{} left out", count(left_out))),
        (shortened, format!("{} shortened", count(shortened))),
        (fitted.repairs.len(), plural(fitted.repairs.len(), "repair")),
    ];
    let told: Vec<_> =
        told.into_iter().filter(|(number, _)| *number > 0).map(|(_, told)| told).collect();
    if !told.is_empty() {
        _ = write!(line, "; {}", told.join(", "));
    }
    if let Some(first) = fitted.repairs.first() {
        let more = if fitted.repairs.len() > 1 { ", ..." } else { "" };
        _ = write!(line, " ({first}{more})");
    }
    line
}
