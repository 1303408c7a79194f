//! Loading policies with options.

use std::fmt;
use std::sync::Arc;

use cupel::{
    ContextBudget, ContextItem, CupelError, Placer, Policy, Scorer, Slicer, SystemTimeProvider,
    TimeProvider,
};

use crate::error::{Problem, ProblemKind, Problems};
use crate::json::{self, Dialect, Node, Path, Value};
use crate::policy::{
    self, MAX_POLICY_BYTES, Parts, PlacerConfig, PolicyFile, ScorerConfig, SlicerConfig,
};
use crate::preset::Preset;
use crate::read::Context;
use crate::request::{self, PolicySource, ReadRequest, Request, RequestRules};
use crate::{PolicyError, Registry};

/// Loads policy files: with strategies and a clock of your own, and leniently if need be.
///
/// ```
/// use cupel_policy::Loader;
///
/// // Written for a reader that ignores keys it does not know.
/// let json = r#"{ "scorers": [{ "type": "recency", "weight": 1 }], "version": 2 }"#;
/// assert!(Loader::new().parse(json).is_err());
///
/// let parsed = Loader::new().lenient(true).parse(json)?;
/// assert_eq!(parsed.warnings[0].path(), "$.version");
/// # Ok::<(), cupel_policy::PolicyError>(())
/// ```
#[derive(Clone)]
pub struct Loader {
    registry: Registry,
    clock: Arc<dyn TimeProvider>,
    lenient: bool,
}

/// A policy file as read.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// What it says.
    pub policy: PolicyFile,
    /// The keys that were ignored; empty unless the loader is lenient.
    pub warnings: Vec<Problem>,
}

impl Loader {
    /// Built-in strategies, the system's clock, strict.
    pub fn new() -> Self {
        Self { registry: Registry::new(), clock: Arc::new(SystemTimeProvider), lenient: false }
    }

