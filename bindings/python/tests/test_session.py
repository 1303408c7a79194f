"""Sessions: many turns with one stable prefix, and the same bytes as `cupel batch` gives for its lines."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import threading
from typing import Any

import pytest

from cupel_context import BudgetTooSmall, CupelError, InvalidInput, Policy, Session, select

from workspace import ROOT, built

WORDS = "the reminder went out at night and the clock was set back so patrons got two mails on sunday".split()


def said(dice: random.Random, least: int, most: int) -> str:
    return " ".join(dice.choices(WORDS, k=dice.randint(least, most)))


def test_a_window_begins_with_the_one_before_it() -> None:
    session = Session(4_000, model="gpt-5")
    dice, messages, before, cuts = random.Random(3), [], [], 0
    for number in range(60):
        messages += [{"role": "user", "content": said(dice, 20, 90)}]
        turn = session.next(messages)
        assert turn.tokens <= 4_000 and turn.report.turn == number + 1
        if turn.report.action == "extended":
            assert turn.messages[: len(before)] == before and turn.report.first_change is None
        else:
            cuts += 1
            assert turn.report.action == "cut" and turn.report.cut is not None
            assert turn.report.cut["freed"] > 0 and turn.report.first_change == {"block": turn.report.kept_blocks, "message": turn.report.kept_blocks, "cause": "cut"}
        assert all(any(it is own for own in messages) for it in turn.messages)
        report = turn.report
        assert report.read + report.written + report.plain == report.tokens == turn.tokens
        before = turn.messages + [{"role": "assistant", "content": said(dice, 20, 90)}]
        messages.append(before[-1])
    assert session.cuts == cuts >= 2 and session.turns == 60


def test_a_request_comes_back_whole() -> None:
    request = {"model": "gpt-5", "tools": [], "messages": [{"role": "user", "content": "hello"}], "seed": 1}
    turn = Session(100).next(request)
    assert turn.request == request and turn.request is not request
    assert turn.request["tools"] is request["tools"] and turn.messages[0] is request["messages"][0]
    assert turn.items is None and json.loads(turn.to_json() or "") == request


def test_breakpoints_are_set_and_nothing_else_is_touched() -> None:
    tools = [{"name": "look", "description": "Looks. " * 30, "input_schema": {"type": "object"}}]
    messages: list[Any] = [{"role": "user", "content": "word " * 3_000}]
    request = {"model": "claude-opus-5-5", "max_tokens": 10, "system": "Be brief. " * 500, "tools": tools, "messages": messages}
    session = Session(50_000, breakpoints=True)
    first = session.next(request)
    assert "cache_control" in json.dumps(first.request) and "cache_control" not in json.dumps(request)
    assert first.report.breakpoints and first.request == json.loads(first.to_json() or "")
    messages += [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": "And now? " * 200}]
    second = session.next(request)
    assert second.report.read > 0 and second.report.first_change is None
    assert second.messages[1] is messages[1]  # not marked, so one's own
    assert second.messages[-1] is not messages[-1] and second.messages[-1]["content"][0]["text"] == messages[-1]["content"]


def test_a_key_for_openai_goes_into_the_request() -> None:
    request = {"model": "gpt-5", "messages": [{"role": "user", "content": "hello"}], "tools": []}
    turn = Session(100, breakpoints=True).next(request)
    assert turn.request is not None and turn.request["prompt_cache_key"].startswith("cupel-")
    assert turn.request["tools"] is request["tools"] and "prompt_cache_key" not in request


def test_what_must_stay_and_does_not_fit_leaves_the_session_as_it_was() -> None:
    session = Session(20)
    session.next([{"role": "user", "content": "hello"}])
    before = session.state
    with pytest.raises(BudgetTooSmall) as raised:
        session.next([{"role": "user", "content": "hello " * 100}])
    assert raised.value.limit == 20 and session.state == before and session.turns == 1


def test_a_session_goes_on_from_its_state_copies_and_pickles() -> None:
    dice = random.Random(5)
    messages = [{"role": ["user", "assistant"][at % 2], "content": said(dice, 20, 60)} for at in range(41)]
    session = Session(2_000, model="gpt-5", high=0.9, low=0.4, keep_first=1, policy="chat")
    for end in range(1, 30, 2):
        session.next(messages[:end])
    others = [
        Session.resume(2_000, session.state, model="gpt-5", keep_first=1, policy="chat"),
        Session.resume(2_000, json.loads(session.state), model="gpt-5", keep_first=1, policy="chat"),
        copy.copy(session),
        copy.deepcopy(session),
        pickle.loads(pickle.dumps(session)),
    ]
    assert all(other.state == session.state for other in others)
    expected = [session.next(messages[:end]).to_json() for end in range(31, 42, 2)]
    for other in others:
        assert other.turns == 15
        assert [other.next(messages[:end]).to_json() for end in range(31, 42, 2)] == expected
        assert other.state == session.state


def test_items_are_a_session_too() -> None:
    dice = random.Random(7)
    items = [{"id": at, "content": said(dice, 10, 40)} for at in range(80)]
    session, before = Session(600, query="when was the clock set back?"), []
    for end in range(4, 80, 4):
        turn = session.next_items(items[:end])
        assert turn.items is not None and all(any(it is own for own in items) for it in turn.items)
        assert sum(row["sent_tokens"] for row in turn.report.rows()) == turn.tokens <= 600
        assert [row["index"] for row in turn.report.rows()] == list(range(end))
        if turn.report.action == "extended":
            assert turn.items[: len(before)] == before and turn.report.selection is None
        else:
            assert turn.report.selection is not None
        before = turn.items
    assert session.cuts > 0 and turn.messages is None and turn.to_json() is None
    with pytest.raises(InvalidInput, match="one over items"):
        session.next([{"role": "user", "content": "hello"}])


@pytest.mark.parametrize(
    "wrong, path",
    [
        ({"high": 1.5}, "high"),
        ({"high": 0.4, "low": 0.5}, "low"),
        ({"high": "x"}, "high"),
        ({"least_freed": 0.9}, "least_freed"),
        ({"breakpoints": 1}, "breakpoints"),
        ({"state": "{"}, "state"),
        ({"state": 3}, "state"),
        ({"state": {"version": 99}}, "state"),
        ({"price": {"read": 1}}, "price"),
        ({"model": "gpt5"}, "model"),
        ({"keep_first": -1}, "keep_first"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(wrong: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        Session(100, **wrong)
    assert raised.value.path == path and str(raised.value).startswith(path)


def test_a_price_of_ones_own_is_charged() -> None:
    free = {"cache": "any_prefix", "read": 0, "write": 1_000, "minimum": 0}
    session, messages = Session(1_000, price=free), [{"role": "user", "content": "hello"}]
    assert session.next(messages).report.cost == session.next(messages).report.tokens
    assert session.next(messages + [{"role": "assistant", "content": "hi"}, messages[0]]).report.read > 0


def test_a_turn_within_a_turn_is_refused() -> None:
    raised: list[CupelError] = []

    def meddling(items: Any, run: Any) -> list[float]:
        try:
            session.next_items(["a"])
        except CupelError as error:
            raised.append(error)
        return [1.0 for _ in items]

    policy = Policy({"scorers": [{"type": "mine", "weight": 1}]}, scorers={"mine": meddling})
    session = Session(10, policy=policy)
    session.next_items([f"word {n}" for n in range(9)])
    assert raised and "one after the other" in str(raised[0]) and session.turns == 1


def test_sessions_of_many_threads_do_not_meet() -> None:
    messages = [{"role": ["user", "assistant"][at % 2], "content": f"word {at} " * 30} for at in range(41)]

    def play() -> list[str | None]:
        session = Session(1_000, model="gpt-5")
        return [session.next(messages[:end]).to_json() for end in range(1, 42, 2)]

    alone, together = play(), [[] for _ in range(8)]
    threads = [threading.Thread(target=lambda at=at: together[at].extend(play())) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each == alone for each in together)


# The same bytes as through `cupel batch`.


class Batch:
    """One run of the command that is asked line by line: the next line of a session needs the answer to the one before."""

    def __init__(self) -> None:
        command = [built("cupel"), "batch", "--no-timings", "--quiet", "--jobs", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def __call__(self, line: dict[str, Any]) -> str:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(compact(line).encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().rstrip("\n")


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.fixture
def batch() -> Any:
    command = Batch()
    yield command
    command.process.communicate()


def grown(dice: random.Random, transcript: list[Any], messages: list[Any]) -> list[Any]:
    """The conversation a turn later; now and then something in it is gone, changed, or for this turn only."""
    end = min(len(transcript), len(messages) + dice.choice([1, 2, 2, 4, 9]))
    messages = [*messages, *transcript[len(messages) : end]]
    if messages and dice.random() < 0.1:
        del messages[dice.randrange(len(messages))]
    if messages and dice.random() < 0.1:
        at = dice.randrange(len(messages))
        if isinstance(messages[at].get("content"), str):
            messages[at] = messages[at] | {"content": said(dice, 1, 30)}
    return messages


def test_turns_over_messages_are_those_of_the_batch(batch: Batch) -> None:
    transcripts = [json.loads(path.read_text()) for path in sorted((ROOT / "examples/data").glob("library-agent.*.json"))]
    taken = refused = cuts = 0
    for seed in range(60):
        dice = random.Random(seed)
        body = dice.choice(transcripts)
        settings: dict[str, Any] = {"breakpoints": dice.random() < 0.5}
        if dice.random() < 0.5:
            settings |= {"high": dice.choice([0.6, 1.0]), "low": dice.choice([0.1, 0.5]), "least_freed": 0.05}
        options: dict[str, Any] = {"shorten": dice.random() < 0.7}
        if dice.random() < 0.5:
            options |= dice.choice([{"keep_first": 1}, {"pin": ["clock"]}, {"current_turn": "rounds"}, {"policy": "agent"}])
        budget, whole = dice.choice([600, 1_200, 3_000, 9_000]), dice.random() < 0.5
        session = Session(budget, **settings, **options)
        line: dict[str, Any] = {"budget": {"maxTokens": budget}, "session": {"settings": settings}}
        line |= {{"keep_first": "keepFirst", "current_turn": "currentTurn"}.get(key, key): value for key, value in options.items()}
        messages: list[Any] = []
        for _ in range(25):
            messages = grown(dice, body["messages"], messages)
            request = body | {"messages": messages}
            asked = {"request": request} if whole else {"messages": messages}
            answer = batch(line | asked)
            try:
                turn = session.next(request if whole else messages)
            except CupelError as error:
                told = json.loads(answer)["error"]
                too_small = isinstance(error, BudgetTooSmall)
                assert told["code"] == ("PinnedExceedsBudget" if too_small else "InvalidRequest"), (told, error)
                refused += 1
                continue
            key = "request" if whole else "messages"
            assert answer.startswith(f'{{"{key}":{turn.to_json()},"totalTokens":{turn.tokens},"report":')
            assert f',"session":{session.state},"turn":{{' in answer
            told = json.loads(answer)
            assert turn.report.to_dict() == told["turn"]
            assert (turn.request if whole else turn.messages) == told[key]
            line["session"] = told["session"]
            taken, cuts = taken + 1, cuts + (turn.report.action == "cut")
    assert taken > 700 and refused > 20 and cuts > 50


def test_turns_over_items_are_those_of_the_batch(batch: Batch) -> None:
    taken = cuts = 0
    for seed in range(60):
        dice = random.Random(seed)
        items: list[dict[str, Any]] = []
        policy, query, budget = dice.choice(["chat", "answer", "agent"]), "when did the clock go back?", dice.choice([40, 200, 900])
        session = Session(budget, policy=policy, query=query)
        line = {"budget": {"maxTokens": budget}, "policy": policy, "query": query, "count": "o200k_base", "session": {}}
        for turn_number in range(20):
            for _ in range(dice.randrange(5)):
                item: dict[str, Any] = {"content": said(dice, 2, 40), "id": dice.randrange(99)}
                if dice.random() < 0.2:
                    item |= dice.choice([{"kind": "SystemPrompt"}, {"metadata": {"cupel:zone": "tail"}}, {"group": "g"}, {"priority": 3}])
                if dice.random() < 0.2:
                    item["variants"] = [{"content": "short", "tokens": 1}]
                items.append(item)
            items = [item for item in items if dice.random() > 0.03]
            answer = batch(line | {"items": items})
            try:
                turn = session.next_items(items)
            except CupelError as error:
                assert json.loads(answer)["error"]["code"] == error.code
                break
            told = json.loads(answer)
            assert turn.report.to_dict() == told["turn"] and json.loads(session.state) == told["session"]
            assert [it["content"] for it in turn.items or []] == [it["content"] for it in told["items"]]
            assert turn.tokens == told["totalTokens"]
            assert (turn.report.selection or {}).get("included", []) == told["report"].get("included", [])
            line["session"] = told["session"]
            taken, cuts = taken + 1, cuts + (turn.report.action == "cut")
    assert taken > 800 and cuts > 50


def test_a_selection_without_a_session_is_the_first_turn_of_one() -> None:
    items = [{"content": said(random.Random(at), 3, 9)} for at in range(5)]
    assert Session(500).next_items(items).items == items and len(select(items, 500)) == 5
