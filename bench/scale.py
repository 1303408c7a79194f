"""Rows per second through Spark, Ray and Arrow, in turns with `cupel batch` over the same rows on the same cores.

    pip install -r bindings/python/requirements-scale.txt
    python bench/scale.py --rows 1000000            # the tables of docs/scale.md
    python bench/scale.py --rows 20000 --shares     # where the time goes

Wall time and processor time, of all processes of an engine, are printed: on a machine that others use, too, the first
favours whoever has more threads.

Rows are made once for each size, under --folder. Engines are started and warmed up before they are timed; answers are
made in full and thrown away (/dev/null, Spark's "noop"), or kept as files with --sink files.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATHS = [str(ROOT / "bindings/python/tests/scale"), str(ROOT / "bindings/python/python")]
sys.path[:0] = PATHS
os.environ["PYTHONPATH"] = os.pathsep.join([*PATHS, os.environ.get("PYTHONPATH", "")])
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import psutil  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from rows import rows  # noqa: E402


def main() -> None:
    asked = arguments()
    folder = Path(asked.folder)
    whole, warm = made(folder, asked.rows, asked.partitions), made(folder, min(asked.rows, 4_000), asked.partitions)
    if asked.shares:
        shares(whole)
        return
    runs = {"batch": batch, "local": local, "spark": spark, "ray": ray}
    timed: dict[str, list[tuple[float, float]]] = {}
    started: dict[str, Callable[[Path], None]] = {}
    for name in asked.engines.split(","):
        start = time.perf_counter()
        started[name] = runs[name](asked)
        started[name](warm)
        print(f"{name}: started and warm after {time.perf_counter() - start:.1f} s", flush=True)
    for _ in range(asked.rounds):
        for name, run in started.items():
            start, spent = time.perf_counter(), processor_seconds()
            run(whole)
            seconds, spent = time.perf_counter() - start, processor_seconds() - spent
            timed.setdefault(name, []).append((seconds, spent))
            print(f"{name}: {asked.rows} rows in {seconds:.2f} s, {spent:.2f} s of processors", flush=True)
    best = {name: [min(of) for of in zip(*times, strict=True)] for name, times in timed.items()}
    size = f"{asked.rows} rows, {asked.cores} cores, {asked.partitions} partitions"
    print(f"\n{size}, sink {asked.sink}, best of {asked.rounds}")
    print(f"load of the machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    print("| through | seconds | rows/s | of cupel batch | processor us/row | of cupel batch |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, (seconds, spent) in best.items():
        wall, own = (f"{of / mine:.0%}" for of, mine in zip(best.get("batch", best[name]), best[name], strict=True))
        each = spent / asked.rows * 1e6
        print(f"| {name} | {seconds:.2f} | {asked.rows / seconds:,.0f} | {wall} | {each:.1f} | {own} |")


def processor_seconds() -> float:
    """What this process, those it started and those that they started have spent, the ended ones included."""
    spent = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            spent += times.user + times.system + times.children_user + times.children_system
    return spent


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--engines", default="batch,local,spark,ray")
    parser.add_argument("--sink", choices=["none", "files"], default="none")
    parser.add_argument("--folder", default=str(ROOT / "target/scale"))
    parser.add_argument("--shares", action="store_true", help="where the time goes, in microseconds for each row")
    parser.add_argument("--text", action="store_true", help="the lines of cupel batch come along with the structs")
    return parser.parse_args()


def made(folder: Path, count: int, partitions: int) -> Path:
    """The rows as lines, and in so many Parquet files."""
    own = folder / f"{count}-{partitions}"
    if not own.exists():
        partial = own.with_name(own.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        (partial / "parquet").mkdir(parents=True)
        each = -(-count // partitions)
        numbered = enumerate(rows(count, malformed=False))
        with (partial / "requests.jsonl").open("w") as lines:
            for part in range(partitions):
                some = list(taken(numbered, each))
                lines.writelines(line + "\n" for _, line in some)
                table = pa.table({"number": [n for n, _ in some], "request": [line for _, line in some]})
                pq.write_table(table, partial / "parquet" / f"{part:04}.parquet", row_group_size=8_192)
        partial.rename(own)
    return own


def taken(numbered: Iterator[tuple[int, str]], most: int) -> Iterator[tuple[int, str]]:
    for _, one in zip(range(most), numbered, strict=False):
        yield one


def sink(asked: argparse.Namespace, name: str) -> Path:
    target = Path(asked.folder) / f"answers-{name}"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    return target


def batch(asked: argparse.Namespace) -> Callable[[Path], None]:
    def run(given: Path) -> None:
        out = sink(asked, "batch") / "answers.jsonl" if asked.sink == "files" else Path("/dev/null")
        command = [sys.executable, "-m", "cupel_context", "batch", "--quiet", "--no-timings"]
        command += ["--jobs", str(asked.cores)]
        with out.open("w") as answers:
            subprocess.run([*command, str(given / "requests.jsonl")], check=True, stdout=answers)

    return run


def local(asked: argparse.Namespace) -> Callable[[Path], None]:
    import pyarrow.dataset as ds

    from cupel_context.scale.local import Local

    cupel = Local(threads=asked.cores)

    def run(given: Path) -> None:
        scanned = ds.dataset(given / "parquet").scanner(batch_size=8_192).to_reader()
        answers = cupel.respond(scanned, keep=["number"], response=asked.text)
        if asked.sink == "files":
            ds.write_dataset(answers, sink(asked, "local"), format="parquet")
        else:
            for _ in answers:
                pass

    return run


def spark(asked: argparse.Namespace) -> Callable[[Path], None]:
    from pyspark.sql import SparkSession

    from cupel_context.scale import spark as cupel

    builder = SparkSession.builder.master(f"local[{asked.cores}]")
    settings = {"spark.ui.enabled": "false", "spark.log.level": "ERROR", "spark.driver.memory": "2g"}
    settings |= {"spark.driver.host": "127.0.0.1", "spark.ui.showConsoleProgress": "false"}
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()

    def run(given: Path) -> None:
        answers = cupel.respond(session.read.parquet(str(given / "parquet")), keep=["number"], response=asked.text)
        if asked.sink == "files":
            answers.write.mode("overwrite").parquet(str(sink(asked, "spark")))
        else:
            answers.write.format("noop").mode("overwrite").save()

    return run


def ray(asked: argparse.Namespace) -> Callable[[Path], None]:
    import logging

    import ray

    from cupel_context.scale import ray as cupel

    ray.init("local", num_cpus=asked.cores, include_dashboard=False, logging_level="ERROR", object_store_memory=2 << 30)
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)

    def run(given: Path) -> None:
        dataset = ray.data.read_parquet(str(given / "parquet"))
        answers = cupel.respond(dataset, keep=["number"], response=asked.text)
        if asked.sink == "files":
            answers.write_parquet(str(sink(asked, "ray")))
        else:
            for _ in answers.iter_internal_ref_bundles():
                pass

    return run


def shares(given: Path) -> None:
    """One core, one part after the other, each by what it adds to the one before."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    from cupel_context import count_tokens, respond, respond_batches
    from cupel_context.scale.responding import Work
    from cupel_context.scale.shared import PIECE_ROWS

    table = pq.read_table(given / "parquet")
    lines = table["request"].to_pylist()
    batches = table.to_batches(max_chunksize=PIECE_ROWS)
    chats = [json.loads(line)["messages"] for line in lines if '"messages"' in line]

    def seconds(work: Callable[[], Any]) -> float:
        times = []
        for _ in range(3):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        return min(times)

    read = seconds(lambda: pq.read_table(given / "parquet"))
    counting = seconds(lambda: [count_tokens(chat) for chat in chats])
    answering = seconds(lambda: [respond(line) for line in lines])
    columns = seconds(lambda: [pa.table(respond_batches(pa.table({"request": it["request"]}))) for it in batches])
    whole = seconds(lambda: [Work().answer(it["request"]) for it in batches])
    written = sum(Work().answer(it["request"]).nbytes for it in batches)
    long = sum(map(len, lines)) // len(lines)
    print(f"{len(lines)} rows of {long} bytes, answers of {written // len(lines)} bytes as structs")
    print("| part | microseconds a row |\n|---|---:|")
    for name, spent in (
        ("reading Parquet", read),
        ("answering, as cupel batch does", answering),
        ("of it, counting tokens (a tenth of the rows)", counting),
        ("Arrow: answers into columns", columns - answering),
        ("Python: pieces, lengths, errors", whole - columns),
    ):
        print(f"| {name} | {spent / len(lines) * 1e6:.1f} |")


if __name__ == "__main__":
    main()
