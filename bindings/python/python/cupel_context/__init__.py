"""What goes into a language model's context window, and why.

>>> from cupel_context import fit
>>> messages = [
...     {"role": "user", "content": "Tell me all about the moon. " * 50},
...     {"role": "assistant", "content": "It is far away."},
...     {"role": "user", "content": "And Mars?"},
... ]
>>> fit(messages, 30, model="gpt-5")
Fit(kept 2 of 3 messages, 17 of 30 tokens (was 371); 1 left out)
"""

from __future__ import annotations

from . import errors
from ._native import (
    Answers,
    Budget,
    Comparison,
    Fit,
    Item,
    Policy,
    Report,
    Run,
    Scored,
    Selection,
    Session,
    Table,
    TableSelection,
    Turn,
    TurnReport,
    compare,
    count_tokens,
    fit,
    marginal_items,
    min_budget,
    presets,
    respond,
    respond_batches,
    select,
    select_table,
    validate,
)
from ._problem import Problem
from .errors import (
    BudgetTooSmall,
    CupelError,
    EngineError,
    InvalidInput,
    MalformedRequest,
    MissingQuery,
    Overflow,
    PolicyError,
    StrategyError,
    UnknownModel,
    WrongType,
)

__all__ = [
    "Answers",
    "Budget",
    "BudgetTooSmall",
    "Comparison",
    "CupelError",
    "EngineError",
    "Fit",
    "InvalidInput",
    "Item",
    "MalformedRequest",
    "MissingQuery",
    "Overflow",
    "Policy",
    "PolicyError",
    "Problem",
    "Report",
    "Run",
    "Scored",
    "Selection",
    "Session",
    "StrategyError",
    "Table",
    "TableSelection",
    "Turn",
    "TurnReport",
    "UnknownModel",
    "WrongType",
    "compare",
    "count_tokens",
    "errors",
    "fit",
    "marginal_items",
    "min_budget",
    "presets",
    "respond",
    "respond_batches",
    "select",
    "select_table",
    "validate",
]
