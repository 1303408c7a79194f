"""On a real Spark, with two cores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conftest import ROWS
from digests import of_response

from cupel_context.scale import spark as cupel


def test_every_answer_is_that_of_cupel_batch(spark: Any, requests_file: Path, batch_digests: list[str]) -> None:
    frame = spark.read.parquet(str(requests_file.with_suffix(".parquet"))).repartition(8)
    answers = cupel.respond(frame, "request", keep=["number"], response=True)
    collected = answers.select("number", "answer.response").collect()
    assert len(collected) == ROWS
    digests = {number: of_response(response) for number, response in collected}
    assert [digests[number] for number in range(ROWS)] == batch_digests
