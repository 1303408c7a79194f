"""Microsoft Agent Framework: a compaction strategy that leaves its reasons on the messages.

agent = Agent(client, tools=[...], compaction_strategy=CupelCompaction(budget=100_000))
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._bridge import FitOptions, OnFit, fit_messages, missing
from ._chat import Chat, as_json, assistant, call, image, result, user

try:
    from agent_framework import EXCLUDE_REASON_KEY, EXCLUDED_KEY, Content, Message
except ImportError as error:
    raise missing("agent-framework-core", error) from error

if TYPE_CHECKING:
    from typing_extensions import Unpack

NOTE = "cupel"
"""Under this key of its ``additional_properties`` a message says its ``outcome`` and ``why``."""


class CupelCompaction:
    """Cuts what the model sees to ``budget`` tokens.

    Messages left out are excluded with our reason, as Agent Framework has it; all of them say
    under ``cupel`` in their ``additional_properties`` what became of them and why. What was
    excluded here is considered again for the next call. A strategy is not shown the instructions
    and the tools: leave room for them in the budget.
    """

    def __init__(
        self, budget: int, *, on_fit: OnFit | None = None, **options: Unpack[FitOptions]
    ) -> None:
        self.budget = budget
        self.on_fit = on_fit
        self.options = options

    async def __call__(self, messages: list[Message]) -> bool:
        """Excludes and shortens messages, in place; ``True`` if that changed anything."""
        before = [
            (id(message), bool(message.additional_properties.get(EXCLUDED_KEY)))
            for message in messages
        ]
        considered = [index for index, message in enumerate(messages) if _may_be_sent(message)]
        if not considered:
            return False
        fitted = fit_messages(
            [messages[index] for index in considered], self.budget, _Messages(), self.options
        )
        rows = fitted.report.rows()
        for index, after, places, why in zip(
            considered, fitted.after, fitted.places, fitted.reasons(), strict=True
        ):
            if after is not None:
                messages[index] = after
            outcomes = [rows[place]["outcome"] for place in places]
            outcome = next((it for it in outcomes if it != "kept"), "kept")
            _note(messages[index], outcome, why, excluded=after is None)
        if self.on_fit:
            self.on_fit(fitted)
        return before != [
            (id(message), bool(message.additional_properties.get(EXCLUDED_KEY)))
            for message in messages
        ]


def _may_be_sent(message: Message) -> bool:
    """Whether the message is in, or was left out by us."""
    return (
        not message.additional_properties.get(EXCLUDED_KEY) or NOTE in message.additional_properties
    )


def _note(message: Message, outcome: str, why: str, *, excluded: bool) -> None:
    properties = message.additional_properties
    properties[NOTE] = {"outcome": outcome, "why": why}
    if excluded:
        properties[EXCLUDED_KEY] = True
        properties[EXCLUDE_REASON_KEY] = f"cupel: {why}"
    elif properties.pop(EXCLUDED_KEY, False):
        properties.pop(EXCLUDE_REASON_KEY, None)


class _Messages:
    def to_chat(self, message: Message) -> list[Chat]:
        contents = message.contents
        if message.role == "assistant":
            return [
                assistant(
                    "\n".join(_words(it) for it in contents if it.type not in _APART),
                    [
                        call(it.call_id or "", it.name or "", it.arguments)
                        for it in contents
                        if it.type == "function_call"
                    ],
                    "\n".join(it.text or "" for it in contents if it.type == "text_reasoning"),
                )
            ]
        if message.role == "system":
            return [{"role": "system", "content": message.text}]
        forms = [
            result(it.call_id or "", _result_text(it))
            for it in contents
            if it.type == "function_result"
        ]
        rest = [_said(it) for it in contents if it.type != "function_result"]
        return [*forms, user(rest)] if rest or not forms else forms

    def rebuild(self, message: Message, sent: Sequence[Chat | None]) -> Message:
        forms = iter(sent)
        left: list[Content] = []
        for content in message.contents:
            if content.type != "function_result":
                continue
            form = next(forms)
            if form is not None:
                left.append(
                    content
                    if form["content"] == _result_text(content)
                    else _shorter(content, form["content"])
                )
        if next(forms, None) is not None:
            left += [content for content in message.contents if content.type != "function_result"]
        return _with(message, left)

    def without_thinking(self, message: Message) -> Message:
        left = [content for content in message.contents if content.type != "text_reasoning"]
        return _with(message, left) if left and len(left) < len(message.contents) else message


_APART = ("function_call", "text_reasoning", "usage")


def _words(content: Content) -> str:
    """What the model said, or what a tool of the provider's did."""
    return content.text or "" if content.type == "text" else as_json(content.to_dict())


def _with(message: Message, contents: list[Content]) -> Message:
    changed = copy.copy(message)
    changed.contents = contents
    changed.additional_properties = dict(message.additional_properties)
    return changed


def _shorter(content: Content, text: str) -> Content:
    shorter = copy.copy(content)
    shorter.result = text
    shorter.items = [Content.from_text(text)]
    return shorter


def _result_text(content: Content) -> str:
    if isinstance(content.result, str):
        return content.result
    return as_json(content.result) if content.result is not None else ""


def _said(content: Content) -> dict[str, Any]:
    if content.type == "text":
        return {"type": "text", "text": content.text or ""}
    if content.uri and (content.media_type or "").startswith("image/"):
        return image(content.uri)
    if content.uri or content.file_id:
        return {"type": "file", "file": {"filename": "file"}}
    return {"type": "text", "text": as_json(content.to_dict())}
