"""How the OpenAI chat format spells what frameworks say in their own ways."""

from __future__ import annotations

import json
from typing import Any

Chat = dict[str, Any]
"""A message of the OpenAI chat format."""


def call(call_id: str, name: str, arguments: Any) -> dict[str, Any]:
    """A tool call as the OpenAI chat format has it; arguments that are not text yet become JSON."""
    text = (
        arguments
        if isinstance(arguments, str)
        else as_json(arguments if arguments is not None else {})
    )
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def tool(name: str, description: str | None, parameters: Any) -> dict[str, Any]:
    """A tool definition as the OpenAI chat format has it."""
    function = {"name": name, "description": description or "", "parameters": parameters or {}}
    return {"type": "function", "function": function}


def assistant(text: str | None, calls: list[dict[str, Any]], thinking: str = "") -> Chat:
    """What the model said."""
    message: Chat = {"role": "assistant", "content": text or (None if calls else "")}
    if calls:
        message["tool_calls"] = calls
    if thinking:
        message["reasoning_content"] = thinking
    return message


def result(call_id: str, text: str) -> Chat:
    """What a tool answered."""
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def image(url: str) -> dict[str, Any]:
    """An image as a part of a user message: a link, or ``data:``."""
    return {"type": "image_url", "image_url": {"url": url}}


def user(parts: list[dict[str, Any]]) -> Chat:
    """What the user said: texts, images and other parts."""
    if len(parts) == 1 and parts[0]["type"] == "text":
        return {"role": "user", "content": parts[0]["text"]}
    return {"role": "user", "content": parts}


class Ids:
    """Ids for calls and results without: a result answers the first open call of its name."""

    def __init__(self) -> None:
        self._open: list[tuple[str, str]] = []
        self._made = 0

    def of_call(self, name: str, given: str | None) -> str:
        """The id of a call."""
        if given:
            return given
        self._made += 1
        made = f"call-{self._made}"
        self._open.append((name, made))
        return made

    def of_result(self, name: str, given: str | None) -> str:
        """The id of the call that a result answers."""
        if given:
            return given
        for at, (called, made) in enumerate(self._open):
            if called == name:
                del self._open[at]
                return made
        return "unknown"


def as_json(value: Any) -> str:
    """The value as JSON, and what JSON cannot say as its text."""
    return json.dumps(value, ensure_ascii=False, default=str)
