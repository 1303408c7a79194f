//! Which messages of a request a smaller budget would lose.

use std::io::Write;

use cupel::ContextBudget;
use cupel_messages::{Fitted, Outcome as Became};
use serde_json::json;

use crate::args::MarginalArgs;
use crate::failure::{Complaint, Failure, Outcome};
use crate::messages::Chat;
use crate::output::{Format, one_line};
use crate::plan::Plan;
use crate::render::{Table, grouped, message_table, plural};

pub(super) fn run(
    args: &MarginalArgs,
    plan: &Plan,
    budget: &ContextBudget,
    chat: &Chat,
) -> Outcome {
    if args.slack < 0 {
        let problem = format!("--slack is {}, but a budget shrinks by 0 or more", args.slack);
        return Err(Failure::bad_input(Complaint::new(problem).remedy("give a positive number")));
    }
    if args.format.is_some_and(|format| !matches!(format, Format::Json | Format::Jsonl)) {
        let problem = "messages are printed as they are: --format json or jsonl";
        let remedy = "leave it out for a table";
        return Err(Failure::bad_input(Complaint::new(problem).remedy(remedy)));
    }
    let policy = args.policy.asked_for(plan).map(|plan| plan.pipeline.policy());
    let options = args.input.options(policy);
    let cut = chat.prepare(&options, budget)?;
    let (now, then) = (cut.fit()?, cut.fit_less(args.slack)?);
    let lost: Vec<usize> =
        (0..now.messages.len()).filter(|at| is_in(&now, *at) && !is_in(&then, *at)).collect();
    let shorter: Vec<usize> = (0..now.messages.len())
        .filter(|at| is_in(&then, *at) && then.messages[*at].sent < now.messages[*at].sent)
        .collect();

    let mut out = args.output.open()?;
    if args.json {
        let number = |at: &usize| at + 1;
        let answer = json!({
            "policy": args.policy.asked_for(plan).map(|plan| &plan.label),
            "slack": args.slack,
            "lost": lost.iter().map(number).collect::<Vec<_>>(),
            "shorter": shorter.iter().map(number).collect::<Vec<_>>(),
        });
        serde_json::to_writer_pretty(&mut out, &answer).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return out.finish();
    }
    let json = |at: &usize| one_line(chat.request.messages()[*at].json()).into_owned();
    match args.format {
        Some(Format::Json) => {
            let lost: Vec<_> = lost.iter().map(json).collect();
            writeln!(out, "[{}]", lost.join(","))?;
        }
        Some(_) => lost.iter().try_for_each(|at| writeln!(out, "{}", json(at)))?,
        None => {
            let width = out.width();
            out.write_styled(&told(args.slack, chat, &now, &then, &lost, &shorter, width))?;
        }
    }
    out.finish()
}

fn is_in(fitted: &Fitted, at: usize) -> bool {
    matches!(fitted.messages[at].outcome, Became::Kept | Became::Shortened { .. })
}

fn told(
    slack: i64,
    chat: &Chat,
    now: &Fitted,
    then: &Fitted,
    lost: &[usize],
    shorter: &[usize],
    width: usize,
) -> String {
    let slack = grouped(slack);
    if lost.is_empty() && shorter.is_empty() {
        return format!("Nothing is lost with {slack} tokens less.\n");
    }
    let table = |fitted, rows| Table {
        request: &chat.request,
        fitted,
        rows,
        scores: &[],
        matched: &[],
        width,
    };
    let mut text = String::new();
    if !lost.is_empty() {
        let tokens: i64 = lost.iter().map(|at| now.messages[*at].sent).sum();
        let (messages, tokens) = (plural(lost.len(), "message"), grouped(tokens));
        text += &format!("With {slack} tokens less, {messages} of {tokens} tokens would be lost\n");
        text += &message_table(&table(now, lost));
    }
    if !shorter.is_empty() {
        let messages = plural(shorter.len(), "message");
        text += &format!("With {slack} tokens less, {messages} would be shorter\n");
        text += &message_table(&table(then, shorter));
    }
    text
}
