//! How windows are chosen.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use cupel::TimeProvider;
use cupel_policy::{Loader, MAX_POLICY_BYTES, Parsed, PolicyError, PolicyFile, Preset, Registry};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

use crate::given::{self, Given};
use crate::strategy::{CalledPlacer, CalledScorer, CalledSlicer};
use crate::write::{Floats, quote, write_json};
use crate::{raise, stages};

/// How windows are chosen: a preset by name, or a policy as a dict, as JSON text, or in a file.
///
/// Strategies of your own are callables, by the name that the policy calls them by.
///
/// >>> from cupel_context import Policy
/// >>> Policy("chat")
/// Policy('chat')
/// >>> def mentions(items, run, word):
/// ...     return [float(word in item.content) for item in items]
/// >>> policy = {"scorers": [{"type": "mentions", "weight": 1, "word": "refund"}]}
/// >>> Policy(policy, scorers={"mentions": mentions}).to_dict()["scorers"][0]["word"]
/// 'refund'
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Policy(Arc<Loaded>);

/// A policy, and what it takes to build it.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) label: String,
    pub(crate) file: PolicyFile,
    loader: Loader,
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (source, *, scorers=None, slicers=None, placers=None, lenient=None))]
    fn new(
        source: &Bound<'_, PyAny>,
        scorers: Given<'_, '_>,
        slicers: Given<'_, '_>,
        placers: Given<'_, '_>,
        lenient: Given<'_, '_>,
    ) -> PyResult<Self> {
        let registry = registry(source.py(), scorers, slicers, placers)?;
        let lenient = given::flag(lenient, "lenient", false)?;
        let loaded = Loaded::load(source, Loader::new().registry(registry).lenient(lenient))?;
        Ok(Self(Arc::new(loaded)))
    }

    /// What it is called: its own name, that of its preset or file, or "policy".
    #[getter]
    fn name(&self) -> &str {
        &self.0.label
    }

    /// The policy as a dict, as files say it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        given::from_json(py, &self.to_json(py)?)
    }

    /// The policy as the text of a file.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.file.to_json().map_err(|error| {
            let remedy = "give numbers that JSON can write";
            raise::other(py, "PolicyError", "policy", &error.to_string(), remedy)
        })
    }

    /// The score of each item among all of them, or `against` a list of others; what a run would give them.
    ///
    /// >>> from cupel_context import Policy
    /// >>> Policy({"scorers": [{"type": "priority", "weight": 1}]}).score([{"content": "a", "priority": 9}, {"content": "b", "priority": 1}])
    /// [1.0, 0.0]
    #[pyo3(signature = (items, *, against=None, query=None, now=None))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        items: &Bound<'py, PyAny>,
        against: Given<'_, 'py>,
        query: Given<'_, 'py>,
        now: Given<'_, 'py>,
    ) -> PyResult<Vec<f64>> {
        stages::score(py, &self.0, items, given::present(against), query, now)
    }

    /// What its slicer makes of items that have these scores: the positions that are "kept", why others are "refused" where it says
    /// so, and "shortfalls" of what it was to find so many of.
    fn slice<'py>(
        &self,
        py: Python<'py>,
        items: &Bound<'py, PyAny>,
        scores: &Bound<'py, PyAny>,
        budget: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        stages::slice(py, &self.0, items, scores, budget)
    }

    /// All positions in the order of its placer, of items that have these scores.
    fn place<'py>(
        &self,
        py: Python<'py>,
        items: &Bound<'py, PyAny>,
        scores: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<usize>> {
        stages::place(py, &self.0, items, scores)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Policy({})", PyString::new(py, &self.0.label).repr()?))
    }
}

