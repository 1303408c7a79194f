"""Requests cut to a budget, in the shape they came in."""

from __future__ import annotations

import copy
import json
import subprocess
from typing import Any

import pytest

from cupel_context import Budget, BudgetTooSmall, InvalidInput, MalformedRequest, UnknownModel, WrongType, fit

from workspace import ROOT, built


def said(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content}


LONG = "All there is to say about the moon, at length. " * 40
HISTORY = [said("system", "Be brief."), said("user", LONG), said("assistant", "Far."), said("user", "And Mars?")]


def test_messages_that_stay_are_the_callers_own_objects() -> None:
    fitted = fit(HISTORY, 60, model="gpt-5")
    assert [any(message is own for own in HISTORY) for message in fitted.messages] == [True] * 3
    assert fitted.messages[0] is HISTORY[0] and fitted.messages[-1] is HISTORY[-1]
    assert fitted.tokens <= 60 and fitted.request is None


def test_nothing_that_came_in_is_changed(agent: dict[str, Any]) -> None:
    before = copy.deepcopy(agent)
    fit(agent, 3_600, output_reserve=500)
    assert agent == before


def test_a_whole_request_comes_back_whole_with_its_own_values(agent: dict[str, Any]) -> None:
    fitted = fit(agent, 3_600, output_reserve=500)
    assert fitted.request is not None and fitted.request is not agent
    assert list(fitted.request) == list(agent)
    assert fitted.request["tools"] is agent["tools"]
    assert fitted.request["messages"] == fitted.messages


@pytest.mark.parametrize("name", ["openai", "anthropic"])
@pytest.mark.parametrize("budget", [3_100, 5_000, 9_000, 20_000])
def test_what_fits_is_what_the_command_gives(name: str, budget: int) -> None:
    path = ROOT / f"examples/data/library-agent.{name}.json"
    command = [built("cupel"), "select", path, "--budget", str(budget), "--quiet"]
    theirs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert fit(json.loads(path.read_text()), budget).request == theirs


def test_a_shortened_message_is_a_new_dict_and_the_report_says_so(agent: dict[str, Any]) -> None:
    fitted = fit(agent, 3_600, output_reserve=500)
    new = [message for message in fitted.messages if not any(message is own for own in agent["messages"])]
    rows = [row for row in fitted.report.rows() if row["outcome"] == "shortened"]
    assert len(new) == len(rows) == 1
    assert rows[0]["sent_tokens"] < rows[0]["tokens"] and rows[0]["form"] is not None


def test_every_message_is_accounted_for(agent: dict[str, Any]) -> None:
    report = fit(agent, 3_600, output_reserve=500).report
    assert [row["index"] for row in report.rows()] == list(range(len(agent["messages"])))
    assert len(report.included) + len(report.excluded) == len(agent["messages"])
    told = report.to_dict()
    assert told["tokens"]["total"] <= told["budget"] < told["tokens_before"]["total"]
    assert repr(report).startswith("Report(kept 52 of 61 messages, 3,083 of 3,100 tokens")


def test_the_page_stands_in_a_frame_of_its_own(agent: dict[str, Any]) -> None:
    html = fit(agent, 3_600)._repr_html_()
    assert html.startswith('<iframe srcdoc="<!') and html.endswith("</iframe>")
    assert '"' not in html[len('<iframe srcdoc="') : html.index('" sandbox=')]


