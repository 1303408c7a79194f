"""Strands Agents: a conversation manager.

agent = Agent(model, tools=[...], conversation_manager=CupelConversationManager(budget=100_000))
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cupel_context import BudgetTooSmall

from ._bridge import FitOptions, Fitted, OnFit, fit_messages, missing
from ._chat import Chat, as_json, assistant, call, image, result, tool, user

try:
    from strands.agent.conversation_manager import ConversationManager
    from strands.hooks import BeforeModelCallEvent, HookRegistry
    from strands.types.content import ContentBlock, Message
    from strands.types.exceptions import ContextWindowOverflowException
except ImportError as error:
    raise missing("strands-agents", error) from error

if TYPE_CHECKING:
    from strands import Agent
    from typing_extensions import Unpack


class CupelConversationManager(ConversationManager):
    """Cuts ``agent.messages`` to ``budget`` tokens before every model call.

    It does so in place, as Strands' own managers do. The system prompt and the tools count towards
    the budget. Messages that Strands has pinned stay.
    """

    def __init__(
        self, budget: int, *, on_fit: OnFit | None = None, **options: Unpack[FitOptions]
    ) -> None:
        super().__init__()
        self.budget = budget
        self.on_fit = on_fit
        # Its messages have Bedrock's shape, where roles alternate, whichever model they go to.
        self.options: FitOptions = {"granularity": "turn", **options}

    def register_hooks(self, registry: HookRegistry, **kwargs: Any) -> None:
        """Asks Strands to be called before the model is."""
        super().register_hooks(registry, **kwargs)
        registry.add_callback(
            BeforeModelCallEvent, lambda event: self._cut(event.agent, self.budget)
        )

    def apply_management(self, agent: Agent, **kwargs: Any) -> None:
        """Cuts the history to the budget after a run, or leaves it where that cannot be done.

        The next model call would say so.
        """
        with suppress(BudgetTooSmall):
            self._cut(agent, self.budget)

    def reduce_context(self, agent: Agent, e: Exception | None = None, **kwargs: Any) -> None:
        """Cuts a quarter more than there is, for a model that found the request too long."""
        try:
            now = self._fit(agent, self.budget).fit.tokens
            self._cut(agent, now * 3 // 4)
        except BudgetTooSmall as error:
            raise ContextWindowOverflowException(
                f"the history cannot be cut any further: {error}"
            ) from (e or error)

    def _cut(self, agent: Agent, budget: int) -> None:
        if not agent.messages:
            return
        fitted = self._fit(agent, budget)
        self.removed_message_count += len(agent.messages) - len(fitted.messages)
        agent.messages[:] = fitted.messages
        if self.on_fit:
            self.on_fit(fitted)

    def _fit(self, agent: Agent, budget: int) -> Fitted[Message]:
        return fit_messages(
            agent.messages,
            budget,
            _Messages(),
            self.options,
            system=agent.system_prompt,
            tools=[
                tool(spec["name"], spec["description"], spec["inputSchema"].get("json"))
                for spec in agent.tool_registry.get_all_tool_specs()
            ],
            model=_model_name(agent.model),
        )


class _Messages:
    def to_chat(self, message: Message) -> list[Chat]:
        blocks = message["content"]
        if message["role"] == "assistant":
            texts = [
                _text(block)
                for block in blocks
                if "toolUse" not in block and "reasoningContent" not in block
            ]
            uses = [block["toolUse"] for block in blocks if "toolUse" in block]
            forms = [
                assistant(
                    "\n".join(texts),
                    [call(use["toolUseId"], use["name"], use["input"]) for use in uses],
                    "\n".join(_thought(block) for block in blocks if "reasoningContent" in block),
                )
            ]
        else:
            results = [block["toolResult"] for block in blocks if "toolResult" in block]
            rest = [_said(block) for block in blocks if "toolResult" not in block]
            forms = [result(it["toolUseId"], _result_text(it)) for it in results]
            forms += [user(rest)] if rest or not results else []
        if _is_pinned(message):
            forms = [{**form, "cupel": {"pinned": True}} for form in forms]
        return forms

    def rebuild(self, message: Message, sent: Sequence[Chat | None]) -> Message:
        results = [block for block in message["content"] if "toolResult" in block]
        left: list[ContentBlock] = []
        for block, form in zip(results, sent, strict=False):
            if form is None:
                continue
            same = form["content"] == _result_text(block["toolResult"])
            left.append(
                block
                if same
                else {"toolResult": {**block["toolResult"], "content": [{"text": form["content"]}]}}
            )
        if len(sent) > len(results) and sent[-1] is not None:
            left += [block for block in message["content"] if "toolResult" not in block]
        return {**message, "content": left}

    def without_thinking(self, message: Message) -> Message:
        if not any("reasoningContent" in block for block in message["content"]):
            return message
        return {
            **message,
            "content": [block for block in message["content"] if "reasoningContent" not in block],
        }


def _is_pinned(message: Message) -> bool:
    return bool(message.get("metadata", {}).get("custom", {}).get("pinned"))


def _text(block: Any) -> str:
    if "text" in block:
        return str(block["text"])
    if "citationsContent" in block:
        return "".join(
            piece.get("text", "") for piece in block["citationsContent"].get("content", [])
        )
    return ""


def _thought(block: Any) -> str:
    return str(block["reasoningContent"].get("reasoningText", {}).get("text", ""))


def _said(block: Any) -> dict[str, Any]:
    if "image" in block:
        data = block["image"].get("source", {}).get("bytes", b"")
        kind = block["image"].get("format", "png")
        return image(f"data:image/{kind};base64,{base64.b64encode(data).decode()}")
    if any(kind in block for kind in ("document", "video", "audio")):
        return {"type": "file", "file": {"filename": "file"}}
    return {"type": "text", "text": _text(block)}


def _result_text(tool_result: Any) -> str:
    return "\n".join(
        it["text"] if "text" in it else as_json(it.get("json", "")) for it in tool_result["content"]
    )


def _model_name(model: Any) -> str | None:
    config = model.get_config()
    name = config.get("model_id") if isinstance(config, dict) else None
    return name if isinstance(name, str) else None
