"""Many rows on Apache Spark.

    >>> from pyspark.sql import SparkSession
    >>> from cupel_context.scale import spark as cupel
    >>> spark = SparkSession.builder.getOrCreate()
    >>> requests = spark.read.text("requests.jsonl")                  # a line of `cupel batch` in each row
    >>> answers = cupel.respond(requests, "value")
    >>> answers.select("answer.total_tokens", "answer.window.content", "answer.error.message").show()
    >>> chats = spark.read.parquet("chats")                           # messages: JSON, or an array of structs
    >>> cupel.fit(chats, "messages", budget=8_000, model="gpt-5").write.parquet("cut")
    >>> memories = spark.read.parquet("memories")                     # user, content, timestamp, ...
    >>> cupel.select(memories, "user", budget=2_000, order="timestamp", policy="longRunning").write.parquet("windows")

Spark deals out rows, retries tasks and shuffles; nothing of that is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from .comparison import comparing
from .evaluation import NORMAL_95, evaluating
from .keys import Choice, choice
from .shared import (
    LONGEST_ROW,
    BudgetLike,
    PolicyLike,
    RowWork,
    fitting,
    missing,
    must_have,
    on_one_core,
    pieces,
    responding,
)

try:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
    from pyspark.sql.types import StringType, StructField, StructType
except ImportError as error:
    missing("Apache Spark", "pyspark", error)

__all__ = ["compare", "evaluate", "fit", "respond", "select", "summary"]

_LINE, _LENGTH = "cupel line", "cupel length"


def respond(
    frame: DataFrame,
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
) -> DataFrame:
    """Answers a column of requests, each as `cupel batch` answers a line.

    The answer is a struct in the column ``into``: ``window``, ``total_tokens``, ``report``, and ``error``, which is
    null where there is none; with ``response`` also the line that `cupel batch` writes. Of the other columns those in
    ``keep`` stay, or all. ``budget`` and ``policy`` replace those of the requests. A row of more than ``longest_row``
    bytes is an error that never leaves the JVM.
    """
    work = responding(budget, policy, model, query, response, longest_row)
    return _answered(frame, column, work, into, keep)


def fit(
    frame: DataFrame,
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
) -> DataFrame:
    """Cuts a column of conversations to a budget: messages, or whole requests to a provider, as JSON or as structs.

    ``options`` are those of a line of `cupel batch`, such as ``{"keepLast": 2, "provider": "anthropic"}``. The answer
    is that of :func:`respond`.
    """
    work = fitting(budget, policy, model, query, options, response, longest_row)
    return _answered(frame, column, work, into, keep)


def select(
    frame: DataFrame,
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
) -> DataFrame:
    """Selects from the items of each key what fits a budget: one row for each key.

    An item is a row, with columns named as the keys of items are ("content" must be there) and others that come along.
    Shuffles do not keep order, so ``order`` says by which columns the items of a key are ordered. The answer is a
    struct in the column ``into``: ``window`` (the chosen rows), ``total_tokens``, ``report`` (what was decided about
    each item), ``error``.
    """
    keys = [by] if isinstance(by, str) else list(by)
    work = choice(budget, order, policy, query, query_column, model, longest_row)
    must_have(frame.columns, [*keys, *work.columns])
    must_have(keys, [], into)
    items = frame.drop(*keys)
    answer = from_arrow_type(work.type(to_arrow_schema(items.schema)))
    fields = [frame.schema[key] for key in keys]
    selected = partial(_select_group, work, keys, into)
    return frame.groupBy(*keys).applyInArrow(_by_key(selected), StructType([*fields, StructField(into, answer)]))


def compare(
    frame: DataFrame,
    column: str = "request",
    *,
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budget: BudgetLike | None = None,
    model: str | None = None,
    query: str | None = None,
    into: str = "comparison",
    keep: Sequence[str] | None = None,
    longest_row: int = LONGEST_ROW,
) -> DataFrame:
    """Says of each row what each policy selects, and where they differ, as `cupel compare` does.

    Rows are requests, items or messages; ``policies`` are presets by name, or policies by a label. The answer is a
    struct in the column ``into``: ``variants``, ``diffs`` and ``error``; items and messages are called by their
    numbers, from 1.
    """
    work = comparing(policies, budget, model, query, longest_row)
    return _answered(frame, column, work, into, keep)


def evaluate(
    frame: DataFrame,
    column: str = "question",
    *,
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budgets: Sequence[int | str],
    model: str | None = None,
    into: str = "evaluation",
    keep: Sequence[str] | None = None,
    longest_row: int = LONGEST_ROW,
) -> DataFrame:
    """Measures of each question how much of its evidence each policy has at each budget, as `cupel eval` does.

    A row is an object with "question", "items" (each with an "id") and "gold" (ids), as JSON or as a struct;
    ``policies`` are presets, "last-n" or "ceiling" by name, or policies by a label. The answer is a struct in the
    column ``into``: ``recalls`` and ``error``. :func:`summary` says what they are on the whole.
    """
    work = evaluating(policies, budgets, model, longest_row)
    return _answered(frame, column, work, into, keep)


def summary(evaluated: DataFrame, by: Sequence[str] = (), into: str = "evaluation") -> DataFrame:
    """Mean recalls by policy and budget with intervals of 95 %, and how each policy differs from the first.

    Intervals are the normal ones, mean and standard error, which one pass over any number of rows gives; `cupel eval`
    draws questions again and again instead. ``by`` are columns to group by besides.
    """
    each = evaluated.select(*by, F.explode(f"{into}.recalls").alias("it")).select(*by, "it.*")
    told = each.groupBy(*by, "policy", "budget").agg(
        F.count("recall").alias("questions"),
        *_interval("recall", "mean", "low", "high"),
        *_interval("difference", "difference", "difference_low", "difference_high"),
        F.count_if(F.col("difference") > 0).alias("better"),
        F.count_if(F.col("difference") < 0).alias("worse"),
    )
    return told.orderBy(*by, "policy", "budget")


def _interval(of: str, mean: str, low: str, high: str) -> list[Column]:
    error = F.coalesce(F.stddev_samp(of), F.lit(0.0)) / F.sqrt(F.count(of)) * NORMAL_95
    return [F.avg(of).alias(mean), (F.avg(of) - error).alias(low), (F.avg(of) + error).alias(high)]


def _answered(frame: DataFrame, column: str, work: RowWork, into: str, keep: Sequence[str] | None) -> DataFrame:
    kept = list(frame.columns if keep is None else keep)
    must_have(frame.columns, [column, *kept])
    must_have(kept, [], into)
    text = _text(frame, column)
    length = F.octet_length(text)
    ready = frame.select(
        *(F.col(f"`{name}`") for name in kept),
        F.when(length <= work.longest_row, text).alias(_LINE),
        length.alias(_LENGTH),
    )
    answer = StructField(into, from_arrow_type(work.type))
    schema = StructType([*(frame.schema[name] for name in kept), answer])
    return ready.mapInArrow(partial(_answer_batches, work, into), schema)


def _text(frame: DataFrame, column: str) -> Column:
    """JSON as it is, or made of structs by Spark."""
    is_text = isinstance(frame.schema[column].dataType, StringType)
    return F.col(f"`{column}`") if is_text else F.to_json(f"`{column}`")


def _answer_batches(work: RowWork, into: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    on_one_core()
    for batch in batches:
        for first, count in pieces(batch.column(_LENGTH).to_pylist()):
            piece = batch.slice(first, count)
            answer = work.answer(piece.column(_LINE), piece.column(_LENGTH))
            yield piece.drop_columns([_LINE, _LENGTH]).append_column(into, answer)


def _by_key(
    selected: Callable[[tuple[pa.Scalar, ...], Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]],
) -> Callable[[tuple[pa.Scalar, ...], Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    # Spark tells this form from the one over whole tables by its types.
    def by_key(key: tuple[pa.Scalar, ...], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return selected(key, batches)

    return by_key


def _select_group(
    work: Choice, keys: Sequence[str], into: str, key: tuple[pa.Scalar, ...], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    held: list[pa.RecordBatch] = []
    size = 0
    schema = pa.schema([])
    for batch in batches:
        batch = batch.drop_columns(list(keys))
        schema = batch.schema
        size += batch.nbytes
        # What is too much is counted to its end and not held.
        held = [*held, batch] if size <= work.longest_row else []
    answer = work.answer(pa.Table.from_batches(held)) if held else work.refuse(schema, size)
    columns = [pa.array([scalar.as_py()], scalar.type) for scalar in key]
    yield pa.RecordBatch.from_arrays([*columns, answer], names=[*keys, into])
