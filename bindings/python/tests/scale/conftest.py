"""Engines that are not installed are not tested, unless CUPEL_SCALE=all says that all must be."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
# Workers are processes of their own.
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, sys.path)])
os.environ["PYSPARK_PYTHON"] = sys.executable

from here import ALL, IS_INSTALLED, ROWS  # noqa: E402

collect_ignore: list[str] = []
if importlib.util.find_spec("pyarrow") is None and not ALL:
    collect_ignore = [file.name for file in HERE.glob("test_*.py")]
else:
    collect_ignore = [f"test_{engine}.py" for engine in ("spark", "ray") if not (ALL or IS_INSTALLED[engine])]
    if not ALL and not (IS_INSTALLED["duckdb"] and IS_INSTALLED["polars"]):
        collect_ignore.append("test_local.py")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2, 4]").appName("cupel")
    # Four attempts for each task, as clusters have them; local mode has one.
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.log.level": "ERROR",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def ray() -> Iterator[Any]:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=1 << 30)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


@pytest.fixture(scope="session")
def requests_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So many requests, malformed ones among them, one to a line and in a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from rows import rows

    file = tmp_path_factory.mktemp("rows") / "requests.jsonl"
    lines = [line.replace("\n", " ") for line in rows(ROWS)]
    file.write_text("".join(line + "\n" for line in lines))
    table = pa.table({"number": pa.array(range(ROWS), pa.int64()), "request": lines})
    pq.write_table(table, file.with_suffix(".parquet"), row_group_size=10_000)
    return file


@pytest.fixture(scope="session")
def batch_digests(requests_file: Path) -> list[str]:
    """What `cupel batch` says to each of them, as digests."""
    from digests import of_lines

    answers = requests_file.with_name("answers.jsonl")
    command = [sys.executable, "-m", "cupel_context", "batch", "--no-timings", "--quiet"]
    done = subprocess.run([*command, str(requests_file), "-o", str(answers)], check=False)
    # 1: some lines failed, and those that are no requests are there to fail.
    assert done.returncode == 1
    with answers.open() as lines:
        return of_lines(lines)
