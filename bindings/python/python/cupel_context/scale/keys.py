"""Rows that are items: the window of each key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cupel_context import CupelError, select_table

from .shared import (
    ERROR,
    LONGEST_ROW,
    BudgetLike,
    PolicyLike,
    budget_json,
    one,
    policy_of,
    policy_text,
    with_refusals,
)

#: What was decided about each item of a key, by its place in the order of the items.
DECISIONS = pa.list_(
    pa.struct(
        [
            ("index", pa.int64()),
            ("included", pa.bool_()),
            ("place", pa.int64()),
            ("reason", pa.string()),
            ("score", pa.float64()),
            ("tokens", pa.int64()),
            ("sent_tokens", pa.int64()),
            ("form", pa.int64()),
        ]
    )
)


@dataclass(frozen=True)
class Choice:
    """What is done with the items of a key: the rows of a table, in the order of these columns."""

    budget: dict[str, Any]
    order: Sequence[str]
    policy: str | None = None
    query: str | None = None
    #: The column whose first value is the query of the key.
    query_column: str | None = None
    model: str | None = None
    longest_row: int = LONGEST_ROW

    @property
    def columns(self) -> list[str]:
        """The columns that must be there."""
        return ["content", *self.order, *([self.query_column] if self.query_column else [])]

    def type(self, items: pa.Schema) -> pa.StructType:
        """The type of answers for items of these columns."""
        window = pa.list_(pa.struct(list(items)))
        return pa.struct(
            [("window", window), ("total_tokens", pa.int64()), ("report", DECISIONS), ("error", ERROR)]
        )

    def answer(self, items: pa.Table) -> pa.StructArray:
        """The one answer for all the items of a key."""
        told = self.type(items.schema)
        try:
            columns = self._selected(items)
        except CupelError as error:
            return with_refusals(pa.nulls(1, told), {0: (error.code, str(error))})
        return pa.StructArray.from_arrays([*columns, pa.nulls(1, ERROR)], fields=told.fields)

    def refuse(self, items: pa.Schema, size: int) -> pa.StructArray:
        """The answer for a key with more than should be held."""
        message = f"the items of the key are over {size} bytes, and longest_row is {self.longest_row}; raise it"
        return with_refusals(pa.nulls(1, self.type(items)), {0: ("RowTooLong", message)})

    def _selected(self, items: pa.Table) -> list[pa.Array]:
        # Engines deal rows out in any order; equal rows may change places without anybody noticing.
        by = list(dict.fromkeys([*self.order, "content"]))
        items = items.take(pc.sort_indices(items, [(name, "ascending") for name in by]))
        query = self.query
        if self.query_column is not None and len(items):
            query = items[self.query_column][0].as_py()
        policy = None if self.policy is None else policy_of(self.policy)
        chosen = select_table(items, self.budget, policy, query=query, model=self.model)
        window = pa.table(chosen.window).select(items.column_names).cast(items.schema)
        decisions = pa.table(chosen.decisions).select([of.name for of in DECISIONS.value_type.fields])
        return [_listed(window), pa.array([chosen.tokens], pa.int64()), _listed(decisions)]


def _listed(table: pa.Table) -> pa.ListArray:
    """A table as one list of structs."""
    rows = one(table.to_struct_array())
    return pa.ListArray.from_arrays(pa.array([0, len(rows)], pa.int32()), rows)


def choice(
    budget: BudgetLike,
    order: str | Sequence[str],
    policy: PolicyLike | None,
    query: str | None,
    query_column: str | None,
    model: str | None,
    longest_row: int,
) -> Choice:
    """Rows that are items of a key."""
    order = (order,) if isinstance(order, str) else tuple(order)
    text = None if policy is None else policy_text(policy)
    return Choice(budget_json(budget), order, text, query, query_column, model, longest_row)
