//! What became of a request, for programs.

use cupel_messages::{Fitted, MessageReport, Outcome, Repair, RepairKind, Request, Tokens};
use serde_json::{Value, json};

use super::{calls, label, mended, reason, units};
use crate::breakdown::Part;

/// Tokens by what they are spent on.
pub(crate) fn parts_json(tokens: &Tokens) -> Value {
    let Tokens { system, tools, messages, media, request, .. } = tokens;
    json!({
        "system": system, "tools": tools, "messages": messages, "media": media, "request": request,
        "total": tokens.total(),
    })
}

/// All that there is to say about a cut; `scores` are what the score of each message is made of.
pub(crate) fn report_json(
    request: &Request,
    fitted: &Fitted,
    scores: &[Vec<Part>],
    timings: bool,
) -> Value {
    let units = units(fitted);
    let message = |it: &MessageReport| {
        let parts = scores.get(it.index).filter(|parts| !parts.is_empty());
        let number = |index: &usize| index + 1;
        let joined = units[it.index].iter().filter(|other| **other != it.index);
        let mut told = json!({
            "message": it.index + 1,
            "path": it.path,
            "role": it.role.to_string(),
            "label": label(&request.messages()[it.index]),
            "turn": it.turn,
            "unit": it.unit + 1,
            "joinedWith": joined.map(number).collect::<Vec<_>>(),
            "calls": calls(&request.messages()[it.index]).collect::<Vec<_>>(),
            "included": it.sent > 0 || matches!(it.outcome, Outcome::Kept | Outcome::Shortened { .. }),
            "outcome": outcome(&it.outcome),
            "reason": reason(it),
            "tokens": it.tokens,
            "sentTokens": it.sent,
            "edited": it.edited,
            "score": it.score,
            "scores": parts,
        });
        if let Outcome::Shortened { form, forms } = it.outcome {
            told["form"] = form.into();
            told["forms"] = forms.into();
        }
        told
    };
    let mut selection = fitted.selection.clone();
    if let (Some(report), false) = (&mut selection, timings) {
        report.events.iter_mut().for_each(|event| event.duration_ms = 0.0);
    }
    json!({
        "format": request.format().name(),
        "model": request.model(),
        "countedWith": fitted.basis.to_string(),
        "estimate": fitted.basis.is_estimate(),
        "budgetTokens": fitted.budget,
        "tokens": parts_json(&fitted.tokens),
        "before": parts_json(&fitted.before),
        "unchanged": fitted.is_unchanged(),
        "messages": fitted.messages.iter().map(message).collect::<Vec<_>>(),
        "repairs": fitted.repairs.iter().map(repair).collect::<Vec<_>>(),
        "selection": selection,
    })
}

fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Kept => "kept",
        Outcome::Shortened { .. } => "shortened",
        Outcome::LeftOut => "leftOut",
        _ => "dropped",
    }
}

fn repair(repair: &Repair) -> Value {
    let kind = match repair.kind {
        RepairKind::Answered { .. } => "answered",
        RepairKind::CallDropped { .. } => "callDropped",
        RepairKind::OrphanDropped { .. } => "orphanDropped",
        RepairKind::ReasoningDropped => "reasoningDropped",
        RepairKind::LeadingDropped => "leadingDropped",
        RepairKind::SystemDropped => "systemDropped",
        RepairKind::WordsBeforeCallDropped => "wordsBeforeCallDropped",
        RepairKind::Merged { .. } => "merged",
        RepairKind::AnswersMovedFirst => "answersMovedFirst",
        RepairKind::ThinkingStripped { .. } => "thinkingStripped",
        _ => "other",
    };
    json!({
        "message": repair.message.map(|index| index + 1),
        "path": repair.path,
        "kind": kind,
        "text": mended(repair),
    })
}
