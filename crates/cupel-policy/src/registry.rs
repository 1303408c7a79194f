//! Strategies of the program's own, by name.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use cupel::{ContextItem, CupelError, Placer, RunContext, ScoreBreakdown, Scorer, Slicer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::policy::{CustomConfig, PLACER_TYPES, SCORER_TYPES, SLICER_TYPES};
use crate::read::Spelled;

/// Strategies that policy files may name besides the built-in ones.
///
/// A constructor receives what the file says beside `type` (and a scorer's `weight`). It is called
/// to check a file as well as to build from it, so it should be cheap and always make the same of
/// the same. What it refuses becomes a problem at the strategy's place in the file.
///
/// ```
/// use cupel::{ContextItem, Scorer};
/// use cupel_policy::{Loader, Registry};
/// use serde::Deserialize;
///
/// /// Prefers texts that mention a word.
/// #[derive(Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Mentions {
///     word: String,
/// }
///
/// impl Scorer for Mentions {
///     fn score(&self, item: &ContextItem, _all: &[ContextItem]) -> f64 {
///         f64::from(u8::from(item.content().contains(&self.word)))
///     }
/// }
///
/// let mut registry = Registry::new();
/// registry.add_scorer("mentions", |arguments| Ok(Box::new(arguments.parse::<Mentions>()?)))?;
/// let loader = Loader::new().registry(registry);
///
/// let policy = r#"{ "scorers": [{ "type": "mentions", "weight": 2, "word": "refund" }] }"#;
/// let pipeline: cupel::Pipeline = loader.load(policy)?.into();
/// # let _ = pipeline;
///
/// let error = loader.load(&policy.replace("word", "words")).unwrap_err();
/// assert!(error.to_string().contains("unknown field `words`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    scorers: Family<dyn Scorer>,
    slicers: Family<dyn Slicer>,
    placers: Family<dyn Placer>,
}

/// What a constructor returns when it refuses its arguments.
pub type ConstructorError = Box<dyn Error + Send + Sync>;

type Constructor<S> = Arc<dyn Fn(&Arguments) -> Result<Box<S>, ConstructorError> + Send + Sync>;

struct Family<S: ?Sized>(BTreeMap<String, Constructor<S>>);

impl Registry {
    /// No custom strategies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets policy files say `{ "type": name, "weight": …, … }` among their scorers.
    ///
    /// # Errors
    /// When the name is blank, a built-in one or registered already.
    pub fn add_scorer(
        &mut self,
        name: impl Into<String>,
        constructor: impl Fn(&Arguments) -> Result<Box<dyn Scorer>, ConstructorError>
        + Send
        + Sync
        + 'static,
    ) -> Result<(), NameTaken> {
        self.scorers.add(name.into(), SCORER_TYPES, Arc::new(constructor))
    }

    /// Lets policy files say `"slicerType": { "type": name, … }`.
    ///
    /// # Errors
    /// When the name is blank, a built-in one or registered already.
    pub fn add_slicer(
        &mut self,
        name: impl Into<String>,
        constructor: impl Fn(&Arguments) -> Result<Box<dyn Slicer>, ConstructorError>
        + Send
        + Sync
        + 'static,
    ) -> Result<(), NameTaken> {
        self.slicers.add(name.into(), SLICER_TYPES, Arc::new(constructor))
    }

    /// Lets policy files say `"placerType": { "type": name, … }`.
    ///
    /// # Errors
    /// When the name is blank, a built-in one or registered already.
    pub fn add_placer(
        &mut self,
        name: impl Into<String>,
        constructor: impl Fn(&Arguments) -> Result<Box<dyn Placer>, ConstructorError>
        + Send
        + Sync
        + 'static,
    ) -> Result<(), NameTaken> {
        self.placers.add(name.into(), PLACER_TYPES, Arc::new(constructor))
    }

