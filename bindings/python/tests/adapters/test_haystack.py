from typing import Any

from cupel_context import validate
from cupel_context.adapters import Fitted
from cupel_context.adapters.haystack import CupelCompactor
from haystack import component
from haystack.components.agents import Agent
from haystack.core.serialization import allow_deserialization_module
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.hooks.compaction import CompactionHook
from haystack.token_counters import ApproximateTokenCounter
from haystack.tools import create_tool_from_function
from scenario import FIRST, SCRIPT, SYSTEM, is_shortened, pairs_are_whole
from scenario import log as read_log
from scenario import look as look_up

WINDOW = 2_000


@component
class ScriptedGenerator:
    def __init__(self) -> None:
        self.received: list[list[ChatMessage]] = []

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage], tools: Any = None, **kwargs: Any) -> dict[str, Any]:
        number = len(self.received)
        self.received.append(list(messages))
        step = SCRIPT[number]
        if isinstance(step, str):
            return {"replies": [ChatMessage.from_assistant(step)]}
        return {
            "replies": [
                ChatMessage.from_assistant(tool_calls=[ToolCall(step[0], step[1], id=f"c{number}")])
            ]
        }


def test_an_agent_stays_within_the_window_over_many_tool_rounds() -> None:
    generator, fits = ScriptedGenerator(), list[Fitted[ChatMessage]]()
    hook = CompactionHook(
        CupelCompactor(on_fit=fits.append), context_window=WINDOW, compact_at=0.5, compact_to=0.4
    )
    agent = Agent(
        chat_generator=generator,
        tools=[create_tool_from_function(look_up), create_tool_from_function(read_log)],
        system_prompt=SYSTEM,
        hooks={"before_llm": [hook]},
    )
    agent.run(messages=[ChatMessage.from_user(FIRST)])

    assert len(generator.received) == 6
    counter = ApproximateTokenCounter()
    for messages in generator.received:
        chat = [it.to_openai_dict_format() for it in messages]
        assert validate({"messages": chat}) == []
        pairs_are_whole(chat)
        assert counter.count(messages) <= WINDOW * 0.5
        assert any(it.text == FIRST for it in messages)
    results = [
        str(it.tool_call_results[0].result) for it in generator.received[3] if it.tool_call_results
    ]
    assert len(results) >= 2 and is_shortened(results[-1]), (
        "the giant result is shorter, and not alone"
    )
    assert (
        fits
        and any(row["outcome"] == "shortened" for row in fits[0].rows())
        and all(fits[0].reasons())
    )


def conversation() -> list[ChatMessage]:
    call = ToolCall("log", {"day": "Monday"})
    return [
        ChatMessage.from_user(FIRST),
        ChatMessage.from_assistant(tool_calls=[call]),
        ChatMessage.from_tool(read_log("Monday"), origin=call),
    ]


def test_only_what_is_shortened_is_copied_and_the_counter_has_the_last_word() -> None:
    messages, counter = conversation(), ApproximateTokenCounter()
    kept = CupelCompactor().compact(messages, 400, counter)
    assert kept and kept[0] is messages[0] and kept[1] is messages[1]
    assert (
        is_shortened(str(kept[2].tool_call_results[0].result))
        and kept[2].tool_call_results[0].origin == messages[2].tool_call_results[0].origin
    )
    assert counter.count(kept) <= 400
    assert messages == conversation()


def test_it_declines_where_nothing_gets_smaller_and_comes_close_where_it_cannot_fit() -> None:
    messages, counter = conversation(), ApproximateTokenCounter()
    assert CupelCompactor().compact(messages, 100_000, counter) is None
    assert CupelCompactor().compact(messages[:1], 1, counter) is None
    closest = CupelCompactor().compact(messages, 1, counter)
    assert closest and counter.count(closest) < 200


def test_settings_survive_serialization() -> None:
    allow_deserialization_module("cupel_context.adapters.haystack")
    hook = CompactionHook(CupelCompactor(keep_first=1, model="gpt-5"), context_window=WINDOW)
    restored = CompactionHook.from_dict(hook.to_dict())
    assert isinstance(restored.compactor, CupelCompactor) and restored.compactor.options == {
        "keep_first": 1,
        "model": "gpt-5",
    }
