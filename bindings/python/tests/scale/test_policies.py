"""Policies side by side, questions with evidence, transcripts: every engine says what the command says."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from here import ENGINES_HERE
from oracle import compared, evaluated, question, replayed, transcripts
from rows import messages, request

from cupel_context import CupelError

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


def kept(answers: Any) -> Any:
    """Answers that can be read twice."""
    return answers.read_all() if isinstance(answers, pa.RecordBatchReader) else answers


def again(answers: Any) -> Any:
    return answers.to_reader() if isinstance(answers, pa.Table) else answers


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
    measured = kept(measured)
    recalls = {it["n"]: it["evaluation"] for it in taken(measured)}
    for n, told in enumerate(expected["questions"]):
        by_policy = {policy: [] for policy in POLICIES}
        for it in recalls[n]["recalls"]:
            by_policy[it["policy"]].append(it["recall"])
        assert [by_policy[policy][:-1] for policy in POLICIES] == [it["recall"] for it in told["policies"]]
    assert recalls[40]["error"]["code"] == "InvalidRequest" and "nobody" in recalls[40]["error"]["message"]
    assert recalls[41]["error"]["code"] == "InvalidRequest"

    summed = cupel.summary(again(measured))
    told = {(it["policy"], it["budget"]): it for it in taken(summed)}
    assert len(told) == len(POLICIES) * (len(BUDGETS) + 1)
    for policy in expected["policies"]:
        for budget, mean in zip([*BUDGETS, "overall"], [*policy["recall"], policy["overall"]], strict=True):
            own = told[policy["policy"], budget]
            assert own["questions"] == 40
            assert own["recall"] == pytest.approx(mean["mean"], abs=1e-12)
            # Two ways to find an interval, which agree about its width.
            assert own["recall_high"] - own["recall_low"] == pytest.approx(mean["high"] - mean["low"], rel=0.25, abs=0.02)
    for difference in expected["comparisons"]:
        own = told[difference["policy"], "overall"]
        assert own["difference"] == pytest.approx(difference["overall"]["mean"], abs=1e-12)
        assert (own["better"], own["worse"]) == (difference["better"], difference["worse"])


STRATEGIES = ["sliding-window", "halve", "session", "session:0.9/0.4", "chat"]


@pytest.fixture(scope="module")
def replays() -> Rows:
    """What the command says of each transcript."""
    return [replayed(transcript, 3_000, STRATEGIES) for transcript in transcripts()]


def test_a_replay_is_that_of_the_command(engine: Any, replays: Rows) -> None:
    cupel, given, taken = engine
    rows = [*transcripts(), "[", '{"messages": 3}', None, "x" * 1_000_001]
    table = pa.table({"n": list(range(len(rows))), "transcript": rows})
    played = kept(
        cupel.replay(given(table), budget=3_000, strategies=STRATEGIES, keep=["n"], longest_row=1_000_000)
    )
    told = {it["n"]: it["replay"] for it in taken(played)}
    assert len(told) == len(rows)
    for n, expected in enumerate(replays):
        own = told[n]
        assert own["error"] is None
        first = own["strategies"][0]
        for it in own["strategies"]:
            assert it.pop("saved") == (None if it["stopped"] or first["stopped"] else first["cost"] - it["cost"])
        assert {key: own[key] for key in expected} == expected
    codes = [told[n]["error"]["code"] for n in range(len(replays), len(rows))]
    assert codes == ["InvalidRequest", "InvalidRequest", "InvalidRequest", "RowTooLong"]

    means = {it["strategy"]: it for it in taken(cupel.costs(again(played)))}
    assert list(means) == sorted(STRATEGIES)
    for at, strategy in enumerate(STRATEGIES):
        of = [(it["strategies"][at], it["strategies"][0]) for it in replays]
        ended = [(it, first) for it, first in of if it["stopped"] is None]
        own = means[strategy]
        assert (own["transcripts"], own["stopped"]) == (len(of), len(of) - len(ended))
        numbers = {name: [it[name] for it, _ in ended] for name in ("cost", "share_read", "cuts", "evidence_kept")}
        numbers["saved"] = [first["cost"] - it["cost"] for it, first in ended if first["stopped"] is None]
        assert own["better"] == sum(number > 0 for number in numbers["saved"])
        assert own["worse"] == sum(number < 0 for number in numbers["saved"])
        for name, all_numbers in numbers.items():
            there = [number for number in all_numbers if number is not None]
            mean, reach = statistics.fmean(there), 1.959964 * statistics.stdev(there) / len(there) ** 0.5
            expected = pytest.approx((mean, mean - reach, mean + reach), rel=1e-6, abs=1e-9)
            assert (own[name], own[f"{name}_low"], own[f"{name}_high"]) == expected


def test_policies_and_marks_are_replayed_under_labels(engine: Any, replays: Rows) -> None:
    cupel, given, taken = engine
    table = pa.table({"transcript": transcripts()[:1]})
    own = {"scorers": [{"type": "recency", "weight": 1}]}
    strategies = {"old": "session", "new": "session:0.9/0.4", "mine": own, "other": {**own, "description": "the same"}}
    asked = cupel.replay(given(table), budget={"maxTokens": 3_500, "outputReserve": 500}, strategies=strategies)
    (answer,) = taken(asked)
    told = {it["strategy"]: it["cost"] for it in answer["replay"]["strategies"]}
    assert list(told) == list(strategies)
    expected = {it["strategy"]: it["cost"] for it in replays[0]["strategies"]}
    assert (told["old"], told["new"]) == (expected["session"], expected["session:0.9/0.4"])
    assert told["mine"] == told["other"]


def test_a_strategy_that_nobody_knows_is_told_at_once(engine: Any) -> None:
    cupel, given, _ = engine
    table = given(pa.table({"transcript": ["[]"]}))
    with pytest.raises(CupelError, match="session:HIGH/LOW|no marks"):
        cupel.replay(table, budget=3_000, strategies=["session:high"])
    with pytest.raises(CupelError, match="keep-lst"):
        cupel.replay(table, budget=3_000, options={"keepLst": 1})
