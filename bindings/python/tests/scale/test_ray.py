"""On a real Ray, with two cores."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from digests import of_response
from here import ROWS, WIDE_ROWS
from probes import Dying, Meeting, Watched, most_and_read
from rows import MALFORMED, WIDE_HEAD, WIDE_TAIL, items_of_keys, messages, request, row

from cupel_context import fit, respond, select
from cupel_context.scale import ray as cupel


def numbered(rows: list[str | None]) -> pa.Table:
    return pa.table({"number": pa.array(range(len(rows)), pa.int64()), "request": pa.array(rows, pa.string())})


def test_every_answer_is_that_of_cupel_batch(ray: Any, requests_file: Path, batch_digests: list[str]) -> None:
    dataset = ray.data.read_parquet(str(requests_file.with_suffix(".parquet"))).repartition(8)
    answers = cupel.respond(dataset, "request", keep=["number"], response=True)
    digests: dict[int, str] = {}
    for batch in answers.iter_batches(batch_format="pyarrow"):
        responses = pc.struct_field(batch["answer"], "response").to_pylist()
        for number, response in zip(batch["number"].to_pylist(), responses, strict=True):
            assert number not in digests
            digests[number] = of_response(response)
    assert [digests[number] for number in range(ROWS)] == batch_digests


def test_a_killed_worker_loses_and_duplicates_nothing(ray: Any, tmp_path: Path) -> None:
    count, mark = 4_000, tmp_path / "killed"
    dataset = ray.data.from_arrow(numbered([row(number) for number in range(count)])).repartition(4)
    work = Dying(response=True, text=row(2_500), mark=str(mark))
    taken = cupel.ENGINE.answered(dataset, "request", work, "answer", ["number"]).take_all()
    assert mark.exists()
    assert sorted(it["number"] for it in taken) == list(range(count))
    for it in taken:
        assert of_response(it["answer"]["response"]) == of_response(respond(row(it["number"])))


def test_malformed_rows_are_errors_in_their_place(ray: Any) -> None:
    rows = [*MALFORMED, request(1), None, "x" * 100_001]
    taken = cupel.respond(ray.data.from_arrow(numbered(rows)), longest_row=100_000).take_all()
    answers = {it["number"]: it["answer"] for it in taken}
    assert len(answers) == len(rows)
    for number in range(len(MALFORMED)):
        assert answers[number]["error"] == json.loads(respond(rows[number] or ""))["error"]
        assert answers[number]["window"] is None
    good, expected = answers[len(MALFORMED)], json.loads(respond(request(1)))
    assert good["error"] is None
    assert [json.loads(it["json"]) for it in good["window"]] == expected["items"]
    assert answers[len(MALFORMED) + 1]["error"]["message"] == "the row is null"
    long = answers[len(MALFORMED) + 2]["error"]
    assert long["code"] == "RowTooLong" and "longest_row is 100000" in long["message"]


def test_memory_is_bounded_by_the_batch_and_not_by_the_block(ray: Any, tmp_path: Path) -> None:
    def wide(batch: pa.Table) -> pa.Table:
        return pa.table({"request": [f"{WIDE_HEAD}{number}{WIDE_TAIL}" for number in batch["id"].to_pylist()]})

    def most_and_read_over(rows: int) -> tuple[int, int]:
        folder = tmp_path / str(rows)
        folder.mkdir()
        dataset = ray.data.range(rows, override_num_blocks=1)
        dataset = dataset.map_batches(wide, batch_format="pyarrow", batch_size=200)
        answers = cupel.ENGINE.answered(dataset, "request", Watched(folder=str(folder)), "answer", [])
        batches = answers.iter_batches(batch_format="pyarrow", batch_size=None)
        errors = [pc.struct_field(batch["answer"], "error") for batch in batches]
        assert sum(error.null_count for error in errors) == rows
        return most_and_read(folder)

    # Ray gathers blocks of 128 MiB before it hands them on; with small ones, fewer rows show as much.
    context = ray.data.DataContext.get_current()
    usual = context.target_max_block_size
    context.target_max_block_size = 16 << 20
    try:
        small, _ = most_and_read_over(2_000)
        large, read = most_and_read_over(WIDE_ROWS)
    finally:
        context.target_max_block_size = usual
    assert read > WIDE_ROWS * 16_000
    assert large < small + (100 << 20), (small, large)


def test_two_cores_answer_at_once(ray: Any, tmp_path: Path) -> None:
    dataset = ray.data.from_arrow(numbered([row(number) for number in range(4_000)])).repartition(4)
    answers = cupel.ENGINE.answered(dataset, "request", Meeting(folder=str(tmp_path)), "answer", [])
    assert answers.count() == 4_000


def test_messages_as_text_or_as_structs_are_cut(ray: Any) -> None:
    chats = [messages(number) for number in range(30)]
    numbers = pa.array(range(30), pa.int64())
    for column in (pa.array([json.dumps(chat) for chat in chats]), pa.array(chats)):
        dataset = ray.data.from_arrow(pa.table({"n": numbers, "messages": column}))
        for it in cupel.fit(dataset, budget=50, model="gpt-5", options={"keepLast": 1}).take_all():
            cut = fit(chats[it["n"]], 50, model="gpt-5", keep_last=1)
            assert [json.loads(message["json"]) for message in it["answer"]["window"]] == cut.messages
            assert it["answer"]["total_tokens"] == cut.tokens


def test_items_are_selected_for_each_key(ray: Any) -> None:
    keys = items_of_keys()
    rows = [{"user": key, "at": at, **it} for key, its in keys.items() for at, it in enumerate(its)]
    rows.append({"user": "bad", "at": 0, "content": None, "tokens": 1, "timestamp": None, "id": "x"})
    random.Random(1).shuffle(rows)
    dataset = ray.data.from_arrow(pa.Table.from_pylist(rows))
    taken = cupel.select(dataset, "user", budget=40, order="at", policy="chat").take_all()
    answers = {it["user"]: it["answer"] for it in taken}
    assert len(taken) == len(keys) + 1
    assert answers.pop("bad")["error"]["code"] == "InvalidRequest"
    for key, its in keys.items():
        chosen = select(its, 40, policy="chat")
        assert [it["at"] for it in answers[key]["window"]] == chosen.positions
        assert answers[key]["total_tokens"] == chosen.tokens


def test_a_column_that_is_not_there_is_told(ray: Any) -> None:
    with pytest.raises(Exception, match="'text' is none of the columns: number, request"):
        cupel.respond(ray.data.from_arrow(numbered(["{}"])), "text").take_all()
