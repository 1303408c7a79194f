"""What other budgets and policies would have done, and strategies by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from cupel_context import Budget, CupelError, InvalidInput, Item, Policy, WrongType, compare, marginal_items, min_budget, select

NOTES: list[dict[str, Any]] = [
    {"id": 1, "content": "the library opens at nine", "tokens": 10, "priority": 3},
    {"id": 2, "content": "rooms are booked at the desk", "tokens": 20, "priority": 9},
    {"id": 3, "content": "coffee is not allowed", "tokens": 30, "priority": 5},
]
BY_PRIORITY = {"scorers": [{"type": "priority", "weight": 1}], "slicerType": "rank", "placerType": "inputOrder"}
BY_RECENCY = {"scorers": [{"type": "recency", "weight": 1}], "slicerType": "rank"}


def test_marginal_items_are_those_a_smaller_window_lacks() -> None:
    for slack in range(0, 61, 5):
        lost = marginal_items(NOTES, 60, slack, BY_PRIORITY)
        kept = select(NOTES, 60 - slack, BY_PRIORITY).items
        assert all(any(it is note for note in NOTES) for it in lost)
        assert [note["id"] for note in NOTES if note not in kept] == [note["id"] for note in lost]


def test_the_least_budget_lets_an_item_in_and_one_less_does_not() -> None:
    for at, note in enumerate(NOTES):
        least = min_budget(NOTES, 200, at, BY_PRIORITY)
        assert least is not None and min_budget(NOTES, 200, note, BY_PRIORITY) == least
        assert at in select(NOTES, least, BY_PRIORITY).positions
        assert at not in select(NOTES, least - 1, BY_PRIORITY).positions
    # The best two take 50 tokens, and a budget of less than that leaves no room beside them.
    assert min_budget(NOTES, 59, 0, BY_PRIORITY) in (10, None) and min_budget(NOTES, 40, 2, BY_PRIORITY, ceiling="1k") is not None
    assert min_budget(NOTES, Budget(500, output_reserve=100), 1, BY_PRIORITY) == 120


def test_policies_are_compared_on_the_same_items() -> None:
    notes = [note | {"timestamp": f"2025-01-0{note['id']}T00:00:00Z"} for note in NOTES]
    compared = compare(notes, 30, {"priority": BY_PRIORITY, "recency": Policy(BY_RECENCY)})
    for label, policy in (("priority", BY_PRIORITY), ("recency", BY_RECENCY)):
        alone = select(notes, 30, policy)
        assert compared.positions[label] == alone.positions and compared.windows[label] == alone.items
    assert compared.windows["priority"][0] is notes[0]
    differ = {row["content"]: (row["priority"], row["recency"]) for row in compared.rows()}
    assert differ == {notes[0]["content"]: (True, False), notes[1]["content"]: (True, False), notes[2]["content"]: (False, True)}
    assert repr(compared) == "Comparison(priority, recency: 3 contents differ)"


def test_strategies_can_be_asked_by_themselves() -> None:
    policy = Policy(BY_PRIORITY)
    scores = policy.score(NOTES)
    rows = select(NOTES, 100, policy).report.rows()
    assert scores == [row["score"] for row in rows] and scores[1] == max(scores)
    sliced = policy.slice(NOTES, scores, 50)
    assert sorted(sliced["kept"]) == [1, 2] and sliced["shortfalls"] == []
    assert policy.place(NOTES, scores) == [0, 1, 2]
    assert policy.score([Item("x", 1, priority=4)], against=NOTES) != []
    with_query = Policy("answer").score(NOTES, query="where are rooms booked?")
    assert max(range(3), key=lambda at: with_query[at]) == 1


def test_a_trace_tells_every_step() -> None:
    window = select(NOTES, 30, BY_PRIORITY)
    trace = window.trace()
    assert [it["stage"] for it in trace["stages"]] == ["Classify", "Score", "Deduplicate", "Slice", "Place"]
    assert trace["stages"][3]["excluded"] == [2] and trace["overflow"] is None
    assert sum(it["message"] is not None for it in trace["events"]) > 3
    pinned = [note | {"pinned": True} for note in NOTES]
    too_much = select(pinned[:2] + NOTES[2:], Budget(100, target_tokens=20), BY_PRIORITY | {"overflowStrategy": "proceed"})
    told = too_much.trace()["overflow"]
    assert told["tokens_over_budget"] == too_much.overflow == 10 and told["positions"] == [0, 1]


@pytest.mark.parametrize(
    "ask",
    [
        lambda: marginal_items(NOTES, 60, -1),
        lambda: marginal_items(NOTES, 60, "x"),
        lambda: min_budget(NOTES, 60, 3),
        lambda: min_budget(NOTES, 60, {"content": "another", "tokens": 1}),
        lambda: min_budget(NOTES, 60, None),
        lambda: compare(NOTES, 60, {"only": "chat"}),
        lambda: compare(NOTES, 60, ["chat"]),
        lambda: Policy("chat").slice(NOTES, [1.0], 10),
        lambda: Policy("chat").place(NOTES, "abc"),
        lambda: Policy("answer").score(NOTES),
    ],
)
def test_what_makes_no_sense_is_refused(ask: Any) -> None:
    with pytest.raises(CupelError) as raised:
        ask()
    assert str(raised.value) and isinstance(raised.value, (InvalidInput, WrongType, CupelError))
