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
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from .comparison import comparing
from .evaluation import evaluating, exploded, with_intervals
from .keys import Choice, choice
from .shared import (
    LONGEST_ROW,
    BudgetLike,
    PolicyLike,
    RowWork,
    as_text,
    fitting,
    lengths,
    must_have,
    pieces,
    responding,
)

__all__ = ["compare", "evaluate", "fit", "respond", "select", "summary"]

T = TypeVar("T")
R = TypeVar("R")


def respond(
    rows: Any,
    column: str = "request",
    *,
    budget: BudgetLike | None = None,
    policy: PolicyLike | None = None,
    model: str | None = None,
    query: str | None = None,
    into: str = "answer",
    keep: Sequence[str] | None = None,
    response: bool = False,
    longest_row: int = LONGEST_ROW,
    threads: int | None = None,
) -> pa.RecordBatchReader:
    """Answers a column of requests, each as `cupel batch` answers a line.

    The answer is a struct in the column ``into``: ``window``, ``total_tokens``, ``report``, and ``error``, which is
    null where there is none; with ``response`` also the line that `cupel batch` writes. Of the other columns those in
    ``keep`` stay, or all. ``budget`` and ``policy`` replace those of the requests. A row of more than ``longest_row``
    bytes is an error, and is not read.
    """
    work = responding(budget, policy, model, query, response, longest_row)
    return _answered(rows, column, work, into, keep, threads)


def fit(
    rows: Any,
    column: str = "messages",
    *,
    budget: BudgetLike,
    policy: PolicyLike | None = None,
    model: str | None = None,
    query: str | None = None,
    options: Mapping[str, Any] | None = None,
    into: str = "answer",
    keep: Sequence[str] | None = None,
    response: bool = False,
    longest_row: int = LONGEST_ROW,
    threads: int | None = None,
) -> pa.RecordBatchReader:
    """Cuts a column of conversations to a budget: messages, or whole requests to a provider, as JSON or as structs.

    ``options`` are those of a line of `cupel batch`, such as ``{"keepLast": 2, "provider": "anthropic"}``. The answer
    is that of :func:`respond`.
    """
    work = fitting(budget, policy, model, query, options, response, longest_row)
    return _answered(rows, column, work, into, keep, threads)


def select(
    rows: Any,
    by: str | Sequence[str],
    *,
    budget: BudgetLike,
    order: str | Sequence[str],
    policy: PolicyLike | None = None,
    query: str | None = None,
    query_column: str | None = None,
    model: str | None = None,
    into: str = "answer",
    longest_row: int = LONGEST_ROW,
    threads: int | None = None,
) -> pa.RecordBatchReader:
    """Selects from the items of each key what fits a budget: one row for each key.

    The rows of a key must stand one behind the other; let the engine sort by the key. Columns are named as the keys of
    items are ("content" must be there), others come along, and ``order`` says by which columns the items of a key are
    ordered. The answer is a struct in the column ``into``: ``window`` (the chosen rows), ``total_tokens``, ``report``,
    ``error``.
    """
    keys = [by] if isinstance(by, str) else list(by)
    work = choice(budget, order, policy, query, query_column, model, longest_row)
    reader = _reader(rows)
    must_have(reader.schema.names, [*keys, *work.columns])
    items = pa.schema([of for of in reader.schema if of.name not in keys])
    schema = pa.schema([*(reader.schema.field(key) for key in keys), pa.field(into, work.type(items))])
    answered = _in_order(lambda group: _select_group(work, keys, schema, group), _groups(reader, keys), threads)
    return pa.RecordBatchReader.from_batches(schema, answered)


def compare(
    rows: Any,
    column: str = "request",
    *,
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budget: BudgetLike | None = None,
    model: str | None = None,
    query: str | None = None,
    into: str = "comparison",
    keep: Sequence[str] | None = None,
    longest_row: int = LONGEST_ROW,
    threads: int | None = None,
) -> pa.RecordBatchReader:
    """Says of each row what each policy selects, and where they differ, as `cupel compare` does.

    Rows are requests, items or messages; ``policies`` are presets by name, or policies by a label. The answer is a
    struct in the column ``into``: ``variants``, ``diffs`` and ``error``; items and messages are called by their
    numbers, from 1.
    """
    work = comparing(policies, budget, model, query, longest_row)
    return _answered(rows, column, work, into, keep, threads)


