"""What can go wrong: one hierarchy, with fields to act on.

>>> from cupel_context import CupelError, fit
>>> try:
...     fit([{"role": "user", "content": "hello " * 100}], 10)
... except CupelError as error:
...     print(type(error).__name__, error.code, error.value > error.limit)
BudgetTooSmall BudgetTooSmall True
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BudgetTooSmall",
    "CupelError",
    "EngineError",
    "InvalidInput",
    "MalformedRequest",
    "MissingQuery",
    "Overflow",
    "PolicyError",
    "StrategyError",
    "UnknownModel",
    "WrongType",
]


class CupelError(Exception):
    """Something was refused. Every exception that this package raises of its own is one of these."""

    #: A stable name for programs, as `cupel batch` has it under "code".
    code: str
    #: Where: an argument, or a path into one, such as ``messages[3].content``.
    path: str | None
    #: What was found there.
    value: Any
    #: What it was measured against.
    limit: Any
    #: What to do about it.
    remedy: str | None
    #: Further numbers that the error carries, by name.
    details: dict[str, Any]

    def __init__(
        self,
        message: str,
        *,
        code: str = "InvalidRequest",
        path: str | None = None,
        value: Any = None,
        limit: Any = None,
        remedy: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.value = value
        self.limit = limit
        self.remedy = remedy
        self.details = details or {}

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (type(self), self.args[0], dict(self.__dict__)))


def _unpickled(kind: type[CupelError], message: str, fields: dict[str, Any]) -> CupelError:
    error = kind(message)
    error.__dict__.update(fields)
    return error


class InvalidInput(CupelError, ValueError):
    """An argument, or something in one, is not what it should be."""

    #: Every problem as path, code and text, where there may be several.
    problems: list[tuple[str, str, str]]

    def __init__(
        self, message: str, *, problems: list[tuple[str, str, str]] | None = None, **fields: Any
    ) -> None:
        super().__init__(message, **fields)
        self.problems = problems or []


class WrongType(InvalidInput, TypeError):
    """An argument is of another type than expected."""


class MalformedRequest(InvalidInput):
    """Messages, or a request, that no known provider would understand."""


class PolicyError(InvalidInput):
    """A policy that cannot be read or built."""


class UnknownModel(InvalidInput):
    """A name that no known model and no vocabulary has."""

    #: Names that are spelled alike, most alike first.
    near: list[str]

    def __init__(self, message: str, *, near: list[str] | None = None, **fields: Any) -> None:
        super().__init__(message, **fields)
        self.near = near or []


class BudgetTooSmall(CupelError):
    """What must stay takes more (``value``) than there is (``limit``)."""


class Overflow(CupelError):
    """The selection takes more (``value``) than the target (``limit``), and the policy does not let that pass."""


class MissingQuery(CupelError):
    """A scorer judges by a query, and there is none."""


class StrategyError(CupelError):
    """A strategy of your own did what its contract forbids."""


class EngineError(CupelError):
    """Anything else that the engine refuses."""
