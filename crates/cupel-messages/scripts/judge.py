"""Lets the providers' own SDKs read requests: types only, nothing is sent.

Reads JSON Lines of {"format": ..., "request": ...} from standard input. Prints a line for each request that an SDK
refuses, and at the end how many each has read. Exits with 1 if any was refused.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping

from anthropic.types import MessageParam
from google.genai.types import Content
from langchain_core.messages import convert_to_messages, convert_to_openai_messages
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

CHAT = TypeAdapter(list[ChatCompletionMessageParam])
RESPONSES = TypeAdapter(list[ResponseInputItemParam])
ANTHROPIC = TypeAdapter(list[MessageParam])
GEMINI = TypeAdapter(list[Content])


def read_whole(value):
    """The SDKs' types have lazy lists, which are only checked when somebody walks over them."""
    if isinstance(value, Mapping):
        return {key: read_whole(inner) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [read_whole(inner) for inner in value]
    return value


def messages_of(request, key):
    return request if isinstance(request, list) else request[key]


def chat(request):
    messages = messages_of(request, "messages")
    read_whole(CHAT.validate_python(messages))
    # LangChain reads them, writes them, and pairs are what they were.
    again = convert_to_openai_messages(convert_to_messages(messages))
    pairs = lambda list_: [
        (message["role"].replace("developer", "system"), [call["id"] for call in message.get("tool_calls") or []], message.get("tool_call_id"))
        for message in list_
    ]
    assert pairs(again) == pairs(messages), "LangChain makes other messages of them"


def responses(request):
    items = messages_of(request, "input")
    if not isinstance(items, str):
        read_whole(RESPONSES.validate_python(items))


def anthropic(request):
    read_whole(ANTHROPIC.validate_python(messages_of(request, "messages")))


def gemini(request):
    GEMINI.validate_python(messages_of(request, "contents"))


JUDGES = {"openai-chat": chat, "openai-responses": responses, "anthropic": anthropic, "gemini": gemini}


def main():
    read, refused = Counter(), 0
    for number, line in enumerate(sys.stdin, 1):
        case = json.loads(line)
        try:
            JUDGES[case["format"]](case["request"])
            read[case["format"]] += 1
        except Exception as problem:  # whatever an SDK raises is a refusal
            refused += 1
            print(f"request {number}, {case['format']}: {type(problem).__name__}: {str(problem)[:2000]}")
            print(f"  {json.dumps(case['request'])[:2000]}")
    print("read:", ", ".join(f"{count} {name}" for name, count in sorted(read.items())))
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
