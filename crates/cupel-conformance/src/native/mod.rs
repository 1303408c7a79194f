//! Our own engine, the `cupel` crate, through every path it has.
//!
//! | task | paths |
//! |---|---|
//! | score | `score`, `score_batch` |
//! | slice | `slice`, `select` |
//! | place | `place`, `arrange` |
//! | run | `run`; `run_traced` with the recording collector and with a custom one, each at both detail levels; `dry_run`; `dry_run_with_policy` |
//! | marginal items | `get_marginal_items` |
//! | minimum budget | `find_min_budget_for` |
//! | sensitivity | `policy_sensitivity`, `policy_sensitivity_from_pipelines` |

mod build;
mod refusal;
mod report;

use cupel::{
    Candidate, ContextBudget, ContextItem, CupelError, DiagnosticTraceCollector, ExclusionReason,
    ItemStatus, Pipeline, Policy, PolicySensitivityReport, Refusal, RunContext, ScoredItem,
    Selection, SelectionReport, TraceDetailLevel, policy_sensitivity,
    policy_sensitivity_from_pipelines,
};

use crate::engine::{
    Answer, Diff, Engine, Entry, Marginal, MarginalItemsTask, MinBudget, MinBudgetTask, PlaceTask,
    Placed, Ran, Reply, Report, RunTask, ScoreTask, Scores, Selected, Sensitivity, SensitivityTask,
    SliceTask, VariantStatus, VariantWindow, item_at,
};
use refusal::{at_construction, at_run};
use report::{Positions, Witness};

/// The `cupel` crate.
#[derive(Debug, Clone, Copy, Default)]
pub struct Native;

impl Engine for Native {
    fn name(&self) -> String {
        "cupel".to_owned()
    }

    fn score(&mut self, task: &ScoreTask) -> Reply<Scores> {
        answers(score(task))
    }

    fn slice(&mut self, task: &SliceTask) -> Reply<Selected> {
        answers(slice(task))
    }

    fn place(&mut self, task: &PlaceTask) -> Reply<Placed> {
        answers(place(task))
    }

    fn run(&mut self, task: &RunTask) -> Reply<Ran> {
        answers(run(task))
    }

    fn marginal_items(&mut self, task: &MarginalItemsTask) -> Reply<Marginal> {
        answers(marginal_items(task))
    }

    fn find_min_budget(&mut self, task: &MinBudgetTask) -> Reply<MinBudget> {
        answers(find_min_budget(task))
    }

    fn sensitivity(&mut self, task: &SensitivityTask) -> Reply<Sensitivity> {
        answers(sensitivity(task))
    }
}

/// What cannot be built takes no path at all.
fn answers<T>(paths: Result<Vec<Answer<T>>, CupelError>) -> Reply<T> {
    Ok(paths.unwrap_or_else(|error| vec![Answer::new("construction", Err(at_construction(error)))]))
}

fn score(task: &ScoreTask) -> Result<Vec<Answer<Scores>>, CupelError> {
    let items = build::items(&task.items)?;
    let scorer = build::scorer(&task.scorer)?;
    let list: Vec<ContextItem> = task.list.iter().map(|&at| items[at].clone()).collect();

    let one_by_one = |&at: &usize| Some(scorer.score(&items[at], &list));
    let batch = scorer.score_batch(&list, &RunContext::default());
    let in_batch = |batch: Vec<f64>| {
        let scores = task.wanted.iter().map(|wanted| {
            task.list.iter().position(|at| at == wanted).and_then(|at| batch.get(at).copied())
        });
        Scores { scores: scores.collect() }
    };
    Ok(vec![
        Answer::new("score", Ok(Scores { scores: task.wanted.iter().map(one_by_one).collect() })),
        Answer::new("score_batch", batch.map(in_batch).map_err(at_run)),
    ])
}

