//! Requests cut to a budget.

use std::sync::Arc;

use cupel::ContextBudget;
use cupel_cli::parts;
use cupel_messages::{Fitted, Options, Request};
use cupel_tokens::Tokenizer;
use pyo3::prelude::*;

use crate::asked::{self, Asked};
use crate::cutting::{Arguments, Cutting};
use crate::given::{self, Given};
use crate::outcome::Fit;
use crate::{budget, raise, strategy};

/// A request that was cut, and all that it takes to cut it again.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) request: Request,
    pub(crate) fitted: Fitted,
    pub(crate) options: Options,
    pub(crate) budget: ContextBudget,
    pub(crate) tokenizer: Option<Tokenizer>,
    /// What the policy is called, if one was asked for.
    pub(crate) policy: Option<String>,
}

/// Cuts messages, or a whole request, to a budget of tokens: the same, smaller, and valid.
///
/// What stays as it was are the caller's own objects. Calls stay with their results, system instructions and the
/// current turn stay, long results have shorter forms.
///
/// >>> from cupel_context import fit
/// >>> messages = [
/// ...     {"role": "system", "content": "Be brief."},
/// ...     {"role": "user", "content": "Tell me about the moon. " * 20},
/// ...     {"role": "assistant", "content": "It is far away."},
/// ...     {"role": "user", "content": "And about Mars?"},
/// ... ]
/// >>> fitted = fit(messages, 40, model="gpt-5")
/// >>> [message["content"] for message in fitted.messages]
/// ['Be brief.', 'It is far away.', 'And about Mars?']
/// >>> fitted.messages[-1] is messages[-1]
/// True
/// >>> fitted.tokens
/// 24
#[pyfunction]
#[pyo3(signature = (
    messages, budget, *, model=None, policy=None, provider=None, query=None, output_reserve=None, keep_first=None,
    keep_last=None, pin=None, shorten=None, granularity=None, current_turn=None, dangling=None
))]
#[expect(clippy::too_many_arguments, reason = "they are named where it is called")]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    messages: &Bound<'py, PyAny>,
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
) -> PyResult<Fit> {
    let budget = budget::read(budget, output_reserve)?;
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
    let Cutting { options, tokenizer, policy, .. } = arguments.read(py)?;
    let mut asked = Asked::read(messages)?;
    let format = given::provider(provider)?;
    let json = asked.take_json();
    let (request, fitted) = strategy::running(py, || {
        let request = asked::parse(json, format)?;
        let meter = parts::meter(&request, tokenizer);
        let fitted = request.fit(parts::room(&budget), &options, &meter)?;
        Ok((request, fitted))
    })?
    .map_err(|error| raise::messages(py, &error))?;

    let messages = asked.messages(py, &request, &asked::pieces(&fitted))?;
    let body = asked.body_with(request.format(), &messages)?.map(|body| body.into_any().unbind());
    let policy = policy.map(|policy| policy.label.clone());
    let cut = Cut { request, fitted, options, budget, tokenizer, policy };
    Ok(Fit { messages: messages.unbind(), request: body, cut: Arc::new(cut) })
}
