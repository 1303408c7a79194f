import asyncio
from collections.abc import Sequence
from typing import Any

from cupel_context import count_tokens, validate
from cupel_context.adapters import Fitted
from cupel_context.adapters._bridge import fit_messages
from cupel_context.adapters.llama_index import CupelMemory, CupelNodePostprocessor, _Messages
from llama_index.core import Settings
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ThinkingBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from scenario import (
    FIRST,
    SCRIPT,
    SECOND,
    SYSTEM,
    chat_call,
    is_shortened,
    pairs_are_whole,
    text_of,
)
from scenario import log as read_log
from scenario import look as look_up

LIMIT = 900


def openai(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    chat: list[dict[str, Any]] = []
    for message in messages:
        calls = [
            chat_call(it.tool_call_id or "", it.tool_name, it.tool_kwargs)
            for it in message.blocks
            if isinstance(it, ToolCallBlock)
        ]
        form: dict[str, Any] = {"role": message.role.value, "content": message.content}
        if calls:
            form["tool_calls"] = calls
        if message.role == "tool":
            form["tool_call_id"] = message.additional_kwargs["tool_call_id"]
        chat.append(form)
    return chat


def test_an_agent_remembers_within_the_limit() -> None:
    received: list[list[ChatMessage]] = []

    def play(messages: Sequence[ChatMessage], **kwargs: Any) -> ChatMessage:
        number = len(received)
        received.append(list(messages))
        step = SCRIPT[number]
        if isinstance(step, str):
            return ChatMessage(role="assistant", content=step)
        block = ToolCallBlock(tool_call_id=f"c{number}", tool_name=step[0], tool_kwargs=step[1])
        return ChatMessage(role="assistant", blocks=[block])

    fits: list[Fitted[ChatMessage]] = []
    memory = CupelMemory(token_limit=LIMIT, on_fit=fits.append)
    llm = MockFunctionCallingLLM(response_generator=play)
    agent = FunctionAgent(tools=[look_up, read_log], llm=llm, system_prompt=SYSTEM, streaming=False)

    async def talk() -> None:
        for question in (FIRST, SECOND):
            await agent.run(question, memory=memory)

    asyncio.run(talk())
    assert len(received) == len(SCRIPT)
    second = openai(received[6])
    assert validate({"messages": second}) == []
    pairs_are_whole(second)
    assert text_of(second[-1]) == SECOND
    # The agent puts its system prompt before what the memory gives.
    assert (
        second[0] == {"role": "system", "content": SYSTEM}
        and count_tokens({"messages": second[1:]}) <= LIMIT
    )
    logs = [
        text_of(it)
        for it in second
        if "catalogue answered" in text_of(it) or is_shortened(text_of(it))
    ]
    assert len(logs) == 1 and is_shortened(logs[0]), "the giant result is shorter"
    assert len([it for it in second if it["role"] == "tool"]) >= 2, "and did not evict the others"
    assert read_log("Monday") in [it.content for it in memory.get_all()], "the memory stays whole"
    assert any(row["outcome"] == "shortened" for fitted in fits for row in fitted.rows())
    assert all(all(fitted.reasons()) for fitted in fits)


def test_only_what_is_shortened_is_copied() -> None:
    messages = [
        ChatMessage(role="user", content=FIRST),
        ChatMessage(
            role="assistant",
            content="",
            additional_kwargs={
                "tool_calls": [
                    chat_call("c1", "look", {"shelf": 1}),
                    chat_call("c2", "log", {"day": "Monday"}),
                ]
            },
        ),
        ChatMessage(role="tool", content=look_up(1), additional_kwargs={"tool_call_id": "c1"}),
        ChatMessage(
            role="tool", content=read_log("Monday"), additional_kwargs={"tool_call_id": "c2"}
        ),
        ChatMessage(
            role="assistant", blocks=[ThinkingBlock(content="hm"), TextBlock(text="The index.")]
        ),
    ]
    kept = fit_messages(messages, 800, _Messages(), {}).messages
    assert [a is b for a, b in zip(kept, messages, strict=True)] == [True, True, True, False, True]
    assert is_shortened(kept[3].content or "") and kept[3].additional_kwargs == {
        "tool_call_id": "c2"
    }
    claude = fit_messages(messages, 1_000, _Messages(), {"model": "claude-opus-5-5"}).messages
    assert [type(block) for block in claude[4].blocks] == [TextBlock]


def test_calls_without_ids_are_paired() -> None:
    messages = [
        ChatMessage(role="user", content=FIRST),
        ChatMessage(role="assistant", blocks=[ToolCallBlock(tool_name="log", tool_kwargs={})]),
        ChatMessage(role="tool", content=read_log("Monday")),
    ]
    kept = fit_messages(messages, 700, _Messages(), {}).messages
    assert len(kept) == 3 and is_shortened(kept[2].content or "")


def nodes() -> list[NodeWithScore]:
    def node(text: str, document: str, start: int, score: float) -> NodeWithScore:
        of = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)}
        return NodeWithScore(
            node=TextNode(text=text, relationships=of, start_char_idx=start), score=score
        )

    return [
        node("Dragonflies hunt over ponds in June.", "insects", 40, 0.9),
        node("The night bus to the harbour leaves at ten past eleven.", "buses", 90, 0.5),
        node("Bread wants a hot oven and patience.", "bread", 0, 0.4),
        node("Tickets for the night bus are sold on board.", "buses", 10, 0.3),
    ]


class Shelf(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return nodes()


def test_a_query_engine_gets_the_nodes_that_answer_in_reading_order() -> None:
    selections: list[Any] = []
    postprocessor: BaseNodePostprocessor = CupelNodePostprocessor(
        budget=24, on_select=selections.append
    )
    Settings.llm = MockFunctionCallingLLM()
    engine = RetrieverQueryEngine.from_args(Shelf(), node_postprocessors=[postprocessor])
    found = engine.query("When does the night bus leave?").source_nodes
    assert [getattr(it.node, "start_char_idx", None) for it in found] == [10, 90]
    assert len(selections) == 1


def test_without_a_query_the_retrievers_scores_decide() -> None:
    given = nodes()
    kept = CupelNodePostprocessor(budget=12).postprocess_nodes(given)
    assert len(kept) == 1 and kept[0] is given[0]