fn scored(entries: &[Entry], scores: &[f64]) -> Result<Vec<ScoredItem>, CupelError> {
    let items = build::items(entries)?.into_iter().zip(scores);
    Ok(items.map(|(item, score)| ScoredItem { item, score: *score }).collect())
}

fn slice(task: &SliceTask) -> Result<Vec<Answer<Selected>>, CupelError> {
    let scored = scored(&task.items, &task.scores)?;
    let slicer = build::slicer(&task.slicer)?;
    let budget =
        ContextBudget::builder(task.max_tokens).target_tokens(task.target_tokens).build()?;

    let items: Vec<ContextItem> = scored.iter().map(|it| it.item.clone()).collect();
    let by_instance = |chosen: Vec<ContextItem>| Selected {
        selected: Positions(&items).of_all(&chosen),
        ..Selected::default()
    };
    let by_position = |selection: Selection| {
        let is_capped =
            |it: &&Refusal| matches!(it.reason, ExclusionReason::CountCapExceeded { .. });
        let capped = selection.refused.iter().filter(is_capped).count();
        Selected {
            shortfalls: Some(report::shortfalls(&selection.shortfalls)),
            cap_excluded: i64::try_from(capped).ok(),
            selected: selection.kept,
        }
    };
    let asking = RunContext::default().with_reasons(true);
    let sliced = slicer.slice(&scored, &budget);
    let selected = slicer.select(&Candidate::all_of(&scored), &budget, &asking);
    Ok(vec![
        Answer::new("slice", sliced.map(by_instance).map_err(at_run)),
        Answer::new("select", selected.map(by_position).map_err(at_run)),
    ])
}

fn place(task: &PlaceTask) -> Result<Vec<Answer<Placed>>, CupelError> {
    let scored = scored(&task.items, &task.scores)?;
    let placer = build::placer(task.placer);

    let items: Vec<ContextItem> = scored.iter().map(|it| it.item.clone()).collect();
    let placed = Placed { order: Positions(&items).of_all(&placer.place(&scored)) };
    let arranged = placer.arrange(&Candidate::all_of(&scored), &RunContext::default());
    Ok(vec![
        Answer::new("place", Ok(placed)),
        Answer::new("arrange", arranged.map(|order| Placed { order }).map_err(at_run)),
    ])
}

fn run(task: &RunTask) -> Result<Vec<Answer<Ran>>, CupelError> {
    let items = build::items(&task.items)?;
    let budget = build::budget(&task.budget)?;
    let policy = build::policy(&task.pipeline)?;
    let pipeline = Pipeline::from(policy.clone());
    let positions = Positions(&items);

    let ran = |window: Result<Vec<ContextItem>, CupelError>, report: Option<Report>| {
        let ran = |window: Vec<ContextItem>| Ran { output: positions.of_all(&window), report };
        window.map(ran).map_err(at_run)
    };
    let dry = |decided: Result<SelectionReport, CupelError>| {
        let ran = |decided: SelectionReport| Ran {
            output: positions.of_all(decided.included.iter().map(|it| &it.item)),
            report: Some(report::report(positions, TraceDetailLevel::Stage, &decided)),
        };
        decided.map(ran).map_err(at_run)
    };

    let mut answers = vec![Answer::new("run", ran(pipeline.run(&items, &budget), None))];
    for level in [TraceDetailLevel::Stage, TraceDetailLevel::Item] {
        let name = report::detail_level(level);
        let mut recording = DiagnosticTraceCollector::new(level);
        let window = pipeline.run_traced(&items, &budget, &mut recording);
        let (decided, overflow) = recording.into_parts();
        let overflows = overflow.iter().map(|it| report::overflow(positions, it)).collect();
        let report = report::report(positions, level, &decided);
        let report = Report { overflows: Some(overflows), ..report };
        answers.push(Answer::new(format!("run_traced ({name})"), ran(window, Some(report))));

        let mut witness = Witness::new(positions, level);
        let window = pipeline.run_traced(&items, &budget, &mut witness);
        let path = format!("run_traced with a custom collector ({name})");
        answers.push(Answer::new(path, ran(window, witness.into_report())));
    }
    answers.push(Answer::new("dry_run", dry(pipeline.dry_run(&items, &budget))));
    let with_policy = pipeline.dry_run_with_policy(&items, &budget, &policy);
    answers.push(Answer::new("dry_run_with_policy", dry(with_policy)));
    Ok(answers)
}

