//! A conversation over many turns.

use std::sync::{Mutex, MutexGuard, TryLockError};

use chrono::{DateTime, Utc};
use cupel::{ContextBudget, Query};
use cupel_cli::parts;
use cupel_messages::{Format, Request};
use cupel_session::{Error, ItemTurn, Price, Settings, State};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::asked::{self, Asked};
use crate::cutting::{Arguments, Cutting};
use crate::given::{self, Given};
use crate::select::{self, Setting};
use crate::turn::Turn;
use crate::write::to_json;
use crate::{budget, raise, strategy};

/// A conversation over many turns: the window begins with the window before it, so that the provider's prompt cache reads it;
/// something is cut rarely and then deep; and every turn says what it costs and why.
///
/// Each turn gets the whole conversation and gives what to send of it. The keywords of `fit` mean what they mean there. `high`
/// and `low` are the shares of the budget above which something is cut, and down to which; `breakpoints` marks the request for
/// caches that want it. `state` is all there is to carry for services without memory.
///
/// >>> from cupel_context import Session
/// >>> session = Session(1_000, model="gpt-5")
/// >>> messages = [{"role": "user", "content": "Is my bike ready?"}]
/// >>> turn = session.next(messages)
/// >>> messages += [
/// ...     {"role": "assistant", "content": "Not yet: it waits for a chain."},
/// ...     {"role": "user", "content": "When will it be?"},
/// ... ]
/// >>> turn = session.next(messages)
/// >>> turn.report.action, turn.report.first_change
/// ('extended', None)
/// >>> turn.messages[0] is messages[0]
/// True
/// >>> Session.resume(1_000, session.state).turns
/// 2
///
/// Turns of one session follow one another: one that is asked for while another is being taken is refused. Sessions do not know of
/// each other, and each may be used by any thread.
#[pyclass(frozen, module = "cupel_context")]
#[derive(Debug)]
pub(crate) struct Session {
    budget: ContextBudget,
    cutting: Cutting,
    query: Option<Query>,
    provider: Option<Format>,
    now: Option<DateTime<Utc>>,
    price: Option<Price>,
    state: Mutex<State>,
    /// What it was made with, to make another.
    given: (Py<PyAny>, Py<PyDict>),
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (
        budget, *, model=None, policy=None, provider=None, query=None, output_reserve=None, keep_first=None, keep_last=None,
        pin=None, shorten=None, granularity=None, current_turn=None, dangling=None, high=None, low=None, least_freed=None,
        breakpoints=None, price=None, now=None, state=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
    fn new<'py>(
        py: Python<'py>,
        budget: &Bound<'py, PyAny>,
        model: Given<'_, 'py>,
        policy: Given<'_, 'py>,
        provider: Given<'_, 'py>,
        query: Given<'_, 'py>,
        output_reserve: Given<'_, 'py>,
        keep_first: Given<'_, 'py>,
        keep_last: Given<'_, 'py>,
        pin: Given<'_, 'py>,
        shorten: Given<'_, 'py>,
        granularity: Given<'_, 'py>,
        current_turn: Given<'_, 'py>,
        dangling: Given<'_, 'py>,
        high: Given<'_, 'py>,
        low: Given<'_, 'py>,
        least_freed: Given<'_, 'py>,
        breakpoints: Given<'_, 'py>,
        price: Given<'_, 'py>,
        now: Given<'_, 'py>,
        state: Given<'_, 'py>,
    ) -> PyResult<Self> {
        let arguments = Arguments {
            model,
            policy,
            query,
            keep_first,
            keep_last,
            pin,
            shorten,
            granularity,
            current_turn,
            dangling,
        };
        let told = |error: Error| raise::session(py, &error);
        let mut state = self::state(state)?;
        let of_state = *state.settings();
        let settings = Settings {
            high: share(high, "high", of_state.high)?,
            low: share(low, "low", of_state.low)?,
            least_freed: share(least_freed, "least_freed", of_state.least_freed)?,
            breakpoints: given::flag(breakpoints, "breakpoints", of_state.breakpoints)?,
        };
        if settings != of_state {
            let session = cupel_session::Session::resume(0, state).map_err(told)?;
            state = session.with_settings(settings).map_err(told)?.into_state();
        }
        // What another session like this one is made with; a state is each one's own.
        let given = [
            ("model", model),
            ("policy", policy),
            ("provider", provider),
            ("query", query),
            ("output_reserve", output_reserve),
            ("keep_first", keep_first),
            ("keep_last", keep_last),
            ("pin", pin),
            ("shorten", shorten),
            ("granularity", granularity),
            ("current_turn", current_turn),
            ("dangling", dangling),
            ("price", price),
            ("now", now),
        ];
        let named = PyDict::new(py);
        for (name, value) in given {
            if let Some(value) = given::present(value) {
                named.set_item(name, value)?;
            }
        }
        Ok(Self {
            budget: budget::read(budget, output_reserve)?,
            cutting: arguments.read(py)?,
            query: select::query(query)?,
            provider: given::provider(provider)?,
            now: select::now(now)?,
            price: given::present(price).map(self::price).transpose()?,
            state: Mutex::new(state),
            given: (budget.clone().unbind(), named.unbind()),
        })
    }

