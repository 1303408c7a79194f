import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    SQLiteSession,
    Usage,
    function_tool,
)
from cupel_context import count_tokens, validate
from cupel_context.adapters import Fitted
from cupel_context.adapters.openai_agents import CupelInputFilter
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from scenario import BUDGET, FIRST, SCRIPT, SECOND, SYSTEM, is_shortened
from scenario import log as read_log
from scenario import look as look_up

look, log = function_tool(look_up), function_tool(read_log)


class ScriptedModel(Model):
    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []

    async def get_response(
        self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any
    ) -> ModelResponse:
        number = len(self.received)
        self.received.append({"instructions": system_instructions, "input": input})
        step = SCRIPT[number]
        output: Any
        if isinstance(step, str):
            text = ResponseOutputText(type="output_text", text=step, annotations=[])
            output = ResponseOutputMessage(
                id=f"m{number}",
                type="message",
                role="assistant",
                status="completed",
                content=[text],
            )
        else:
            output = ResponseFunctionToolCall(
                type="function_call",
                call_id=f"c{number}",
                name=step[0],
                arguments=json.dumps(step[1]),
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    async def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:  # type: ignore[override]
        raise NotImplementedError
        yield


def outputs(request: dict[str, Any]) -> list[str]:
    return [
        str(it["output"]) for it in request["input"] if it.get("type") == "function_call_output"
    ]


def test_a_run_stays_within_the_budget_over_many_tool_rounds() -> None:
    model = ScriptedModel()
    fits: list[Fitted[Any]] = []
    agent = Agent(name="librarian", instructions=SYSTEM, model=model, tools=[look, log])
    config = RunConfig(
        call_model_input_filter=CupelInputFilter(budget=BUDGET, on_fit=fits.append),
        tracing_disabled=True,
    )

    async def talk() -> list[Any]:
        session = SQLiteSession("library")
        for question in (FIRST, SECOND):
            await Runner.run(agent, question, session=session, run_config=config)
        return await session.get_items()

    items = asyncio.run(talk())
    assert len(model.received) == len(SCRIPT)
    for request in model.received:
        assert validate(request) == []
        assert count_tokens(request) <= BUDGET
        called = [it["call_id"] for it in request["input"] if it.get("type") == "function_call"]
        answered = [
            it["call_id"] for it in request["input"] if it.get("type") == "function_call_output"
        ]
        assert called == answered
    assert len(outputs(model.received[3])) >= 2 and is_shortened(outputs(model.received[3])[-1])
    assert any(it.get("output") == read_log("Monday") for it in items), "the session stays whole"
    assert any(row["outcome"] == "shortened" for row in fits[3].rows())
    assert all(fits[-1].reasons())


def test_a_run_with_a_session_keeps_what_the_model_has_seen() -> None:
    model = ScriptedModel()
    turns: list[Any] = []
    keeping = CupelInputFilter(
        budget=BUDGET, session=True, on_fit=lambda fitted: turns.append(fitted.fit)
    )
    agent = Agent(name="librarian", instructions=SYSTEM, model=model, tools=[look, log])
    config = RunConfig(call_model_input_filter=keeping, tracing_disabled=True)

    async def talk() -> None:
        session = SQLiteSession("library")
        for question in (FIRST, SECOND):
            await Runner.run(agent, question, session=session, run_config=config)

    asyncio.run(talk())
    assert [turn.report.turn for turn in turns] == list(range(1, len(SCRIPT) + 1))
    assert {"extended", "cut"} <= {turn.report.action for turn in turns}
    for before, now, turn in zip(model.received, model.received[1:], turns[1:], strict=False):
        assert validate(now) == [] and count_tokens(now) <= BUDGET
        if turn.report.action == "extended":
            assert now["input"][: len(before["input"])] == before["input"]


def test_untouched_items_are_the_same_objects() -> None:
    given: list[Any] = [
        {"role": "user", "content": FIRST},
        {"type": "function_call", "call_id": "c1", "name": "log", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": read_log("Monday")},
    ]
    kept = filtered(given, 700)
    assert kept[0] is given[0] and kept[1] is given[1]
    assert is_shortened(kept[2]["output"]) and given[2]["output"] == read_log("Monday")


def test_results_stay_where_the_server_has_the_calls() -> None:
    given: list[Any] = [{"type": "function_call_output", "call_id": "c1", "output": look_up(1)}]
    assert filtered(given, 700) == given


def filtered(items: list[Any], budget: int) -> list[Any]:
    from agents.run import CallModelData, ModelInputData

    data = CallModelData(
        model_data=ModelInputData(input=items, instructions=None),
        agent=Agent(name="librarian"),
        context=None,
    )
    return CupelInputFilter(budget)(data).input
