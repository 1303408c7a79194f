"""What is averaged of answers, and the intervals of the means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from .shared import one

#: How many standard errors are between a mean and either end of the interval that holds it with a confidence of 95 %.
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Means:
    """Which numbers of answers are averaged over all rows."""

    #: The list in each answer: one struct for each of several contenders.
    each: str
    #: What tells the contenders apart.
    keys: tuple[str, ...]
    #: What answers are called when they are counted.
    count: str
    #: The numbers that are averaged.
    of: tuple[str, ...]
    #: Of them, what a contender is better by than the first; worse where it is negative.
    better_by: str
    #: The field that says why a contender was given up, if there is one: such numbers are in no mean.
    stopped: str | None = None

    @property
    def columns(self) -> list[str]:
        """The columns of a table of means, behind those that it is grouped by."""
        ends = [f"{name}{end}" for name in self.of for end in ("", "_low", "_high")]
        return [self.count, *ends, "better", "worse", *([self.stopped] if self.stopped else [])]

    def aggregates(self) -> Iterator[tuple[str, str, str]]:
        """What an engine without expressions aggregates over :meth:`exploded` rows: a name, a column, and how."""
        yield self.count, self.keys[0], "count"
        for name in self.of:
            yield name, name, "mean"
            yield f"{name}_deviation", name, "stddev"
            yield f"{name}_count", name, "count"
        for name in ("better", "worse", *([self.stopped] if self.stopped else [])):
            yield name, name, "sum"

    def exploded(self, rows: pa.Table, by: Sequence[str], into: str) -> pa.Table:
        """A row for each contender of each answer."""
        lists = pc.struct_field(one(rows[into]), self.each)
        each, parents = pc.list_flatten(lists), pc.list_parent_indices(lists)
        fields = {of.name: pc.struct_field(each, [number]) for number, of in enumerate(each.type.fields)}
        columns = {name: rows[name].take(parents) for name in by} | {name: fields[name] for name in self.keys}
        ended = pc.is_null(fields[self.stopped]) if self.stopped else pa.scalar(True)
        for name in self.of:
            columns[name] = pc.if_else(ended, fields[name].cast(pa.float64()), None)
        columns["better"] = pc.greater(columns[self.better_by], 0.0).cast(pa.int64())
        columns["worse"] = pc.less(columns[self.better_by], 0.0).cast(pa.int64())
        if self.stopped:
            columns[self.stopped] = pc.invert(ended).cast(pa.int64())
        return pa.table(columns)

    def with_intervals(self, told: pa.Table, by: Sequence[str]) -> pa.Table:
        """Means with the ends of their intervals, in place of deviations."""
        columns = {name: told[name] for name in told.column_names}
        for name in self.of:
            counts = columns[f"{name}_count"].cast(pa.float64())
            # One number has no deviation, and its interval no width.
            deviation = pc.if_else(pc.equal(counts, 1.0), 0.0, columns[f"{name}_deviation"])
            reach = pc.multiply(pc.divide(deviation, pc.sqrt(counts)), NORMAL_95)
            columns[f"{name}_low"] = pc.subtract(columns[name], reach)
            columns[f"{name}_high"] = pc.add(columns[name], reach)
        return pa.table({name: columns[name] for name in [*by, *self.keys, *self.columns]})
