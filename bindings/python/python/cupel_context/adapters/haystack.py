"""Haystack: a compactor for the compaction hook of agents.

hook = CompactionHook(compactor=CupelCompactor(), context_window=128_000)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ._bridge import FitOptions, Fitted, OnFit, fit_measured, fit_messages, missing
from ._chat import Chat, Ids, assistant, call, image, result, user

try:
    from haystack.core.serialization import default_to_dict
    from haystack.dataclasses import ChatMessage, ImageContent, TextContent, ToolCallResult
    from haystack.hooks.compaction import Compactor
except ImportError as error:
    raise missing("haystack-ai", error) from error

if TYPE_CHECKING:
    from haystack.token_counters import TokenCounter
    from typing_extensions import Unpack


class CupelCompactor(Compactor):
    """Brings a conversation under the hook's target, by the hook's own token counter.

    What is cut here is cut for the rest of the run: that is how the hook works.
    """

    def __init__(self, *, on_fit: OnFit | None = None, **options: Unpack[FitOptions]) -> None:
        self.on_fit = on_fit
        self.options = options

    def compact(
        self, messages: list[ChatMessage], target_tokens: int, token_counter: TokenCounter
    ) -> list[ChatMessage] | None:
        """The conversation with fewer or shorter messages; ``None`` if it gets no smaller."""
        if not messages:
            return None

        def cut(budget: int) -> Fitted[ChatMessage]:
            return fit_messages(messages, budget, _Messages(), self.options)

        fitted, count = fit_measured(target_tokens, lambda kept: token_counter.count(kept), cut)
        if count >= token_counter.count(messages):
            return None
        if self.on_fit:
            self.on_fit(fitted)
        return fitted.messages

    def to_dict(self) -> dict[str, Any]:
        """The settings, for a pipeline file; ``on_fit`` is not among them."""
        return default_to_dict(self, **self.options)


class _Messages:
    """One for each conversation: calls that have no ids get some."""

    def __init__(self) -> None:
        self._ids = Ids()

    def to_chat(self, message: ChatMessage) -> list[Chat]:
        if message.tool_call_results:
            return [
                result(self._ids.of_result(it.origin.tool_name, it.origin.id), _result_text(it))
                for it in message.tool_call_results
            ]
        if message.is_from("assistant"):
            calls = [
                call(self._ids.of_call(it.tool_name, it.id), it.tool_name, it.arguments)
                for it in message.tool_calls
            ]
            thoughts = "\n".join(it.reasoning_text for it in message.reasonings)
            return [assistant("\n".join(message.texts), calls, thoughts)]
        if message.is_from("system"):
            return [{"role": "system", "content": "\n".join(message.texts)}]
        return [user([_said(content) for content in message._content])]

    def rebuild(self, message: ChatMessage, sent: Sequence[Chat | None]) -> ChatMessage:
        left = [
            it if form["content"] == _result_text(it) else replace(it, result=form["content"])
            for it, form in zip(message.tool_call_results, sent, strict=True)
            if form is not None
        ]
        return replace(message, _content=left)

    def without_thinking(self, message: ChatMessage) -> ChatMessage:
        if not message.reasonings:
            return message
        thoughts = {id(it) for it in message.reasonings}
        return replace(
            message,
            _content=[content for content in message._content if id(content) not in thoughts],
        )


def _result_text(tool_result: ToolCallResult) -> str:
    if isinstance(tool_result.result, str):
        return tool_result.result
    return "\n".join(
        it.text if isinstance(it, TextContent) else "[image or file]" for it in tool_result.result
    )


def _said(content: Any) -> dict[str, Any]:
    if isinstance(content, TextContent):
        return {"type": "text", "text": content.text}
    if isinstance(content, ImageContent):
        return image(f"data:{content.mime_type or 'image/jpeg'};base64,{content.base64_image}")
    return {"type": "file", "file": {"filename": "file"}}
