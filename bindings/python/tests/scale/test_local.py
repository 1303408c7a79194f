"""On one machine, through Arrow."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars
import pyarrow as pa
from conftest import ROWS
from digests import of_response

from cupel_context.scale import local as cupel


def test_every_answer_is_that_of_cupel_batch(requests_file: Path, batch_digests: list[str]) -> None:
    relation = duckdb.sql(f"select * from read_parquet('{requests_file.with_suffix('.parquet')}') order by number")
    answers = cupel.respond(relation, "request", keep=["number"], response=True)
    # A connection has one open result, and the requests are one.
    found = duckdb.connect().sql("select number, answer.response from answers").fetchall()
    assert [number for number, _ in found] == list(range(ROWS))
    assert [of_response(response) for _, response in found] == batch_digests
