import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from cupel_context import BudgetTooSmall
from cupel_context.adapters import Fitted
from cupel_context.adapters._bridge import fit_messages
from cupel_context.adapters.strands import CupelConversationManager, _Messages
from scenario import BUDGET, FIRST, SCRIPT, SECOND, SYSTEM, is_shortened, judge
from scenario import log as read_log
from scenario import look as look_up
from strands import Agent, tool
from strands.models import Model
from strands.models.openai import OpenAIModel
from strands.types.exceptions import ContextWindowOverflowException

look, log = tool(look_up), tool(read_log)


class ScriptedModel(Model):
    """Plays the script; ``overflows`` is how often it first says that the request is too long."""

    def __init__(self, overflows: int = 0) -> None:
        self.received: list[tuple[list[Any], Any, Any]] = []
        self.overflows = overflows

    def update_config(self, **model_config: Any) -> None: ...

    def get_config(self) -> Any:
        return {"model_id": "gpt-5"}

    def structured_output(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def stream(
        self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        if self.overflows:
            self.overflows -= 1
            raise ContextWindowOverflowException("too long")
        number = len(self.received)
        self.received.append((list(messages), tool_specs, system_prompt))
        step = SCRIPT[number]
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(step, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": step}}}
        else:
            yield {
                "contentBlockStart": {
                    "start": {"toolUse": {"name": step[0], "toolUseId": f"c{number}"}}
                }
            }
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(step[1])}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(step, str) else "tool_use"}}


def agent_with(model: ScriptedModel, manager: CupelConversationManager, **more: Any) -> Agent:
    return Agent(
        model,
        tools=[look, log],
        system_prompt=SYSTEM,
        conversation_manager=manager,
        callback_handler=None,
        **more,
    )


def openai(messages: list[Any], system: str | None) -> list[dict[str, Any]]:
    chat = OpenAIModel.format_request_messages(messages, system)
    for message in chat:
        if isinstance(message.get("content"), list):
            message["content"] = "".join(part.get("text", "") for part in message["content"])
    return chat


def test_an_agent_stays_within_the_budget_over_many_tool_rounds() -> None:
    model, fits = ScriptedModel(), list[Fitted[Any]]()
    manager = CupelConversationManager(budget=BUDGET, on_fit=fits.append)
    agent = agent_with(model, manager)
    for question in (FIRST, SECOND):
        agent(question)
    tools = [
        {
            "type": "function",
            "function": {
                "name": it["name"],
                "description": it["description"],
                "parameters": it["inputSchema"]["json"],
            },
        }
        for it in model.received[0][1]
    ]
    judge([openai(messages, system) for messages, _, system in model.received], tools=tools)
    assert any(row["outcome"] == "shortened" for fitted in fits for row in fitted.rows())
    assert all(all(fitted.reasons()) for fitted in fits)
    roles = [message["role"] for message in model.received[-1][0]]
    assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"], (
        "roles alternate and the user is first"
    )


def result(call_id: str, text: str) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": call_id, "status": "success", "content": [{"text": text}]}}


def conversation() -> list[Any]:
    return [
        {"role": "user", "content": [{"text": FIRST}]},
        {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
                {"toolUse": {"toolUseId": "c1", "name": "look", "input": {"shelf": 1}}},
                {"toolUse": {"toolUseId": "c2", "name": "log", "input": {"day": "Monday"}}},
            ],
        },
        {
            "role": "user",
            "content": [
                result("c1", look_up(1)),
                result("c2", read_log("Monday")),
                {"text": "And?"},
            ],
        },
    ]


def test_only_what_is_shortened_is_copied() -> None:
    messages = conversation()
    kept = fit_messages(messages, 800, _Messages(), {}).messages
    assert kept[0] is messages[0] and kept[1] is messages[1]
    assert (
        kept[2]["content"][0] is messages[2]["content"][0]
        and kept[2]["content"][2] is messages[2]["content"][2]
    )
    assert is_shortened(kept[2]["content"][1]["toolResult"]["content"][0]["text"])
    assert messages == conversation()


def test_pinned_messages_stay() -> None:
    messages: list[Any] = []
    for shelf in range(20):
        messages += [
            {"role": "user", "content": [{"text": look_up(shelf)}]},
            {"role": "assistant", "content": [{"text": "Yes."}]},
        ]
    messages[2]["metadata"] = {"custom": {"pinned": True}}
    kept = fit_messages(messages, 800, _Messages(), {}).messages
    assert any(it is messages[2] for it in kept) and not any(it is messages[4] for it in kept)


def test_a_request_that_is_still_too_long_is_cut_further() -> None:
    model = ScriptedModel(overflows=1)
    agent = agent_with(
        model,
        CupelConversationManager(budget=100_000),
        messages=[*conversation(), {"role": "assistant", "content": [{"text": "So."}]}],
    )
    agent(SECOND)
    sent = json.dumps(model.received[0][0])
    assert SECOND in sent and len(sent) < len(json.dumps(conversation())) * 0.8

    stuck = agent_with(ScriptedModel(overflows=9), CupelConversationManager(budget=100_000))
    with pytest.raises(ContextWindowOverflowException):
        stuck(SECOND)


def test_a_budget_that_is_too_small_is_said_before_the_model_is_called() -> None:
    model = ScriptedModel()
    agent = agent_with(model, CupelConversationManager(budget=20))
    with pytest.raises(Exception, match="a budget of 20 tokens is too small") as refused:
        agent(FIRST)
    assert isinstance(refused.value.__cause__ or refused.value, BudgetTooSmall)
    assert model.received == []


def test_an_answer_is_not_lost_to_a_history_that_cannot_be_cut() -> None:
    class Talkative(ScriptedModel):
        async def stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "Atlas. " * 2_000}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}

    answer = agent_with(Talkative(), CupelConversationManager(budget=900))(FIRST)
    assert str(answer).count("Atlas.") == 2_000
