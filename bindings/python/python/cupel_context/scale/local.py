"""Many rows on one machine: DuckDB, Polars, and whatever else speaks Arrow.

    >>> import duckdb, polars
    >>> from cupel_context.scale import local as cupel
    >>> requests = duckdb.sql("select * from read_parquet('requests.parquet')")
    >>> answers = cupel.respond(requests, "request")                  # nothing is read yet
    >>> other = duckdb.connect()                                      # one connection reads, another is read
    >>> other.sql("select answer.total_tokens, answer.error.message from answers").show()
    >>> chats = polars.scan_parquet("chats.parquet").collect()
    >>> polars.from_arrow(cupel.fit(chats, "messages", budget=8_000, model="gpt-5").read_all())
    >>> memories = duckdb.sql("select * from 'memories.parquet' order by user")
    >>> polars.from_arrow(cupel.select(memories, "user", budget=2_000, order="timestamp").read_all())

Rows come and go as a stream of record batches, in their order, on all cores; a few batches are held at once.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from .engine import Engine
from .keys import Choice
from .means import Means
from .shared import RowWork, as_text, lengths, must_have, pieces

__all__ = ["ENGINE", "Local", "compare", "costs", "evaluate", "fit", "replay", "respond", "select", "summary"]

T = TypeVar("T")
R = TypeVar("R")


class Local(Engine[Any, pa.RecordBatchReader, pa.Table]):
    """This machine, with so many threads, or one for each core.

    ``select`` wants the rows of a key one behind the other: let whoever has them sort by the key.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or os.cpu_count() or 1

    def answered(
        self, rows: Any, column: str, work: RowWork, into: str, keep: Sequence[str] | None
    ) -> pa.RecordBatchReader:
        """The rows, with what the work says of each in a new column."""
        reader = _reader(rows)
        kept = reader.schema.names if keep is None else list(keep)
        must_have(reader.schema.names, [column, *kept])
        must_have(kept, [], into)
        schema = pa.schema([*(reader.schema.field(name) for name in kept), pa.field(into, work.type)])

        def answer(piece: pa.RecordBatch) -> pa.RecordBatch:
            answers = work.answer(as_text(piece.column(column)))
            return pa.RecordBatch.from_arrays([*(piece.column(name) for name in kept), answers], schema=schema)

        cut = (batch.slice(*piece) for batch in reader for piece in pieces(lengths(batch.column(column))))
        return pa.RecordBatchReader.from_batches(schema, self._in_order(answer, cut))

    def selected(self, rows: Any, keys: Sequence[str], work: Choice, into: str) -> pa.RecordBatchReader:
        """One row for each key, with what was chosen of its rows."""
        reader = _reader(rows)
        must_have(reader.schema.names, [*keys, *work.columns])
        must_have(keys, [], into)
        items = pa.schema([of for of in reader.schema if of.name not in keys])
        schema = pa.schema([*(reader.schema.field(key) for key in keys), pa.field(into, work.type(items))])
        answer = partial(_select_group, work, keys, schema)
        return pa.RecordBatchReader.from_batches(schema, self._in_order(answer, _groups(reader, keys)))

    def averaged(self, answers: pa.RecordBatchReader, means: Means, by: Sequence[str], into: str) -> pa.Table:
        """Means over all rows, with their intervals, by Arrow's aggregations."""
        each = pa.concat_tables(means.exploded(pa.Table.from_batches([batch]), by, into) for batch in answers)
        asked = list(means.aggregates())
        sample = {"stddev": pc.VarianceOptions(ddof=1)}
        told = each.group_by([*by, *means.keys]).aggregate([(of, how, sample.get(how)) for _, of, how in asked])
        told = told.rename_columns([*by, *means.keys, *(name for name, _, _ in asked)])
        return means.with_intervals(told, by).sort_by([(name, "ascending") for name in [*by, *means.keys]])

    def _in_order(self, work: Callable[[T], R], given: Iterator[T]) -> Iterator[R]:
        """What becomes of each, in order; no more are held than are worked on, and one more for each thread."""
        with ThreadPoolExecutor(self._threads) as pool:
            running: deque[Future[R]] = deque()
            for one in given:
                running.append(pool.submit(work, one))
                if len(running) >= 2 * self._threads:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()


ENGINE = Local()
respond, fit, select, compare = ENGINE.respond, ENGINE.fit, ENGINE.select, ENGINE.compare
evaluate, replay, summary, costs = ENGINE.evaluate, ENGINE.replay, ENGINE.summary, ENGINE.costs


def _reader(rows: Any) -> pa.RecordBatchReader:
    if isinstance(rows, pa.RecordBatchReader):
        return rows
    if not hasattr(rows, "__arrow_c_stream__"):
        raise TypeError(f"{type(rows).__name__} speaks no Arrow; give a relation of DuckDB, a frame or a table")
    reader = pa.RecordBatchReader.from_stream(rows)
    # Polars has views for texts, and Arrow does not sort or take by them.
    plain = [of.with_type(pa.large_string()) if pa.types.is_string_view(of.type) else of for of in reader.schema]
    return reader.cast(pa.schema(plain))


def _groups(reader: pa.RecordBatchReader, keys: Sequence[str]) -> Iterator[pa.Table]:
    """The rows of one key after the other."""
    held: list[pa.RecordBatch] = []
    current: tuple[Any, ...] = ()
    seen: set[tuple[Any, ...]] = set()
    for batch in reader:
        first = 0
        for key, run in groupby(zip(*(batch.column(name).to_pylist() for name in keys), strict=True)):
            count = sum(1 for _ in run)
            if held and key != current:
                yield pa.Table.from_batches(held)
                held = []
            if not held and key in seen:
                told = ", ".join(f"{name} {value!r}" for name, value in zip(keys, key, strict=True))
                raise ValueError(f"there are other rows between those of {told}; sort the rows by their key")
            seen.add(key)
            held, current = [*held, batch.slice(first, count)], key
            first += count
    if held:
        yield pa.Table.from_batches(held)


def _select_group(work: Choice, keys: Sequence[str], schema: pa.Schema, items: pa.Table) -> pa.RecordBatch:
    own = items.drop_columns(list(keys)).combine_chunks()
    answer = work.answer(own) if own.nbytes <= work.longest_row else work.refuse(own.schema, own.nbytes)
    key = [items[name].slice(0, 1).combine_chunks() for name in keys]
    return pa.RecordBatch.from_arrays([*key, answer], schema=schema)