def evaluate(
    rows: Any,
    column: str = "question",
    *,
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budgets: Sequence[int | str],
    model: str | None = None,
    into: str = "evaluation",
    keep: Sequence[str] | None = None,
    longest_row: int = LONGEST_ROW,
    threads: int | None = None,
) -> pa.RecordBatchReader:
    """Measures of each question how much of its evidence each policy has at each budget, as `cupel eval` does.

    A row is an object with "question", "items" (each with an "id") and "gold" (ids), as JSON or as a struct;
    ``policies`` are presets, "last-n" or "ceiling" by name, or policies by a label. The answer is a struct in the
    column ``into``: ``recalls`` and ``error``. :func:`summary` says what they are on the whole.
    """
    work = evaluating(policies, budgets, model, longest_row)
    return _answered(rows, column, work, into, keep, threads)


def summary(evaluated: pa.RecordBatchReader, by: Sequence[str] = (), into: str = "evaluation") -> pa.Table:
    """Mean recalls by policy and budget with intervals of 95 %, and how each policy differs from the first.

    Intervals are the normal ones, mean and standard error; `cupel eval` draws questions again and again instead. ``by``
    are columns to group by besides.
    """
    each = pa.concat_tables(exploded(pa.Table.from_batches([batch]), by, into) for batch in evaluated)
    sample = pc.VarianceOptions(ddof=1)
    told = each.group_by([*by, "policy", "budget"]).aggregate(
        [
            ("recall", "count"),
            ("recall", "mean"),
            ("recall", "stddev", sample),
            ("difference", "mean"),
            ("difference", "stddev", sample),
            ("better", "sum"),
            ("worse", "sum"),
        ]
    )
    names = ["questions", "mean", "recall_deviation", "difference", "difference_deviation", "better", "worse"]
    told = told.rename_columns([*by, "policy", "budget", *names])
    return with_intervals(told).sort_by([(name, "ascending") for name in [*by, "policy", "budget"]])


def _answered(
    rows: Any, column: str, work: RowWork, into: str, keep: Sequence[str] | None, threads: int | None
) -> pa.RecordBatchReader:
    reader = _reader(rows)
    kept = reader.schema.names if keep is None else list(keep)
    must_have(reader.schema.names, [column, *kept])
    must_have(kept, [], into)
    schema = pa.schema([*(reader.schema.field(name) for name in kept), pa.field(into, work.type)])

    def answer(piece: pa.RecordBatch) -> pa.RecordBatch:
        answers = work.answer(as_text(piece.column(column)))
        return pa.RecordBatch.from_arrays([*(piece.column(name) for name in kept), answers], schema=schema)

    cut = (batch.slice(*piece) for batch in reader for piece in pieces(lengths(batch.column(column))))
    return pa.RecordBatchReader.from_batches(schema, _in_order(answer, cut, threads))


def _reader(rows: Any) -> pa.RecordBatchReader:
    if isinstance(rows, pa.RecordBatchReader):
        return rows
    if not hasattr(rows, "__arrow_c_stream__"):
        raise TypeError(f"{type(rows).__name__} speaks no Arrow; give a relation of DuckDB, a frame or a table")
    reader = pa.RecordBatchReader.from_stream(rows)
    # Polars has views for texts, and Arrow does not sort or take by them.
    plain = [of.with_type(pa.large_string()) if pa.types.is_string_view(of.type) else of for of in reader.schema]
    return reader.cast(pa.schema(plain))


def _in_order(work: Callable[[T], R], given: Iterator[T], threads: int | None) -> Iterator[R]:
    """What becomes of each, in order; no more are held than are worked on, and one more for each thread."""
    threads = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        running: deque[Future[R]] = deque()
        for one in given:
            running.append(pool.submit(work, one))
            if len(running) >= 2 * threads:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


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
