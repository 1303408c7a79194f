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

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pyarrow as pa

from .engine import Engine
from .keys import Choice
from .means import NORMAL_95, Means
from .shared import RowWork, missing, must_have, on_one_core, pieces

try:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
    from pyspark.sql.types import StringType, StructField, StructType
except ImportError as error:
    missing("Apache Spark", "pyspark", error)

__all__ = ["ENGINE", "Spark", "compare", "costs", "evaluate", "fit", "replay", "respond", "select", "summary"]

_LINE, _LENGTH = "cupel line", "cupel length"


class Spark(Engine[DataFrame, DataFrame, DataFrame]):
    def answered(self, rows: DataFrame, column: str, work: RowWork, into: str, keep: Sequence[str] | None) -> DataFrame:
        kept = list(rows.columns if keep is None else keep)
        must_have(rows.columns, [column, *kept])
        must_have(kept, [], into)
        text = _text(rows, column)
        length = F.octet_length(text)
        # A row that is too long never leaves the JVM.
        ready = rows.select(
            *(F.col(f"`{name}`") for name in kept),
            F.when(length <= work.longest_row, text).alias(_LINE),
            length.alias(_LENGTH),
        )
        answer = StructField(into, from_arrow_type(work.type))
        schema = StructType([*(rows.schema[name] for name in kept), answer])
        return ready.mapInArrow(partial(_answer_batches, work, into), schema)

    def selected(self, rows: DataFrame, keys: Sequence[str], work: Choice, into: str) -> DataFrame:
        must_have(rows.columns, [*keys, *work.columns])
        must_have(keys, [], into)
        items = rows.drop(*keys)
        answer = from_arrow_type(work.type(to_arrow_schema(items.schema)))
        fields = [rows.schema[key] for key in keys]
        choose = partial(_select_group, work, keys, into)
        return rows.groupBy(*keys).applyInArrow(_by_key(choose), StructType([*fields, StructField(into, answer)]))

    def averaged(self, answers: DataFrame, means: Means, by: Sequence[str], into: str) -> DataFrame:
        each = answers.select(*by, F.explode(f"{into}.{means.each}").alias("it")).select(*by, "it.*")
        ended = F.isnull(means.stopped) if means.stopped else F.lit(True)
        numbers = {name: F.when(ended, F.col(name)) for name in means.of}
        better_by = numbers[means.better_by]
        told = each.groupBy(*by, *means.keys).agg(
            F.count(F.lit(1)).alias(means.count),
            *(column for name, number in numbers.items() for column in _interval(name, number)),
            F.count_if(better_by > 0).alias("better"),
            F.count_if(better_by < 0).alias("worse"),
            *([F.count(means.stopped).alias(means.stopped)] if means.stopped else []),
        )
        return told.orderBy(*by, *means.keys)


ENGINE = Spark()
respond, fit, select, compare = ENGINE.respond, ENGINE.fit, ENGINE.select, ENGINE.compare
evaluate, replay, summary, costs = ENGINE.evaluate, ENGINE.replay, ENGINE.summary, ENGINE.costs


def _interval(name: str, number: Column) -> list[Column]:
    # One number has no deviation, and its interval no width.
    deviation = F.when(F.count(number) > 1, F.stddev_samp(number)).otherwise(F.lit(0.0))
    mean, reach = F.avg(number), deviation / F.sqrt(F.count(number)) * NORMAL_95
    return [mean.alias(name), (mean - reach).alias(f"{name}_low"), (mean + reach).alias(f"{name}_high")]


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
