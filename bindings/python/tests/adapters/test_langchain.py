import asyncio
import random
from typing import Any

import pytest
from cupel_context import BudgetTooSmall, CupelError, count_tokens, validate
from cupel_context.adapters import Fitted
from cupel_context.adapters.langchain import (
    CupelDocumentCompressor,
    CupelMiddleware,
    _plain,
    trim_messages,
)
from langchain.agents import create_agent
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field
from scenario import BUDGET, FIRST, SCRIPT, SECOND, SYSTEM, is_shortened, judge, pairs_are_whole
from scenario import log as read_log
from scenario import look as look_up

look, log = tool(look_up), tool(read_log)


class ScriptedModel(BaseChatModel):
    received: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        number = len(self.received)
        self.received.append(messages)
        step = SCRIPT[number]
        if isinstance(step, str):
            answer = AIMessage(step)
        else:
            answer = AIMessage(
                "", tool_calls=[{"name": step[0], "args": step[1], "id": f"c{number}"}]
            )
        return ChatResult(generations=[ChatGeneration(message=answer)])


@pytest.mark.parametrize("awaited", [False, True])
def test_an_agent_stays_within_the_budget_over_many_tool_rounds(awaited: bool) -> None:
    model = ScriptedModel()
    fits: list[Fitted[BaseMessage]] = []
    middleware = CupelMiddleware(budget=BUDGET, on_fit=fits.append)
    agent = create_agent(model, [look, log], system_prompt=SYSTEM, middleware=[middleware])
    history: list[Any] = []
    for question in (FIRST, SECOND):
        state = {"messages": [*history, HumanMessage(question)]}
        history = (asyncio.run(agent.ainvoke(state)) if awaited else agent.invoke(state))[
            "messages"
        ]

    tools = [convert_to_openai_tool(it) for it in (look, log)]
    judge([convert_to_openai_messages(messages) for messages in model.received], tools=tools)
    assert any(isinstance(it, ToolMessage) and it.text == read_log("Monday") for it in history), (
        "the state stays whole"
    )
    assert len(fits) == len(SCRIPT)
    assert any("shortened" in row["outcome"] for row in fits[3].rows())
    assert len(fits[-1].reasons()) == len(history) - 1 and all(fits[-1].reasons())


def test_an_agent_with_a_session_keeps_what_the_model_has_seen() -> None:
    model = ScriptedModel()
    turns: list[Any] = []
    middleware = CupelMiddleware(
        budget=BUDGET, session=True, on_fit=lambda fitted: turns.append(fitted.fit)
    )
    agent = create_agent(model, [look, log], system_prompt=SYSTEM, middleware=[middleware])
    history: list[Any] = []
    for question in (FIRST, SECOND):
        history = agent.invoke({"messages": [*history, HumanMessage(question)]})["messages"]
    tools = [convert_to_openai_tool(it) for it in (look, log)]
    judge([convert_to_openai_messages(messages) for messages in model.received], tools=tools)
    assert [turn.report.turn for turn in turns] == list(range(1, len(SCRIPT) + 1))
    assert {"extended", "cut"} <= {turn.report.action for turn in turns}
    for before, now, turn in zip(model.received, model.received[1:], turns[1:], strict=False):
        if turn.report.action == "extended":
            assert [it.id for it in now[: len(before)]] == [it.id for it in before]