    /// A session that goes on from a `state`, with the keywords of `Session`.
    ///
    /// The state brings its marks and whether it sets breakpoints; everything else is said again.
    #[classmethod]
    #[pyo3(signature = (budget, state, **options))]
    fn resume<'py>(
        cls: &Bound<'py, PyType>,
        budget: &Bound<'py, PyAny>,
        state: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options.map_or_else(|| Ok(PyDict::new(cls.py())), |it| it.copy())?;
        options.set_item("state", state)?;
        cls.call((budget,), Some(&options))
    }

    /// The next turn: the whole conversation, or the whole request, and what to send of it.
    ///
    /// `query` is what this turn is to answer, in place of the session's.
    #[pyo3(signature = (messages, *, query=None))]
    fn next<'py>(
        &self,
        py: Python<'py>,
        messages: &Bound<'py, PyAny>,
        query: Given<'_, 'py>,
    ) -> PyResult<Turn> {
        let mut options = self.cutting.options.clone();
        if let Some(query) = select::query(query)? {
            options = options.query(query);
        }
        let mut asked = Asked::read(messages)?;
        let json = asked.take_json();
        let taken = strategy::running(py, || {
            let request = asked::parse(json, self.provider)?;
            let meter = parts::meter(&request, self.cutting.tokenizer);
            self.advance(parts::room(&self.budget), |session| {
                let mut session = session.with_options(options);
                if let Some(model) = &self.cutting.model {
                    session = session.with_model(model);
                }
                let turn = session.next(&request, &meter)?;
                let format = request.format();
                let marked = session.state().settings().breakpoints;
                let marked = marked.then(|| Request::read_as(turn.request.text.clone(), format));
                Ok((session, (request, turn, marked.transpose()?)))
            })
        })?;
        let (request, turn, marked) = taken.map_err(|refused| refused.raise(py))?;
        Turn::of_request(py, &asked, &request, turn, marked.as_ref())
    }

    /// The next turn of a session over items: all candidates, and the window of them.
    ///
    /// Items keep the order in which they first came. The policy is asked at a cut only, and unless one is given it is that of
    /// `select`.
    ///
    /// >>> from cupel_context import Session
    /// >>> session = Session(20)
    /// >>> session.next_items(["The library opens at nine."]).items
    /// ['The library opens at nine.']
    #[pyo3(signature = (items, *, query=None))]
    fn next_items<'py>(
        &self,
        py: Python<'py>,
        items: &Bound<'py, PyAny>,
        query: Given<'_, 'py>,
    ) -> PyResult<Turn> {
        let query = select::query(query)?.or_else(|| self.query.clone());
        let setting = Setting::new(py, self.cutting.policy.clone(), query, self.now)?;
        let given = select::listed(items)?;
        let candidates = select::candidates(py, &given, self.cutting.tokenizer)?;
        let taken: Result<ItemTurn, _> = strategy::running(py, || {
            self.advance(self.budget.window_tokens(), |session| {
                let session = session.with_policy(setting.pipeline.policy().clone());
                let mut session = session.in_context(setting.pipeline.context().clone());
                let turn = session.next_items(&candidates.items)?;
                Ok((session, turn))
            })
        })?;
        Turn::of_items(py, &given, candidates, taken.map_err(|refused| refused.raise(py))?)
    }

    /// All that it remembers, as JSON text: `resume` goes on from it. It has no texts, and takes about a dozen bytes for each message.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(&*self.remembered(py)?).map_err(|error| {
            raise::other(py, "EngineError", "state", &error.to_string(), "start a new session")
        })
    }

    /// How many turns there were.
    #[getter]
    fn turns(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.remembered(py)?.turns())
    }

    /// How many cuts there were.
    #[getter]
    fn cuts(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.remembered(py)?.cuts())
    }

    /// Another session that has come as far: what is tried with it leaves this one as it is.
    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let (budget, options) = &self.given;
        Ok(Self {
            budget: self.budget.clone(),
            cutting: self.cutting.clone(),
            query: self.query.clone(),
            provider: self.provider,
            now: self.now,
            price: self.price,
            state: Mutex::new(self.remembered(py)?.clone()),
            given: (budget.clone_ref(py), options.clone_ref(py)),
        })
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, session) = (slf.py(), slf.get());
        let (budget, options) = &session.given;
        let options = options.bind(py).copy()?;
        options.set_item("state", session.state(py)?)?;
        let partial = py.import(intern!(py, "functools"))?.getattr(intern!(py, "partial"))?;
        let make = partial.call((slf.get_type(),), Some(&options))?;
        Ok((make, (budget,)).into_pyobject(py)?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (budget, state) = (self.given.0.bind(py).repr()?, self.remembered(py)?);
        Ok(format!("Session({budget}, turns={}, cuts={})", state.turns(), state.cuts()))
    }
}

