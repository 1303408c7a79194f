"""Many rows on Ray Data.

    >>> import ray
    >>> from cupel_context.scale import ray as cupel
    >>> requests = ray.data.read_text("requests.jsonl")               # a line of `cupel batch` in each row
    >>> answers = cupel.respond(requests, "text")
    >>> answers.take(1)[0]["answer"]["total_tokens"]
    >>> chats = ray.data.read_parquet("chats")                        # messages: JSON, or lists of structs
    >>> cupel.fit(chats, "messages", budget=8_000, model="gpt-5").write_parquet("cut")
    >>> memories = ray.data.read_parquet("memories")                  # user, content, timestamp, ...
    >>> cupel.select(memories, "user", budget=2_000, order="timestamp", policy="longRunning").write_parquet("windows")

Ray deals out blocks, retries tasks and shuffles; nothing of that is done here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import pyarrow as pa

from .engine import Engine
from .keys import Choice
from .means import Means
from .shared import RowWork, as_text, lengths, missing, must_have, on_one_core, pieces

try:
    from ray.data import Dataset
    from ray.data.aggregate import Count, Mean, Std, Sum
except ImportError as error:
    missing("Ray Data", "ray[data]", error)

__all__ = ["ENGINE", "Ray", "compare", "costs", "evaluate", "fit", "replay", "respond", "select", "summary"]

_AGGREGATIONS = {"count": Count, "mean": Mean, "stddev": Std, "sum": Sum}


class Ray(Engine[Dataset, Dataset, Dataset]):
    def answered(self, rows: Dataset, column: str, work: RowWork, into: str, keep: Sequence[str] | None) -> Dataset:
        # Which columns there are is known where rows are: asking here would read some of them twice.
        return rows.map_batches(
            partial(_answer_block, work, column, into, keep),
            batch_format="pyarrow",
            batch_size=None,
            zero_copy_batch=True,
        )

    def selected(self, rows: Dataset, keys: Sequence[str], work: Choice, into: str) -> Dataset:
        must_have(rows.columns() or [], [*keys, *work.columns])
        must_have(keys, [], into)
        return rows.groupby(list(keys)).map_groups(partial(_select_group, work, keys, into), batch_format="pyarrow")

    def averaged(self, answers: Dataset, means: Means, by: Sequence[str], into: str) -> Dataset:
        by = list(by)
        each = answers.map_batches(partial(means.exploded, by=by, into=into), batch_format="pyarrow")
        asked = [_AGGREGATIONS[how](of, alias_name=name, ignore_nulls=True) for name, of, how in means.aggregates()]
        told = each.groupby([*by, *means.keys]).aggregate(*asked)
        told = told.map_batches(partial(means.with_intervals, by=by), batch_format="pyarrow")
        return told.sort([*by, *means.keys])


ENGINE = Ray()
respond, fit, select, compare = ENGINE.respond, ENGINE.fit, ENGINE.select, ENGINE.compare
evaluate, replay, summary, costs = ENGINE.evaluate, ENGINE.replay, ENGINE.summary, ENGINE.costs


def _answer_block(
    work: RowWork, column: str, into: str, keep: Sequence[str] | None, block: pa.Table
) -> Iterator[pa.Table]:
    on_one_core()
    kept = block.column_names if keep is None else list(keep)
    must_have(block.column_names, [column, *kept])
    must_have(kept, [], into)
    for first, count in pieces(lengths(block[column])):
        piece = block.slice(first, count)
        yield piece.select(kept).append_column(into, work.answer(as_text(piece[column])))


def _select_group(work: Choice, keys: Sequence[str], into: str, items: pa.Table) -> pa.Table:
    own = items.drop_columns(list(keys))
    answer = work.answer(own) if own.nbytes <= work.longest_row else work.refuse(own.schema, own.nbytes)
    return items.select(list(keys)).slice(0, 1).append_column(into, answer)