def test_messages_are_spelled_as_langchain_spells_them() -> None:
    chance = random.Random(1)
    plain = 0
    for _ in range(2_000):
        content: Any = chance.choice(["", "words", "ä \"quoted\"\n", [{"type": "text", "text": "a"}], ["a"]])
        more: dict[str, Any] = {}
        if chance.random() < 0.2:
            more["name"] = chance.choice(["ada", ""])
        if chance.random() < 0.3:
            extra = [{"refusal": None}, {"refusal": "no"}, {"__openai_role__": "developer"}, {"x": 1}]
            more["additional_kwargs"] = chance.choice(extra)
        deep = [1.5, {"b": True}]
        args = {"a": chance.choice([1, None, "ö\x00\x08\x0c\x7f\"", -5, 2**80, deep, [{}, []]])}
        calls = [{"name": "look", "args": args, "id": f"c{n}"} for n in range(chance.randrange(3))]
        message = chance.choice(
            [
                lambda: HumanMessage(content, **more),
                lambda: SystemMessage(content, **more),
                lambda: AIMessage(content, tool_calls=calls, **more),
                lambda: AIMessageChunk(content="words", **more),
                lambda: ToolMessage(content, tool_call_id="c1", **more),
            ]
        )()
        short = _plain(message)
        if short is not None:
            plain += 1
            assert [short] == convert_to_openai_messages([message])
            assert list(short) == list(convert_to_openai_messages([message])[0])
    assert 500 < plain < 1_900


def conversation() -> list[BaseMessage]:
    return [
        SystemMessage(SYSTEM),
        HumanMessage(FIRST),
        AIMessage("", tool_calls=[{"name": "look", "args": {"shelf": 1}, "id": "c1"}]),
        ToolMessage(look_up(1), tool_call_id="c1"),
        AIMessage("", tool_calls=[{"name": "log", "args": {"day": "Monday"}, "id": "c2"}]),
        ToolMessage(read_log("Monday"), tool_call_id="c2", artifact={"kept": True}),
        AIMessage("The index."),
        HumanMessage(SECOND),
        AIMessage("", tool_calls=[{"name": "look", "args": {"shelf": 9}, "id": "c1"}]),
        ToolMessage(look_up(9), tool_call_id="c1"),
    ]


def test_trimming_keeps_objects_order_and_pairs() -> None:
    messages = conversation()
    fits: list[Fitted[BaseMessage]] = []
    trimmed = trim_messages(messages, max_tokens=800, on_fit=fits.append)
    assert count_tokens({"messages": convert_to_openai_messages(trimmed)}) <= 800
    pairs_are_whole(convert_to_openai_messages(trimmed))
    [fitted] = fits
    assert all(
        after is None or after is before
        for before, after in zip(messages, fitted.after, strict=True)
        if before is not messages[5]
    )
    shortened = fitted.after[5]
    assert (
        isinstance(shortened, ToolMessage)
        and is_shortened(shortened.text)
        and shortened.artifact == {"kept": True}
    )
    assert messages[5].text == read_log("Monday"), "the caller's own message stays as it was"
    assert fitted.rows()[5]["outcome"] == "shortened" and fitted.rows()[5]["message"] == 5


def test_what_fits_is_left_alone() -> None:
    messages = conversation()
    assert all(
        a is b for a, b in zip(trim_messages(messages, max_tokens=100_000), messages, strict=True)
    )


def test_by_turns_the_history_starts_with_the_user() -> None:
    trimmed = trim_messages(
        conversation(), max_tokens=300, token_counter="approximate", start_on="human"
    )
    assert [it.type for it in trimmed] == ["system", "human", "ai", "tool"]


def test_start_on_human_holds_for_every_model_and_history() -> None:
    greeted = [AIMessage("Hello!"), *conversation()]
    for budget in range(300, 1_500, 100):
        trimmed = trim_messages(greeted, max_tokens=budget, model="gpt-5", start_on="human")
        assert [it.type for it in trimmed][:2] == ["system", "human"]
    assert trim_messages(greeted, max_tokens=100_000)[0] is greeted[0]


def test_a_function_has_the_last_word_on_what_fits() -> None:
    messages = conversation()
    assert len(trim_messages(messages, max_tokens=5, token_counter=len)) <= 5
    assert len(trim_messages(messages, max_tokens=50, token_counter=len)) == len(messages)

    def characters(message: BaseMessage) -> int:
        return len(message.text)

    trimmed = trim_messages(messages, max_tokens=2_500, token_counter=characters)
    assert 900 < sum(characters(it) for it in trimmed) <= 2_500
    with pytest.raises(BudgetTooSmall, match="max_tokens is 1"):
        trim_messages(messages, max_tokens=1, token_counter=len)


