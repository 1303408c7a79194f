"""What can be asked of an engine for many rows: described once, and the same on each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from .comparison import comparing
from .evaluation import RECALLS, evaluating
from .keys import Choice, choice
from .means import Means
from .replaying import COSTS, USUAL_STRATEGIES, replaying
from .responding import fitting, responding
from .shared import LONGEST_ROW, BudgetLike, PolicyLike, RowWork

Rows = TypeVar("Rows")
Answers = TypeVar("Answers")
Table = TypeVar("Table")


class Engine(ABC, Generic[Rows, Answers, Table]):
    """An engine: rows come in, answers and tables of means go out, each as the engine has them."""

    def respond(
        self,
        rows: Rows,
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
    ) -> Answers:
        """Answers a column of requests, each as `cupel batch` answers a line.

        The answer is a struct in the column ``into``: ``window``, ``total_tokens``, ``report``, and ``error``, which
        is null where there is none; with ``response`` also the line that `cupel batch` writes. Of the other columns
        those in ``keep`` stay, or all. ``budget`` and ``policy`` replace those of the requests. A row of more than
        ``longest_row`` bytes is an error, and is not read.
        """
        work = responding(budget, policy, model, query, response, longest_row)
        return self.answered(rows, column, work, into, keep)

    def fit(
        self,
        rows: Rows,
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
    ) -> Answers:
        """Cuts a column of conversations to a budget: messages, or requests to a provider, as JSON or as structs.

        ``options`` are those of a line of `cupel batch`, such as ``{"keepLast": 2, "provider": "anthropic"}``. The
        answer is that of :meth:`respond`.
        """
        work = fitting(budget, policy, model, query, options, response, longest_row)
        return self.answered(rows, column, work, into, keep)

    def select(
        self,
        rows: Rows,
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
    ) -> Answers:
        """Selects from the items of each key what fits a budget: one row for each key.

        An item is a row, with columns named as the keys of items are ("content" must be there) and others that come
        along. Shuffles do not keep order, so ``order`` says by which columns the items of a key are ordered. The
        answer is a struct in the column ``into``: ``window`` (the chosen rows), ``total_tokens``, ``report`` (what was
        decided about each item), ``error``.
        """
        keys = [by] if isinstance(by, str) else list(by)
        return self.selected(rows, keys, choice(budget, order, policy, query, query_column, model, longest_row), into)

    def compare(
        self,
        rows: Rows,
        column: str = "request",
        *,
        policies: Mapping[str, PolicyLike] | Sequence[str],
        budget: BudgetLike | None = None,
        model: str | None = None,
        query: str | None = None,
        into: str = "comparison",
        keep: Sequence[str] | None = None,
        longest_row: int = LONGEST_ROW,
    ) -> Answers:
        """Says of each row what each policy selects, and where they differ, as `cupel compare` does.

        Rows are requests, items or messages; ``policies`` are presets by name, or policies by a label. The answer is a
        struct in the column ``into``: ``variants``, ``diffs`` and ``error``; items and messages are called by their
        numbers, from 1.
        """
        return self.answered(rows, column, comparing(policies, budget, model, query, longest_row), into, keep)

    def evaluate(
        self,
        rows: Rows,
        column: str = "question",
        *,
        policies: Mapping[str, PolicyLike] | Sequence[str],
        budgets: Sequence[int | str],
        model: str | None = None,
        into: str = "evaluation",
        keep: Sequence[str] | None = None,
        longest_row: int = LONGEST_ROW,
    ) -> Answers:
        """Measures of each question how much of its evidence each policy has at each budget, as `cupel eval` does.

        A row is an object with "question", "items" (each with an "id") and "gold" (ids), as JSON or as a struct;
        ``policies`` are presets, "last-n" or "ceiling" by name, or policies by a label. The answer is a struct in the
        column ``into``: ``recalls`` and ``error``. :meth:`summary` says what they are on the whole.
        """
        return self.answered(rows, column, evaluating(policies, budgets, model, longest_row), into, keep)

    def replay(
        self,
        rows: Rows,
        column: str = "transcript",
        *,
        budget: BudgetLike,
        strategies: Mapping[str, PolicyLike] | Sequence[str] = USUAL_STRATEGIES,
        model: str | None = None,
        options: Mapping[str, Any] | None = None,
        into: str = "replay",
        keep: Sequence[str] | None = None,
        longest_row: int = LONGEST_ROW,
    ) -> Answers:
        """Replays each transcript turn by turn under each strategy, as `cupel replay` does.

        A row is a request to a provider, its messages, or JSON Lines of requests as they were sent. ``strategies`` are
        "sliding-window", "halve", "session", "session:0.9/0.4" (other marks) and presets by name, or these and
        policies by a label; ``options`` are flags of the command: ``{"keep_last": 2, "prices": "0.1/1.25"}``. The
        answer is a struct in the column ``into``: ``strategies``, each with its ``cost`` in plain tokens, what it
        ``saved`` against the first, ``share_read`` from the cache, ``cuts`` and ``evidence_kept``, then ``turns``,
        ``model`` and ``error``. :meth:`costs` says what they are on the whole.
        """
        return self.answered(rows, column, replaying(strategies, budget, model, options, longest_row), into, keep)

    def summary(self, evaluated: Answers, by: Sequence[str] = (), into: str = "evaluation") -> Table:
        """Mean recalls by policy and budget with intervals of 95 %, and how each policy differs from the first.

        Intervals are the normal ones, mean and standard error, which one pass over any number of rows gives; `cupel
        eval` draws questions again and again instead. ``by`` are columns to group by besides.
        """
        return self.averaged(evaluated, RECALLS, by, into)

    def costs(self, replayed: Answers, by: Sequence[str] = (), into: str = "replay") -> Table:
        """Mean costs by strategy with intervals of 95 %, and what each strategy saves against the first.

        Transcripts that a strategy did not come to the end of are counted under ``stopped`` and are in no mean. ``by``
        are columns to group by besides.
        """
        return self.averaged(replayed, COSTS, by, into)

    @abstractmethod
    def answered(self, rows: Rows, column: str, work: RowWork, into: str, keep: Sequence[str] | None) -> Answers:
        """The rows, with what the work says of each in a new column."""

    @abstractmethod
    def selected(self, rows: Rows, keys: Sequence[str], work: Choice, into: str) -> Answers:
        """One row for each key, with what was chosen of its rows."""

    @abstractmethod
    def averaged(self, answers: Answers, means: Means, by: Sequence[str], into: str) -> Table:
        """Means over all rows, with their intervals, by the engine's own aggregations."""
