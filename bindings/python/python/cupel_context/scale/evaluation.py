"""Questions with evidence: of a row what `cupel eval` says of it. Means and intervals over rows are the engine's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from cupel_context import CupelError

from .means import Means
from .shared import ERROR, LONGEST_ROW, EachRow, PolicyLike, command_of, labelled, policy_text

_LIST = pa.list_(
    pa.struct(
        [("policy", pa.string()), ("budget", pa.string()), ("recall", pa.float64()), ("difference", pa.float64())]
    )
)
#: Contenders of `cupel eval` that are no policies.
BASELINES = ("last-n", "ceiling")
#: The name of the mean over all budgets, among them.
OVERALL = "overall"
RECALLS = Means(
    each="recalls", keys=("policy", "budget"), count="questions", of=("recall", "difference"), better_by="difference"
)


@dataclass(frozen=True)
class Evaluation(EachRow):
    """The share of its evidence that each policy has of a question, at each budget.

    A row is an object with "question", "items" (each with an "id") and "gold" (ids of items, or characters of
    documents), as sets of `cupel eval` have them. It is that command that measures.
    """

    labels: tuple[str, ...]
    budgets: tuple[str, ...]
    #: The command with its flags, as each worker asks it.
    command: tuple[str, ...]
    longest_row: int = LONGEST_ROW

    #: What a row is answered with: ``difference`` is the recall less that of the first policy at that budget.
    type = pa.struct([("recalls", _LIST), ("error", ERROR)])

    def answer_row(self, row: str) -> dict[str, Any]:
        """The recalls of a question."""
        (question,) = json.loads(command_of(self.command).answer(_set_lines(json.loads(row))))["questions"]
        return {"recalls": self._recalls([it["recall"] for it in question["policies"]])}

    def _recalls(self, by_policy: Sequence[Sequence[float]]) -> list[dict[str, Any]]:
        # The mean over the budgets, as one more of them.
        rows = [[*recalls, sum(recalls) / len(recalls)] for recalls in by_policy]
        return [
            {"policy": label, "budget": budget, "recall": recall, "difference": recall - first}
            for label, recalls in zip(self.labels, rows, strict=True)
            for budget, recall, first in zip([*self.budgets, OVERALL], recalls, rows[0], strict=True)
        ]


def _set_lines(row: Any) -> str:
    """A set of one question: its pool, then what is asked of it."""
    if not isinstance(row, dict) or not {"question", "items", "gold"} <= row.keys():
        raise CupelError('the row is no object with "question", "items" and "gold"', code="InvalidRequest")
    own = {key: value for key, value in row.items() if key not in ("items", "id", "pool")}
    return f"{json.dumps({'pool': 'row', 'items': row['items']})}\n{json.dumps({**own, 'pool': 'row'})}\n"


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
    command = ["eval", "--budgets", ",".join(map(str, budgets))]
    if model is not None:
        command += ["--tokenizer", model]
    for policy in named.values():
        command += ["--policy", policy if isinstance(policy, str) and policy in BASELINES else policy_text(policy)]
    # What is wrong with the flags is told here, not on every row.
    command_of(tuple(command))
    return Evaluation(tuple(named), tuple(map(str, budgets)), tuple(command), longest_row)