impl Loaded {
    /// A policy as it may be given wherever one is expected.
    pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        match given.cast::<Policy>() {
            Ok(policy) => Ok(Arc::clone(&policy.get().0)),
            Err(_) => Self::load(given, Loader::new()).map(Arc::new),
        }
    }

    /// The same, where it may be left out.
    pub(crate) fn optional(given: Given<'_, '_>) -> PyResult<Option<Arc<Self>>> {
        given::present(given).map(Self::read).transpose()
    }

    fn load(source: &Bound<'_, PyAny>, loader: Loader) -> PyResult<Self> {
        let py = source.py();
        if source.is_instance_of::<PyString>() {
            let said = given::text(source, "policy")?;
            if let Some(preset) = Preset::from_name(&said) {
                let (label, file) = (preset.name().to_owned(), preset.policy_file());
                return Ok(Self { label, file, loader });
            }
            return match () {
                () if said.trim_start().starts_with(['{', '"', '/']) && said.contains('{') => {
                    Self::parse(py, &said, "policy", loader)
                }
                () if looks_like_a_file(&said) => Self::open(py, said.into(), loader),
                () => {
                    // The loader knows all names, and which was meant.
                    let mut quoted = String::new();
                    quote(&said, &mut quoted);
                    Self::parse(py, &quoted, "policy", loader)
                }
            };
        }
        if source.cast::<PyMapping>().is_ok() {
            let mut values = String::new();
            write_json(source, "policy", Floats::All, &mut values)?;
            return Self::of(py, loader.parse_values(&values), "policy", loader);
        }
        if source.hasattr(intern!(py, "__fspath__"))? {
            let path = source.call_method0(intern!(py, "__fspath__"))?;
            return Self::open(py, given::text(&path, "policy")?.into(), loader);
        }
        let expected = "the name of a preset, a dict, JSON text, the path of a file, or a Policy";
        Err(raise::wrong_type(source, "policy", expected))
    }

    fn parse(py: Python<'_>, json: &str, unless_named: &str, loader: Loader) -> PyResult<Self> {
        Self::of(py, loader.parse(json), unless_named, loader)
    }

    fn of(
        py: Python<'_>,
        parsed: Result<Parsed, PolicyError>,
        unless_named: &str,
        loader: Loader,
    ) -> PyResult<Self> {
        let file =
            parsed.map_err(|error| raise::policy(py, "PolicyError", "policy", &error))?.policy;
        let label = file.name.clone().unwrap_or_else(|| unless_named.to_owned());
        Ok(Self { label, file, loader })
    }

    fn open(py: Python<'_>, path: PathBuf, loader: Loader) -> PyResult<Self> {
        let name = path.display().to_string();
        let too_long = |bytes: u64| bytes > MAX_POLICY_BYTES as u64;
        let text = match fs::metadata(&path) {
            Ok(file) if too_long(file.len()) => Err(format!(
                "{} bytes are more than a policy file may have ({MAX_POLICY_BYTES})",
                file.len()
            )),
            Ok(_) => fs::read_to_string(&path).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let text = text.map_err(|problem| {
            let remedy = "give the path of a policy file, or the name of a preset";
            raise::other(py, "PolicyError", &name, &problem, remedy)
        })?;
        let label = path.file_name().map_or_else(|| name.clone(), |it| it.display().to_string());
        Self::parse(py, &text, &label, loader)
    }
}

impl Loaded {
    /// The strategies that it describes.
    pub(crate) fn build(&self, py: Python<'_>) -> PyResult<cupel::Policy> {
        self.build_at(py, None)
    }

    /// The same for a run that happens at `now`.
    pub(crate) fn build_at(
        &self,
        py: Python<'_>,
        now: Option<DateTime<Utc>>,
    ) -> PyResult<cupel::Policy> {
        let built = match now {
            Some(now) => self.loader.clone().clock(Stopped(now)).build(&self.file),
            None => self.loader.build(&self.file),
        };
        built.map_err(|error| raise::engine(py, &error))
    }
}

#[derive(Debug)]
struct Stopped(DateTime<Utc>);

impl TimeProvider for Stopped {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

fn looks_like_a_file(name: &str) -> bool {
    name.contains(['/', '\\', '.']) || fs::metadata(name).is_ok()
}

/// Strategies of the caller's own.
fn registry(
    py: Python<'_>,
    scorers: Given<'_, '_>,
    slicers: Given<'_, '_>,
    placers: Given<'_, '_>,
) -> PyResult<Registry> {
    let mut registry = Registry::new();
    let taken = |family: &str, problem: String| {
        raise::other(py, "PolicyError", family, &problem, "give each a name of its own")
    };
    for (name, function) in callables(scorers, "scorers")? {
        let made = CalledScorer::maker(&name, function);
        let added = registry.add_scorer(name, move |arguments| Ok(Box::new(made(arguments))));
        added.map_err(|error| taken("scorers", error.to_string()))?;
    }
    for (name, function) in callables(slicers, "slicers")? {
        let made = CalledSlicer::maker(&name, function);
        let added = registry.add_slicer(name, move |arguments| Ok(Box::new(made(arguments))));
        added.map_err(|error| taken("slicers", error.to_string()))?;
    }
    for (name, function) in callables(placers, "placers")? {
        let made = CalledPlacer::maker(&name, function);
        let added = registry.add_placer(name, move |arguments| Ok(Box::new(made(arguments))));
        added.map_err(|error| taken("placers", error.to_string()))?;
    }
    Ok(registry)
}

fn callables(given: Given<'_, '_>, family: &str) -> PyResult<Vec<(String, Py<PyAny>)>> {
    let Some(given) = given::present(given) else { return Ok(Vec::new()) };
    let Ok(dict) = given.cast::<PyDict>() else {
        return Err(raise::wrong_type(given, family, "a dict of names and callables"));
    };
    let read = |(name, function): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name = given::text(&name, family)?;
        if !function.is_callable() {
            let path = format!("{family}[{name:?}]");
            return Err(raise::wrong_type(&function, &path, "a callable"));
        }
        Ok((name, function.unbind()))
    };
    dict.iter().map(read).collect()
}

/// The ready-made policies: name, and one sentence on when to use it.
///
/// >>> from cupel_context import presets
/// >>> "answer" in presets()
/// True
#[pyfunction]
pub(crate) fn presets(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let told = PyDict::new(py);
    for preset in Preset::ALL {
        told.set_item(preset.name(), preset.when_to_use())?;
    }
    Ok(told)
}
