//! The crates' errors as exceptions of `cupel_context`, with their fields.

use cupel::CupelError;
use cupel_messages::Error as MessageError;
use cupel_policy::{PolicyError, Problem};
use cupel_session::Error as SessionError;
use cupel_tokens::UnknownName;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// An exception class of `cupel_context.errors` by its name.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    let class = py.import("cupel_context.errors")?.getattr(name)?;
    Ok(class.cast_into::<PyType>()?)
}

/// An exception with fields; what went wrong while making it, if something did.
fn exception(
    py: Python<'_>,
    name: &str,
    code: &str,
    message: &str,
    fields: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    let made = || {
        let arguments = PyDict::new(py);
        arguments.set_item("code", code)?;
        fields(&arguments)?;
        class(py, name)?.call((message,), Some(&arguments))
    };
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// An argument, or something in one, that is not what it should be.
pub(crate) fn wrong_value(
    py: Python<'_>,
    path: &str,
    value: &str,
    problem: &str,
    remedy: &str,
) -> PyErr {
    let message = format!("{path}: {value} {problem}; {remedy}");
    exception(py, "InvalidInput", "InvalidRequest", &message, |fields| {
        fields.set_item("path", path)?;
        fields.set_item("value", value)?;
        fields.set_item("remedy", remedy)
    })
}

/// An argument of another type than expected.
pub(crate) fn wrong_type(found: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    let py = found.py();
    let kind = found.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string());
    let message = format!("{name}: expected {expected}, found {kind}");
    exception(py, "WrongType", "InvalidRequest", &message, |fields| {
        fields.set_item("path", name)?;
        fields.set_item("value", kind)?;
        fields.set_item("remedy", format!("give {expected}"))
    })
}

/// A name that no model and no vocabulary has.
pub(crate) fn unknown_model(py: Python<'_>, path: &str, error: &UnknownName) -> PyErr {
    exception(py, "UnknownModel", "UnknownModel", &format!("{path}: {error}"), |fields| {
        fields.set_item("path", path)?;
        fields.set_item("value", &error.name)?;
        fields.set_item("near", error.near.clone())
    })
}

/// What the engine refuses.
pub(crate) fn engine(py: Python<'_>, error: &CupelError) -> PyErr {
    let (code, message) = (error.name(), error.to_string());
    match error {
        CupelError::PinnedExceedsBudget { pinned_tokens, available } => {
            exception(py, "BudgetTooSmall", code, &message, |fields| {
                fields.set_item("value", pinned_tokens)?;
                fields.set_item("limit", available)?;
                fields
                    .set_item("remedy", "unpin items, raise the budget or lower its output reserve")
            })
        }
        CupelError::Overflow { merged_tokens, target_tokens } => {
            exception(py, "Overflow", code, &message, |fields| {
                fields.set_item("value", merged_tokens)?;
                fields.set_item("limit", target_tokens)?;
                fields.set_item(
                    "remedy",
                    "raise the target or choose the Truncate or Proceed strategy",
                )
            })
        }
        CupelError::MissingQuery { scorer } => {
            let message = format!(
                "the scorer {scorer} judges items by a query, and there is none; give query=\"...\", or choose a policy \
                 without that scorer"
            );
            exception(py, "MissingQuery", code, &message, |fields| {
                fields.set_item("value", scorer)?;
                fields.set_item(
                    "remedy",
                    "give query=\"...\", or choose a policy without that scorer",
                )
            })
        }
        CupelError::ContractViolation { family, strategy, problem } => {
            exception(py, "StrategyError", code, &message, |fields| {
                fields.set_item("path", family)?;
                fields.set_item("value", strategy)?;
                fields.set_item("remedy", format!("mend the {family}: it {problem}"))
            })
        }
        CupelError::TableTooLarge { candidates, capacity, cells } => {
            exception(py, "EngineError", code, &message, |fields| {
                let details = PyDict::new(py);
                details.set_item("candidates", candidates)?;
                details.set_item("capacity", capacity)?;
                details.set_item("cells", cells)?;
                fields.set_item("value", cells)?;
                fields.set_item("details", details)
            })
        }
        CupelError::TooManyCandidates { count, limit } => {
            exception(py, "EngineError", code, &message, |fields| {
                fields.set_item("value", count)?;
                fields.set_item("limit", limit)
            })
        }
        CupelError::InvalidBudget(_) => exception(py, "InvalidInput", code, &message, |fields| {
            fields.set_item("path", "budget")
        }),
        _ => exception(py, "EngineError", code, &message, |_| Ok(())),
    }
}

