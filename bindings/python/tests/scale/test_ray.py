"""On a real Ray, with two cores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conftest import ROWS
from digests import of_response

from cupel_context.scale import ray as cupel


def test_every_answer_is_that_of_cupel_batch(ray: Any, requests_file: Path, batch_digests: list[str]) -> None:
    dataset = ray.data.read_parquet(str(requests_file.with_suffix(".parquet"))).repartition(8)
    answers = cupel.respond(dataset, "request", keep=["number"], response=True)
    digests: dict[int, str] = {}
    for batch in answers.iter_batches(batch_format="pyarrow"):
        for number, answer in zip(batch["number"].to_pylist(), batch["answer"].to_pylist(), strict=True):
            assert number not in digests
            digests[number] = of_response(answer["response"])
    assert [digests[number] for number in range(ROWS)] == batch_digests
