"""Policies side by side and questions with evidence: every engine says what the command says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from here import ENGINES_HERE
from oracle import compared, evaluated, question
from rows import messages, request

POLICIES, BUDGETS = ["rag", "chat", "last-n"], ["40", "25%"]
Rows = list[dict[str, Any]]


@pytest.fixture(params=ENGINES_HERE)
def engine(request: pytest.FixtureRequest) -> tuple[Any, Callable[[pa.Table], Any], Callable[[Any], Rows]]:
    """The module of an engine, how it gets a table and how rows come out of it."""
    if request.param == "spark":
        from cupel_context.scale import spark

        session = request.getfixturevalue("spark")
        return spark, session.createDataFrame, lambda frame: [row.asDict(recursive=True) for row in frame.collect()]
    if request.param == "ray":
        from cupel_context.scale import ray

        given = request.getfixturevalue("ray").data.from_arrow
        return ray, given, lambda dataset: dataset.take_all()
    from cupel_context.scale import local

    def taken(read: Any) -> Rows:
        return (read if isinstance(read, pa.Table) else read.read_all()).to_pylist()

    return local, lambda table: table, taken


def test_a_comparison_is_that_of_the_command(engine: Any) -> None:
    cupel, given, taken = engine
    items = [json.loads(request(number))["items"] for number in range(6)]
    chats = [messages(number) for number in range(4)]
    rows = [*items, *chats]
    table = pa.table({"n": list(range(len(rows) + 1)), "request": [*map(json.dumps, rows), "[1"]})
    for it in taken(cupel.compare(given(table), policies=["chat", "rag"], budget=40, keep=["n"])):
        if it["n"] == len(rows):
            assert it["comparison"]["error"]["code"] == "InvalidRequest"
        else:
            assert it["comparison"] == compared(rows[it["n"]], 40, ["chat", "rag"])


def test_an_evaluation_is_that_of_the_command(engine: Any) -> None:
    cupel, given, taken = engine
    questions = [question(number) for number in range(40)]
    expected = evaluated(questions, POLICIES, BUDGETS)
    unanswerable = {**question(99), "gold": ["nobody"]}
    rows = [*map(json.dumps, questions), json.dumps(unanswerable), "{}"]
    table = pa.table({"n": list(range(len(rows))), "question": rows})
    measured = cupel.evaluate(given(table), policies=POLICIES, budgets=BUDGETS, keep=["n"])
    if isinstance(measured, pa.RecordBatchReader):
        measured = measured.read_all()
    recalls = {it["n"]: it["evaluation"] for it in taken(measured)}
    for n, told in enumerate(expected["questions"]):
        by_policy = {policy: [] for policy in POLICIES}
        for it in recalls[n]["recalls"]:
            by_policy[it["policy"]].append(it["recall"])
        assert [by_policy[policy][:-1] for policy in POLICIES] == [it["recall"] for it in told["policies"]]
    assert recalls[40]["error"]["code"] == "EvaluationFailed" and "nobody" in recalls[40]["error"]["message"]
    assert recalls[41]["error"]["code"] == "InvalidRequest"

    summed = cupel.summary(measured.to_reader() if isinstance(measured, pa.Table) else measured)
    told = {(it["policy"], it["budget"]): it for it in taken(summed)}
    assert len(told) == len(POLICIES) * (len(BUDGETS) + 1)
    for policy in expected["policies"]:
        for budget, mean in zip([*BUDGETS, "overall"], [*policy["recall"], policy["overall"]], strict=True):
            own = told[policy["policy"], budget]
            assert own["questions"] == 40
            assert own["mean"] == pytest.approx(mean["mean"], abs=1e-12)
            # Two ways to find an interval, which agree about its width.
            assert own["high"] - own["low"] == pytest.approx(mean["high"] - mean["low"], rel=0.25, abs=0.02)
    for difference in expected["comparisons"]:
        own = told[difference["policy"], "overall"]
        assert own["difference"] == pytest.approx(difference["overall"]["mean"], abs=1e-12)
        assert (own["better"], own["worse"]) == (difference["better"], difference["worse"])
