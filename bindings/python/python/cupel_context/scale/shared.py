"""What the engines share: what a row is answered with, and how many rows are held at once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from os import PathLike
from typing import Any, NoReturn, Protocol, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from cupel_context import Budget, Policy, presets, respond, respond_batches

PolicyLike: TypeAlias = str | PathLike[str] | Mapping[str, Any] | Policy
BudgetLike: TypeAlias = int | str | Mapping[str, Any] | Budget

#: The longest row, in bytes, that is worked on unless another limit is given. Reading JSON may take sixty times that.
LONGEST_ROW = 16 << 20
#: So many rows, or so many bytes of them, are answered at once: what a worker holds besides what its engine hands it.
PIECE_ROWS, PIECE_BYTES = 1024, 4 << 20

ERROR = pa.struct([("code", pa.string()), ("message", pa.string())])
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

Refusal: TypeAlias = tuple[str, str]


def missing(engine: str, package: str, cause: ImportError) -> NoReturn:
    """Says which package brings an engine."""
    raise ImportError(f"cupel_context.scale needs {engine}: pip install {package}", name=package) from cause


def on_one_core() -> None:
    """Engines run a worker for each core: within one, answers are made one after the other."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")


def policy_text(policy: PolicyLike) -> str:
    """A policy as workers get it: a preset by name, any other whole, so that a file need not be where they are."""
    if isinstance(policy, str) and policy in presets():
        return policy
    text = (policy if isinstance(policy, Policy) else Policy(policy)).to_json()
    # Python's own strategies do not travel as text; that is told here, not on every row.
    Policy(text)
    return text


def policy_said(policy: PolicyLike) -> Any:
    """A policy as a request says it."""
    text = policy_text(policy)
    return json.loads(text) if text.lstrip().startswith("{") else text


def labelled(policies: Mapping[str, PolicyLike] | Sequence[str]) -> Mapping[str, PolicyLike]:
    """Policies by label, or presets that are their own."""
    return policies if isinstance(policies, Mapping) else {policy: policy for policy in policies}


@lru_cache(maxsize=64)
def policy_of(text: str) -> Policy:
    """The policy, built once in each worker."""
    return Policy(text)


def budget_json(budget: BudgetLike) -> dict[str, Any]:
    """A budget as a request says it."""
    if isinstance(budget, Mapping):
        return dict(budget)
    if not isinstance(budget, Budget):
        budget = Budget(budget)
    tokens = {"maxTokens": budget.max_tokens, "targetTokens": budget.target_tokens}
    said = {
        "outputReserve": budget.output_reserve,
        "reservedSlots": budget.reserved_slots,
        "estimationSafetyMarginPercent": budget.safety_margin_percent,
    }
    return tokens | {key: value for key, value in said.items() if value}


class RowWork(Protocol):
    """What is done with each row of a column, whatever it is."""

    @property
    def type(self) -> pa.StructType:
        """The type of answers."""

    @property
    def longest_row(self) -> int:
        """The longest row, in bytes, that is worked on."""

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        """The answer to each row; ``lengths`` tells of rows that were too long to come along."""


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


def refused_by_length(lengths: pa.Array, longest: int) -> dict[int, Refusal]:
    """Rows that are not even read: by their places, and why."""
    unfit = pc.fill_null(pc.greater(lengths, longest), True)
    return {at: _unfit(lengths[at].as_py(), longest) for at in pc.indices_nonzero(unfit).to_pylist()}


def _unfit(length: int | None, longest: int) -> Refusal:
    if length is None:
        return "InvalidRequest", "the row is null"
    return "RowTooLong", f"the row is {length} bytes, and longest_row is {longest}; raise it, or shorten the row"


def with_refusals(answered: pa.StructArray, refused: Mapping[int, Refusal]) -> pa.StructArray:
    """The answers, with errors in the places of those that were refused."""
    if not refused:
        return answered
    errors = [{"code": code, "message": message} for code, message in refused.values()]
    told = [{"error": error, "response": json.dumps({"error": error}, ensure_ascii=False)} for error in errors]
    behind = {at: len(answered) + number for number, at in enumerate(refused)}
    places = [behind.get(at, at) for at in range(len(answered))]
    return pa.concat_arrays([answered, pa.array(told, answered.type)]).take(pa.array(places, pa.int64()))


def texts(rows: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column of texts in one piece."""
    rows = one(rows)
    if pa.types.is_string_view(rows.type) or pa.types.is_dictionary(rows.type):
        rows = rows.cast(pa.large_string())
    if not (pa.types.is_string(rows.type) or pa.types.is_large_string(rows.type)):
        raise TypeError(f"the column has {rows.type}, and JSON as text is expected")
    return rows


def lengths(rows: pa.Array | pa.ChunkedArray) -> list[int | None]:
    """How many bytes each row has, or of structs about has."""
    if pa.types.is_string(rows.type) or pa.types.is_large_string(rows.type):
        return list(pc.binary_length(rows).to_pylist())
    return [rows.nbytes // max(len(rows), 1)] * len(rows)


def as_text(rows: pa.Array | pa.ChunkedArray) -> pa.Array:
    """JSON as it is, or made of structs."""
    rows = one(rows)
    if not pa.types.is_nested(rows.type):
        return texts(rows)
    said = [None if row is None else json.dumps(_written(row)) for row in rows.to_pylist()]
    return pa.array(said, pa.string())


def _written(value: Any) -> Any:
    """A struct has all keys of its type; those that are null were never written."""
    if isinstance(value, dict):
        return {key: _written(of) for key, of in value.items() if of is not None}
    return [_written(of) for of in value] if isinstance(value, list) else value


def must_have(columns: Sequence[str], names: Sequence[str], new: str | None = None) -> None:
    """Refuses names that no column has, and a new one that some column has."""
    for name in names:
        if name not in columns:
            raise ValueError(f"{name!r} is none of the columns: {', '.join(columns)}")
    if new in columns:
        raise ValueError(f"there is a column {new!r} already; give into=")


def one(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def pieces(lengths: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """Where pieces begin and how many rows they have, so that none is larger than a worker should hold."""
    first, held = 0, 0
    for at, length in enumerate(lengths):
        if at > first and (at - first == PIECE_ROWS or held + (length or 0) > PIECE_BYTES):
            yield first, at - first
            first, held = at, 0
        held += length or 0
    if len(lengths) > first:
        yield first, len(lengths) - first