/// What is wrong with a request or its budget.
pub(crate) fn messages(py: Python<'_>, error: &MessageError) -> PyErr {
    let (code, message) = (error.name(), error.to_string());
    let malformed = |path: &str, value: Option<&str>| {
        exception(py, "MalformedRequest", code, &message, |fields| {
            fields.set_item("path", path)?;
            fields.set_item("value", value)
        })
    };
    match error {
        MessageError::Engine(error) => engine(py, error),
        MessageError::BudgetTooSmall { budget, needed, least } => {
            exception(py, "BudgetTooSmall", code, &message, |fields| {
                let details = PyDict::new(py);
                details.set_item("system", least.system)?;
                details.set_item("tools", least.tools)?;
                details.set_item("messages", least.messages)?;
                details.set_item("media", least.media)?;
                details.set_item("request", least.request)?;
                fields.set_item("details", details)?;
                fields.set_item("value", needed)?;
                fields.set_item("limit", budget)?;
                let remedy = format!(
                    "raise the budget to {needed}, pin less, allow shorter forms, or start a new turn"
                );
                fields.set_item("remedy", remedy)
            })
        }
        MessageError::Unrecognised { path, found } => malformed(path, Some(found)),
        MessageError::Malformed { path, .. } | MessageError::NoUserMessage { path } => {
            malformed(path, None)
        }
        MessageError::Mixed { other, .. } => malformed(&other.path, Some(&other.what)),
        MessageError::AnsweredTwice { id, second, .. } => malformed(second, Some(id)),
        _ => malformed("$", None),
    }
}

/// Why a session takes no turn, or cannot be.
pub(crate) fn session(py: Python<'_>, error: &SessionError) -> PyErr {
    let path = match error {
        SessionError::Request(error) => return messages(py, error),
        SessionError::Engine(error) => return engine(py, error),
        SessionError::Setting { name, .. } => *name,
        SessionError::OtherKind { .. } => "session",
        _ => "state",
    };
    exception(py, "InvalidInput", "InvalidRequest", &format!("{path}: {error}"), |fields| {
        fields.set_item("path", path)
    })
}

/// What is wrong with a policy, an item, or a budget, one problem or many.
pub(crate) fn policy(py: Python<'_>, class: &str, path: &str, error: &PolicyError) -> PyErr {
    let told = |problem: &Problem| {
        let inner = problem.path().strip_prefix('$').unwrap_or(problem.path());
        (format!("{path}{inner}"), problem.code(), problem.kind().to_string())
    };
    let problems: Vec<_> = error.problems().iter().map(told).collect();
    several(py, class, error, &problems)
}

fn several(
    py: Python<'_>,
    class: &str,
    error: &PolicyError,
    problems: &[(String, &'static str, String)],
) -> PyErr {
    let mut message: Vec<_> =
        problems.iter().map(|(path, _, kind)| format!("{path}: {kind}")).collect();
    if error.more() > 0 {
        message.push(format!("and {} more", error.more()));
    }
    exception(py, class, error.code(), &message.join("\n"), |fields| {
        fields.set_item("path", problems.first().map(|(path, ..)| path))?;
        fields.set_item("problems", problems)
    })
}

/// Anything else, in words.
pub(crate) fn other(py: Python<'_>, class: &str, path: &str, problem: &str, remedy: &str) -> PyErr {
    let message = format!("{path}: {problem}; {remedy}");
    exception(py, class, "InvalidRequest", &message, |fields| {
        fields.set_item("path", path)?;
        fields.set_item("remedy", remedy)
    })
}

/// What the command refuses, in its words.
pub(crate) fn command(py: Python<'_>, code: &str, message: &str) -> PyErr {
    let class = if code == "InvalidRequest" { "InvalidInput" } else { "EngineError" };
    exception(py, class, code, message, |_| Ok(()))
}

/// What is wrong with items, each problem at the item that has it.
pub(crate) fn items(
    py: Python<'_>,
    error: &PolicyError,
    place: impl Fn(usize, &str) -> String,
) -> PyErr {
    let told = |it: &Problem| (place(it.line(), it.path()), it.code(), it.kind().to_string());
    let problems: Vec<_> = error.problems().iter().map(told).collect();
    several(py, "InvalidInput", error, &problems)
}