def test_a_broken_history_is_counted_by_a_function_too() -> None:
    orphan = ToolMessage("?", tool_call_id="nobody")
    trimmed = trim_messages([orphan, *conversation()], max_tokens=50, token_counter=len)
    assert len(trimmed) == len(conversation())


def test_it_is_a_runnable_without_messages_and_takes_what_langchain_takes() -> None:
    chain = trim_messages(
        max_tokens=800, strategy="last", include_system=True, end_on=("human", "tool")
    )
    assert [
        it.type for it in chain.invoke([("system", "Be brief."), ("human", "Hello"), ("ai", "Hi")])
    ] == [
        "system",
        "human",
    ]


def test_whole_or_not_at_all() -> None:
    trimmed = trim_messages(conversation(), max_tokens=800, allow_partial=False)
    assert not any(is_shortened(it.text) for it in trimmed)


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(ValueError, match="keep_first"):
        trim_messages(conversation(), max_tokens=800, strategy="first")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="start_on='ai'"):
        trim_messages(conversation(), max_tokens=800, start_on="ai")
    with pytest.raises(CupelError):
        trim_messages(conversation(), max_tokens=10)


def test_results_inside_user_messages_are_shortened_too() -> None:
    messages = [
        HumanMessage(FIRST),
        AIMessage(
            [{"type": "tool_use", "id": "c1", "name": "log", "input": {}}],
            tool_calls=[{"name": "log", "args": {}, "id": "c1"}],
        ),
        HumanMessage(
            [
                {"type": "tool_result", "tool_use_id": "c1", "content": read_log("Monday")},
                {"type": "text", "text": "And?"},
            ]
        ),
    ]
    last = trim_messages(messages, max_tokens=700)[-1]
    result, words = last.content
    assert (
        isinstance(result, dict)
        and result["tool_use_id"] == "c1"
        and is_shortened(str(result["content"]))
    )
    assert words == {"type": "text", "text": "And?"}


def test_newer_claude_models_get_no_thinking_behind_a_cut() -> None:
    messages = conversation()
    messages[8] = AIMessage(
        [{"type": "thinking", "thinking": "nine", "signature": "s"}],
        tool_calls=messages[8].tool_calls,
    )  # type: ignore[attr-defined]
    with_thinking = trim_messages(messages, max_tokens=800, model="gpt-5")
    assert any("thinking" in str(it.content) for it in with_thinking)
    without = trim_messages(messages, max_tokens=1_000, model="claude-opus-5-5")
    assert not any("thinking" in str(it.content) for it in without)
    untouched = trim_messages(messages, max_tokens=100_000, model="claude-opus-5-5")
    assert all(a is b for a, b in zip(untouched, messages, strict=True))


class Shelf(BaseRetriever):
    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [
            Document(
                "Dragonflies hunt over ponds in June.",
                metadata={"source": "insects", "start_index": 40},
            ),
            Document(
                "The night bus to the harbour leaves at ten past eleven.",
                metadata={"source": "buses", "start_index": 90},
            ),
            Document("Bread wants a hot oven and patience.", metadata={"source": "bread"}),
            Document(
                "Tickets for the night bus are sold on board.",
                metadata={"source": "buses", "start_index": 10},
            ),
        ]


def test_a_compressor_keeps_the_documents_that_answer_in_reading_order() -> None:
    selections: list[Any] = []
    compressor = CupelDocumentCompressor(budget=24, on_select=selections.append)
    retriever = ContextualCompressionRetriever(base_compressor=compressor, base_retriever=Shelf())
    found = retriever.invoke("When does the night bus leave?")
    assert [it.metadata["start_index"] for it in found] == [10, 90]
    assert sum(count_tokens(it.page_content) for it in found) <= 24
    assert len(selections) == 1 and selections[0].report is not None


def test_what_is_trimmed_is_valid() -> None:
    for budget in range(250, 2_000, 50):
        trimmed = trim_messages(conversation(), max_tokens=budget)
        assert validate({"messages": convert_to_openai_messages(trimmed)}) == []
