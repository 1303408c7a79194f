"""An image counts by its size in pixels in every framework, never by the length of its bytes."""

import base64
import struct
from collections.abc import Callable
from typing import Any

import pytest
from agent_framework import Content, Message
from cupel_context.adapters import agent_framework as microsoft
from cupel_context.adapters import (
    google_adk,
    haystack,
    langchain,
    llama_index,
    pydantic_ai,
    strands,
)
from cupel_context.adapters._bridge import fit_messages
from google.genai import types
from haystack.dataclasses import ChatMessage as HaystackMessage
from haystack.dataclasses import ImageContent
from langchain_core.messages import HumanMessage
from llama_index.core.base.llms.types import ChatMessage as LlamaMessage
from llama_index.core.base.llms.types import ImageBlock
from pydantic_ai.messages import BinaryContent, ModelRequest, UserPromptPart

# The head of a picture of 512 by 512 pixels, and as many bytes as a large one has.
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 512, 512, 8, 2, 0, 0, 0)
PNG += bytes(300_000)
ENCODED = base64.b64encode(PNG).decode()

MESSAGES: dict[str, tuple[Any, Callable[[], Any]]] = {
    "langchain": (
        langchain._Messages(),
        lambda: HumanMessage(
            [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{ENCODED}"}}]
        ),
    ),
    "llama_index": (
        llama_index._Messages(),
        lambda: LlamaMessage(blocks=[ImageBlock(image=PNG, image_mimetype="image/png")]),
    ),
    "pydantic_ai": (
        pydantic_ai._Messages(),
        lambda: ModelRequest([UserPromptPart([BinaryContent(PNG, media_type="image/png")])]),
    ),
    "agent_framework": (
        microsoft._Messages(),
        lambda: Message("user", [Content.from_data(PNG, "image/png")]),
    ),
    "google_adk": (
        google_adk._Contents(),
        lambda: types.Content(
            role="user", parts=[types.Part.from_bytes(data=PNG, mime_type="image/png")]
        ),
    ),
    "haystack": (
        haystack._Messages(),
        lambda: HaystackMessage.from_user(
            content_parts=["Look:", ImageContent(ENCODED, mime_type="image/png", validation=False)]
        ),
    ),
    "strands": (
        strands._Messages(),
        lambda: {
            "role": "user",
            "content": [{"image": {"format": "png", "source": {"bytes": PNG}}}],
        },
    ),
}


@pytest.mark.parametrize("framework", MESSAGES)
def test_an_image_counts_by_its_pixels(framework: str) -> None:
    translation, make = MESSAGES[framework]
    message = make()
    fitted = fit_messages([message], 1_000, translation, {"model": "gpt-4o"})
    assert fitted.messages == [message] and fitted.messages[0] is message
    assert 200 < fitted.fit.tokens < 400
