//! `cupel compare`: what each policy selects, and where they differ.

mod messages;

use std::collections::HashMap;
use std::io::Write;

use cupel::{
    ContextBudget, PolicySensitivityReport, budget_utilization, policy_sensitivity_from_pipelines,
};
use serde_json::{Value, json};

use crate::args::CompareArgs;
use crate::failure::{Complaint, Failure, Outcome};
use crate::input::Candidates;
use crate::messages::Given;
use crate::plan::{Plan, own_label};
use crate::render::{Difference, State, Variant, comparison};
use crate::verdict::position;

pub(crate) fn run(args: &CompareArgs) -> Outcome {
    if args.policies.len() < 2 {
        let remedy = "give --policy at least twice: --policy chat --policy longRunning";
        return Err(Failure::bad_input(
            Complaint::new("one policy has nothing to differ from").remedy(remedy),
        ));
    }
    let budget = args.budget.to_budget()?;
    let plans = load_all(args)?;
    let candidates = match args.input.read()? {
        Given::Items(candidates) => candidates,
        Given::Chat(chat) => return messages::run(args, &plans, &budget, &chat),
    };
    let pipelines: Vec<_> = plans.iter().map(|plan| (&plan.label, &plan.pipeline)).collect();
    let report = policy_sensitivity_from_pipelines(candidates.items(), &budget, &pipelines)?;

    let mut out = args.output.open()?;
    let (variants, differences) = (variants(&report, &budget), differences(&report, &candidates));
    if args.json {
        let json = to_json(&report, &budget, &variants, &differences);
        serde_json::to_writer_pretty(&mut out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let text = comparison(&variants, &differences, out.width(), "item");
        out.write_styled(&text)?;
    }
    out.finish()
}

/// The policies, each under a label of its own.
fn load_all(args: &CompareArgs) -> Outcome<Vec<Plan>> {
    let mut plans: Vec<Plan> = Vec::with_capacity(args.policies.len());
    for name in &args.policies {
        let mut plan = Plan::load(name, args.lenient)?.asking(args.input.query());
        plan.label = own_label(plan.label, |label| plans.iter().any(|other| other.label == label));
        plans.push(plan);
    }
    Ok(plans)
}

fn variants<'r>(report: &'r PolicySensitivityReport, budget: &ContextBudget) -> Vec<Variant<'r>> {
    let variants = report.variants.iter().map(|(label, report)| Variant {
        label,
        items: report.included.len(),
        shortened: report.included.iter().filter(|it| it.shortened.is_some()).count(),
        tokens: report.included.iter().map(|it| i128::from(it.item.tokens())).sum(),
        utilization: budget_utilization(report, budget),
    });
    variants.collect()
}

/// The contents that not all policies treat alike, in order of first appearance.
fn differences<'c>(
    report: &PolicySensitivityReport,
    candidates: &'c Candidates,
) -> Vec<Difference<'c>> {
    let policies = report.variants.len();
    let mut differences: Vec<Difference<'c>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (position, item) in candidates.items().iter().enumerate() {
        let at = *known.entry(item.content()).or_insert(differences.len());
        if at == differences.len() {
            differences.push(Difference {
                content: item.content(),
                numbers: Vec::new(),
                unit: candidates.units().unit(position),
                states: vec![State::Out; policies],
            });
        }
        differences[at].numbers.push(position + 1);
    }
    for (policy, (_, report)) in report.variants.iter().enumerate() {
        for it in &report.included {
            let content = candidates.items()[position(it.index)].content();
            let state = it.shortened.map_or(State::Whole, |short| State::Shortened(short.form));
            let told = &mut differences[known[content]].states[policy];
            *told = state.richer(*told);
        }
    }
    differences.retain(|it| it.states.iter().any(|state| *state != it.states[0]));
    differences
}

fn to_json(
    report: &PolicySensitivityReport,
    budget: &ContextBudget,
    variants: &[Variant<'_>],
    differences: &[Difference<'_>],
) -> serde_json::Value {
    let window = |label: &str| {
        let found = report.variants.iter().find(|(other, _)| other == label);
        let included = found.iter().flat_map(|(_, report)| &report.included);
        included.map(|it| position(it.index) + 1).collect::<Vec<_>>()
    };
    let shortened = |label: &str| {
        let found = report.variants.iter().find(|(other, _)| other == label);
        let included = found.iter().flat_map(|(_, report)| &report.included);
        let short = included.filter_map(|it| Some((position(it.index) + 1, it.shortened?)));
        short.map(|(item, it)| json!({ "item": item, "form": it.form, "tokensSaved": it.tokens_saved })).collect::<Vec<_>>()
    };
    json!({
        "budget": budget,
        "variants": variants.iter().map(|variant| json!({
            "policy": variant.label,
            "items": window(variant.label),
            "shortened": shortened(variant.label),
            "totalTokens": i64::try_from(variant.tokens).unwrap_or(i64::MAX),
            "utilization": variant.utilization,
        })).collect::<Vec<_>>(),
        "diffs": differences.iter().map(|difference| json!({
            "content": difference.content,
            "items": difference.numbers,
            "statuses": variants.iter().zip(&difference.states)
                .map(|(variant, state)| status(variant.label, *state)).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

/// What a policy made of a content, as JSON.
fn status(policy: &str, state: State) -> Value {
    match state {
        State::Out => json!({ "policy": policy, "status": "Excluded" }),
        State::Whole => json!({ "policy": policy, "status": "Included" }),
        State::Shortened(form) => json!({ "policy": policy, "status": "Included", "form": form }),
    }
}
