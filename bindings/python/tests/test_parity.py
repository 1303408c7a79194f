"""The same bytes through Python and through `cupel batch`."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cupel_context import respond

from workspace import ROOT, TARGET, built


def through_the_command(lines: list[bytes], *options: str) -> list[bytes]:
    command = [built("cupel"), "batch", "--no-timings", "--quiet", *options]
    done = subprocess.run(command, input=b"\n".join(lines) + b"\n", capture_output=True)
    return done.stdout.splitlines()


def check(lines: list[bytes], *options: str, **arguments: Any) -> tuple[int, int]:
    """How many were answered and how many refused, all of them alike."""
    theirs = through_the_command(lines, *options)
    assert len(theirs) == len(lines)
    refused = 0
    for number, (line, expected) in enumerate(zip(lines, theirs), start=1):
        ours = respond(line, line=number, **arguments)
        assert ours == expected, line
        refused += ours.startswith(b'{"error"') or b'"error":{"code"' in ours[:200]
    return len(lines) - refused, refused


def test_twenty_thousand_requests_are_answered_with_the_same_bytes() -> None:
    """Those whose answers the repository has recorded: full of ties, duplicates, extremes, some of them damaged."""
    corpus = Path(os.environ.get("CORPUS_REQUESTS", TARGET / "corpus-requests.jsonl"))
    if not corpus.exists():
        pytest.skip("./test writes the requests first")
    lines = corpus.read_bytes().split(b"\n")[:-1]
    assert len(lines) > 19_900
    answered, refused = check(lines)
    assert answered > 8_000 and refused > 2_000


def histories() -> list[bytes]:
    """Lines with messages: pieces of real transcripts, sound and broken, at all sorts of budgets."""
    dice = random.Random(1)
    transcripts = [json.loads(path.read_text()) for path in sorted((ROOT / "examples/data").glob("library-agent.*.json"))]
    lines = []
    for _ in range(1_500):
        body = dict(dice.choice(transcripts))
        messages = body["messages"]
        first = dice.randrange(len(messages))
        messages = messages[first : first + dice.choice([1, 3, 8, 60])]
        messages = [message for message in messages if dice.random() > 0.05]
        line: dict[str, Any] = {"id": dice.randrange(9), "budget": {"maxTokens": dice.choice([0, 50, 400, 1_000, 20_000])}}
        if dice.random() < 0.5:
            line["request"] = body | {"messages": messages}
        else:
            line["messages"] = messages
        choices: dict[str, list[Any]] = {
            "policy": ["chat", "agent", "answer", "nonsense", {"scorers": [{"type": "recency", "weight": 1}]}],
            "keepFirst": [0, 1, -1],
            "keepLast": [2, "x"],
            "pin": [["clock"], "clock", []],
            "granularity": ["turn", "unit", "word"],
            "shorten": [True, False],
            "count": ["gpt-4o", "o200k_base", "nothing"],
            "query": ["reminders", {"text": "a", "vector": [1]}],
            "unknown": [1],
        }
        for key, values in choices.items():
            if dice.random() < 0.15:
                line[key] = dice.choice(values)
        lines.append(json.dumps(line, ensure_ascii=dice.random() < 0.5).encode())
    return lines


def test_lines_with_messages_are_answered_with_the_same_bytes() -> None:
    answered, refused = check(histories())
    assert answered > 300 and refused > 200


def test_options_are_the_commands() -> None:
    uncounted = [b'{"items": [{"content": "a b c"}], "budget": {"maxTokens": 3}, "policy": "answer"}']
    assert check(uncounted, "--tokenizer", "gpt-4o", "--query", "b", model="gpt-4o", query="b") == (1, 0)
    lenient = [b'{"items": [], "budget": {"maxTokens": 3}, "policy": {"scorers": [{"type": "recency", "weight": 1}], "x": 1}}']
    assert check(lenient, "--lenient", lenient=True) == (1, 0)
    assert check(lenient) == (0, 1)
