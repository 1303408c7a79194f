//! `cupel compare`: what each policy selects, and where they differ.

use std::collections::HashMap;
use std::io::Write;

use cupel::{
    ContextBudget, ItemStatus, PolicySensitivityReport, budget_utilization,
    policy_sensitivity_from_pipelines,
};
use serde_json::json;

use crate::args::CompareArgs;
use crate::failure::{Complaint, Failure, Outcome};
use crate::input::Candidates;
use crate::plan::Plan;
use crate::render::{Difference, Variant, comparison};
use crate::verdict::position;

pub(crate) fn run(args: &CompareArgs) -> Outcome {
    if args.policies.len() < 2 {
        let remedy = "give --policy at least twice: --policy chat --policy longRunning";
        return Err(Failure::bad_input(
            Complaint::new("one policy has nothing to differ from").remedy(remedy),
        ));
    }
    let budget = args.budget.to_budget()?;
    let plans = load_all(&args.policies, args.lenient)?;
    let candidates = args.input.read()?;
    let pipelines: Vec<_> = plans.iter().map(|plan| (&plan.label, &plan.pipeline)).collect();
    let report = policy_sensitivity_from_pipelines(candidates.items(), &budget, &pipelines)?;

    let mut out = args.output.open()?;
    let (variants, differences) = (variants(&report, &budget), differences(&report, &candidates));
    if args.json {
        let json = to_json(&report, &budget, &variants, &differences);
        serde_json::to_writer_pretty(&mut out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let text = comparison(&variants, &differences, out.width());
        out.write_styled(&text)?;
    }
    out.finish()
}

/// The policies, each under a label of its own.
fn load_all(names: &[String], lenient: bool) -> Outcome<Vec<Plan>> {
    let mut plans: Vec<Plan> = Vec::with_capacity(names.len());
    for name in names {
        let mut plan = Plan::load(name, lenient)?;
        let label = plan.label.clone();
        let mut number = 1;
        while plans.iter().any(|other| other.label == plan.label) {
            number += 1;
            plan.label = format!("{label} ({number})");
        }
        plans.push(plan);
    }
    Ok(plans)
}

fn variants<'r>(report: &'r PolicySensitivityReport, budget: &ContextBudget) -> Vec<Variant<'r>> {
    let variants = report.variants.iter().map(|(label, report)| Variant {
        label,
        items: report.included.len(),
        tokens: report.included.iter().map(|it| i128::from(it.item.tokens())).sum(),
        utilization: budget_utilization(report, budget),
    });
    variants.collect()
}

fn differences<'r>(
    report: &'r PolicySensitivityReport,
    candidates: &Candidates,
) -> Vec<Difference<'r>> {
    let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, item) in candidates.items().iter().enumerate() {
        numbers.entry(item.content()).or_default().push(at + 1);
    }
    let differences = report.diffs.iter().map(|entry| Difference {
        content: &entry.content,
        numbers: numbers.get(entry.content.as_str()).cloned().unwrap_or_default(),
        statuses: entry.statuses.iter().map(|(_, status)| *status).collect(),
    });
    differences.collect()
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
    let name = |status: &ItemStatus| match status {
        ItemStatus::Included => "Included",
        _ => "Excluded",
    };
    json!({
        "budget": budget,
        "variants": variants.iter().map(|variant| json!({
            "policy": variant.label,
            "items": window(variant.label),
            "totalTokens": i64::try_from(variant.tokens).unwrap_or(i64::MAX),
            "utilization": variant.utilization,
        })).collect::<Vec<_>>(),
        "diffs": differences.iter().map(|difference| json!({
            "content": difference.content,
            "items": difference.numbers,
            "statuses": variants.iter().zip(&difference.statuses).map(|(variant, status)| json!({
                "policy": variant.label,
                "status": name(status),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}
