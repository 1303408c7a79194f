"""NaN and infinities, which Python has and JSON has not: the engine's to judge in policies and `Item`s, refused everywhere else."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from cupel_context import Budget, InvalidInput, Item, Policy, PolicyError, fit, respond, select

RECENCY = {"type": "recency", "weight": 1}


@pytest.mark.parametrize(
    ("policy", "code", "path", "value"),
    [
        ({"scorers": [{"type": "recency", "weight": math.nan}]}, "ScorerConfig", "policy.scorers[0].weight", "NaN"),
        ({"scorers": [{"type": "recency", "weight": math.inf}]}, "ScorerConfig", "policy.scorers", "scorer 0 (inf)"),
        (
            {"scorers": [RECENCY], "quotas": [{"kind": "Message", "minPercent": math.nan}]},
            "SlicerConfig",
            "policy.quotas[0]",
            "Message (NaN)",
        ),
        (
            {"scorers": [RECENCY], "slicerType": {"type": "rank", "sizeExponent": -math.inf}},
            "SlicerConfig",
            "policy.slicerType.sizeExponent",
            "(-inf)",
        ),
        (
            {"scorers": [RECENCY], "slicerType": {"type": "rank", "sizeFloor": math.nan}},
            "InvalidRequest",
            "policy.slicerType.sizeFloor",
            "NaN",
        ),
    ],
)
def test_in_a_policy_the_engine_refuses_them_with_place_and_value(
    policy: dict[str, Any], code: str, path: str, value: str
) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: Policy(policy),
        lambda: select(["a"], 9, policy),
        lambda: fit([{"role": "user", "content": "a"}], 9, policy=policy),
    ]
    for call in calls:
        with pytest.raises(PolicyError) as refused:
            call()
        assert (refused.value.code, refused.value.path) == (code, path)
        assert value in str(refused.value)


def test_arguments_of_a_strategy_of_your_own_are_json() -> None:
    policy = {"scorers": [{"type": "mine", "weight": 1, "limits": [1, math.nan]}]}
    with pytest.raises(PolicyError, match=r"policy\.scorers\[0\]\.limits\[1\].*NaN"):
        Policy(policy, scorers={"mine": lambda items, run, limits: [0.0 for _ in items]})


def test_policies_as_text_stay_json() -> None:
    with pytest.raises(PolicyError, match="not JSON"):
        Policy('{"scorers": [{"type": "recency", "weight": NaN}]}')


def test_an_item_keeps_a_hint_that_is_not_finite_and_it_scores_nothing() -> None:
    hints = [math.nan, math.inf, -math.inf, 0.5]
    items = [Item("a", 1, future_relevance_hint=hint) for hint in hints]
    assert [repr(item.future_relevance_hint) for item in items] == [repr(hint) for hint in hints]
    assert Policy({"scorers": [{"type": "reflexive", "weight": 1}]}).score(items) == [0, 0, 0, 0.5]
    # As files say it, and so it is read again.
    assert items[1].to_dict()["futureRelevanceHint"] == "Infinity"
    assert Item(**items[1].to_dict()) == items[1]
    assert "<html" in select(items, 9).report.to_html()


@pytest.mark.parametrize(
    ("fields", "code", "path"),
    [
        ({"similarity": math.nan}, "InvalidSimilarity", "item"),
        ({"vector": [1.0, math.inf]}, "InvalidVector", "item"),
        ({"variants": [{"content": "b", "tokens": 1, "worth": math.nan}]}, "InvalidVariants", "item"),
        ({"priority": math.nan}, "InvalidRequest", "item.priority"),
        ({"timestamp": math.nan}, "InvalidRequest", "item.timestamp"),
    ],
)
def test_an_item_refuses_them_where_they_mean_nothing(fields: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Item("a", 9, **fields)
    assert (refused.value.code, refused.value.path) == (code, path)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_becomes_json_does_not_take_them(number: float) -> None:
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: fit([{"role": "user", "content": "a", "mine": number}], 9), "messages[0].mine"),
        (lambda: fit({"messages": [{"role": "user", "content": "a"}], "top_p": number}, 9), "request.top_p"),
        (lambda: select([{"content": "a", "future_relevance_hint": number}], 9), "items[0].future_relevance_hint"),
        (lambda: select(["a"], {"maxTokens": 9, "safetyMarginPercent": number}), "budget.safetyMarginPercent"),
        (lambda: respond({"items": [], "policy": "chat", "budget": {"maxTokens": number}}), "request.budget.maxTokens"),
    ]
    for call, path in calls:
        with pytest.raises(InvalidInput) as refused:
            call()
        assert (refused.value.code, refused.value.path) == ("InvalidRequest", path)
        assert "finite" in (refused.value.remedy or "")


def test_a_budget_refuses_them_in_its_own_words() -> None:
    with pytest.raises(InvalidInput, match="NaN") as refused:
        Budget(9, safety_margin_percent=math.nan)
    assert refused.value.code == "InvalidBudget"
