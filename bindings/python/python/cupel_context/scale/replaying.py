"""Transcripts: of a row what `cupel replay` says of it. Means and intervals over rows are the engine's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from .means import Means
from .shared import (
    ERROR,
    LONGEST_ROW,
    BudgetLike,
    EachRow,
    PolicyLike,
    budget_json,
    command_of,
    flags,
    labelled,
    policy_text,
)

#: What `cupel replay` plays unless it is told otherwise.
USUAL_STRATEGIES = ("sliding-window", "halve", "session")
_STRATEGIES = pa.list_(
    pa.struct(
        [
            ("strategy", pa.string()),
            ("cost", pa.float64()),
            ("saved", pa.float64()),
            ("times_cheaper", pa.float64()),
            ("share_read", pa.float64()),
            ("cuts", pa.int64()),
            ("evidence_kept", pa.float64()),
            ("stopped", pa.string()),
        ]
    )
)
COSTS = Means(
    each="strategies",
    keys=("strategy",),
    count="transcripts",
    of=("cost", "saved", "share_read", "cuts", "evidence_kept"),
    better_by="saved",
    stopped="stopped",
)


@dataclass(frozen=True)
class Replaying(EachRow):
    """What each strategy would have cost of a transcript, and what it would have kept."""

    labels: tuple[str, ...]
    #: The command with its flags, as each worker asks it.
    command: tuple[str, ...]
    longest_row: int = LONGEST_ROW

    #: What a row is answered with. Costs are in plain tokens; ``saved`` is null where one of the two stopped.
    type = pa.struct([("strategies", _STRATEGIES), ("turns", pa.int64()), ("model", pa.string()), ("error", ERROR)])

    def answer_row(self, row: str) -> dict[str, Any]:
        """The costs of a transcript."""
        told = json.loads(command_of(self.command).answer(row))
        first = told["strategies"][0]
        strategies = [
            {
                "strategy": label,
                "cost": it["cost"],
                "saved": None if it["stopped"] or first["stopped"] else first["cost"] - it["cost"],
                "times_cheaper": it["timesCheaper"],
                "share_read": it["shareRead"],
                "cuts": it["cuts"],
                "evidence_kept": it["evidenceKept"],
                "stopped": it["stopped"],
            }
            for label, it in zip(self.labels, told["strategies"], strict=True)
        ]
        return {"strategies": strategies, "turns": told["turns"], "model": told["model"]}


def replaying(
    strategies: Mapping[str, PolicyLike] | Sequence[str],
    budget: BudgetLike,
    model: str | None,
    options: Mapping[str, Any] | None,
    longest_row: int,
) -> Replaying:
    """Strategies by label, or those that are their own."""
    named = labelled(strategies)
    if not named:
        raise ValueError(f"give at least one strategy, such as {', '.join(map(repr, USUAL_STRATEGIES))}")
    command = ["replay", *_budget_flags(budget_json(budget)), *flags(options or {})]
    if model is not None:
        command += ["--tokenizer", model]
    for strategy in named.values():
        command += ["--strategy", _strategy(strategy)]
    # What is wrong with the flags is told here, not on every row.
    command_of(tuple(command))
    return Replaying(tuple(named), tuple(command), longest_row)


def _strategy(strategy: PolicyLike) -> str:
    if isinstance(strategy, str) and (strategy in USUAL_STRATEGIES or strategy.startswith("session:")):
        return strategy
    return policy_text(strategy)


def _budget_flags(budget: Mapping[str, Any]) -> Iterator[str]:
    """A budget as the command takes it."""
    said = dict(budget)
    reserved = said.pop("reservedSlots", {})
    margin = said.pop("estimationSafetyMarginPercent", 0)
    yield from flags(said)
    yield from flags({"safetyMargin": margin, "reserve": [f"{kind}={tokens}" for kind, tokens in reserved.items()]})
