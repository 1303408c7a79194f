//! Selection policies as files that a team can review, share between services and languages, and
//! load without recompiling.
//!
//! ```
//! use cupel::{ContextBudget, ContextItem, Pipeline};
//! use cupel_policy::PolicyFile;
//!
//! let file = PolicyFile::from_json(
//!     r#"{
//!         "scorers": [
//!             { "type": "recency", "weight": 3 },
//!             { "type": "kind", "weight": 1, "kindWeights": { "Memory": 1, "Message": 0.5 } }
//!         ],
//!         "quotas": [{ "kind": "ToolOutput", "maxPercent": 40 }],
//!         "overflowStrategy": "truncate"
//!     }"#,
//! )?;
//! let pipeline = Pipeline::from(file.policy()?);
//!
//! let items = [ContextItem::builder("hello", 2).build()?];
//! let window = pipeline.run(&items, &ContextBudget::builder(1_000).build()?)?;
//! assert_eq!(window.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A map of the crate
//!
//! | you want to | look at |
//! |---|---|
//! | read, write or build a policy file | [`PolicyFile`] |
//! | the same with strategies or a clock of your own, or leniently | [`Loader`], [`Registry`] |
//! | build one strategy from its description | [`Loader::build_scorer`], [`Loader::build_slicer`], [`Loader::build_placer`] |
//! | start from a ready-made policy | [`Preset`], [`preset`] |
//! | answer requests: items, budget and policy in, window and report out | [`Responder`], [`respond`] |
//! | read many items, as an array or as JSON Lines | [`ItemReader`] |
//! | say what is wrong with a file | [`PolicyError`], [`Problem`] |
//! | help editors and validators | [`schema`] |
//!
//! # What a file may say
//!
//! Only `scorers` is required; the rest has the defaults shown. Keys may be spelled in snake_case
//! too, names in any case. `null` on an optional key is the same as leaving it out. `//` and
//! `/* */` comments and trailing commas are welcome; requests and items, which programs write, are
//! strict JSON.
//!
//! | key | values |
//! |---|---|
//! | `name`, `description` | for people |
//! | `$schema` | for editors: where `schemas/policy.json` is |
//! | `scorers` | a list of scorers, each `{ "type": …, "weight": … }` and what its type needs |
//! | `slicerType` | `"greedy"`, `"rank"` with `sizeExponent` (0) and `sizeFloor` (0), `"knapsack"` with `knapsackBucketSize` (100, or `"auto"`), `"stream"` with `streamBatchSize`, or an object as below |
//! | `quotas` | `[{ "kind", "minPercent", "maxPercent" }]`; one of the two limits may be missing |
//! | `countQuotas` | `[{ "kind", "requireCount", "capCount" }]`, with `scarcityBehavior` `"degrade"` or `"throw"` |
//! | `placerType` | `"chronological"`, `"uShaped"`, `"inputOrder"`, `"readingOrder"` or `"readingOrderUShaped"` |
//! | `deduplicationEnabled` | `true` |
//! | `overflowStrategy` | `"throw"`, `"truncate"` or `"proceed"` |
//!
//! | scorer type | has besides its weight |
//! |---|---|
//! | `recency`, `priority`, `frequency`, `reflexive` | nothing |
//! | `kind` | `kindWeights` (default weights) |
//! | `tag` | `tagWeights`; `tagComparison` `"ordinal"` or `"asciiCaseInsensitive"` |
//! | `scaled` | `innerScorer`, which needs no weight |
//! | `composite` | `scorers` |
//! | `metadataTrust` | `defaultScore` (0.5) |
//! | `metadataKey` | `key`, `value`, `boost` |
//! | `decay` | `curve`; `nullTimestampScore` (0.5), `referenceTime` (a request's `now`, else the loader's clock) |
//! | `fadingRecency` | `halfLife` (0.25 of the history) |
//! | `relevance` | `language` (`"auto"`), `k1` (1.2), `b` (0.5), `querySaturation` (8), `neighbourDecay` (200), `neighbourShare` (0.5), `documentWeight` (0.3), `similarityWeight` (0.35), `similarityDecay` (100), `similaritySpread` (0.7): [`RelevanceParameters`] |
//! | `similarity` | nothing |
//!
//! `relevance` goes by the run's query and refuses a run without one; a request says it as `query`.
//!
//! A curve is `{ "type": "exponential", "halfLifeSeconds" }`, `{ "type": "window", "maxAgeSeconds" }`
//! or `{ "type": "step", "windows": [{ "maxAgeSeconds", "score" }] }`.
//!
//! Quotas stand around the slicer, count quotas around both; around a knapsack alone they become
//! [`cupel::CountConstrainedKnapsackSlice`]. Count quotas over quotas over a knapsack are refused,
//! and so are quotas over a stream. All items are there at once here, so a stream is greedy.
//!
//! Where that order does not do, a slicer is an object, and the quotas of the policy stand around it:
//!
//! | slicer type | has |
//! |---|---|
//! | `quota` | `quotas`; `slicerType` (`"greedy"`), which may be an object again |
//! | `countQuota` | `countQuotas`; `scarcityBehavior` (`"degrade"`), `slicerType` (`"greedy"`) |
//! | `rank` | `sizeExponent` (0 to 1), `sizeFloor` (tokens): [`cupel::RankSlice`] |
//! | `knapsack` | `knapsackBucketSize` (100, or `"auto"`: [`cupel::KnapsackSlice::adaptive`]) |
//! | `stream` | `streamBatchSize` |
//! | `distinct` | `threshold` (0.8), `shingleWords` (5), `treatment` (`"last"`, or `"leaveOut"`): [`NearDuplicates`]; `slicerType` (`"greedy"`) |
//!
//! ```
//! # use cupel_policy::PolicyFile;
//! // At most half of the tokens for documents, and within that half at most three documents.
//! let file = PolicyFile::from_json(
//!     r#"{
//!         "scorers": [{ "type": "recency", "weight": 1 }],
//!         "slicerType": {
//!             "type": "quota",
//!             "quotas": [{ "kind": "Document", "maxPercent": 50 }],
//!             "slicerType": {
//!                 "type": "countQuota",
//!                 "countQuotas": [{ "kind": "Document", "capCount": 3 }],
//!                 "slicerType": { "type": "knapsack", "knapsackBucketSize": 10 }
//!             }
//!         }
//!     }"#,
//! )?;
//! # assert!(file.policy().is_ok());
//! # Ok::<(), cupel_policy::PolicyError>(())
//! ```
//!
//! # Limits
//!
//! | what | limit |
//! |---|---|
//! | nesting of arrays and objects | [`MAX_DEPTH`] |
//! | windows of a step curve | [`MAX_STEP_WINDOWS`] |
//! | bytes of a policy file | [`MAX_POLICY_BYTES`] |
//! | problems described per document | [`MAX_PROBLEMS`]; the rest are counted |
//! | numbers | 64-bit floating point, read to the nearest one; beyond its range it is not JSON to us |
//! | whole numbers | 64 bits, written without fraction or exponent: `12.0` is not one |
//! | seconds | rounded to the nanosecond; more than 0 and at most about 292 million years |
//! | timestamps | RFC 3339 with any offset, in UTC within the years 0000 to 9999 |
//!
//! The size of any other document, a request above all, is the caller's to limit: time and memory
//! grow in proportion to it. Reading takes up to sixty times its size in memory where it consists of
//! nothing but small values such as `[0,0,0]`, and little more than its size where it is mostly text.

