"""Policies side by side: of a row what `cupel compare` says of it. Sums over rows are the engine's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from cupel_context import CupelError, fit, select

from .shared import (
    ERROR,
    LONGEST_ROW,
    BudgetLike,
    EachRow,
    PolicyLike,
    budget_json,
    labelled,
    policy_of,
    policy_text,
)

_STATUSES = pa.list_(pa.struct([("policy", pa.string()), ("status", pa.string()), ("form", pa.int64())]))
_VARIANTS = pa.list_(
    pa.struct(
        [
            ("policy", pa.string()),
            ("items", pa.list_(pa.int64())),
            ("total_tokens", pa.int64()),
            ("utilization", pa.float64()),
        ]
    )
)
_DIFFS = pa.list_(pa.struct([("items", pa.list_(pa.int64())), ("statuses", _STATUSES)]))


@dataclass(frozen=True)
class Comparison(EachRow):
    """What each policy selects of a row, and where they differ."""

    policies: Mapping[str, str]
    budget: dict[str, Any] | None = None
    model: str | None = None
    query: str | None = None
    longest_row: int = LONGEST_ROW

    #: What a row is answered with. Items, and messages, are called by their numbers, from 1.
    type = pa.struct([("variants", _VARIANTS), ("diffs", _DIFFS), ("error", ERROR)])

    def answer_row(self, row: str) -> dict[str, Any]:
        """The comparison of a row."""
        return self._compared(json.loads(row))

    def _compared(self, row: Any) -> dict[str, Any]:
        said = row if isinstance(row, dict) else {}
        budget = self.budget or said.get("budget")
        if budget is None:
            raise CupelError("the row has no budget, and none was given; give budget=", code="InvalidRequest")
        given = said.get("items", row if isinstance(row, list) and _are_items(row) else None)
        query = said.get("query", self.query)
        if given is not None:
            windows = [self._selected(given, budget, policy, query) for policy in self.policies.values()]
            alike = [item.get("content") if isinstance(item, dict) else item for item in given]
        else:
            chat = next((said[key] for key in ("messages", "input", "contents", "request") if key in said), row)
            windows = [self._fitted(chat, budget, policy, query) for policy in self.policies.values()]
            alike = list(range(len(windows[0][1]) if windows else 0))
        return self._told(windows, alike)

    def _selected(self, items: list[Any], budget: Any, policy: str, query: Any) -> tuple[dict[str, Any], list[Any]]:
        chosen = select(items, budget, policy_of(policy), query=query, model=self.model)
        rows = chosen.report.rows()
        most = budget.get("maxTokens", budget.get("max_tokens", 0))
        tokens = chosen.tokens
        variant = {
            "items": [at + 1 for at in chosen.positions],
            "total_tokens": tokens,
            "utilization": tokens / most if tokens else 0.0,
        }
        return variant, [(row["included"], row["form"]) for row in rows]

    def _fitted(self, chat: Any, budget: Any, policy: str, query: Any) -> tuple[dict[str, Any], list[Any]]:
        cut = fit(chat, budget, policy=policy_of(policy), query=query, model=self.model)
        rows, room = cut.report.rows(), cut.report.to_dict()["budget"]
        variant = {
            "items": [row["index"] + 1 for row in rows if row["included"]],
            "total_tokens": cut.tokens,
            "utilization": cut.tokens / room if room > 0 else 0.0,
        }
        return variant, [(row["included"], row["form"]) for row in rows]

    def _told(self, windows: Sequence[tuple[dict[str, Any], list[Any]]], alike: Sequence[Any]) -> dict[str, Any]:
        """The variants, and the contents that not all policies treat alike, in order of first appearance."""
        numbers: dict[Any, list[int]] = {}
        for at, content in enumerate(alike):
            numbers.setdefault(content, []).append(at)
        diffs = []
        for places in numbers.values():
            states = [_richest([states[at] for at in places]) for _, states in windows]
            if any(state != states[0] for state in states):
                statuses = [
                    {"policy": label, "status": "Included" if included else "Excluded", "form": form}
                    for label, (included, form) in zip(self.policies, states, strict=True)
                ]
                diffs.append({"items": [at + 1 for at in places], "statuses": statuses})
        variants = [{"policy": label, **variant} for label, (variant, _) in zip(self.policies, windows, strict=True)]
        return {"variants": variants, "diffs": diffs}


def _are_items(row: list[Any]) -> bool:
    """An array whose first element has tokens or a kind is items, as the command has it."""
    return bool(row) and isinstance(row[0], dict) and ("tokens" in row[0] or "kind" in row[0])


def _richest(states: Sequence[tuple[bool, int | None]]) -> tuple[bool, int | None]:
    """Of copies of a content the one that says most: whole, else the longest form."""
    return max(states, key=lambda state: (state[0], state[0] and state[1] is None, -(state[1] or 0)))


def comparing(
    policies: Mapping[str, PolicyLike] | Sequence[str],
    budget: BudgetLike | None,
    model: str | None,
    query: str | None,
    longest_row: int,
) -> Comparison:
    """Policies by label, or presets by name."""
    named = labelled(policies)
    if len(named) < 2:
        raise ValueError('one policy has nothing to differ from; give two or more: ["chat", "longRunning"]')
    texts = {label: policy_text(policy) for label, policy in named.items()}
    return Comparison(texts, None if budget is None else budget_json(budget), model, query, longest_row)