    /// Strategies that files may name besides the built-in ones.
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = registry;
        self
    }

    /// The clock of decay scorers that are given no reference time.
    pub fn clock(mut self, clock: impl TimeProvider + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Whether unknown keys in policies are ignored with a warning instead of refused.
    pub fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// Reads and checks a policy file: an object, or the name of a preset as a JSON string. It may
    /// have `//` and `/* */` comments and trailing commas.
    ///
    /// # Errors
    /// With every problem of the file, each with its place; at once for a file of more than
    /// [`MAX_POLICY_BYTES`](crate::MAX_POLICY_BYTES).
    pub fn parse(&self, json: &str) -> Result<Parsed, PolicyError> {
        self.parse_by(Dialect::Jsonc, json)
    }

    /// Reads and checks a policy that a program holds as values and has written as JSON, without comments, but with `NaN`,
    /// `Infinity` and `-Infinity`, which the strategies refuse in their own words.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_values(&self, json: &str) -> Result<Parsed, PolicyError> {
        self.parse_by(Dialect::JsonWithNonFinite, json)
    }

    fn parse_by(&self, dialect: Dialect, json: &str) -> Result<Parsed, PolicyError> {
        refuse_oversized(json)?;
        let read = |node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>| {
            self.read_policy_or_preset(node, path, context)
        };
        let (source, warnings) = self.read(json, dialect, read)?;
        Ok(Parsed { policy: source.into_policy_file(), warnings })
    }

    /// The strategies that `file` describes.
    ///
    /// # Errors
    /// When a value is refused, or a custom strategy is not registered here; neither can happen to
    /// a file that this loader has read.
    pub fn build(&self, file: &PolicyFile) -> Result<Policy, CupelError> {
        file.assemble(&self.parts())
    }

    /// The scorer that `config` describes.
    ///
    /// # Errors
    /// When a value is refused, or a custom scorer is not registered here.
    pub fn build_scorer(&self, config: &ScorerConfig) -> Result<Box<dyn Scorer>, CupelError> {
        config.build(&self.parts())
    }

    /// The slicer that `config` describes.
    ///
    /// # Errors
    /// When a value is refused, two slicers do not go together, or a custom one is not registered
    /// here.
    pub fn build_slicer(&self, config: &SlicerConfig) -> Result<Box<dyn Slicer>, CupelError> {
        config.build(&self.parts())
    }

    /// The placer that `config` describes.
    ///
    /// # Errors
    /// When a custom placer is not registered here, or refuses its arguments.
    pub fn build_placer(&self, config: &PlacerConfig) -> Result<Box<dyn Placer>, CupelError> {
        config.build(&self.parts())
    }

    /// Reads a policy file and builds what it describes. Warnings are dropped.
    ///
    /// # Errors
    /// With every problem of the file, each with its place.
    pub fn load(&self, json: &str) -> Result<Policy, PolicyError> {
        let file = self.parse(json)?.policy;
        self.build(&file).map_err(|error| {
            let mut problems = Problems::default();
            problems.add(0, &Path::ROOT, ProblemKind::Refused(error));
            problems.into_error(json)
        })
    }

    /// Reads and checks a request. Warnings are dropped.
    ///
    /// # Errors
    /// With every problem of the request, each with its place.
    pub fn parse_request(&self, json: &str) -> Result<Request, PolicyError> {
        Ok(self.parse_request_by(RequestRules::default(), json)?.request)
    }

    /// The same by rules of the caller's.
    pub(crate) fn parse_request_by(
        &self,
        rules: RequestRules<'_>,
        json: &str,
    ) -> Result<ReadRequest, PolicyError> {
        let read = |node: &Node<'_>, path: &Path<'_>, context: &mut Context<'_>| {
            request::request(self, rules, node, path, context)
        };
        Ok(self.read(json, Dialect::Json, read)?.0)
    }

    /// Reads one item, with the place of every problem.
    ///
    /// # Errors
    /// With every problem of the item, each with its place.
    pub fn parse_item(&self, json: &str) -> Result<ContextItem, PolicyError> {
        Ok(self.read(json, Dialect::Json, request::item)?.0)
    }

    /// Reads a budget, with the place of every problem.
    ///
    /// # Errors
    /// With every problem of the budget, each with its place.
    pub fn parse_budget(&self, json: &str) -> Result<ContextBudget, PolicyError> {
        Ok(self.read(json, Dialect::Json, request::budget)?.0)
    }

    pub(crate) fn parts(&self) -> Parts<'_> {
        Parts { registry: &self.registry, clock: &self.clock }
    }

    /// Reads a document with `read`: what it says and what to warn of, or all that is wrong.
    pub(crate) fn read<T>(
        &self,
        json: &str,
        dialect: Dialect,
        read: impl FnOnce(&Node<'_>, &Path<'_>, &mut Context<'_>) -> Option<T>,
    ) -> Result<(T, Vec<Problem>), PolicyError> {
        let mut context = Context::new(self.parts());
        let read = match json::parse(json, dialect) {
            Ok(root) => read(&root, &Path::ROOT, &mut context),
            Err(error) => {
                context.problems.add(error.at, &Path::ROOT, error.into());
                None
            }
        };
        match read {
            Some(read) if context.problems.count() == 0 => {
                Ok((read, context.warnings.locate(json)))
            }
            _ => Err(context.problems.into_error(json)),
        }
    }

    /// Reads a policy where one is expected: an object, or the name of a preset.
    pub(crate) fn read_policy_or_preset(
        &self,
        node: &Node<'_>,
        path: &Path<'_>,
        context: &mut Context<'_>,
    ) -> Option<PolicySource> {
        match &node.value {
            Value::String(name) => {
                let preset = Preset::from_name(name);
                if preset.is_none() {
                    let names = Preset::ALL.iter().map(|preset| preset.name());
                    context.problem(node, path, crate::read::unknown_name("preset", name, names));
                }
                preset.map(PolicySource::Preset)
            }
            Value::Object(_) => {
                let lenient = std::mem::replace(&mut context.lenient, self.lenient);
                let policy = policy::read_policy(node, path, context);
                context.lenient = lenient;
                policy.map(PolicySource::from)
            }
            other => {
                let expected = "a policy object or the name of a preset";
                context.problem(node, path, ProblemKind::wrong_type(expected, other));
                None
            }
        }
    }
}

fn refuse_oversized(json: &str) -> Result<(), PolicyError> {
    if json.len() <= MAX_POLICY_BYTES {
        return Ok(());
    }
    let message =
        format!("{} bytes are more than a policy file may have ({MAX_POLICY_BYTES})", json.len());
    let mut problems = Problems::default();
    problems.add(0, &Path::ROOT, ProblemKind::Other { message });
    Err(problems.into_error(json))
}

impl Default for Loader {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader")
            .field("registry", &self.registry)
            .field("lenient", &self.lenient)
            .finish_non_exhaustive()
    }
}
