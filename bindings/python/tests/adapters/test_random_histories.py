"""Histories that nobody would write, through the translations that differ most."""

import random
from typing import Any

import pytest
import scenario
from cupel_context import BudgetTooSmall, CupelError, count_tokens, validate
from cupel_context.adapters import Fitted
from cupel_context.adapters._bridge import fit_messages


class Plain:
    """The OpenAI format as it is: what the bridge does without a framework."""

    def to_chat(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [message]

    def rebuild(self, message: dict[str, Any], sent: Any) -> dict[str, Any]:
        return {**message, "content": sent[0]["content"]}

    def without_thinking(self, message: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in message.items() if key != "reasoning_content"}


def history(chance: random.Random) -> list[dict[str, Any]]:
    """Parallel calls, ids used again, calls without results and results without calls."""
    messages: list[dict[str, Any]] = []
    if chance.random() < 0.5:
        messages.append({"role": "system", "content": scenario.SYSTEM})
    for _ in range(chance.randint(1, 6)):
        messages.append({"role": "user", "content": "Shelf? " * chance.randint(1, 40)})
        for _ in range(chance.randint(0, 4)):
            ids = [f"c{number}" for number in chance.sample(range(6), chance.randint(1, 3))]
            calls = [scenario.chat_call(it, "look", {"shelf": 1}) for it in ids]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            if chance.random() < 0.2:
                messages[-1]["reasoning_content"] = "Hm. " * 10
            for it in ids if chance.random() < 0.9 else ids[1:]:
                text = scenario.log("Monday") if chance.random() < 0.15 else scenario.look(3)
                messages.append({"role": "tool", "tool_call_id": it, "content": text})
        if chance.random() < 0.1:
            messages.append({"role": "tool", "tool_call_id": "nobody", "content": "?"})
        if chance.random() < 0.2:
            messages.append({"role": "assistant", "content": "", "reasoning_content": "So. " * 5})
        if chance.random() < 0.7:
            messages.append({"role": "assistant", "content": "Found it. " * chance.randint(1, 30)})
    return [*messages, {"role": "user", "content": scenario.SECOND}]


def check(messages: list[dict[str, Any]], budget: int, fitted: Fitted[dict[str, Any]]) -> None:
    assert len(fitted.after) == len(messages)
    for before, after in zip(messages, fitted.after, strict=True):
        if after is not None and after is not before:
            assert before["role"] == after["role"] == "tool"
            assert before["tool_call_id"] == after["tool_call_id"]
            assert count_tokens(after["content"]) < count_tokens(before["content"])
    assert validate({"messages": fitted.messages}) == []
    # Thoughts that are a message of their own are judged as part of the next one.
    apart = 4 * sum("reasoning_content" in it and not it.get("tool_calls") for it in messages)
    assert fitted.fit.tokens <= budget
    assert count_tokens({"messages": fitted.messages}) <= budget + apart
    assert fitted.messages[-1] is messages[-1]
    assert all(fitted.reasons())
    assert {row["message"] for row in fitted.rows()} == set(range(len(messages)))


@pytest.mark.parametrize("granularity", ["unit", "turn"])
def test_what_comes_out_is_valid_and_the_callers_own(granularity: str) -> None:
    chance = random.Random(granularity)
    cut = 0
    for _ in range(300):
        messages = history(chance)
        budget = chance.randint(50, 2_500)
        try:
            fitted = fit_messages(messages, budget, Plain(), {"granularity": granularity})
        except BudgetTooSmall:
            continue
        check(messages, budget, fitted)
        cut += None in fitted.after
    assert cut > 100


def test_a_budget_that_is_no_number_is_an_error_of_ours() -> None:
    with pytest.raises(CupelError):
        fit_messages([{"role": "user", "content": "?"}], "many", Plain(), {})  # type: ignore[arg-type]
