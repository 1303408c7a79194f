"""Pydantic AI: a capability that cuts every request.

agent = Agent("openai:gpt-5", capabilities=[CupelHistory(budget=100_000)])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ._bridge import FitOptions, OnFit, fit_messages, missing
from ._chat import Chat, as_json, assistant, call, image, result, tool, user

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import (
        BinaryContent,
        CompactionPart,
        FilePart,
        ImageUrl,
        ModelMessage,
        ModelRequest,
        ModelResponse,
        RetryPromptPart,
        SystemPromptPart,
        TextPart,
        ThinkingPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )
except ImportError as error:
    raise missing("pydantic-ai-slim", error) from error

if TYPE_CHECKING:
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.tools import RunContext
    from typing_extensions import Unpack


class CupelHistory(AbstractCapability[Any]):
    """Cuts the messages of every request to ``budget`` tokens; the run's history stays whole.

    Instructions and tools count towards the budget.
    """

    def __init__(
        self, budget: int, *, on_fit: OnFit | None = None, **options: Unpack[FitOptions]
    ) -> None:
        self.budget = budget
        self.on_fit = on_fit
        self.options = options

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """The request with fewer or shorter messages."""
        parameters = request_context.model_request_parameters
        fitted = fit_messages(
            request_context.messages,
            self.budget,
            _Messages(),
            self.options,
            system="\n\n".join(part.content for part in parameters.instruction_parts or []),
            tools=[
                tool(it.name, it.description, it.parameters_json_schema)
                for it in [*parameters.function_tools, *parameters.output_tools]
            ],
            model=request_context.model.model_name,
        )
        if self.on_fit:
            self.on_fit(fitted)
        request_context.messages = fitted.messages
        return request_context


class _Messages:
    def to_chat(self, message: ModelMessage) -> list[Chat]:
        if isinstance(message, ModelResponse):
            return [_response(message)]
        return [_request_form(parts) for parts in _groups(message)]

    def rebuild(self, message: ModelMessage, sent: Sequence[Chat | None]) -> ModelMessage:
        if isinstance(message, ModelResponse):
            return message
        left: dict[int, Any] = {}
        for parts, form in zip(_groups(message), sent, strict=True):
            for part in parts if form is not None else []:
                left[id(part)] = part
                if form and form["role"] == "tool" and form["content"] != _result_text(part):
                    left[id(part)] = replace(part, content=form["content"])
        return replace(
            message, parts=[left[id(part)] for part in message.parts if id(part) in left]
        )

    def without_thinking(self, message: ModelMessage) -> ModelMessage:
        if isinstance(message, ModelRequest) or not any(
            isinstance(part, ThinkingPart) for part in message.parts
        ):
            return message
        return replace(
            message, parts=[part for part in message.parts if not isinstance(part, ThinkingPart)]
        )


def _groups(request: ModelRequest) -> list[list[Any]]:
    """The parts that are one message in the OpenAI form: a result, a system prompt, the rest."""
    results = [[part] for part in request.parts if _is_result(part)]
    systems = [[part] for part in request.parts if isinstance(part, SystemPromptPart)]
    rest = [
        part
        for part in request.parts
        if not _is_result(part) and not isinstance(part, SystemPromptPart)
    ]
    return [*results, *systems, *([rest] if rest else [])]


def _is_result(part: Any) -> bool:
    return isinstance(part, ToolReturnPart) or (
        isinstance(part, RetryPromptPart) and part.tool_name is not None
    )


def _request_form(parts: list[Any]) -> Chat:
    first = parts[0]
    if isinstance(first, SystemPromptPart):
        return {"role": "system", "content": first.content}
    if _is_result(first):
        return result(first.tool_call_id, _result_text(first))
    said: list[dict[str, Any]] = []
    for part in parts:
        content = part.content if isinstance(part, UserPromptPart) else _other_text(part)
        said.extend(_said(it) for it in ([content] if isinstance(content, str) else content))
    return user(said)


def _result_text(part: Any) -> str:
    return (
        part.model_response_str()
        if isinstance(part, ToolReturnPart)
        else str(part.model_response())
    )


def _other_text(part: Any) -> str:
    respond = getattr(part, "model_response", None)
    return str(respond()) if callable(respond) else as_json(getattr(part, "content", "") or "")


def _said(content: Any) -> dict[str, Any]:
    if isinstance(content, str):
        return {"type": "text", "text": content}
    if isinstance(content, ImageUrl):
        return image(content.url)
    if isinstance(content, BinaryContent):
        return (
            image(content.data_uri)
            if content.is_image
            else {"type": "file", "file": {"filename": content.identifier}}
        )
    text = getattr(content, "content", None)  # TextContent
    return (
        {"type": "text", "text": text}
        if isinstance(text, str)
        else {"type": "file", "file": {"filename": "file"}}
    )


def _response(message: ModelResponse) -> Chat:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[dict[str, Any]] = []
    pinned = False
    for part in message.parts:
        if isinstance(part, TextPart):
            texts.append(part.content)
        elif isinstance(part, ThinkingPart):
            thoughts.append(part.content)
        elif isinstance(part, ToolCallPart):
            calls.append(call(part.tool_call_id, part.tool_name, part.args))
        elif isinstance(part, CompactionPart):
            # It stands for everything before it.
            texts.append(part.content or "")
            pinned = True
        elif not isinstance(part, FilePart):
            texts.append(as_json(part))
    form = assistant("\n".join(texts), calls, "\n".join(thoughts))
    return {**form, "cupel": {"pinned": True}} if pinned else form
