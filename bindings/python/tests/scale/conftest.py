"""Engines that are not here are not tested, unless CUPEL_SCALE names them: those must be."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
# Workers are processes of their own.
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, sys.path)])
os.environ["PYSPARK_PYTHON"] = sys.executable
# Nothing leaves the machine, whatever it is called.
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# A disk that is nearly full is no reason to give up: next to nothing is spilled.
os.environ["RAY_local_fs_capacity_threshold"] = "0.995"

from here import ENGINES_HERE, ROWS  # noqa: E402

collect_ignore = [f"test_{engine}.py" for engine in ("local", "spark", "ray") if engine not in ENGINES_HERE]
if importlib.util.find_spec("pyarrow") is None and not ENGINES_HERE:
    collect_ignore = [file.name for file in HERE.glob("test_*.py")]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")

    builder = SparkSession.builder.master("local[2, 4]").appName("cupel")
    # Four attempts for each task, as clusters have them; local mode has one.
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={folder}",
        "spark.driver.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.log.level": "ERROR",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


@pytest.fixture(scope="session")
def ray() -> Iterator[Any]:
    import ray

    # Sockets are in that folder, and the path of a socket is short. "local": no other Ray that may be running here.
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    try:
        ray.init(
            "local",
            num_cpus=2,
            include_dashboard=False,
            logging_level="ERROR",
            object_store_memory=1 << 30,
            _temp_dir=folder,
            _node_ip_address="127.0.0.1",
        )
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield ray
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


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
        digests = of_lines(lines)
    answers.unlink()
    return digests
