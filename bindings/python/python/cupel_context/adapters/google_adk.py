"""Google ADK: a plugin that cuts every request.

runner = InMemoryRunner(agent, plugins=[CupelPlugin(budget=100_000)])
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._bridge import FitOptions, OnFit, fit_messages, missing
from ._chat import Chat, Ids, as_json, assistant, call, image, result, tool, user

try:
    from google.adk.plugins.base_plugin import BasePlugin
    from google.genai import types
except ImportError as error:
    raise missing("google-adk", error) from error

if TYPE_CHECKING:
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.models.llm_request import LlmRequest
    from google.adk.models.llm_response import LlmResponse
    from typing_extensions import Unpack


class CupelPlugin(BasePlugin):
    """Cuts the contents of every request to ``budget`` tokens; the session's events stay whole.

    The system instruction and the tools count towards the budget. Thoughts and their signatures go
    and stay with their content.
    """

    def __init__(
        self,
        budget: int,
        *,
        name: str = "cupel",
        on_fit: OnFit | None = None,
        **options: Unpack[FitOptions],
    ) -> None:
        super().__init__(name)
        self.budget = budget
        self.on_fit = on_fit
        self.options = options

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        """Leaves fewer or shorter contents in the request."""
        if not llm_request.contents:
            return None
        fitted = fit_messages(
            llm_request.contents,
            self.budget,
            _Contents(),
            self.options,
            system=_instruction(llm_request.config.system_instruction),
            tools=[
                tool(
                    it.name or "",
                    it.description,
                    it.parameters_json_schema or _schema(it.parameters),
                )
                for group in llm_request.config.tools or []
                for it in getattr(group, "function_declarations", None) or []
            ],
            model=llm_request.model,
        )
        if self.on_fit:
            self.on_fit(fitted)
        llm_request.contents = fitted.messages
        return None


class _Contents:
    """One for each request: calls that have no ids get some."""

    def __init__(self) -> None:
        self._ids = Ids()

    def to_chat(self, content: types.Content) -> list[Chat]:
        parts = content.parts or []
        if content.role == "model":
            calls = [part.function_call for part in parts if part.function_call]
            return [
                assistant(
                    "\n".join(part.text for part in parts if part.text and not part.thought),
                    [
                        call(self._ids.of_call(it.name or "", it.id), it.name or "", it.args)
                        for it in calls
                    ],
                    "\n".join(part.text for part in parts if part.text and part.thought),
                )
            ]
        responses = [part.function_response for part in parts if part.function_response]
        forms = [
            result(self._ids.of_result(it.name or "", it.id), _response_text(it))
            for it in responses
        ]
        rest = [_said(part) for part in parts if not part.function_response]
        return [*forms, user(rest)] if rest or not forms else forms

    def rebuild(self, content: types.Content, sent: Sequence[Chat | None]) -> types.Content:
        forms = iter(sent)
        left: list[types.Part] = []
        for part in content.parts or []:
            if part.function_response and (form := next(forms)) is not None:
                left.append(_shorter(part, part.function_response, form["content"]))
        if next(forms, None) is not None:
            left += [part for part in content.parts or [] if not part.function_response]
        return content.model_copy(update={"parts": left})

    def without_thinking(self, content: types.Content) -> types.Content:
        parts = content.parts or []
        left = [part for part in parts if not part.thought]
        return (
            content.model_copy(update={"parts": left})
            if left and len(left) < len(parts)
            else content
        )


def _only_text(response: types.FunctionResponse) -> str | None:
    """The key of the one text that a response is, such as ``result``."""
    if response.response and len(response.response) == 1:
        [(key, value)] = response.response.items()
        return key if isinstance(value, str) else None
    return None


def _response_text(response: types.FunctionResponse) -> str:
    key = _only_text(response)
    return str((response.response or {})[key]) if key else as_json(response.response or {})


def _shorter(part: types.Part, response: types.FunctionResponse, text: str) -> types.Part:
    if text == _response_text(response):
        return part
    changed = response.model_copy(update={"response": {_only_text(response) or "result": text}})
    return part.model_copy(update={"function_response": changed})


def _said(part: types.Part) -> dict[str, Any]:
    if part.text is not None:
        return {"type": "text", "text": part.text}
    blob = part.inline_data
    if blob and blob.data and (blob.mime_type or "").startswith("image/"):
        return image(f"data:{blob.mime_type};base64,{base64.b64encode(blob.data).decode()}")
    return {"type": "file", "file": {"filename": "file"}}


def _instruction(instruction: Any) -> str | None:
    if instruction is None or isinstance(instruction, str):
        return instruction
    if isinstance(instruction, types.Content):
        return "\n".join(part.text for part in instruction.parts or [] if part.text)
    return as_json(instruction)


def _schema(schema: types.Schema | None) -> dict[str, Any]:
    return schema.model_dump(mode="json", exclude_none=True) if schema else {}
