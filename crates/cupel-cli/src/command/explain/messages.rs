//! Why each message of a request is in or out.

use std::io::Write;

use cupel::{ContextBudget, Query};
use serde_json::json;

use super::{MOST_ROWS, write_page};
use crate::args::ExplainArgs;
use crate::breakdown::{Part, breakdown, matched};
use crate::failure::{Outcome, warn};
use crate::html::message_page;
use crate::messages::{Chat, Cut, USUAL_POLICY, query_ignored, report_json};
use crate::plan::Plan;
use crate::render::{Conversation, conversation};

pub(super) fn run(args: &ExplainArgs, plan: &Plan, budget: &ContextBudget, chat: &Chat) -> Outcome {
    let asked_for = args.policy.asked_for(plan);
    let options = args.input.options(asked_for.map(|plan| plan.pipeline.policy()));
    let cut = chat.prepare(&options, budget)?;
    let fitted = cut.fit()?;
    if args.input.query().is_some() && !fitted.is_unchanged() {
        query_ignored(asked_for).iter().for_each(warn);
    }
    let title = args.input.source().short_name();
    let policy = asked_for.map_or(USUAL_POLICY, |plan| &plan.label);
    let is_asked = asked_for.is_some() || args.scores || args.json || args.html.is_some();
    let mut scores = match is_asked {
        true => scores(chat, &cut)?,
        false => Vec::new(),
    };
    if let Some(path) = &args.html {
        let page = message_page(&title, policy, chat, &cut, &fitted, &scores)?;
        write_page(path, &page)?;
        if !args.json {
            return Ok(());
        }
    }
    let mut out = args.output.open()?;
    if args.json {
        let mut told = json!({ "input": title, "policy": policy, "budget": budget });
        if scores.iter().flatten().any(|part: &Part| !part.details.is_empty()) {
            told["query"] = cut.prepared.pipeline().context().query().map(Query::text).into();
        }
        let report = report_json(&chat.request, &fitted, &scores, !args.no_timings);
        if let (Some(told), serde_json::Value::Object(report)) = (told.as_object_mut(), report) {
            told.extend(report);
        }
        serde_json::to_writer_pretty(&mut out, &told).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return out.finish();
    }
    let matched: Vec<_> = scores.iter().map(|parts| matched(parts)).collect();
    if !args.scores {
        scores.clear();
    }
    let text = conversation(&Conversation {
        title: &title,
        policy,
        request: &chat.request,
        fitted: &fitted,
        fixed: cut.prepared.fixed(),
        budget,
        scores: &scores,
        matched: &matched,
        width: out.width(),
        most_rows: if args.all { usize::MAX } else { MOST_ROWS },
    });
    out.write_styled(&text)?;
    out.finish()
}

/// What the score of each message is made of.
pub(crate) fn scores(chat: &Chat, cut: &Cut<'_>) -> Outcome<Vec<Vec<Part>>> {
    let mut scores = vec![Vec::new(); chat.request.messages().len()];
    let items = cut.prepared.items().map_err(|error| cut.refused(&error))?;
    for (candidate, parts) in breakdown(&cut.prepared.pipeline(), &items)?.into_iter().enumerate() {
        if let Some(origin) = cut.prepared.origin(candidate) {
            scores[origin] = parts;
        }
    }
    Ok(scores)
}