#![cfg_attr(not(test), deny(clippy::unwrap_used))]

pub mod preset;
pub mod schema;

mod error;
mod items;
mod json;
mod loader;
mod own_keys;
mod policy;
mod read;
mod registry;
mod request;
mod responder;
mod response;
mod time;

pub use cupel_relevance::{Language, NearDuplicateTreatment, NearDuplicates, RelevanceParameters};
pub use error::{INVALID_REQUEST, MAX_PROBLEMS, PolicyError, Problem, ProblemKind};
pub use items::{ItemReader, Items};
pub use json::MAX_DEPTH;
pub use loader::{Loader, Parsed};
pub use own_keys::OwnKeys;
pub use policy::{
    BucketSize, CountQuota, CurveConfig, CustomConfig, MAX_POLICY_BYTES, MAX_STEP_WINDOWS,
    PlacerConfig, PolicyFile, Quota, ScorerConfig, SlicerConfig, StepWindow, TagComparison,
    WeightedScorer,
};
pub use preset::{Preset, UnknownPreset};
pub use read::Slip;
pub use registry::{Arguments, ConstructorError, NameTaken, Registry};
pub use request::{PolicySource, Request, RequestId};
pub use responder::{Responder, SessionTurn, respond};
pub use response::{Failure, Response, Selected};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
