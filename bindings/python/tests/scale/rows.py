"""Requests to try engines with: small, all different, and the same for the same number on every machine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

WORDS = (
    "library fine waived patron branch desk opens closes nine room booked shelf returned overdue mail "
    "reminder clock Sunday catalogue card lost found loan week month archive scanner printer queue"
).split()
POLICIES = ["chat", "rag", "longRunning", "toolUse"]
MALFORMED = ["", "{", "null", "[1, 2]", '{"items": 3}', '{"items": [], "budget": {"maxTokens": -1}, "policy": "chat"}']

#: A request of some 16 kB, around whatever makes it differ from others.
WIDE_HEAD = '{"items": [{"content": "'
WIDE_TAIL = " x" * 8_000 + '", "tokens": 9}], "budget": {"maxTokens": 20}, "policy": "chat"}'


def sentence(random: random.Random) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(4, 14)))


def item(random: random.Random, number: int) -> dict[str, Any]:
    content = sentence(random)
    second = random.randrange(86_400)
    time = f"2025-03-01T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"
    return {"id": f"n{number}", "content": content, "tokens": 1 + len(content) // 4, "timestamp": time}


def request(number: int) -> str:
    """A request with four to twelve items, a few of which are alike."""
    own = random.Random(number)
    items = [item(own, at) for at in range(own.randint(4, 12))]
    if own.random() < 0.2:
        items.append({**items[0], "id": "again"})
    budget = {"maxTokens": own.choice([20, 40, 80])}
    return json.dumps({"id": number, "items": items, "budget": budget, "policy": own.choice(POLICIES)})


def messages(number: int) -> list[dict[str, str]]:
    """A conversation of up to nine messages."""
    own = random.Random(number)
    turns = own.randint(1, 4)
    chat = [{"role": "system", "content": "You answer for the library."}]
    for _ in range(turns):
        chat.append({"role": "user", "content": sentence(own)})
        chat.append({"role": "assistant", "content": sentence(own)})
    return [*chat, {"role": "user", "content": sentence(own)}]


def items_of_keys() -> dict[str, list[dict[str, Any]]]:
    """The items of each of forty users."""
    return {f"user {key}": [item(random.Random(f"{key} {at}"), at) for at in range(3 + key % 7)] for key in range(40)}


def row(number: int, malformed: bool = True) -> str:
    """A request; every hundredth is none, every tenth is a conversation."""
    if malformed and number % 100 == 37:
        return MALFORMED[number // 100 % len(MALFORMED)]
    if number % 10 == 3:
        return json.dumps({"id": number, "messages": messages(number), "budget": {"maxTokens": 60}})
    return request(number)


def rows(count: int, malformed: bool = True) -> Iterator[str]:
    return (row(number, malformed) for number in range(count))
