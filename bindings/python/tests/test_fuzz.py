"""Arbitrary objects into every function: a result or an exception of ours, never a crash."""

from __future__ import annotations

import datetime as dt
import math
import warnings
from typing import Any, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cupel_context as cupel
from cupel_context import CupelError


class Dumped:
    def __init__(self, value: Any) -> None:
        self.value = value

    def model_dump(self, **options: Any) -> Any:
        return self.value

    def __repr__(self) -> str:
        return f"Dumped({self.value!r})"


WORDS = ["role", "content", "user", "assistant", "tool", "system", "tokens", "kind", "messages", "input", "items", "budget"]
WORDS += ["maxTokens", "policy", "scorers", "type", "weight", "recency", "tool_calls", "parts", "text", "query", "vector"]
texts = st.sampled_from(WORDS) | st.text(max_size=8) | st.sampled_from(["\ud800", "\x00", "8k", "gpt-5", "chat", "answer"])
atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(10**40), max_value=10**40),
    st.floats(),
    texts,
    st.binary(max_size=4),
    st.datetimes(timezones=st.none() | st.just(dt.timezone.utc)),
    st.sampled_from([object(), int, dict, math.nan, ..., {1, 2}, range(3), len, Dumped, Dumped({}), cupel.Budget(5), cupel.Item("a")]),
)
values = st.recursive(
    atoms,
    lambda inner: st.lists(inner, max_size=4)
    | st.tuples(inner, inner)
    | st.dictionaries(texts | st.integers(), inner, max_size=4)
    | st.builds(Dumped, inner),
    max_leaves=12,
)
messages = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system", "tool"]) | texts, "content": texts | values},
        optional={"tool_calls": values, "cupel": values, "tool_call_id": texts},
    ),
    max_size=5,
)
items = st.lists(
    texts | st.fixed_dictionaries({"content": texts | values}, optional={"tokens": values, "tags": values, "vector": values}),
    max_size=5,
)
policies = values | st.fixed_dictionaries({"scorers": st.lists(values, max_size=2)}, optional={"slicerType": values})


def survives(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **named)
        except CupelError as error:
            assert str(error) and error.code
            return None


often = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@often
@given(values | messages, values | st.integers(0, 200), st.dictionaries(
    st.sampled_from(["model", "policy", "provider", "query", "output_reserve", "keep_first", "keep_last", "pin", "shorten",
                     "granularity", "current_turn", "dangling"]), values, max_size=2))
def test_fit(first: Any, budget: Any, named: dict[str, Any]) -> None:
    fitted = survives(cupel.fit, first, budget, **named)
    if fitted is not None:
        assert repr(fitted) and fitted.report.rows() is not None and fitted.tokens >= 0


@often
@given(values | items, values | st.integers(0, 50), policies | st.none(), st.dictionaries(
    st.sampled_from(["query", "model", "output_reserve", "now"]), values, max_size=2))
def test_select(first: Any, budget: Any, policy: Any, named: dict[str, Any]) -> None:
    window = survives(cupel.select, first, budget, policy, **named)
    if window is not None:
        assert len(window.items) == len(window) and window.report.to_dict()


@often
@given(st.lists(values | messages | items, max_size=3), values | st.integers(0, 200), st.dictionaries(
    st.sampled_from(["model", "policy", "query", "pin", "high", "low", "least_freed", "breakpoints", "price", "now", "state"]),
    values | st.floats(0, 1), max_size=2))
def test_sessions(turns: list[Any], budget: Any, named: dict[str, Any]) -> None:
    session = survives(cupel.Session, budget, **named)
    for given in turns if session is not None else []:
        for take in (session.next, session.next_items):
            before = session.state
            turn = survives(take, given)
            if turn is None:
                assert session.state == before
            else:
                assert repr(turn) and turn.report.to_dict() and turn.report.rows() is not None
    if session is not None:
        assert cupel.Session.resume(budget, session.state).state == session.state


@often
@given(values, st.dictionaries(st.sampled_from(["model", "query", "timings", "lenient", "line"]), values, max_size=1))
def test_respond(request: Any, named: dict[str, Any]) -> None:
    survives(cupel.respond, request, **named)


@often
@given(values | messages, values)
def test_count_and_validate(request: Any, named: Any) -> None:
    survives(cupel.count_tokens, request)
    survives(cupel.count_tokens, request, model=named)
    survives(cupel.validate, request)
    survives(cupel.validate, request, provider=named)


@often
@given(values | items, values | st.integers(0, 50), values | st.integers(0, 3), policies | st.none())
def test_what_if(first: Any, budget: Any, third: Any, policy: Any) -> None:
    survives(cupel.marginal_items, first, budget, third, policy)
    survives(cupel.min_budget, first, budget, third, policy)
    survives(cupel.compare, first, budget, {"a": "chat", "b": policy})
    survives(cupel.compare, first, budget, third)
    survives(cupel.Policy("chat").score, first, against=third)
    survives(cupel.Policy("chat").slice, first, third, budget)
    survives(cupel.Policy("chat").place, first, third)


@often
@given(policies, values, values, values)
def test_policies(source: Any, scorers: Any, slicers: Any, lenient: Any) -> None:
    survives(cupel.Policy, source)
    survives(cupel.Policy, source, scorers=scorers, slicers=slicers, lenient=lenient)


@often
@given(values, values, values, values)
def test_budgets_and_items(first: Any, second: Any, third: Any, fourth: Any) -> None:
    survives(cupel.Budget, first, target_tokens=second, output_reserve=third, reserved_slots=fourth)
    survives(cupel.Budget, 10, safety_margin_percent=first)
    survives(cupel.Item, first, second, kind=third)
    survives(cupel.Item, "text", vector=first, variants=second, metadata=third, timestamp=fourth)


@often
@given(values, values, values)
def test_tables(table: Any, budget: Any, named: Any) -> None:
    survives(cupel.select_table, table, budget)
    survives(cupel.respond_batches, table, column=named)


@often
@given(values, st.sampled_from(["scorers", "slicers", "placers"]))
def test_whatever_a_strategy_answers(answer: Any, family: str) -> None:
    policy: dict[str, Any] = {"scorers": [{"type": "recency", "weight": 1}]}
    spelled = {"scorers": [{"type": "mine", "weight": 1}]} if family == "scorers" else {f"{family[:-1]}Type": {"type": "mine"}}
    mine = cupel.Policy(policy | spelled, **{family: {"mine": lambda *arguments: answer}})
    try:
        cupel.select(["a", "b", "c"], 2, mine)
    except (CupelError, TypeError, ValueError, OverflowError):
        pass  # Ours, or what reading the answer as numbers raised.


def test_an_object_whose_code_fails_is_heard() -> None:
    class Failing:
        def model_dump(self, **options: Any) -> Any:
            raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        cupel.fit([Failing()], 10)


def test_a_dict_that_changes_while_it_is_read_is_survived() -> None:
    message: dict[str, Any] = {"role": "user"}

    class Mean:
        def model_dump(self, **options: Any) -> Any:
            message.clear()
            message.update({str(n): n for n in range(100)})
            return "hi"

    message["content"] = Mean()
    message["name"] = "x"
    survives(cupel.fit, [message], 100)
