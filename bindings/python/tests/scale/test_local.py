"""On one machine, through Arrow."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars
import pyarrow as pa
import pytest
from digests import of_response
from here import ROWS
from rows import MALFORMED, items_of_keys, messages, request

from cupel_context import PolicyError, fit, respond, select
from cupel_context.scale import local as cupel
from cupel_context.scale.shared import PIECE_BYTES, PIECE_ROWS, budget_json, pieces


def test_every_answer_is_that_of_cupel_batch(requests_file: Path, batch_digests: list[str]) -> None:
    relation = duckdb.sql(f"select * from read_parquet('{requests_file.with_suffix('.parquet')}') order by number")
    answers = cupel.respond(relation, "request", keep=["number"], response=True)  # noqa: F841 (DuckDB finds it by its name)
    # A connection has one open result, and the requests are one.
    found = duckdb.connect().sql("select number, answer.response from answers").fetchall()
    assert [number for number, _ in found] == list(range(ROWS))
    assert [of_response(response) for _, response in found] == batch_digests


def test_malformed_rows_are_errors_in_their_place() -> None:
    rows = [*MALFORMED, request(1), None, "x" * 100_001]
    frame = polars.DataFrame({"request": rows})
    answers = cupel.respond(frame, longest_row=100_000).read_all()["answer"].to_pylist()
    for answer, row in zip(answers, MALFORMED, strict=False):
        assert answer["error"] == json.loads(respond(row))["error"]
    good, null, long = answers[len(MALFORMED) :]
    assert [json.loads(it["json"]) for it in good["window"]] == json.loads(respond(request(1)))["items"]
    assert null["error"]["message"] == "the row is null"
    assert long["error"]["code"] == "RowTooLong"


def test_messages_are_cut_and_go_back_to_polars() -> None:
    chats = [messages(number) for number in range(30)]
    frame = polars.DataFrame({"messages": chats})
    cut = polars.from_arrow(cupel.fit(frame, budget=50, model="gpt-5"))
    for chat, answer in zip(chats, cut["answer"].to_list(), strict=True):
        expected = fit(chat, 50, model="gpt-5")
        assert [json.loads(it["json"]) for it in answer["window"]] == expected.messages


def test_items_are_selected_for_each_key() -> None:
    keys = items_of_keys()
    rows = [{"user": key, "at": at, **it} for key, its in keys.items() for at, it in enumerate(its)]
    random.Random(1).shuffle(rows)
    frame = polars.DataFrame(rows)
    read = cupel.select(frame.sort("user"), "user", budget=40, order="at", policy="chat").read_all().to_pylist()
    assert [it["user"] for it in read] == sorted(keys)
    for it in read:
        chosen = select(keys[it["user"]], 40, policy="chat")
        assert [row["at"] for row in it["answer"]["window"]] == chosen.positions
    with pytest.raises(ValueError, match="sort the rows by their key"):
        cupel.select(frame, "user", budget=40, order="at").read_all()


def test_no_more_is_read_than_is_worked_on() -> None:
    read = 0

    def endless() -> Iterator[pa.RecordBatch]:
        nonlocal read
        while True:
            read += 1
            yield pa.RecordBatch.from_pydict({"request": [request(read)]})

    rows = pa.RecordBatchReader.from_batches(pa.schema([("request", pa.string())]), endless())
    answers = cupel.Local(threads=2).respond(rows)
    assert [answers.read_next_batch().num_rows for _ in range(10)] == [1] * 10
    assert read <= 10 + 2 * 2


def test_pieces_cover_all_rows_and_are_small() -> None:
    own = random.Random(1)
    for _ in range(200):
        sizes = [None, 0, 1, PIECE_BYTES // 3, PIECE_BYTES, 2 * PIECE_BYTES]
        lengths = own.choices(sizes, k=own.randrange(50))
        lengths += [1] * own.choice([0, PIECE_ROWS - 1, PIECE_ROWS, PIECE_ROWS + 1])
        cut = list(pieces(lengths))
        assert [at for first, count in cut for at in range(first, first + count)] == list(range(len(lengths)))
        for first, count in cut:
            held = sum(length or 0 for length in lengths[first : first + count])
            assert count <= PIECE_ROWS and (count == 1 or held <= PIECE_BYTES)


def test_a_budget_is_said_as_requests_say_it() -> None:
    assert budget_json("8k") == {"maxTokens": 8000, "targetTokens": 8000}
    assert budget_json({"maxTokens": 9}) == {"maxTokens": 9}


def test_a_policy_that_cannot_travel_is_told_at_once() -> None:
    from cupel_context import Policy

    scorers = {"mine": lambda items, run: [0.0 for _ in items]}
    own = Policy({"scorers": [{"type": "mine", "weight": 1}]}, scorers=scorers)
    with pytest.raises(PolicyError):
        cupel.respond(polars.DataFrame({"request": [request(1)]}), policy=own)


@pytest.mark.parametrize(
    ("module", "engine", "package"),
    [("spark", "pyspark", "pyspark"), ("ray", "ray", "ray[data]"), ("local", "pyarrow", "pyarrow")],
)
def test_a_missing_engine_is_named(module: str, engine: str, package: str) -> None:
    program = f"""
import sys
sys.modules[{engine!r}] = None
try:
    import cupel_context.scale.{module}
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert f"pip install {package}" in done.stdout
