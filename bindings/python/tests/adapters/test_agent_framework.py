import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    InMemoryHistoryProvider,
    Message,
    tool,
)
from cupel_context.adapters import Fitted
from cupel_context.adapters.agent_framework import CupelCompaction
from scenario import FIRST, SCRIPT, SECOND, SYSTEM, chat_call, is_shortened, judge
from scenario import log as read_log
from scenario import look as look_up

# A strategy is not shown the tools, which take more than a hundred tokens.
BUDGET = 780
look, log = (
    tool(look_up, approval_mode="never_require"),
    tool(read_log, approval_mode="never_require"),
)


class ScriptedClient(FunctionInvocationLayer[Any], BaseChatClient[Any]):
    def __init__(self) -> None:
        super().__init__()
        self.received: list[list[Message]] = []

    def _inner_get_response(
        self,
        *,
        messages: Sequence[Message],
        stream: bool,
        options: Mapping[str, Any],
        **kwargs: Any,
    ) -> Any:
        async def respond() -> ChatResponse:
            number = len(self.received)
            self.received.append(list(messages))
            step = SCRIPT[number]
            content = (
                Content.from_text(step)
                if isinstance(step, str)
                else Content.from_function_call(
                    f"c{number}", step[0], arguments=json.dumps(step[1])
                )
            )
            return ChatResponse(messages=[Message("assistant", [content])])

        return respond()


def openai(messages: list[Message]) -> list[dict[str, Any]]:
    chat: list[dict[str, Any]] = []
    for message in messages:
        calls = [
            chat_call(it.call_id or "", it.name or "", it.arguments)
            for it in message.contents
            if it.type == "function_call"
        ]
        results = [it for it in message.contents if it.type == "function_result"]
        chat += [
            {"role": "tool", "tool_call_id": it.call_id, "content": it.result} for it in results
        ]
        if not results:
            chat.append(
                {"role": message.role, "content": message.text}
                | ({"tool_calls": calls} if calls else {})
            )
    return chat


def test_an_agent_stays_within_the_budget_over_many_tool_rounds_and_keeps_the_reasons() -> None:
    client, fits = ScriptedClient(), list[Fitted[Message]]()
    history = InMemoryHistoryProvider()
    agent = Agent(
        client,
        tools=[look, log],
        context_providers=[history],
        compaction_strategy=CupelCompaction(budget=BUDGET, on_fit=fits.append),
    )

    async def talk() -> list[Message]:
        session = agent.create_session()
        for question in (FIRST, SECOND):
            await agent.run(question, session=session)
        return list(
            await history.get_messages(
                session.session_id, state=session.state.get(history.source_id)
            )
        )

    stored = asyncio.run(talk())
    judge([openai(it) for it in client.received], budget=BUDGET)
    results = [
        content.result
        for message in stored
        for content in message.contents
        if content.type == "function_result"
    ]
    assert results[2] == read_log("Monday"), "the stored history stays whole"
    assert all(all(fitted.reasons()) for fitted in fits)


def conversation(turns: int = 12) -> list[Message]:
    messages = [Message("system", [SYSTEM])]
    for turn in range(turns):
        messages.append(Message("user", [f"What is on shelf {turn}?"]))
        messages.append(Message("assistant", [Content.from_text_reasoning(text="I have to look.")]))
        messages.append(
            Message(
                "assistant",
                [Content.from_function_call(f"c{turn}", "look", arguments={"shelf": turn})],
            )
        )
        messages.append(
            Message("tool", [Content.from_function_result(f"c{turn}", result=look_up(turn))])
        )
        messages.append(Message("assistant", ["Volumes."]))
    return [*messages, Message("user", [SECOND])]


def test_reasons_are_on_the_messages_and_exclusions_can_be_taken_back() -> None:
    messages = conversation()
    assert asyncio.run(CupelCompaction(budget=900)(messages))
    excluded = [it for it in messages if it.additional_properties.get("_excluded")]
    assert 0 < len(excluded) < len(messages)
    for message in messages:
        note = message.additional_properties["cupel"]
        assert note["why"] and (note["outcome"] == "left_out") == (message in excluded)
        reason = message.additional_properties.get("_exclude_reason")
        assert (reason == f"cupel: {note['why']}") == (message in excluded)

    assert asyncio.run(CupelCompaction(budget=100_000)(messages))
    assert not any(it.additional_properties.get("_excluded") for it in messages)
    assert not asyncio.run(CupelCompaction(budget=100_000)(messages)), "nothing changes any more"


def test_what_others_excluded_stays_excluded() -> None:
    messages = conversation()
    messages[1].additional_properties |= {"_excluded": True, "_exclude_reason": "theirs"}
    asyncio.run(CupelCompaction(budget=100_000)(messages))
    assert messages[1].additional_properties["_exclude_reason"] == "theirs"
    assert messages[1].additional_properties["_excluded"]


def test_reasoning_goes_with_the_call_that_it_led_to() -> None:
    for budget in (500, 700, 900):
        messages = conversation()
        asyncio.run(CupelCompaction(budget=budget, granularity="unit")(messages))
        for at, message in enumerate(messages):
            if message.contents[0].type == "text_reasoning":
                fates = {
                    bool(it.additional_properties.get("_excluded")) for it in messages[at : at + 3]
                }
                assert len(fates) == 1


def test_a_shortened_result_is_a_copy() -> None:
    given = Content.from_function_result("c1", result=read_log("Monday"))
    messages = [
        Message("user", [FIRST]),
        Message(
            "assistant", [Content.from_function_call("c1", "log", arguments={"day": "Monday"})]
        ),
        Message("tool", [given]),
    ]
    question, original = messages[0], messages[2]
    assert asyncio.run(CupelCompaction(budget=700)(messages))
    assert messages[0] is question and messages[2] is not original
    assert is_shortened(str(messages[2].contents[0].result)) and given.result == read_log("Monday")
    assert (
        messages[2].contents[0].items is not None
        and messages[2].contents[0].items[0].text == messages[2].contents[0].result
    )
    assert messages[2].additional_properties["cupel"]["outcome"] == "shortened"
