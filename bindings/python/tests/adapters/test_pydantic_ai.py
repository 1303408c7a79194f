from typing import Any

from cupel_context.adapters import Fitted
from cupel_context.adapters._bridge import fit_messages
from cupel_context.adapters.pydantic_ai import CupelHistory, _Messages
from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from scenario import BUDGET, FIRST, SCRIPT, SECOND, SYSTEM, chat_call, is_shortened, judge
from scenario import log as read_log
from scenario import look as look_up


class ScriptedModel:
    def __init__(self) -> None:
        self.received: list[tuple[list[ModelMessage], AgentInfo]] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        number = len(self.received)
        self.received.append((list(messages), info))
        step = SCRIPT[number]
        if isinstance(step, str):
            return ModelResponse([TextPart(step)])
        return ModelResponse([ToolCallPart(step[0], step[1], tool_call_id=f"c{number}")])


def openai(messages: list[ModelMessage]) -> list[dict[str, Any]]:
    chat: list[dict[str, Any]] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            calls = [
                chat_call(it.tool_call_id, it.tool_name, it.args)
                for it in message.parts
                if isinstance(it, ToolCallPart)
            ]
            text = "".join(it.content for it in message.parts if isinstance(it, TextPart))
            chat.append(
                {"role": "assistant", "content": text or None}
                | ({"tool_calls": calls} if calls else {})
            )
            continue
        for part in message.parts:
            if isinstance(part, ToolReturnPart):
                chat.append(
                    {
                        "role": "tool",
                        "tool_call_id": part.tool_call_id,
                        "content": part.model_response_str(),
                    }
                )
            elif isinstance(part, UserPromptPart | SystemPromptPart):
                role = "user" if isinstance(part, UserPromptPart) else "system"
                chat.append({"role": role, "content": part.content})
    return chat


def test_a_run_stays_within_the_budget_over_many_tool_rounds() -> None:
    model = ScriptedModel()
    fits: list[Fitted[ModelMessage]] = []
    agent = Agent(
        FunctionModel(model),
        instructions=SYSTEM,
        tools=[look_up, read_log],
        capabilities=[CupelHistory(budget=BUDGET, on_fit=fits.append)],
    )
    history: list[ModelMessage] = []
    for question in (FIRST, SECOND):
        history = agent.run_sync(question, message_history=history).all_messages()

    requests = [
        [{"role": "system", "content": info.instructions or ""}, *openai(it)]
        for it, info in model.received
    ]
    tools = [
        {
            "type": "function",
            "function": {
                "name": it.name,
                "description": it.description,
                "parameters": it.parameters_json_schema,
            },
        }
        for it in model.received[0][1].function_tools
    ]
    assert [it["function"]["name"] for it in tools] == ["look", "log"]
    judge(requests, tools=tools)
    returned = [
        part for message in history for part in message.parts if isinstance(part, ToolReturnPart)
    ]
    assert len(returned) == 6 and returned[2].content == read_log("Monday"), (
        "the history stays whole"
    )
    assert any(row["outcome"] == "shortened" for row in fits[3].rows())
    assert all(fits[-1].reasons())


def test_a_request_of_many_parts_loses_only_what_is_cut() -> None:
    """Results of one turn and the words of the next can share a request."""
    thinking = ThinkingPart("hm")
    messages: list[ModelMessage] = [
        ModelRequest([SystemPromptPart(SYSTEM), UserPromptPart(FIRST)]),
        ModelResponse(
            [
                thinking,
                ToolCallPart("look", {"shelf": 1}, "c1"),
                ToolCallPart("log", {"day": "Monday"}, "c2"),
            ]
        ),
        ModelRequest(
            [
                ToolReturnPart("look", look_up(1), "c1"),
                ToolReturnPart("log", read_log("Monday"), "c2"),
                UserPromptPart(SECOND),
            ]
        ),
    ]
    shorter = fit_messages(messages, 900, _Messages(), {}).messages
    assert shorter[0] is messages[0] and shorter[1] is messages[1]
    assert (
        shorter[2].parts[0] is messages[2].parts[0] and shorter[2].parts[2] is messages[2].parts[2]
    )
    assert isinstance(shorter[2].parts[1], ToolReturnPart) and is_shortened(
        str(shorter[2].parts[1].content)
    )

    [system, last] = fit_messages(messages, 60, _Messages(), {}).messages
    assert [type(part) for part in system.parts] == [SystemPromptPart]
    assert list(last.parts) == [messages[2].parts[2]]

    claude = fit_messages(
        [messages[0], messages[1], messages[2], ModelResponse([thinking, TextPart("It is.")])],
        900,
        _Messages(),
        {"model": "claude-opus-5-5"},
    )
    assert claude.messages[1] is messages[1], "thinking before the change stays"
    assert [type(part) for part in claude.messages[-1].parts] == [TextPart]
