"""What the engines share: what a row is answered with, and how many rows are held at once."""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from os import PathLike
from typing import Any, NoReturn, Protocol, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from cupel_context import Budget, CupelError, Policy, presets
from cupel_context._native import RowCommand

PolicyLike: TypeAlias = str | PathLike[str] | Mapping[str, Any] | Policy
BudgetLike: TypeAlias = int | str | Mapping[str, Any] | Budget

#: The longest row, in bytes, that is worked on unless another limit is given. Reading JSON may take sixty times that.
LONGEST_ROW = 16 << 20
#: So many rows, or so many bytes of them, are answered at once: what a worker holds besides what its engine hands it.
PIECE_ROWS, PIECE_BYTES = 1024, 4 << 20

ERROR = pa.struct([("code", pa.string()), ("message", pa.string())])
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
    """Policies by label, or names that are their own."""
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


@lru_cache(maxsize=64)
def command_of(arguments: tuple[str, ...]) -> RowCommand:
    """The command, asked once in each worker."""
    return RowCommand(arguments)


def flags(said: Mapping[str, Any]) -> Iterator[str]:
    """Flags of the command: ``{"keepLast": 2}`` is ``--keep-last 2``, and what is a list is repeated."""
    for name, value in said.items():
        flag = "--" + re.sub("(?<=[a-z])[A-Z]", lambda upper: f"-{upper[0]}", name).replace("_", "-").lower()
        if value is True:
            yield flag
        elif isinstance(value, list | tuple):
            for one_of in value:
                yield f"{flag}={one_of}"
        elif value is not False and value is not None:
            yield f"{flag}={value}"


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


class EachRow(ABC):
    """Work on one row after the other."""

    type: pa.StructType
    longest_row: int

    @abstractmethod
    def answer_row(self, row: str) -> dict[str, Any]:
        """The fields of the answer to a row, but for its error."""

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        """The answer to each row; ``lengths`` tells of rows that were too long to come along."""
        rows = texts(rows)
        refused = refused_by_length(pc.binary_length(rows) if lengths is None else lengths, self.longest_row)
        told: list[dict[str, Any]] = []
        for at, row in enumerate(rows):
            told.append({})
            if at in refused:
                continue
            try:
                told[at] = self.answer_row(row.as_py())
            except CupelError as error:
                refused[at] = (error.code, str(error))
            except (ValueError, RecursionError) as error:
                refused[at] = ("InvalidRequest", f"the row is no JSON: {error}")
        return with_refusals(pa.array(told, self.type), refused)


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
