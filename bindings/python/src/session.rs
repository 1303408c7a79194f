//! A conversation over many turns.

use std::sync::{Mutex, MutexGuard, TryLockError};

use chrono::{DateTime, Utc};
use cupel::{ContextBudget, Query};
use cupel_cli::parts;
use cupel_messages::{Format, Request};
use cupel_session::{Error, ItemTurn, Price, Settings, State};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};

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
        budget, *, state=None, high=None, low=None, least_freed=None, breakpoints=None, price=None, now=None, **options
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
    fn new<'py>(
        py: Python<'py>,
        budget: &Bound<'py, PyAny>,
        state: Given<'_, 'py>,
        high: Given<'_, 'py>,
        low: Given<'_, 'py>,
        least_freed: Given<'_, 'py>,
        breakpoints: Given<'_, 'py>,
        price: Given<'_, 'py>,
        now: Given<'_, 'py>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        todo!()
    }
}
