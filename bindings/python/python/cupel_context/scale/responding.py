"""Requests and conversations: of a row what `cupel batch` says of a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cupel_context import respond, respond_batches

from .shared import (
    ERROR,
    LONGEST_ROW,
    BudgetLike,
    PolicyLike,
    Refusal,
    budget_json,
    one,
    policy_said,
    refused_by_length,
    texts,
    with_refusals,
)

WINDOW = pa.list_(pa.struct([("content", pa.string()), ("tokens", pa.int64()), ("json", pa.string())]))
REPORT = pa.list_(
    pa.struct(
        [
            ("content", pa.string()),
            ("included", pa.bool_()),
            ("reason", pa.string()),
            ("score", pa.float64()),
            ("tokens", pa.int64()),
        ]
    )
)
#: What a row is answered with; ``response``, the line of ``cupel batch``, only if it is asked for.
ANSWER = {"window": WINDOW, "total_tokens": pa.int64(), "report": REPORT, "error": ERROR, "response": pa.string()}


@dataclass(frozen=True)
class Work:
    """What is done with each row: small, and the same on every worker."""

    #: Keys that are put around the messages of a row; none if rows are requests already.
    around: Mapping[str, Any] | None = None
    #: Keys in place of those of a request, such as another policy for last month's traffic.
    instead: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
    query: str | None = None
    longest_row: int = LONGEST_ROW
    #: Whether the line of ``cupel batch`` comes along.
    response: bool = False

    @property
    def type(self) -> pa.StructType:
        """The type of answers."""
        return pa.struct([of for of in ANSWER.items() if self.response or of[0] != "response"])

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        """The answer to each row; ``lengths`` tells of rows that were too long to come along."""
        rows = texts(rows)
        refused = refused_by_length(pc.binary_length(rows) if lengths is None else lengths, self.longest_row)
        lines = self._lines(rows, refused)
        answers = pa.table(respond_batches(pa.table({"request": lines}), model=self.model, query=self.query))
        columns = [one(answers[of.name]) for of in self.type.fields]
        answered = pa.StructArray.from_arrays(columns, fields=self.type.fields)
        # An error names its line, and which that is depends on how rows are dealt out: each is asked for on its own.
        for at in pc.indices_nonzero(pc.is_valid(one(answers["error"]))).to_pylist():
            if at not in refused:
                told = json.loads(respond(lines[at].as_py(), model=self.model, query=self.query))["error"]
                refused[at] = (told["code"], told["message"])
        return with_refusals(answered, refused)

    def _lines(self, rows: pa.Array, refused: dict[int, Refusal]) -> pa.Array:
        """The line of each row; that of a refused one is empty, and one that is no JSON is refused."""
        if self.around is None and not self.instead:
            if not refused:
                return rows
            readable = pa.array([at not in refused for at in range(len(rows))])
            return pc.if_else(readable, rows, pa.scalar("{}", rows.type))
        lines = []
        for at, row in enumerate(rows):
            line = "{}"
            if at not in refused:
                try:
                    line = self._line(row.as_py())
                except (ValueError, RecursionError) as error:
                    refused[at] = ("InvalidRequest", f"the row is no JSON: {error}")
            lines.append(line)
        return pa.array(lines, pa.string())

    def _line(self, row: str) -> str:
        read = json.loads(row)
        if self.around is None:
            # What is no object is told of by whoever reads requests.
            return json.dumps({**read, **self.instead}) if isinstance(read, dict) else row
        # Read only so that nothing but messages can come in; the row's own text goes on, as it was written.
        key = "request" if isinstance(read, dict) else "messages"
        return f'{{"{key}":{row},{json.dumps(dict(self.around))[1:]}'


def responding(
    budget: BudgetLike | None,
    policy: PolicyLike | None,
    model: str | None,
    query: str | None,
    response: bool,
    longest_row: int,
) -> Work:
    """Rows that are requests, with another budget or policy if one is given."""
    instead: dict[str, Any] = {}
    if budget is not None:
        instead["budget"] = budget_json(budget)
    if policy is not None:
        instead["policy"] = policy_said(policy)
    return Work(None, instead, model, query, longest_row, response)


def fitting(
    budget: BudgetLike,
    policy: PolicyLike | None,
    model: str | None,
    query: str | None,
    options: Mapping[str, Any] | None,
    response: bool,
    longest_row: int,
) -> Work:
    """Rows that are conversations."""
    around = {**(options or {}), "budget": budget_json(budget)}
    if policy is not None:
        around["policy"] = policy_said(policy)
    return Work(around, {}, model, query, longest_row, response)
