//! The page for a request: its messages in place of candidates.

use std::borrow::Cow;

use cupel::{ContextBudget, ContextItem, ContextKind, ItemVariant};
use cupel_messages::{Fitted, MessageReport, Outcome as Became, Tokens, Why};

use super::data::{Form, Item, PageData, Reason, Step, encoded, short};
use super::steps;
use super::visible::visible;
use crate::breakdown::{Part, found};
use crate::failure::Outcome;
use crate::messages::{
    Chat, Cut, REFUSED, TURN_LEFT_OUT, calls, label, mended, reason, room, shown, units,
    why_briefly,
};
use crate::render::{REASONS, grouped, plural};

/// More of a message than this is not shown.
const MOST_BYTES: usize = 4_000;

/// What the page knows of a request. What stands beside the messages follows them, under numbers of its own.
pub(crate) fn message_page<'a>(
    title: &'a str,
    policy: &str,
    chat: &'a Chat,
    cut: &Cut<'_>,
    fitted: &Fitted,
    scores: &[Vec<Part>],
) -> Outcome<PageData<'a>> {
    let fixed = fixed(&cut.prepared.fixed());
    let budgets = steps::budgets(&as_items(cut, &fixed)?, cut.budget);
    let current = budgets.iter().position(|it| it == cut.budget).unwrap_or(0);
    let first_fixed = fitted.messages.len() + 1;
    let fixed_numbers: Vec<usize> = (first_fixed..first_fixed + fixed.len()).collect();
    let mut forms = forms(cut, fitted.messages.len())?;
    let step = |budget| step(cut, budget, &fixed_numbers, &forms);
    let steps: Vec<_> = budgets.iter().map(step).collect();

    let first_in = smallest_budgets(&steps, fitted.messages.len());
    let mut scorers = Vec::new();
    let units = units(fitted);
    let item = |it: &MessageReport| Item {
        unit: together(&units[it.index]),
        group: group(chat, &units[it.index]),
        forms: std::mem::take(&mut forms[it.index]),
        ..item(chat, fitted, it, first_in[it.index])
    };
    let mut items: Vec<_> = fitted.messages.iter().map(item).collect();
    for (item, parts) in items.iter_mut().zip(scores) {
        item.matched = visible(&found(parts)).into_owned();
        item.parts = encoded(parts.clone(), &mut scorers);
    }
    for ((name, tokens), n) in fixed.iter().zip(&fixed_numbers) {
        let told = "sent with every request";
        items.push(Item {
            n: *n,
            content: Cow::Borrowed(told),
            tokens: *tokens,
            kind: Cow::Borrowed(name),
            pinned: true,
            ..Item::default()
        });
    }
    let mut kinds: Vec<Cow<'_, str>> = Vec::new();
    for item in &items {
        if !kinds.contains(&item.kind) {
            kinds.push(item.kind.clone());
        }
    }
    let own = [
        (TURN_LEFT_OUT, "The user message of its turn is out"),
        (REFUSED, "The provider would refuse it"),
    ];
    let reasons = REASONS.iter().copied().chain(own);
    Ok(PageData {
        title: visible(title),
        policy: Cow::Owned(visible(&described(policy, chat)).into_owned()),
        query: query(cut, scores),
        total_tokens: fitted.before.total(),
        per_token: false,
        reserve: cut.budget.output_reserve(),
        kinds,
        reasons: reasons.map(|(name, title)| Reason { name, title }).collect(),
        scorers,
        items,
        steps,
        current,
    })
}

/// The policy, and what it was applied to.
fn described(policy: &str, chat: &Chat) -> String {
    let request = &chat.request;
    let messages = plural(request.messages().len(), "message");
    let model = request.model().map(|model| format!(" for {model}")).unwrap_or_default();
    format!("{policy}; {} request{model} with {messages}", request.format())
}

/// What stands beside the messages.
fn fixed(tokens: &Tokens) -> Vec<(&'static str, i64)> {
    let fixed = [
        ("SystemPrompt", tokens.system),
        ("tool definitions", tokens.tools),
        ("request", tokens.request),
    ];
    fixed.into_iter().filter(|(_, tokens)| *tokens > 0).collect()
}

/// Everything that has a price, for whoever chooses budgets to look at.
fn as_items(cut: &Cut<'_>, fixed: &[(&str, i64)]) -> Outcome<Vec<ContextItem>> {
    let mut items = cut.prepared.items().map_err(|error| cut.refused(&error))?;
    for (name, tokens) in fixed {
        let item = ContextItem::builder(*name, *tokens).pinned(true);
        items.push(item.kind(ContextKind::system_prompt()).build()?);
    }
    Ok(items)
}