/// Why there is no turn.
enum Refused {
    Session(Error),
    /// One is being taken.
    Busy,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Session(error)
    }
}

impl From<cupel_messages::Error> for Refused {
    fn from(error: cupel_messages::Error) -> Self {
        Self::Session(error.into())
    }
}

impl Refused {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Session(error) => raise::session(py, error),
            Self::Busy => {
                let problem = "another turn of it is being taken";
                let remedy = "take turns one after the other, or copy.copy(session) for a branch";
                raise::other(py, "EngineError", "session", problem, remedy)
            }
        }
    }
}

impl Session {
    /// Takes a turn; what is refused leaves the session as it was.
    fn advance<T>(
        &self,
        room: i64,
        take: impl FnOnce(cupel_session::Session) -> Result<(cupel_session::Session, T), Error>,
    ) -> Result<T, Refused> {
        let mut state = self.locked()?;
        let mut session = cupel_session::Session::resume(room, state.clone())?;
        if let Some(price) = self.price {
            session = session.with_price(price);
        }
        let (session, turn) = take(session)?;
        *state = session.into_state();
        Ok(turn)
    }

    /// Never waits: whoever holds it may wait for the interpreter.
    fn locked(&self) -> Result<MutexGuard<'_, State>, Refused> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            // It is written last of all, whole.
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Refused::Busy),
        }
    }

    fn remembered(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        self.locked().map_err(|refused| refused.raise(py))
    }
}

/// A state as it may be given: JSON text, or the same as a dict.
fn state(given: Given<'_, '_>) -> PyResult<State> {
    let Some(given) = given::present(given) else { return Ok(State::default()) };
    let json = match given.is_instance_of::<PyString>() {
        true => given::text(given, "state")?,
        false => to_json(given, "state")?,
    };
    State::read(&json).map_err(|error| raise::session(given.py(), &error))
}

fn share(given: Given<'_, '_>, name: &str, unless_given: f64) -> PyResult<f64> {
    let Some(value) = given::present(given) else { return Ok(unless_given) };
    let expected = "a share of the budget, such as 0.8";
    value.extract::<f64>().map_err(|_| raise::wrong_type(value, name, expected))
}

fn price(given: &Bound<'_, PyAny>) -> PyResult<Price> {
    serde_json::from_str(&to_json(given, "price")?).map_err(|error| {
        let remedy = "give {\"cache\": \"any_prefix\", \"read\": 100, \"write\": 1250, \"minimum\": 1024}, in thousandths of \
                      a plain token";
        raise::other(given.py(), "InvalidInput", "price", &error.to_string(), remedy)
    })
}
