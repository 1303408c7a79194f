"""The same story for every framework: a librarian's assistant whose one tool result is larger than
the window.

A fake model plays it from a script; what it receives is judged here, by the rules of the OpenAI
chat format.
"""

from __future__ import annotations

import json
from typing import Any

from cupel_context import count_tokens, validate

BUDGET = 820
SYSTEM = "You look after a small library and answer from its shelves and its log."
FIRST = "Which shelf has the atlas, and why was the catalogue slow on Monday?"
SECOND = "Thank you. Is anything on shelf nine?"

# What the model does, call by call: a tool and its arguments, or words.
SCRIPT: list[tuple[str, dict[str, Any]] | str] = [
    ("look", {"shelf": 1}),
    ("look", {"shelf": 2}),
    ("log", {"day": "Monday"}),
    ("look", {"shelf": 3}),
    ("look", {"shelf": 4}),
    "The atlas is on shelf four; on Monday the catalogue waited for its index.",
    ("look", {"shelf": 9}),
    "Shelf nine has poetry only.",
]


def look(shelf: int) -> str:
    """Lists the books of a shelf."""
    return (
        f"Shelf {shelf}: "
        + ", ".join(f"volume {number} of row {number % 5}" for number in range(12))
        + "."
    )


def log(day: str) -> str:
    """The catalogue's log of a day."""
    lines = (
        f"{day} {at // 60:02}:{at % 60:02} catalogue answered {at * 7919} in {at * 37 % 911} ms"
        for at in range(600)
    )
    return "\n".join(lines)


def is_shortened(text: str) -> bool:
    """Whether a tool result says that a part of it is left out."""
    return "left out" in text


def judge(requests: list[list[dict[str, Any]]], *, budget: int = BUDGET, tools: Any = None) -> None:
    """Judges every request that the model received, as OpenAI chat messages."""
    assert len(requests) == len(SCRIPT)
    for number, messages in enumerate(requests):
        request: dict[str, Any] = {"messages": messages} | ({"tools": tools} if tools else {})
        assert validate(request) == [], f"request {number}"
        assert count_tokens(request) <= budget, f"request {number}"
        pairs_are_whole(messages)
        last_question = FIRST if number < 6 else SECOND
        assert any(it["role"] == "user" and last_question in text_of(it) for it in messages), (
            f"request {number}"
        )
    # The giant result is there in a shorter form, and what was seen before it is there too.
    after_log = requests[3]
    log_results = [
        text_of(it)
        for it in after_log
        if it["role"] == "tool" and "catalogue answered" in text_of(it)
    ]
    assert len(log_results) == 1 and is_shortened(log_results[0])
    assert "Monday 00:00" in log_results[0], "its beginning stays"
    assert len([it for it in after_log if it["role"] == "tool"]) >= 2, (
        "it did not evict the other results"
    )
    results = [len([it for it in messages if it["role"] == "tool"]) for messages in requests]
    assert any(
        kept < before for kept, before in zip(results, [0, 1, 2, 3, 4, 5, 5, 6], strict=True)
    ), "some had to go"
    assert all(
        is_shortened(text_of(it))
        for request in requests
        for it in request
        if "catalogue answered" in text_of(it)
    )


def pairs_are_whole(messages: list[dict[str, Any]]) -> None:
    """Calls are followed by exactly their results."""
    waiting: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in waiting, f"an orphan: {message}"
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting, f"calls without results: {waiting}"
        waiting = {call["id"] for call in message.get("tool_calls") or []}
    assert not waiting


def text_of(message: dict[str, Any]) -> str:
    """The text of a message."""
    content = message.get("content") or ""
    return (
        content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    )


def chat_call(call_id: str, name: str, arguments: Any) -> dict[str, Any]:
    """A call in the OpenAI chat format."""
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }
