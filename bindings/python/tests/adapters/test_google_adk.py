import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from cupel_context import validate
from cupel_context.adapters import Fitted
from cupel_context.adapters._bridge import fit_messages
from cupel_context.adapters.google_adk import CupelPlugin, _Contents
from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from pydantic import Field
from scenario import BUDGET, FIRST, SCRIPT, SECOND, SYSTEM, chat_call, is_shortened, judge
from scenario import log as read_log
from scenario import look as look_up


class ScriptedModel(BaseLlm):
    received: list[tuple[list[types.Content], Any]] = Field(default_factory=list)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        number = len(self.received)
        self.received.append((list(llm_request.contents), llm_request.config))
        step = SCRIPT[number]
        part = (
            types.Part(text=step)
            if isinstance(step, str)
            else types.Part(
                function_call=types.FunctionCall(id=f"c{number}", name=step[0], args=step[1])
            )
        )
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def openai(contents: list[types.Content]) -> list[dict[str, Any]]:
    chat: list[dict[str, Any]] = []
    for content in contents:
        for part in content.parts or []:
            if call := part.function_call:
                chat.append(
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [chat_call(call.id or "", call.name or "", call.args)],
                    }
                )
            elif response := part.function_response:
                chat.append(
                    {
                        "role": "tool",
                        "tool_call_id": response.id,
                        "content": (response.response or {})["result"],
                    }
                )
            else:
                chat.append(
                    {
                        "role": "user" if content.role == "user" else "assistant",
                        "content": part.text,
                    }
                )
    return chat


def gemini(contents: list[types.Content]) -> dict[str, Any]:
    return {
        "contents": [
            it.model_dump(mode="json", by_alias=True, exclude_none=True) for it in contents
        ]
    }


def test_an_agent_stays_within_the_budget_over_many_tool_rounds() -> None:
    model, fits = ScriptedModel(model="scripted"), list[Fitted[types.Content]]()
    agent = LlmAgent(name="librarian", model=model, instruction=SYSTEM, tools=[look_up, read_log])
    app = App(
        name="library", root_agent=agent, plugins=[CupelPlugin(budget=BUDGET, on_fit=fits.append)]
    )

    async def talk() -> list[Any]:
        runner = InMemoryRunner(app=app)
        session = await runner.session_service.create_session(app_name="library", user_id="u")
        for question in (FIRST, SECOND):
            message = types.Content(role="user", parts=[types.Part(text=question)])
            async for _ in runner.run_async(
                user_id="u", session_id=session.id, new_message=message
            ):
                pass
        found = await runner.session_service.get_session(
            app_name="library", user_id="u", session_id=session.id
        )
        assert found
        return found.events

    events = asyncio.run(talk())
    judge([openai(contents) for contents, _ in model.received])
    for contents, _ in model.received:
        assert validate(gemini(contents)) == []
    responses = [response for event in events for response in event.get_function_responses()]
    assert responses[2].response == {"result": read_log("Monday")}, "the session stays whole"
    assert all(all(fitted.reasons()) for fitted in fits)


def test_calls_without_ids_are_paired_and_only_what_is_shortened_is_copied() -> None:
    calls = [
        types.Part(
            function_call=types.FunctionCall(name="look", args={"shelf": 1}), thought_signature=b"s"
        )
    ]
    calls += [types.Part(function_call=types.FunctionCall(name="log", args={"day": "Monday"}))]
    results = [
        types.Part(
            function_response=types.FunctionResponse(name="look", response={"result": look_up(1)})
        )
    ]
    results += [
        types.Part(
            function_response=types.FunctionResponse(
                name="log", response={"lines": read_log("Monday"), "of": 600}
            )
        )
    ]
    contents = [
        types.Content(role="user", parts=[types.Part(text=FIRST)]),
        types.Content(role="model", parts=calls),
        types.Content(role="user", parts=results),
    ]
    kept = fit_messages(contents, 800, _Contents(), {}).messages
    assert kept[0] is contents[0] and kept[1] is contents[1]
    assert kept[2].parts and kept[2].parts[0] is results[0]
    shorter = kept[2].parts[1].function_response
    assert (
        shorter
        and shorter.name == "log"
        and shorter.response
        and is_shortened(shorter.response["result"])
    )
    assert validate(gemini(kept)) == []
    assert results[1].function_response and results[1].function_response.response == {
        "lines": read_log("Monday"),
        "of": 600,
    }