fn marginal_items(task: &MarginalItemsTask) -> Result<Vec<Answer<Marginal>>, CupelError> {
    let items = build::items(&task.items)?;
    let budget = build::budget(&task.budget)?;
    let pipeline = Pipeline::from(build::policy(&task.pipeline)?);
    let lost = pipeline.get_marginal_items(&items, &budget, task.slack_tokens);
    let marginal = |lost: Vec<ContextItem>| Marginal { items: Positions(&items).of_all(&lost) };
    Ok(vec![Answer::new("get_marginal_items", lost.map(marginal).map_err(at_run))])
}

fn find_min_budget(task: &MinBudgetTask) -> Result<Vec<Answer<MinBudget>>, CupelError> {
    let items = build::items(&task.items)?;
    let budget = build::budget(&task.budget)?;
    let pipeline = Pipeline::from(build::policy(&task.pipeline)?);
    let target = match item_at(&task.items, task.target) {
        Some(spec) if task.target_rebuilt => build::item(spec)?,
        _ => items[task.target].clone(),
    };
    let found = pipeline.find_min_budget_for(&items, &budget, &target, task.search_ceiling);
    let found = found.map(|min_budget| MinBudget { min_budget }).map_err(at_run);
    Ok(vec![Answer::new("find_min_budget_for", found)])
}

fn sensitivity(task: &SensitivityTask) -> Result<Vec<Answer<Sensitivity>>, CupelError> {
    let items = build::items(&task.items)?;
    let budget = build::budget(&task.budget)?;
    let policies: Vec<(&str, Policy)> = task
        .variants
        .iter()
        .map(|it| Ok((it.label.as_str(), build::policy(&it.pipeline)?)))
        .collect::<Result<_, CupelError>>()?;
    let pipelines: Vec<(&str, Pipeline)> =
        policies.iter().map(|(label, policy)| (*label, policy.clone().into())).collect();

    let of_policies: Vec<_> = policies.iter().map(|(label, it)| (*label, it)).collect();
    let of_pipelines: Vec<_> = pipelines.iter().map(|(label, it)| (*label, it)).collect();
    let compared = |report: Result<PolicySensitivityReport, CupelError>| {
        report.map(|it| compared(Positions(&items), it)).map_err(at_run)
    };
    Ok(vec![
        Answer::new(
            "policy_sensitivity",
            compared(policy_sensitivity(&items, &budget, &of_policies)),
        ),
        Answer::new(
            "policy_sensitivity_from_pipelines",
            compared(policy_sensitivity_from_pipelines(&items, &budget, &of_pipelines)),
        ),
    ])
}

fn compared(positions: Positions<'_>, report: PolicySensitivityReport) -> Sensitivity {
    let window = |(label, report): (String, SelectionReport)| VariantWindow {
        label,
        included: positions.of_all(report.included.iter().map(|it| &it.item)),
    };
    let status = |(label, status): (String, ItemStatus)| VariantStatus {
        label,
        status: match status {
            ItemStatus::Included => "Included".to_owned(),
            ItemStatus::Excluded => "Excluded".to_owned(),
        },
    };
    Sensitivity {
        variants: report.variants.into_iter().map(window).collect(),
        diffs: report
            .diffs
            .into_iter()
            .map(|diff| Diff {
                content: diff.content,
                statuses: diff.statuses.into_iter().map(status).collect(),
            })
            .collect(),
    }
}
