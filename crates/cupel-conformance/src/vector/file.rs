//! Whole files, by stage.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use super::case::{marginal_items, min_budget, pipeline, placing, scoring, sensitivity, slicing};
use super::error::Problem;
use super::expect::{ExpectedError, ItemRef};
use super::item::{BudgetTable, ItemTables};
use super::pipeline::{PipelineTable, SlicerName};
use super::scorer::ScorerName;
use super::{Case, Read, Vector};
use crate::engine::{Phase, PlacerSpec, names};

names! {
    /// Which kind of vector.
    pub(super) Stage, "stage" {
        /// One scorer.
        Scoring = "scoring",
        /// One slicer.
        Slicing = "slicing",
        /// One placer.
        Placing = "placing",
        /// All stages.
        Pipeline = "pipeline",
        /// Several runs.
        Simulation = "simulation",
    }
}

names! {
    /// Which simulation.
    pub(super) Operation, "operation" {
        /// What a smaller budget loses.
        MarginalItems = "marginal_items",
        /// The smallest budget for an item.
        FindMinBudget = "find_min_budget",
        /// Where pipelines disagree.
        Sensitivity = "sensitivity",
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct TestTable {
    pub(super) name: String,
    pub(super) stage: Stage,
    pub(super) scorer: Option<ScorerName>,
    pub(super) slicer: Option<SlicerName>,
    pub(super) placer: Option<PlacerSpec>,
    pub(super) operation: Option<Operation>,
    #[serde(default)]
    pub(super) expect_construction_error: bool,
}

/// What is read first, because it says how to read the rest.
#[derive(Debug, Deserialize)]
struct Head {
    test: Spanned<TestTable>,
}

/// A whole file; `Config` and `Expected` differ by stage.
#[derive(Debug, Deserialize)]
#[serde(bound = "Config: DeserializeOwned, Expected: DeserializeOwned")]
pub(super) struct File<Config, Expected> {
    pub(super) test: TestTable,
    pub(super) budget: Option<Spanned<BudgetTable>>,
    pub(super) config: Option<Spanned<Config>>,
    #[serde(default)]
    pub(super) items: ItemTables,
    #[serde(default)]
    pub(super) scored_items: ItemTables,
    pub(super) parameters: Option<Spanned<ParametersTable>>,
    #[serde(default)]
    pub(super) variants: Vec<Spanned<PipelineTable>>,
    pub(super) expected: Option<Expected>,
    pub(super) expected_output: Option<Vec<ItemRef>>,
    expected_error: Option<ErrorTable>,
    tolerance: Option<ToleranceTable>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ParametersTable {
    pub(super) slack_tokens: Option<i64>,
    pub(super) target: Option<usize>,
    #[serde(default)]
    pub(super) target_rebuilt: bool,
    pub(super) search_ceiling: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct ToleranceTable {
    score_epsilon: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
struct ErrorTable {
    variant: Option<String>,
    pinned_tokens: Option<i64>,
    available: Option<i64>,
    merged_tokens: Option<i64>,
    target_tokens: Option<i64>,
    candidates: Option<i64>,
    capacity: Option<i64>,
    cells: Option<i64>,
    message: Option<String>,
    #[serde(default)]
    message_contains: Vec<String>,
}

const DEFAULT_EPSILON: f64 = 1e-9;

pub(super) fn read(text: &str) -> Result<Read, Problem> {
    let head: Head = toml::from_str(text)?;
    let at = head.test.span();
    let test = head.test.into_inner();
    match test.stage {
        Stage::Scoring => read_as(text, |file| scoring(file, &at)),
        Stage::Slicing => read_as(text, |file| slicing(file, &at)),
        Stage::Placing => read_as(text, |file| placing(file, &at)),
        Stage::Pipeline => read_as(text, |file| pipeline(file, &at)),
        Stage::Simulation => match test.operation {
            Some(Operation::MarginalItems) => read_as(text, |file| marginal_items(file, &at)),
            Some(Operation::FindMinBudget) => read_as(text, |file| min_budget(file, &at)),
            Some(Operation::Sensitivity) => read_as(text, |file| sensitivity(file, &at)),
            None => Err(missing(&at, "test.operation")),
        },
    }
}

/// Where `[test]` stands, for problems that have no better place.
pub(super) type At = Range<usize>;

pub(super) fn missing(at: &At, field: &str) -> Problem {
    Problem::new(at.clone(), format!("{field} is missing; vectors of this stage need it"))
}

fn read_as<Config: DeserializeOwned, Expected: DeserializeOwned>(
    text: &str,
    case: impl FnOnce(&mut File<Config, Expected>) -> Result<Case, Problem>,
) -> Result<Read, Problem> {
    let mut unknown_fields = Vec::new();
    let mut note = |path: serde_ignored::Path<'_>| unknown_fields.push(readable(&path.to_string()));
    let deserializer = toml::Deserializer::parse(text)?;
    let mut file: File<Config, Expected> = serde_ignored::deserialize(deserializer, &mut note)?;
    let case = case(&mut file)?;
    let score_epsilon = file.tolerance.and_then(|it| it.score_epsilon).unwrap_or(DEFAULT_EPSILON);
    let error = expected_error(file.expected_error, file.test.expect_construction_error);
    Ok(Read { vector: Vector { name: file.test.name, case, error, score_epsilon }, unknown_fields })
}

/// A path without the steps that only serde takes.
fn readable(path: &str) -> String {
    let step = |step: &&str| *step != "?" && !step.starts_with("$__");
    path.split('.').filter(step).collect::<Vec<_>>().join(".")
}

fn expected_error(table: Option<ErrorTable>, construction: bool) -> Option<ExpectedError> {
    if table.is_none() && !construction {
        return None;
    }
    let table = table.unwrap_or_default();
    let fields = [
        ("pinned_tokens", table.pinned_tokens),
        ("available", table.available),
        ("merged_tokens", table.merged_tokens),
        ("target_tokens", table.target_tokens),
        ("candidates", table.candidates),
        ("capacity", table.capacity),
        ("cells", table.cells),
    ];
    let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Some(ExpectedError {
        phase: if construction { Phase::Construction } else { Phase::Run },
        variant: table.variant,
        fields: BTreeMap::from_iter(given),
        message: table.message,
        message_contains: table.message_contains,
    })
}