class Model:
    """As an SDK's message is: pydantic's methods, without pydantic."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, **options: Any) -> dict[str, Any]:
        without_none = options.get("exclude_none")
        return {key: value for key, value in self.fields.items() if not (without_none and value is None)}

    @classmethod
    def model_validate(cls, fields: dict[str, Any]) -> Model:
        return cls(**fields)


def test_objects_of_an_sdk_come_back_themselves_or_in_their_class() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    messages = [
        Model(role="user", content="Read it.", refusal=None),
        Model(role="assistant", content=None, tool_calls=[call]),
        Model(role="tool", tool_call_id="c", content="line\n" * 3_000),
        Model(role="assistant", content="Done."),
        Model(role="user", content="What does it say?"),
    ]
    fitted = fit(messages, 600, model="gpt-5", pin="line")
    assert fitted.messages[0] is messages[0] and fitted.messages[-1] is messages[-1]
    assert all(isinstance(message, Model) for message in fitted.messages)
    shortened = fitted.messages[2]
    assert shortened is not messages[2] and len(shortened.fields["content"]) < 15_000


def test_an_object_with_a_plain_model_dump_will_do() -> None:
    class Plain:
        def model_dump(self) -> dict[str, str]:
            return said("user", "hi")

    one = Plain()
    assert fit([one], 100).messages[0] is one


def test_a_key_of_ours_is_read_and_taken_out() -> None:
    pinned = [said("user", LONG) | {"cupel": {"pinned": True}}, said("assistant", "ok"), said("user", "Go on.")]
    fitted = fit(pinned, 1_000)
    assert fitted.messages[0] == said("user", LONG)


def test_options_do_what_they_say() -> None:
    turns = [said(role, f"{role} {turn} " + "word " * 50) for turn in range(6) for role in ("user", "assistant")]
    turns.append(said("user", "Now?"))
    kept = fit(turns, 250, keep_first=1).report.included
    assert kept[0]["index"] == 0
    assert fit(turns, 250, pin=["user 2"]).report.rows()[4]["included"]
    assert not fit(turns, 250).report.rows()[4]["included"]
    by_turn = fit(turns, 250, granularity="turn").report.rows()
    assert all(by_turn[at]["included"] == by_turn[at + 1]["included"] for at in range(0, 12, 2))
    asked = fit(turns, 250, policy="answer", query="assistant 3")
    assert asked.report.rows()[7]["included"]


def test_an_unanswered_call_is_answered_or_dropped() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    broken = [said("user", "a"), {"role": "assistant", "tool_calls": [call]}, said("user", "b")]
    answered = fit(broken, 500)
    assert answered.messages[2]["tool_call_id"] == "c" and not answered.unchanged
    assert answered.messages[3] is broken[2]
    assert fit(broken, 500, dangling="drop").messages == [broken[0], broken[2]]


def test_a_string_for_input_stays_one() -> None:
    request = {"model": "gpt-5", "input": "hello"}
    assert fit(request, 100).request == request


@pytest.mark.parametrize("budget", [100, "100", "0.1k", Budget(100), {"maxTokens": 100}, {"max_tokens": 100}])
def test_a_budget_may_be_said_in_many_ways(budget: Any) -> None:
    assert fit(HISTORY, budget).report.to_dict()["budget"] == 100


def test_an_output_reserve_is_no_room() -> None:
    assert fit(HISTORY, 100, output_reserve=40).report.to_dict()["budget"] == 60
    assert fit(HISTORY, Budget(100, output_reserve=40)).report.to_dict()["budget"] == 60
    with pytest.raises(InvalidInput, match="output_reserve"):
        fit(HISTORY, Budget(100), output_reserve=1)


def test_what_must_stay_and_does_not_fit_is_said_with_its_numbers() -> None:
    with pytest.raises(BudgetTooSmall) as refused:
        fit([said("user", LONG)], 50)
    error = refused.value
    assert error.code == "BudgetTooSmall" and error.limit == 50 and error.value > 300
    assert error.remedy is not None and str(error.value) in error.remedy


def test_wrong_arguments_are_refused_by_name() -> None:
    cases: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (WrongType, "budget", {"budget": None}),
        (WrongType, "budget", {"budget": True}),
        (InvalidInput, "budget", {"budget": "many"}),
        (InvalidInput, "budget", {"budget": 10**30}),
        (InvalidInput, r"budget\.maxTokens", {"budget": {"maxTokens": "x"}}),
        (UnknownModel, "model", {"model": "gtp-5"}),
        (WrongType, "keep_first", {"keep_first": "two"}),
        (InvalidInput, "keep_last", {"keep_last": -1}),
        (InvalidInput, "granularity", {"granularity": "word"}),
        (WrongType, "shorten", {"shorten": 1}),
        (InvalidInput, "provider", {"provider": "nobody"}),
        (WrongType, r"pin\[1\]", {"pin": ["a", 2]}),
        (WrongType, "policy", {"policy": 3}),
        (WrongType, "messages", {"messages": "hello"}),
        (WrongType, "messages", {"messages": None}),
        (InvalidInput, r"messages\[0\]\.content", {"messages": [said("user", object())]}),  # type: ignore[arg-type]
        (InvalidInput, r"messages\[0\]", {"messages": [{1: 2}]}),
        (MalformedRequest, r"\$\[0\]", {"messages": [said("nobody", "x")]}),
    ]
    for kind, place, arguments in cases:
        with pytest.raises(kind, match=place):
            fit(**({"messages": HISTORY, "budget": 100} | arguments))


def test_unknown_models_come_with_names_that_are_spelled_alike() -> None:
    with pytest.raises(UnknownModel) as refused:
        fit(HISTORY, 100, model="gtp-5")
    assert refused.value.value == "gtp-5" and "gpt-5" in refused.value.near


def test_what_contains_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(InvalidInput, match="nested"):
        fit([{"role": "user", "content": loop}], 100)


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(InvalidInput, match="surrogate"):
        fit([said("user", "\ud83d")], 100)


def test_large_numbers_and_unusual_texts_survive() -> None:
    odd = {"role": "user", "content": "\x00\x1f\"\\/\u2028😀\r\n\t", "cupel": {"pinned": True}}
    call = {"type": "tool_use", "id": "t", "name": "f", "input": {"n": 12345678901234567890123, "x": 1e-7}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": "word " * 2_000}
    messages = [odd, said("assistant", "") | {"content": [call]}, {"role": "user", "content": [answer]}]
    fitted = fit(messages, 700, provider="anthropic", pin="word")
    assert fitted.messages[0] == {"role": "user", "content": odd["content"]}
    assert fitted.messages[1] is messages[1]


def test_a_generator_of_messages_will_do() -> None:
    assert len(fit((message for message in HISTORY), 1_000).messages) == 4


