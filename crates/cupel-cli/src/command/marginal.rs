//! `cupel marginal`: what a smaller budget would lose, and what it would shorten.

mod messages;

use std::io::Write;

use cupel::{ContextItem, CupelError, MarginalChange};
use serde_json::{Value, json};

use crate::args::MarginalArgs;
use crate::failure::{Complaint, Failure, Outcome, note};
use crate::input::Candidates;
use crate::messages::Given;
use crate::output::id_of;
use crate::render::{grouped, item_table, plural};

pub(crate) fn run(args: &MarginalArgs) -> Outcome {
    let budget = args.budget.to_budget()?;
    let plan = args.policy.load()?.asking(args.input.query());
    let candidates = match args.input.read()? {
        Given::Items(candidates) => candidates,
        Given::Chat(chat) => return messages::run(args, &plan, &budget, &chat),
    };
    let changes = plan.pipeline.get_marginal_changes(candidates.items(), &budget, args.slack);
    let changes = match changes {
        Err(CupelError::PipelineConfig(_)) => return Err(shared_out()),
        changes => changes?,
    };
    let (lost, reshaped): (Vec<_>, Vec<_>) = changes.into_iter().partition(|it| it.after.is_none());

    let mut out = args.output.open()?;
    if args.json {
        let answer = json!({
            "policy": plan.label,
            "slack": args.slack,
            "lost": lost.iter().map(|it| told(it, &candidates)).collect::<Vec<_>>(),
            "reshaped": reshaped.iter().map(|it| told(it, &candidates)).collect::<Vec<_>>(),
        });
        serde_json::to_writer_pretty(&mut out, &answer).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return out.finish();
    }
    if let Some(format) = args.format {
        let items: Vec<_> = lost.into_iter().map(|it| it.item).collect();
        format.write(&mut out, &candidates, &items)?;
        out.finish()?;
        if !reshaped.is_empty() {
            let items = plural(reshaped.len(), "item");
            note(&format!("{items} would stay in another form; --json tells which"));
        }
        return Ok(());
    }
    let text = in_words(args.slack, &lost, &reshaped, &candidates, out.width());
    out.write_styled(&text)?;
    out.finish()
}

fn in_words(
    slack: i64,
    lost: &[MarginalChange],
    reshaped: &[MarginalChange],
    candidates: &Candidates,
    width: usize,
) -> String {
    let slack = grouped(slack);
    let mut text = match lost {
        [] => format!("Nothing is lost with {slack} tokens less.\n"),
        lost => {
            let tokens: i128 = lost.iter().map(|it| tokens(&it.item, it.before)).sum();
            let (items, tokens) = (plural(lost.len(), "item"), grouped(tokens));
            format!("With {slack} tokens less, {items} of {tokens} tokens would be lost\n")
        }
    };
    let form = |item: &ContextItem, form| {
        let name = match form {
            0 => "whole".to_owned(),
            form => format!("{form}/{}", item.variants().len()),
        };
        format!("{name}, {}", grouped(tokens(item, form)))
    };
    let is = |it: &MarginalChange| match it.before {
        0 => Vec::new(),
        shorter => vec![form(&it.item, shorter)],
    };
    let rows: Vec<_> = lost.iter().map(|it| (it.index, is(it))).collect();
    text += &item_table(candidates, &["is"], &rows, width);
    if reshaped.is_empty() {
        return text;
    }
    let before: i128 = reshaped.iter().map(|it| tokens(&it.item, it.before)).sum();
    let after: i128 = reshaped.iter().map(|it| tokens(&it.item, it.after.unwrap_or(0))).sum();
    let change = match before - after {
        less if less >= 0 => format!("{} tokens shorter", grouped(less)),
        more => format!("{} tokens longer", grouped(-more)),
    };
    let items = plural(reshaped.len(), "item");
    text += &format!("\n{items} would stay in another form, {change}\n");
    let row = |it: &MarginalChange| {
        (it.index, vec![form(&it.item, it.before), form(&it.item, it.after.unwrap_or(0))])
    };
    let rows: Vec<_> = reshaped.iter().map(row).collect();
    text + &item_table(candidates, &["is", "would be"], &rows, width)
}

/// What an item costs in one of its forms; 0 is whole.
fn tokens(item: &ContextItem, form: usize) -> i128 {
    let shorter = form.checked_sub(1).and_then(|at| item.variants().get(at));
    shorter.map_or(item.tokens(), |it| it.tokens()).into()
}

fn told(it: &MarginalChange, candidates: &Candidates) -> Value {
    let form = |form| json!({ "form": form, "tokens": tokens(&it.item, form) as i64 });
    let mut told = json!({
        "item": it.index + 1,
        "id": id_of(candidates.object(it.index)),
        "kind": it.item.kind(),
        "group": it.item.group(),
        "is": form(it.before),
    });
    if let Some(after) = it.after {
        told["wouldBe"] = form(after);
    }
    if let Value::Object(entries) = &mut told {
        entries.retain(|_, value| !value.is_null());
    }
    told
}

fn shared_out() -> Failure {
    let problem = "the policy shares the budget out by quotas, where a smaller budget can also \
                   bring items in: what it would lose is not a part of what there is";
    let remedy =
        "run cupel select at both budgets and compare; or choose a --policy without quotas";
    Failure::bad_input(Complaint::new(problem).remedy(remedy))
}
