"""Items selected, and strategies of the caller's own."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from cupel_context import (
    Budget,
    InvalidInput,
    Item,
    MissingQuery,
    Overflow,
    Policy,
    PolicyError,
    Run,
    Scored,
    StrategyError,
    WrongType,
    presets,
    select,
)

UTC = dt.timezone.utc


def test_dicts_items_and_texts_come_back_as_they_came() -> None:
    items: list[Any] = [{"id": 7, "content": "one two", "mine": object}, Item("three four"), "five six"]
    items[0]["mine"] = [1, {"deep": None}]
    window = select(items, 100)
    assert [any(chosen is own for own in items) for chosen in window.items] == [True] * 3
    assert window.tokens == 6 and len(window) == 3 and sorted(window.positions) == [0, 1, 2]


def test_the_query_decides_with_the_usual_policy() -> None:
    texts = ["cats sleep all day", "dogs run all day", "birds sing all day"]
    assert select(texts, 4, query="why do dogs run?").items == ["dogs run all day"]


def test_a_policy_that_needs_a_query_says_so() -> None:
    with pytest.raises(MissingQuery, match="query="):
        select(["a"], 10, "answer")


def test_a_shorter_form_is_given_back_in_the_callers_shape() -> None:
    variants = [{"content": "short", "tokens": 1}]
    items = [{"id": 1, "content": "very long", "tokens": 50, "variants": variants}]
    assert select(items, 5).items == [{"id": 1, "content": "short", "tokens": 1, "originalTokens": 50}]
    shorter = select([Item("very long", 50, variants=variants)], 5).items[0]
    assert (shorter.content, shorter.tokens, shorter.original_tokens) == ("short", 1, 50)


def test_items_that_stay_together_stay_together() -> None:
    call = {"content": "call", "tokens": 5, "group": "g"}
    result = {"content": "result", "tokens": 50, "group": "g"}
    assert select([call, result], 20).items == []
    assert len(select([call, result], 60).items) == 2


def test_rows_tell_of_every_item_in_the_order_of_the_input() -> None:
    window = select([{"content": "a", "tokens": 9}, {"content": "b", "tokens": 1}], 5)
    rows = window.report.rows()
    assert [(row["index"], row["included"], row["reason"]) for row in rows] == [
        (0, False, "BudgetExceeded"),
        (1, True, "Scored"),
    ]
    assert window.report.included == rows[1:] and window.report.excluded == rows[:1]
    assert window.report.to_dict()["total_candidates"] == 2
    assert window._repr_html_().startswith("<iframe")


def test_equal_calls_have_equal_reports() -> None:
    items = [{"content": f"text {n % 7}", "tokens": n % 5} for n in range(100)]
    first, second = (select(items, 50).report.to_dict() for _ in range(2))
    assert first == second


def test_times_are_read_with_their_zone_and_refused_without() -> None:
    item = Item("a", 1, timestamp=dt.datetime(2025, 1, 2, 3, tzinfo=dt.timezone(dt.timedelta(hours=2))))
    assert item.timestamp == dt.datetime(2025, 1, 2, 1, tzinfo=UTC)
    with pytest.raises(InvalidInput, match="zone"):
        Item("a", 1, timestamp=dt.datetime(2025, 1, 2))


def test_an_item_has_all_its_fields() -> None:
    item = Item(
        "text", 3, kind="Document", source="Rag", priority=2, tags=["x"], metadata={"k": "v"}, pinned=True,
        group="g", document="d", position=4, similarity=0.5, vector=[1.0, 0.0], futureRelevanceHint=0.25,
        variants=[{"content": "t", "tokens": 1}],
    )
    assert (item.kind, item.source, item.priority, item.tags, item.metadata) == ("Document", "Rag", 2, ["x"], {"k": "v"})
    assert (item.group, item.document, item.position, item.similarity) == ("g", "d", 4, 0.5)
    assert (item.vector, item.variants, item.future_relevance_hint) == ([1.0, 0.0], [("t", 1)], 0.25)
    assert Item(**item.to_dict()) == item


def test_a_clock_may_be_given() -> None:
    decay = {"scorers": [{"type": "decay", "weight": 1, "curve": {"type": "window", "maxAgeSeconds": 60}}]}
    items = [
        {"content": "old", "tokens": 1, "timestamp": "2025-01-01T00:00:00Z"},
        {"content": "new", "tokens": 1, "timestamp": "2025-01-01T01:00:00Z"},
    ]
    now = dt.datetime(2025, 1, 1, 1, 0, 30, tzinfo=UTC)
    assert [row["score"] for row in select(items, 9, decay, now=now).report.rows()] == [0.0, 1.0]


def test_keys_that_look_like_slips_are_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"items\[1\]\.timstamp"):
        select([{"content": "a"}, {"content": "b", "timstamp": "2025-01-01T00:00:00Z"}], 9)


def test_wrong_items_are_refused_by_their_place() -> None:
    for items, place in [
        ([{"content": "a"}, {"content": ""}], r"items\[1\]"),
        ([{"content": "a"}, Item("b"), {"tokens": 1}], r"items\[2\]"),
        ([{"content": "a", "tokens": "many"}], r"items\[0\]\.tokens"),
        ([3], r"items\[0\]"),
        ("text", "items"),
        ({"content": "a"}, "items"),
        (None, "items"),
    ]:
        with pytest.raises(InvalidInput, match=place):
            select(items, 10)  # type: ignore[arg-type]


def test_every_problem_of_an_input_is_listed() -> None:
    with pytest.raises(InvalidInput) as refused:
        select([{"content": 1, "tokens": 1}, {"content": "a", "tokens": 1.5}], 10)
    assert [path for path, _, _ in refused.value.problems] == ["items[0].content", "items[1].tokens"]


def test_a_policy_may_be_a_preset_a_dict_text_or_a_file(tmp_path: Path) -> None:
    policy = Policy("chat")
    assert policy.name == "chat" and policy.to_dict()["scorers"][0]["type"] == "recency"
    file = tmp_path / "mine.json"
    file.write_text(policy.to_json())
    for source in [policy.to_dict(), policy.to_json(), str(file), file]:
        assert Policy(source).to_dict() == policy.to_dict()
    assert "answer" in presets()


def test_wrong_policies_are_refused_with_the_place() -> None:
    for source, place in [
        ("chatt", "chat"),
        ({"scorers": [{"type": "recency", "wieght": 1}]}, r"policy\.scorers\[0\]\.wieght"),
        ("{", "policy"),
        ("nowhere/policy.json", "nowhere"),
        ({"scorers": []}, "policy"),
    ]:
        with pytest.raises(PolicyError, match=place):
            Policy(source)
    with pytest.raises(WrongType):
        Policy(4)  # type: ignore[arg-type]


def test_an_empty_variant_is_refused_in_the_words_of_the_engine() -> None:
    empty = {"content": "a", "tokens": 9, "variants": [{"content": "", "tokens": 1}]}
    for make in (lambda: Item(**empty), lambda: select([empty], 9)):  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="number 1 has no content") as refused:
            make()
        assert refused.value.code == "InvalidVariants"


def test_count_quotas_take_a_knapsack_and_refuse_one_with_shares_around_it() -> None:
    # Directly over a knapsack they are the slicer that does both.
    packed: dict[str, Any] = {
        "scorers": [{"type": "priority", "weight": 1}],
        "slicerType": "knapsack",
        "countQuotas": [{"kind": "Message", "capCount": 1}],
    }
    assert len(select([Item("a", 100, priority=1), Item("b", 100, priority=2)], 900, packed).items) == 1
    with pytest.raises(PolicyError, match="CountQuotaSlice.*KnapsackSlice.*GreedySlice") as refused:
        Policy(packed | {"quotas": [{"kind": "Message", "maxPercent": 50}]})
    assert (refused.value.code, refused.value.path) == ("SlicerConfig", "policy.countQuotas")


def test_overflow_is_refused_or_let_through_as_the_policy_says() -> None:
    base = {"scorers": [{"type": "recency", "weight": 1}]}
    items = [Item("pinned", 8, pinned=True), Item("other", 8)]
    budget = Budget(20, target_tokens=5)
    with pytest.raises(Overflow) as refused:
        select(items, budget, base)
    assert (refused.value.value, refused.value.limit) == (8, 5)
    assert select(items, budget, base | {"overflowStrategy": "proceed"}).overflow == 3


def one_scorer(function: Any, **fields: Any) -> Policy:
    return Policy({"scorers": [{"type": "mine", "weight": 1, **fields}]}, scorers={"mine": function})


def test_a_scorer_is_called_once_with_all_items_and_its_arguments() -> None:
    calls: list[int] = []

    def longest(items: list[Item], run: Run, power: int) -> list[float]:
        calls.append(len(items))
        assert run.query == "q" and run.now.tzinfo is not None
        return [float(len(item.content) ** power) for item in items]

    policy = one_scorer(longest, power=2)
    window = select(["aaaa", "a", "aaa"], 2, policy, query="q")
    assert calls == [3]
    assert [row["score"] for row in window.report.rows()] == [16.0, 1.0, 9.0]


def test_slicers_and_placers_answer_with_positions() -> None:
    def second(candidates: list[Scored], budget: Budget) -> list[int]:
        assert budget.max_tokens == 100 and candidates[0].tokens == 1
        return [1, 2]

    def reverse(candidates: list[Scored]) -> list[int]:
        return list(range(len(candidates)))[::-1]

    policy = Policy(
        {
            "scorers": [{"type": "priority", "weight": 1}],
            "slicerType": {"type": "second"},
            "placerType": {"type": "reverse"},
        },
        slicers={"second": second},
        placers={"reverse": reverse},
    )
    items = [Item(name, 1, priority=priority) for name, priority in [("c", 1), ("a", 3), ("b", 2)]]
    assert [item.content for item in select(items, 100, policy).items] == ["c", "b"]


def test_what_a_callable_raises_is_raised() -> None:
    def broken(items: list[Item], run: Run) -> list[float]:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        select(["a"], 10, one_scorer(broken))
    # And is forgotten: the next run knows nothing of it.
    assert select(["a"], 10).items == ["a"]


def test_a_broken_contract_is_named() -> None:
    with pytest.raises(StrategyError, match="mine"):
        select(["a", "b"], 10, one_scorer(lambda items, run: [1.0]))
    twice = {"scorers": [{"type": "recency", "weight": 1}], "placerType": {"type": "twice"}}
    with pytest.raises(StrategyError, match="twice"):
        select(["a", "b"], 10, Policy(twice, placers={"twice": lambda candidates: [0, 0]}))
    far = twice | {"placerType": {"type": "far"}}
    with pytest.raises(StrategyError, match="position 9"):
        select(["a", "b"], 10, Policy(far, placers={"far": lambda candidates: [0, 9]}))


def test_a_strategy_may_select_itself() -> None:
    def nested(items: list[Item], run: Run) -> list[float]:
        inner = select(items, 1)
        return [float(item in inner.items) for item in items]

    assert len(select(["a", "b"], 10, one_scorer(nested)).items) == 2


def test_requests_take_strategies_too() -> None:
    def shortest(items: list[Item], run: Run) -> list[float]:
        return [-float(item.tokens) for item in items]

    messages = [{"role": "user", "content": "word " * n} for n in (40, 3, 30)] + [{"role": "user", "content": "?"}]
    from cupel_context import fit

    rows = fit(messages, 30, policy=one_scorer(shortest)).report.rows()
    assert [row["included"] for row in rows] == [False, True, False, True]
