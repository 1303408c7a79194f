"""LlamaIndex: a memory for chat engines and agents, and a node postprocessor for retrieval.

memory = CupelMemory(token_limit=30_000)
engine = index.as_query_engine(node_postprocessors=[CupelNodePostprocessor(budget=4_000)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ._bridge import FitOptions, Fitted, fit_messages, missing
from ._chat import Chat, Ids, as_json, assistant, call, image, result, user
from ._documents import select_texts

try:
    from llama_index.core.base.llms.types import (
        ChatMessage,
        ImageBlock,
        MessageRole,
        TextBlock,
        ThinkingBlock,
        ToolCallBlock,
    )
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.memory import Memory
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
except ImportError as error:
    raise missing("llama-index-core", error) from error


class CupelMemory(Memory):
    """Keeps the whole conversation and hands out ``token_limit`` tokens of it.

    Without memory blocks nothing is ever archived; with them, what overflows still flows into
    them. An agent adds the tool rounds of the running turn by itself: leave room for them.
    """

    options: dict[str, Any] = Field(
        default_factory=dict,
        exclude=True,
        description="What is handed on to cupel_context.fit, such as keep_first.",
    )
    on_fit: Any = Field(
        default=None, exclude=True, description="Receives what was cut, with the reasons."
    )

    @classmethod
    def class_name(cls) -> str:
        """The name that LlamaIndex knows it by."""
        return "CupelMemory"

    async def aget(
        self, input: str | ChatMessage | None = None, **block_kwargs: Any
    ) -> list[ChatMessage]:
        """The messages to send; ``get`` is the same, not awaited."""
        messages = await super().aget(input=input, **block_kwargs)
        if not messages:
            return messages
        fitted: Fitted[ChatMessage] = fit_messages(
            messages, self.token_limit, _Messages(), cast(FitOptions, self.options)
        )
        if self.on_fit:
            self.on_fit(fitted)
        return fitted.messages

    async def _manage_queue(self) -> None:
        if self.memory_blocks:
            await super()._manage_queue()


class CupelNodePostprocessor(BaseNodePostprocessor):
    """Keeps the retrieved nodes that answer the query best within ``budget`` tokens.

    Nodes come back as the same objects, in reading order: parts of one document by where they
    stand in it.
    """

    budget: int
    policy: Any = None
    model: str | None = None
    on_select: Any = Field(
        default=None, exclude=True, description="Receives the selection, with the reasons."
    )

    @classmethod
    def class_name(cls) -> str:
        """The name that LlamaIndex knows it by."""
        return "CupelNodePostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        kept, selection = select_texts(
            [node.node.get_content(metadata_mode=MetadataMode.LLM) for node in nodes],
            self.budget,
            origins=[
                (node.node.ref_doc_id, getattr(node.node, "start_char_idx", None)) for node in nodes
            ],
            scores=[node.score for node in nodes],
            policy=self.policy,
            query=query_bundle.query_str if query_bundle else None,
            model=self.model,
        )
        if self.on_select:
            self.on_select(selection)
        return [nodes[index] for index in kept]


class _Messages:
    """One for each history: calls that have no ids get some."""

    def __init__(self) -> None:
        self._ids = Ids()

    def to_chat(self, message: ChatMessage) -> list[Chat]:
        if message.role in (MessageRole.TOOL, MessageRole.FUNCTION):
            call_id = self._ids.of_result("", message.additional_kwargs.get("tool_call_id"))
            return [result(call_id, message.content or "")]
        if message.role in (MessageRole.ASSISTANT, MessageRole.CHATBOT, MessageRole.MODEL):
            thoughts = "\n".join(
                block.content or "" for block in message.blocks if isinstance(block, ThinkingBlock)
            )
            return [assistant(message.content, self._calls(message), thoughts)]
        if message.role in (MessageRole.SYSTEM, MessageRole.DEVELOPER):
            return [{"role": "system", "content": message.content or ""}]
        return [user([_said(block) for block in message.blocks])]

    def _calls(self, message: ChatMessage) -> list[dict[str, Any]]:
        """The calls: as blocks, and as older integrations have them, under ``tool_calls``."""
        calls = [
            call(self._ids.of_call("", it.tool_call_id), it.tool_name, it.tool_kwargs)
            for it in message.blocks
            if isinstance(it, ToolCallBlock)
        ]
        for it in [] if calls else message.additional_kwargs.get("tool_calls") or []:
            given = it if isinstance(it, dict) else it.model_dump()
            said = given.get("function") or {"name": given["name"], "arguments": given.get("input")}
            calls.append(
                call(self._ids.of_call("", given.get("id")), said["name"], said["arguments"])
            )
        return calls

    def rebuild(self, message: ChatMessage, sent: Sequence[Chat | None]) -> ChatMessage:
        text = TextBlock(text=cast(Chat, sent[0])["content"])
        # The message says itself which call it answers, in its additional_kwargs.
        return message.model_copy(update={"blocks": [text]})

    def without_thinking(self, message: ChatMessage) -> ChatMessage:
        blocks = [block for block in message.blocks if not isinstance(block, ThinkingBlock)]
        return (
            message.model_copy(update={"blocks": blocks})
            if len(blocks) < len(message.blocks)
            else message
        )


def _said(block: Any) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    if isinstance(block, ImageBlock):
        if block.url is not None:
            return image(str(block.url))
        data = block.resolve_image(as_base64=True).read()
        return image(f"data:{block.image_mimetype or 'image/png'};base64,{data.decode()}")
    if hasattr(block, "data") or hasattr(block, "audio") or hasattr(block, "video"):
        return {"type": "file", "file": {"filename": "file"}}
    return {"type": "text", "text": as_json(block)}
