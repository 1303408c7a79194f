"""What a provider would refuse."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """Something a provider would refuse, or wants continued first."""

    #: The message, counted from 0.
    message: int
    #: Where exactly, as a JSON path.
    path: str
    #: Which rule is broken, by its name.
    rule: str
    #: "invalid" if the provider refuses it, "unfinished" if something must come before it can be sent.
    severity: str
    #: What is wrong.
    text: str
    #: What the provider says to it.
    provider_says: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}; the provider says: {self.provider_says}"