/// The name of a kind on the page, where well-known ones have colours of their own.
fn kind(label: &'static str) -> &'static str {
    match label {
        "system" => "SystemPrompt",
        other => other,
    }
}

fn item<'a>(
    chat: &'a Chat,
    fitted: &Fitted,
    report: &MessageReport,
    first_in: Option<i64>,
) -> Item<'a> {
    let message = &chat.request.messages()[report.index];
    let said = shown(message);
    let end = said.floor_char_boundary(MOST_BYTES);
    Item {
        n: report.index + 1,
        id: report.path.clone(),
        content: Cow::Owned(visible(&said[..end]).into_owned()),
        clipped: end < said.len(),
        tokens: report.tokens,
        kind: Cow::Borrowed(kind(label(message))),
        source: Cow::Owned(format!("turn {}", report.turn)),
        tags: message.hints().tags.iter().map(|tag| visible(tag)).collect(),
        priority: message.hints().priority,
        pinned: report.score.is_none()
            && matches!(report.outcome, Became::Kept | Became::Shortened { .. }),
        score: report.score.map(short),
        remedy: visible(&remedy(fitted, report, first_in)).into_owned(),
        ..Item::default()
    }
}

/// What keeps it in or out, what was mended, and what would let it in.
fn remedy(fitted: &Fitted, report: &MessageReport, first_in: Option<i64>) -> String {
    let own = fitted.repairs.iter().filter(|repair| repair.message == Some(report.index));
    let mut told: Vec<String> = match &report.why {
        Why::Fits | Why::Scored => Vec::new(),
        Why::Pinned(pin) => vec![pin.to_string()],
        _ => vec![why_briefly(report)],
    };
    told.extend(own.map(mended));
    if report.outcome == Became::LeftOut {
        told.extend(first_in.map(|budget| format!("in at a budget of {}", grouped(budget))));
    }
    told.join("; ")
}

/// The smallest of the budgets that each message is in at.
fn smallest_budgets(steps: &[Step], messages: usize) -> Vec<Option<i64>> {
    let mut smallest = vec![None; messages];
    for step in steps {
        for number in step.window.iter().filter(|number| **number <= messages) {
            smallest[number - 1].get_or_insert(step.max);
        }
    }
    smallest
}

/// The numbers of a call and its results; none for what stands alone.
fn together(unit: &[usize]) -> Vec<usize> {
    if unit.len() < 2 { Vec::new() } else { unit.iter().map(|index| index + 1).collect() }
}

/// What a call and its results are called: the tools.
fn group<'a>(chat: &'a Chat, unit: &[usize]) -> Option<Cow<'a, str>> {
    let messages = chat.request.messages();
    let names: Vec<_> = unit.iter().flat_map(|index| calls(&messages[*index])).collect();
    (unit.len() > 1).then(|| Cow::Owned(visible(&names.join(", ")).into_owned()))
}

/// The shorter forms of each message.
fn forms(cut: &Cut<'_>, messages: usize) -> Outcome<Vec<Vec<Form<'static>>>> {
    let mut forms: Vec<Vec<Form<'_>>> = (0..messages).map(|_| Vec::new()).collect();
    let items = cut.prepared.items().map_err(|error| cut.refused(&error))?;
    for (candidate, item) in items.iter().enumerate() {
        let Some(origin) = cut.prepared.origin(candidate) else { continue };
        forms[origin] = item.variants().iter().map(form).collect();
    }
    Ok(forms)
}

fn form(variant: &ItemVariant) -> Form<'static> {
    let content = variant.content();
    let end = content.floor_char_boundary(MOST_BYTES);
    Form {
        content: Cow::Owned(visible(&content[..end]).into_owned()),
        clipped: end < content.len(),
        tokens: variant.tokens(),
    }
}

/// What one budget makes of the request.
fn step(cut: &Cut<'_>, budget: &ContextBudget, fixed: &[usize], forms: &[Vec<Form<'_>>]) -> Step {
    let limit = room(budget);
    let mut step = Step {
        max: budget.max_tokens(),
        limit,
        used: 0,
        window: fixed.to_vec(),
        short: Vec::new(),
        out: Vec::new(),
        error: None,
    };
    let fitted = match cut.prepared.fit(limit) {
        Ok(fitted) => fitted,
        Err(error) => {
            step.window.clear();
            step.error = Some(visible(&error.to_string()).into_owned());
            return step;
        }
    };
    step.used = fitted.tokens.total();
    for report in &fitted.messages {
        let number = report.index + 1;
        if matches!(report.outcome, Became::Kept | Became::Shortened { .. }) {
            step.window.push(number);
            if let Became::Shortened { form, .. } = report.outcome
                && form <= forms[report.index].len()
            {
                step.short.push((number, form));
            }
            continue;
        }
        let name = reason(report);
        match step.out.iter_mut().find(|(own, _)| *own == name) {
            Some((_, numbers)) => numbers.push(number),
            None => step.out.push((name, vec![number])),
        }
    }
    step
}

/// What messages were judged by, where anything was found of it.
fn query(cut: &Cut<'_>, scores: &[Vec<Part>]) -> Option<String> {
    let is_judged_by = scores.iter().flatten().any(|part| !part.details.is_empty());
    let pipeline = cut.prepared.pipeline();
    let query = pipeline.context().query().filter(|_| is_judged_by)?;
    Some(visible(query.text()).into_owned())
}
