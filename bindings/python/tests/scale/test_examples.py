"""The ten lines that each module begins with, run as they stand there."""

from __future__ import annotations

import doctest
import importlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rows
from here import ENGINES_HERE

READ, WRITTEN = ["requests.jsonl", "chats", "memories"], ["cut", "windows"]


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_the_example_runs(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"cupel_context.scale.{engine}")
    if engine != "local":
        request.getfixturevalue(engine)
    monkeypatch.chdir(tmp_path)
    write_what_is_read(tmp_path)
    examples = doctest.DocTestParser().get_examples(module.__doc__ or "")
    assert 0 < len(examples) <= 10
    known: dict[str, Any] = {}
    for example in examples:
        source = example.source
        # Workers have folders of their own.
        for name in [*READ, *WRITTEN]:
            source = source.replace(f'"{name}"', f'"{tmp_path / name}"')
        exec(source, known)
    if engine != "local":
        assert all(list((tmp_path / name).glob("*.parquet")) for name in WRITTEN)


def write_what_is_read(folder: Path) -> None:
    requests = [rows.request(number) for number in range(20)]
    (folder / "requests.jsonl").write_text("".join(line + "\n" for line in requests))
    chats = pa.table({"messages": [json.dumps(rows.messages(number)) for number in range(20)]})
    items = [{"user": key, **item} for key, its in rows.items_of_keys().items() for item in its]
    tables = {"requests": pa.table({"request": requests}), "chats": chats, "memories": pa.Table.from_pylist(items)}
    for name, table in tables.items():
        # A folder for the engines that read folders, and a file beside it for those that read files.
        pq.write_table(table, folder / f"{name}.parquet")
        (folder / name).mkdir()
        pq.write_table(table, folder / name / "part.parquet")