    /// The names of the registered scorers, in order.
    pub fn scorer_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.scorers.names()
    }

    /// The names of the registered slicers, in order.
    pub fn slicer_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.slicers.names()
    }

    /// The names of the registered placers, in order.
    pub fn placer_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.placers.names()
    }

    pub(crate) fn scorer(&self, custom: &CustomConfig) -> Result<Box<dyn Scorer>, Refusal> {
        let scorer = self.scorers.make("scorer", custom)?;
        Ok(Box::new(Registered { name: custom.name.clone(), scorer }))
    }

    pub(crate) fn slicer(&self, custom: &CustomConfig) -> Result<Box<dyn Slicer>, Refusal> {
        self.slicers.make("slicer", custom)
    }

    pub(crate) fn placer(&self, custom: &CustomConfig) -> Result<Box<dyn Placer>, Refusal> {
        self.placers.make("placer", custom)
    }
}

/// A custom scorer under the name that files know it by.
struct Registered {
    name: String,
    scorer: Box<dyn Scorer>,
}

impl Scorer for Registered {
    fn score(&self, item: &ContextItem, all_items: &[ContextItem]) -> f64 {
        self.scorer.score(item, all_items)
    }

    fn score_batch(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<f64>, CupelError> {
        self.scorer.score_batch(items, context)
    }

    fn breakdown(
        &self,
        items: &[ContextItem],
        context: &RunContext,
    ) -> Result<Vec<ScoreBreakdown>, CupelError> {
        let mut told = self.scorer.breakdown(items, context)?;
        for it in &mut told {
            if let [whole] = &mut it.parts[..] {
                whole.scorer.clone_from(&self.name);
            }
        }
        Ok(told)
    }

    fn depth(&self) -> usize {
        self.scorer.depth()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Why a custom strategy was not made.
#[derive(Debug)]
pub(crate) enum Refusal {
    Cupel(CupelError),
    Other(String),
}

impl<S: ?Sized> Family<S> {
    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.keys().map(String::as_str)
    }

    fn add(
        &mut self,
        name: String,
        built_in: &[&str],
        constructor: Constructor<S>,
    ) -> Result<(), NameTaken> {
        let taken = name.trim().is_empty()
            || self.0.contains_key(&name)
            || built_in.iter().any(|known| Spelled(known).is_name(&name));
        if taken {
            return Err(NameTaken { name });
        }
        self.0.insert(name, constructor);
        Ok(())
    }

    fn make(&self, family: &str, custom: &CustomConfig) -> Result<Box<S>, Refusal> {
        let Some(constructor) = self.0.get(&custom.name) else {
            return Err(Refusal::Other(format!("no {family} is registered as {:?}", custom.name)));
        };
        constructor(&custom.arguments).map_err(|error| match error.downcast::<CupelError>() {
            Ok(error) => Refusal::Cupel(*error),
            Err(error) => {
                Refusal::Other(format!("the {family} {:?} refuses: {error}", custom.name))
            }
        })
    }
}

impl<S: ?Sized> Clone for Family<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: ?Sized> Default for Family<S> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("scorers", &self.scorer_names().collect::<Vec<_>>())
            .field("slicers", &self.slicer_names().collect::<Vec<_>>())
            .field("placers", &self.placer_names().collect::<Vec<_>>())
            .finish()
    }
}

/// A name that cannot be registered: blank, built in, or registered already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameTaken {
    name: String,
}

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} cannot be registered: it is blank, built in (in some spelling) or registered \
             already; choose another name",
            self.name
        )
    }
}

impl Error for NameTaken {}

/// What a policy file says about a custom strategy, besides its name.
///
/// Numbers are those of `serde_json`: whole ones of 64 bits are exact, others are doubles.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// All of it as a type of your own; `#[serde(deny_unknown_fields)]` on it catches typing
    /// errors.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_value(Value::Object(self.0.clone()))
    }

    /// One value.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// All of it.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl From<Map<String, Value>> for Arguments {
    fn from(map: Map<String, Value>) -> Self {
        Self(map)
    }
}
