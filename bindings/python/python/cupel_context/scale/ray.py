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

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

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
    missing,
    must_have,
    on_one_core,
    pieces,
    responding,
)

try:
    from ray.data import Dataset
    from ray.data.aggregate import Count, Mean, Std, Sum
except ImportError as error:
    missing("Ray Data", "ray[data]", error)

__all__ = ["compare", "evaluate", "fit", "respond", "select", "summary"]


def respond(
    dataset: Dataset,
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
) -> Dataset:
    """Answers a column of requests, each as `cupel batch` answers a line.

    The answer is a struct in the column ``into``: ``window``, ``total_tokens``, ``report``, and ``error``, which is
    null where there is none; with ``response`` also the line that `cupel batch` writes. Of the other columns those in
    ``keep`` stay, or all. ``budget`` and ``policy`` replace those of the requests. A row of more than ``longest_row``
    bytes is an error, and is not read.
    """
    work = responding(budget, policy, model, query, response, longest_row)
    return _answered(dataset, column, work, into, keep)


def fit(
    dataset: Dataset,
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
) -> Dataset:
    """Cuts a column of conversations to a budget: messages, or whole requests to a provider, as JSON or as structs.

    ``options`` are those of a line of `cupel batch`, such as ``{"keepLast": 2, "provider": "anthropic"}``. The answer
    is that of :func:`respond`.
    """
    work = fitting(budget, policy, model, query, options, response, longest_row)
    return _answered(dataset, column, work, into, keep)


def select(
    dataset: Dataset,
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
) -> Dataset:
    """Selects from the items of each key what fits a budget: one row for each key.

    An item is a row, with columns named as the keys of items are ("content" must be there) and others that come along.
    Shuffles do not keep order, so ``order`` says by which columns the items of a key are ordered. The answer is a
    struct in the column ``into``: ``window`` (the chosen rows), ``total_tokens``, ``report`` (what was decided about
    each item), ``error``.
    """
    keys = [by] if isinstance(by, str) else list(by)
    work = choice(budget, order, policy, query, query_column, model, longest_row)
    must_have(dataset.columns() or [], [*keys, *work.columns])
    return dataset.groupby(keys).map_groups(partial(_select_group, work, keys, into), batch_format="pyarrow")


def compare(
    dataset: Dataset,
    column: str = "request",
    *,
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budget: BudgetLike | None = None,
    model: str | None = None,
    query: str | None = None,
    into: str = "comparison",
    keep: Sequence[str] | None = None,
    longest_row: int = LONGEST_ROW,
) -> Dataset:
    """Says of each row what each policy selects, and where they differ, as `cupel compare` does.

    Rows are requests, items or messages; ``policies`` are presets by name, or policies by a label. The answer is a
    struct in the column ``into``: ``variants``, ``diffs`` and ``error``; items and messages are called by their
    numbers, from 1.
    """
    work = comparing(policies, budget, model, query, longest_row)
    return _answered(dataset, column, work, into, keep)


def evaluate(
    dataset: Dataset,
    column: str = "question",
    *,
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budgets: Sequence[int | str],
    model: str | None = None,
    into: str = "evaluation",
    keep: Sequence[str] | None = None,
    longest_row: int = LONGEST_ROW,
) -> Dataset:
    """Measures of each question how much of its evidence each policy has at each budget, as `cupel eval` does.

    A row is an object with "question", "items" (each with an "id") and "gold" (ids), as JSON or as a struct;
    ``policies`` are presets, "last-n" or "ceiling" by name, or policies by a label. The answer is a struct in the
    column ``into``: ``recalls`` and ``error``. :func:`summary` says what they are on the whole.
    """
    work = evaluating(policies, budgets, model, longest_row)
    return _answered(dataset, column, work, into, keep)


def summary(evaluated: Dataset, by: Sequence[str] = (), into: str = "evaluation") -> Dataset:
    """Mean recalls by policy and budget with intervals of 95 %, and how each policy differs from the first.

    Intervals are the normal ones, mean and standard error, which one pass over any number of rows gives; `cupel eval`
    draws questions again and again instead. ``by`` are columns to group by besides.
    """
    each = evaluated.map_batches(partial(_exploded, list(by), into), batch_format="pyarrow")
    told = each.groupby([*by, "policy", "budget"]).aggregate(
        Count(alias_name="questions"),
        Mean("recall", alias_name="mean"),
        Std("recall", alias_name="recall_deviation"),
        Mean("difference", alias_name="difference"),
        Std("difference", alias_name="difference_deviation"),
        Sum("better", alias_name="better"),
        Sum("worse", alias_name="worse"),
    )
    return told.map_batches(with_intervals, batch_format="pyarrow").sort([*by, "policy", "budget"])


def _exploded(by: Sequence[str], into: str, rows: pa.Table) -> pa.Table:
    return exploded(rows, by, into)


def _answered(dataset: Dataset, column: str, work: RowWork, into: str, keep: Sequence[str] | None) -> Dataset:
    # Which columns there are is known where rows are: asking here would read some of them twice.
    return dataset.map_batches(
        partial(_answer_block, work, column, into, keep),
        batch_format="pyarrow",
        batch_size=None,
        zero_copy_batch=True,
    )


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
