"""Every example of docs/python-adapters.md runs as it is shown, with a scripted `model`."""

import asyncio
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import scenario
import test_agent_framework
import test_google_adk
import test_haystack
import test_langchain
import test_openai_agents
import test_pydantic_ai
import test_strands
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from pydantic_ai.models.function import FunctionModel

PAGE = Path(__file__).parents[4] / "docs" / "python-adapters.md"


def examples() -> Iterator[tuple[str, str]]:
    """The sections of the page that have examples, with each example."""
    for section in re.split(r"(?m)^## ", PAGE.read_text(encoding="utf-8"))[2:]:
        for example in re.findall(r"(?s)```python\n(.*?)```", section):
            yield section.split("\n", 1)[0], example


def llama_model() -> MockFunctionCallingLLM:
    steps = iter(scenario.SCRIPT)

    def play(messages: Any, **kwargs: Any) -> ChatMessage:
        step = next(steps)
        if isinstance(step, str):
            return ChatMessage(role="assistant", content=step)
        block = ToolCallBlock(tool_call_id="c", tool_name=step[0], tool_kwargs=step[1])
        return ChatMessage(role="assistant", blocks=[block])

    return MockFunctionCallingLLM(response_generator=play)


MODELS: dict[str, Callable[[], Any]] = {
    "LangChain": lambda: test_langchain.ScriptedModel(),
    "LlamaIndex": llama_model,
    "OpenAI Agents": test_openai_agents.ScriptedModel,
    "Pydantic AI": lambda: FunctionModel(test_pydantic_ai.ScriptedModel()),
    "Microsoft Agent Framework": test_agent_framework.ScriptedClient,
    "Google ADK": lambda: test_google_adk.ScriptedModel(model="scripted"),
    "Haystack": test_haystack.ScriptedGenerator,
    "Strands": test_strands.ScriptedModel,
}


@pytest.mark.parametrize(("section", "example"), list(examples()))
def test_an_example_runs_as_it_is_shown(
    section: str, example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {
        "model": MODELS[section](),
        "look": scenario.look,
        "log": scenario.log,
        "__name__": "example",
    }
    exec(compile(example, str(PAGE), "exec"), names)  # noqa: S102, the page is ours
    if inspect.iscoroutinefunction(names.get("main")):
        asyncio.run(names["main"]())
    shown = capsys.readouterr().out
    if "agent" in names:
        assert "The atlas is on shelf four" in shown
    elif "compressor" in names or "postprocessor" in names:
        assert shown.splitlines()[0] == "The night bus leaves at eleven."
    else:
        assert shown.splitlines()[0] == "['Be brief.', 'And now?']"
    if "on_fit" in example:
        assert "Fit(" in shown


def test_every_adapter_is_shown() -> None:
    assert {section for section, _ in examples()} == set(MODELS)
    assert len(list(examples())) == 11


def test_examples_are_about_ten_lines() -> None:
    assert all(len(example.strip().splitlines()) <= 12 for _, example in examples())
