"""Questions with evidence: of a row what `cupel eval` says of it. Means and intervals over rows are the engine's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .shared import (
    ERROR,
    LONGEST_ROW,
    PolicyLike,
    Refusal,
    labelled,
    one,
    policy_text,
    refused_by_length,
    texts,
    with_refusals,
)

_RECALLS = pa.list_(
    pa.struct(
        [("policy", pa.string()), ("budget", pa.string()), ("recall", pa.float64()), ("difference", pa.float64())]
    )
)
#: Contenders of `cupel eval` that are no policies.
BASELINES = ("last-n", "ceiling")
#: The name of the mean over all budgets, among them.
OVERALL = "overall"
#: How many standard errors are between a mean and either end of the interval that holds it with a confidence of 95 %.
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Evaluation:
    """The share of its evidence that each policy has of a question, at each budget.

    A row is an object with "question", "items" (each with an "id") and "gold" (ids of items, or characters of
    documents), as sets of `cupel eval` have them. It is that command that measures, a piece of the rows at a time.
    """

    policies: Mapping[str, str]
    budgets: tuple[str, ...]
    model: str | None = None
    longest_row: int = LONGEST_ROW

    #: What a row is answered with: ``difference`` is the recall less that of the first policy at that budget.
    type = pa.struct([("recalls", _RECALLS), ("error", ERROR)])

    def answer(self, rows: pa.Array, lengths: pa.Array | None = None) -> pa.StructArray:
        """The recalls of each row."""
        rows = texts(rows)
        refused = refused_by_length(pc.binary_length(rows) if lengths is None else lengths, self.longest_row)
        lines: dict[int, str] = {}
        for at, row in enumerate(rows):
            if at not in refused:
                try:
                    lines[at] = _set_lines(at, json.loads(row.as_py()))
                except (ValueError, RecursionError) as error:
                    refused[at] = ("InvalidRequest", f"the row is no question with items and gold: {error}")
        measured = self._measured(lines, refused)
        told = [{"recalls": self._recalls(measured[at])} if at in measured else {} for at in range(len(rows))]
        return with_refusals(pa.array(told, self.type), refused)

    def _measured(self, lines: Mapping[int, str], refused: dict[int, Refusal]) -> dict[int, list[list[float]]]:
        """The recalls of each row, policy by policy; a row that cannot be measured is refused, and no other."""
        if not lines:
            return {}
        recalls, problem = self._run(lines)
        if problem is None:
            return recalls
        if len(lines) == 1:
            refused[next(iter(lines))] = ("EvaluationFailed", problem)
            return {}
        places = list(lines)
        half = len(places) // 2
        halves = ({at: lines[at] for at in some} for some in (places[:half], places[half:]))
        return {at: found for some in halves for at, found in self._measured(some, refused).items()}

    def _run(self, lines: Mapping[int, str]) -> tuple[dict[int, list[list[float]]], str | None]:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "cupel_context", "eval", "--json", "--quiet", "--jobs", "1"]
            command += ["--budgets", ",".join(self.budgets)]
            if self.model is not None:
                command += ["--tokenizer", self.model]
            for number, policy in enumerate(self.policies.values()):
                named = policy
                if policy.lstrip().startswith("{"):
                    file = Path(folder, f"policy-{number}.json")
                    file.write_text(policy, encoding="utf-8")
                    named = str(file)
                command += ["--policy", named]
            done = subprocess.run(
                command,
                input="".join(lines.values()),
                capture_output=True,
                encoding="utf-8",
                check=False,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        if done.returncode != 0:
            return {}, done.stderr.strip()
        questions = json.loads(done.stdout)["questions"]
        return {int(it["id"]): [policy["recall"] for policy in it["policies"]] for it in questions}, None

    def _recalls(self, by_policy: Sequence[Sequence[float]]) -> list[dict[str, Any]]:
        # The mean over the budgets, as one more of them.
        rows = [[*recalls, sum(recalls) / len(recalls)] for recalls in by_policy]
        return [
            {"policy": label, "budget": budget, "recall": recall, "difference": recall - first}
            for label, recalls in zip(self.policies, rows, strict=True)
            for budget, recall, first in zip([*self.budgets, OVERALL], recalls, rows[0], strict=True)
        ]


def _set_lines(at: int, row: Any) -> str:
    if not isinstance(row, dict) or not {"question", "items", "gold"} <= row.keys():
        raise ValueError("it is an object with these three keys")
    question = {key: value for key, value in row.items() if key not in ("items", "id", "pool")}
    pool = {"pool": str(at), "items": row["items"]}
    return json.dumps(pool) + "\n" + json.dumps({**question, "pool": str(at), "id": str(at)}) + "\n"


def evaluating(
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budgets: Sequence[int | str],
    model: str | None,
    longest_row: int,
) -> Evaluation:
    """Policies by label, or presets and baselines by name, and budgets in tokens or as shares such as "25%"."""
    named = labelled(policies)
    if not named or not budgets:
        raise ValueError("give at least one policy and one budget")
    texts = {
        label: policy if isinstance(policy, str) and policy in BASELINES else policy_text(policy)
        for label, policy in named.items()
    }
    return Evaluation(texts, tuple(str(budget) for budget in budgets), model, longest_row)


def exploded(rows: pa.Table, by: Sequence[str], into: str) -> pa.Table:
    """A row for each policy and budget of each question."""
    recalls = pc.struct_field(one(rows[into]), "recalls")
    each = pc.list_flatten(recalls)
    parents = pc.list_parent_indices(recalls)
    columns = {name: rows[name].take(parents) for name in by}
    columns |= {of.name: pc.struct_field(each, [number]) for number, of in enumerate(_RECALLS.value_type.fields)}
    columns["better"] = pc.greater(columns["difference"], 0.0).cast(pa.int64())
    columns["worse"] = pc.less(columns["difference"], 0.0).cast(pa.int64())
    return pa.table(columns)


def with_intervals(told: pa.Table) -> pa.Table:
    """Means with the ends of their intervals, in place of deviations."""
    for mean, deviation, low, high in (
        ("mean", "recall_deviation", "low", "high"),
        ("difference", "difference_deviation", "difference_low", "difference_high"),
    ):
        errors = pc.divide(pc.fill_null(told[deviation], 0.0), pc.sqrt(told["questions"].cast(pa.float64())))
        reach = pc.multiply(errors, NORMAL_95)
        told = told.append_column(low, pc.subtract(told[mean], reach))
        told = told.append_column(high, pc.add(told[mean], reach)).drop_columns([deviation])
    return told
