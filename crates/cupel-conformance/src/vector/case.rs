//! From the tables of a file to a task and what is expected of it, stage by stage.

use serde::Deserialize;
use toml::Spanned;

use super::Case;
use super::error::Problem;
use super::expect::*;
use super::file::{At, File, ParametersTable, missing};
use super::item::{budget, entries, listed, scores};
use super::pipeline::{PipelineTable, SlicerTable, variant};
use super::scorer::{Around, ScorerTable, scorer};
use crate::engine::{
    BudgetSpec, Entry, MarginalItemsTask, MinBudgetTask, PlaceTask, RunTask, ScoreTask,
    SensitivityTask, SliceTask, item_at,
};

#[derive(Debug, Deserialize)]
pub(super) struct ScoreTable {
    content: Option<String>,
    index: Option<usize>,
    score_approx: f64,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ReportTable {
    diagnostics: Option<ExpectedDiagnostics>,
}

pub(super) fn scoring(
    file: &mut File<ScorerTable, Vec<Spanned<ScoreTable>>>,
    at: &At,
) -> Result<Case, Problem> {
    let name = file.test.scorer.ok_or_else(|| missing(at, "test.scorer"))?;
    let config = match file.config.take() {
        Some(config) => config,
        None => Spanned::new(at.clone(), ScorerTable::default()),
    };
    let items = entries(&file.items)?;
    let expected: Vec<ExpectedScore> = file
        .expected
        .take()
        .unwrap_or_default()
        .iter()
        .map(|table| expected_score(table, &items))
        .collect::<Result<_, Problem>>()?;
    let wanted = expected.iter().map(|it| it.item).collect();
    let scorer = scorer(name, &config, Around::default())?;
    Ok(Case::Scoring(ScoreTask { scorer, list: listed(&file.items), items, wanted }, expected))
}

fn expected_score(table: &Spanned<ScoreTable>, items: &[Entry]) -> Result<ExpectedScore, Problem> {
    let ScoreTable { content, index, score_approx } = table.get_ref();
    let is_named = |at: &usize| match (item_at(items, *at), content) {
        (Some(item), Some(content)) => item.content == *content,
        (item, _) => item.is_some(),
    };
    let item = match index {
        Some(index) => Some(*index).filter(is_named),
        None => (0..items.len()).find(is_named).filter(|_| content.is_some()),
    };
    match item {
        Some(item) => Ok(ExpectedScore { item, score: *score_approx }),
        None => Err(Problem::new(table.span(), "there is no such item to expect a score of")),
    }
}

pub(super) fn slicing(
    file: &mut File<SlicerTable, ExpectedSelection>,
    at: &At,
) -> Result<Case, Problem> {
    let name = file.test.slicer.ok_or_else(|| missing(at, "test.slicer"))?;
    let slicer = match &file.config {
        Some(config) => config.get_ref().slicer(name)?,
        None => SlicerTable::default().slicer(name)?,
    };
    let budget = file.budget.as_ref().ok_or_else(|| missing(at, "budget"))?;
    let (max_tokens, target_tokens) = budget.get_ref().of_slicing();
    let (items, scores) = (entries(&file.scored_items)?, scores(&file.scored_items)?);
    let task = SliceTask { slicer, items, scores, max_tokens, target_tokens };
    Ok(Case::Slicing(task, file.expected.take().unwrap_or_default()))
}

/// For stages without a `[config]`.
#[derive(Debug, Deserialize)]
pub(super) struct Nothing {}

pub(super) fn placing(file: &mut File<Nothing, ExpectedOrder>, at: &At) -> Result<Case, Problem> {
    let placer = file.test.placer.ok_or_else(|| missing(at, "test.placer"))?;
    let (items, scores) = (entries(&file.items)?, scores(&file.items)?);
    let task = PlaceTask { placer, items, scores };
    Ok(Case::Placing(task, file.expected.take().unwrap_or_default()))
}

impl<Expected> File<PipelineTable, Expected> {
    fn pipeline(&self, at: &At) -> Result<&PipelineTable, Problem> {
        self.config.as_ref().map(Spanned::get_ref).ok_or_else(|| missing(at, "config"))
    }
}

impl<Config, Expected> File<Config, Expected> {
    fn budget(&self, at: &At) -> Result<BudgetSpec, Problem> {
        budget(self.budget.as_ref().ok_or_else(|| missing(at, "budget"))?)
    }

    fn parameters(&self, at: &At) -> Result<&ParametersTable, Problem> {
        self.parameters.as_ref().map(Spanned::get_ref).ok_or_else(|| missing(at, "parameters"))
    }
}

pub(super) fn pipeline(
    file: &mut File<PipelineTable, ReportTable>,
    at: &At,
) -> Result<Case, Problem> {
    let task = RunTask {
        pipeline: file.pipeline(at)?.pipeline()?,
        detail_level: file.pipeline(at)?.detail_level(),
        budget: file.budget(at)?,
        items: entries(&file.items)?,
    };
    let diagnostics = file.expected.take().and_then(|it| it.diagnostics);
    let output = match (file.expected_output.take(), &diagnostics) {
        (None, None) => Some(Vec::new()),
        (output, _) => output,
    };
    Ok(Case::Pipeline(task, output, diagnostics.unwrap_or_default()))
}

pub(super) fn marginal_items(
    file: &mut File<PipelineTable, ExpectedMarginal>,
    at: &At,
) -> Result<Case, Problem> {
    let slack_tokens = file.parameters(at)?.slack_tokens;
    let task = MarginalItemsTask {
        pipeline: file.pipeline(at)?.pipeline()?,
        budget: file.budget(at)?,
        items: entries(&file.items)?,
        slack_tokens: slack_tokens.ok_or_else(|| missing(at, "parameters.slack_tokens"))?,
    };
    Ok(Case::MarginalItems(task, file.expected.take().unwrap_or_default()))
}

pub(super) fn min_budget(
    file: &mut File<PipelineTable, ExpectedMinBudget>,
    at: &At,
) -> Result<Case, Problem> {
    let parameters = file.parameters(at)?;
    let target = parameters.target.ok_or_else(|| missing(at, "parameters.target"))?;
    let ceiling = parameters.search_ceiling;
    if target >= file.items.len() {
        return Err(Problem::new(at.clone(), format!("there is no item {target} to ask for")));
    }
    let task = MinBudgetTask {
        pipeline: file.pipeline(at)?.pipeline()?,
        budget: file.budget(at)?,
        items: entries(&file.items)?,
        target,
        target_rebuilt: parameters.target_rebuilt,
        search_ceiling: ceiling.ok_or_else(|| missing(at, "parameters.search_ceiling"))?,
    };
    Ok(Case::MinBudget(task, file.expected.take().unwrap_or_default()))
}

pub(super) fn sensitivity(
    file: &mut File<Nothing, ExpectedSensitivity>,
    at: &At,
) -> Result<Case, Problem> {
    let task = SensitivityTask {
        variants: file.variants.iter().map(variant).collect::<Result<_, Problem>>()?,
        budget: file.budget(at)?,
        items: entries(&file.items)?,
    };
    Ok(Case::Sensitivity(task, file.expected.take().unwrap_or_default()))
}
