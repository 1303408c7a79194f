"""On a real Spark, with two cores."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from digests import of_response
from here import ROWS, WIDE_ROWS
from probes import Dying, Meeting, Watched, most_and_read
from pyspark.sql import functions as F
from rows import MALFORMED, WIDE_HEAD, WIDE_TAIL, items_of_keys, messages, request, row

from cupel_context import fit, respond, select
from cupel_context.scale import spark as cupel


def test_every_answer_is_that_of_cupel_batch(spark: Any, requests_file: Path, batch_digests: list[str]) -> None:
    frame = spark.read.parquet(str(requests_file.with_suffix(".parquet"))).repartition(8)
    answers = cupel.respond(frame, "request", keep=["number"], response=True)
    # Digests are made by Spark: a million answers would be too many to collect.
    told = F.when(F.isnull("answer.error"), F.col("answer.response"))
    told = told.otherwise(F.concat("answer.error.code", F.lit(": "), "answer.error.message"))
    collected = answers.select("number", F.sha2(told, 256)).collect()
    assert len(collected) == ROWS
    digests = {number: digest for number, digest in collected}
    assert [digests[number] for number in range(ROWS)] == batch_digests


def test_a_killed_worker_loses_and_duplicates_nothing(spark: Any, tmp_path: Path) -> None:
    count, mark = 4_000, tmp_path / "killed"
    frame = spark.createDataFrame([(number, row(number)) for number in range(count)], "number long, request string")
    work = Dying(response=True, text=row(2_500), mark=str(mark))
    answers = cupel.ENGINE.answered(frame.repartition(4), "request", work, "answer", ["number"])
    collected = answers.select("number", "answer.response").collect()
    assert mark.exists()
    assert sorted(number for number, _ in collected) == list(range(count))
    assert all(of_response(response) == of_response(respond(row(number))) for number, response in collected)


def test_a_lost_executor_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    program = Path(__file__).with_name("lost_executor.py")
    done = subprocess.run([sys.executable, program, mark, tmp_path], check=True, capture_output=True, text=True, timeout=300)
    assert mark.exists()
    assert done.stdout.splitlines()[-1] == "rows 2000, missing 0, twice 0, wrong 0"


def test_malformed_rows_are_errors_in_their_place(spark: Any) -> None:
    rows = [*MALFORMED, request(1), None]
    frame = spark.createDataFrame(list(enumerate(rows)), "number long, request string")
    answers = {it.number: it.answer for it in cupel.respond(frame).collect()}
    assert len(answers) == len(rows)
    for number in range(len(MALFORMED)):
        told = json.loads(respond(rows[number] or ""))["error"]
        assert (answers[number].error.code, answers[number].error.message) == (told["code"], told["message"])
        assert answers[number].window is None
    good = answers[len(MALFORMED)]
    assert good.error is None
    expected = json.loads(respond(request(1)))
    assert [it.content for it in good.window] == [it["content"] for it in expected["items"]]
    assert [json.loads(it.json) for it in good.window] == expected["items"]
    assert good.total_tokens == expected["totalTokens"]
    kept, left_out = expected["report"]["included"], expected["report"]["excluded"]
    assert [(it.included, it.reason, it.score) for it in good.report] == [
        *((True, it["reason"]["reason"], it["score"]) for it in kept),
        *((False, it["reason"]["reason"], it["score"]) for it in left_out),
    ]
    assert answers[len(rows) - 1].error.message == "the row is null"


def test_a_very_long_row_is_an_error_that_says_so(spark: Any) -> None:
    frame = spark.createDataFrame([(0, request(0)), (1, "x" * 100_001), (2, request(2))], "number long, request string")
    answers = {it.number: it.answer for it in cupel.respond(frame, longest_row=100_000).collect()}
    assert answers[1].error.code == "RowTooLong"
    assert "100001 bytes" in answers[1].error.message and "longest_row is 100000" in answers[1].error.message
    assert answers[0].error is None and answers[2].error is None


def test_memory_is_bounded_by_the_batch_and_not_by_the_partition(spark: Any, tmp_path: Path) -> None:
    def most_and_read_over(rows: int) -> tuple[int, int]:
        # Spark makes the rows as they are asked for: one partition, however many there are.
        wide = F.concat(F.lit(WIDE_HEAD), F.col("id").cast("string"), F.lit(WIDE_TAIL))
        frame = spark.range(0, rows, 1, 1).select("id", wide.alias("request"))
        folder = tmp_path / str(rows)
        folder.mkdir()
        work = Watched(folder=str(folder), response=True)
        answers = cupel.ENGINE.answered(frame, "request", work, "answer", ["id"])
        assert answers.where("answer.error is null").count() == rows
        return most_and_read(folder)

    spark.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", str(8 << 20))
    try:
        small, _ = most_and_read_over(1_000)
        large, read = most_and_read_over(WIDE_ROWS)
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxBytesPerBatch")
    assert read > WIDE_ROWS * 16_000
    assert large < small + (100 << 20), (small, large)


def test_two_cores_answer_at_once(spark: Any, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(number, row(number)) for number in range(4_000)], "number long, request string")
    answers = cupel.ENGINE.answered(frame.repartition(4), "request", Meeting(folder=str(tmp_path)), "answer", [])
    assert answers.count() == 4_000


def test_messages_as_text_or_as_structs_are_cut(spark: Any) -> None:
    chats = [messages(number) for number in range(30)]
    text = spark.createDataFrame([(n, json.dumps(chat)) for n, chat in enumerate(chats)], "n long, messages string")
    structs = spark.createDataFrame(
        list(enumerate(chats)), "n long, messages array<struct<role: string, content: string, name: string>>"
    )
    for frame in (text, structs):
        for it in cupel.fit(frame, budget=50, model="gpt-5", options={"keepLast": 1}).collect():
            cut = fit(chats[it.n], 50, model="gpt-5", keep_last=1)
            assert it.answer.error is None
            assert [json.loads(message.json) for message in it.answer.window] == cut.messages
            assert it.answer.total_tokens == cut.tokens


def test_nothing_but_messages_comes_in_with_a_row_of_messages(spark: Any) -> None:
    smuggled = '[{"role": "user", "content": "hello"}], "keepFirst": 3'
    frame = spark.createDataFrame([(smuggled,)], "messages string")
    assert cupel.fit(frame, budget=50).collect()[0].answer.error.code == "InvalidRequest"


def test_another_policy_for_old_requests(spark: Any) -> None:
    frame = spark.createDataFrame([(n, request(n)) for n in range(20)], "n long, request string")
    for it in cupel.respond(frame, budget=30, policy="rag", response=True).collect():
        changed = {**json.loads(request(it.n)), "budget": {"maxTokens": 30, "targetTokens": 30}, "policy": "rag"}
        assert json.loads(it.answer.response) == respond(changed)


def test_items_are_selected_for_each_key(spark: Any) -> None:
    keys = items_of_keys()
    numbered = [(key, at, it) for key, its in keys.items() for at, it in enumerate(its)]
    rows = [(key, at, it["content"], it["tokens"], it["timestamp"]) for key, at, it in numbered]
    random.Random(1).shuffle(rows)
    frame = spark.createDataFrame(rows, "user string, at int, content string, tokens long, timestamp string")
    selected = cupel.select(frame, "user", budget=40, order="at", policy="chat").collect()
    answers = {it.user: it.answer for it in selected}
    assert answers.keys() == keys.keys()
    for key, its in keys.items():
        chosen = select(its, 40, policy="chat")
        assert [it.at for it in answers[key].window] == chosen.positions
        assert answers[key].total_tokens == chosen.tokens
        assert [it["index"] for it in answers[key].report] == list(range(len(its)))
        assert Counter(it.included for it in answers[key].report)[True] == len(chosen)


def test_what_is_wrong_with_a_key_is_its_own_error(spark: Any) -> None:
    rows = [("good", 0, "hello"), ("bad", 0, None), ("large", 0, "x" * 5_000), ("large", 1, "y" * 6_000)]
    frame = spark.createDataFrame(rows, "key string, at int, content string")
    selected = cupel.select(frame, "key", budget=40, order="at", longest_row=10_000).collect()
    answers = {it.key: it.answer for it in selected}
    assert answers["good"].error is None and [it.content for it in answers["good"].window] == ["hello"]
    assert answers["bad"].error.code == "InvalidRequest" and answers["bad"].window is None
    assert answers["large"].error.code == "RowTooLong"


def test_a_column_that_is_not_there_is_told_at_once(spark: Any) -> None:
    frame = spark.createDataFrame([("{}",)], "request string")
    with pytest.raises(ValueError, match="'text' is none of the columns: request"):
        cupel.respond(frame, "text")
    with pytest.raises(ValueError, match="there is a column 'request' already"):
        cupel.respond(frame, into="request")
