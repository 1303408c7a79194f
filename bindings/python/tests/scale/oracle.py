"""What the command says, for whoever is compared with it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

from rows import WORDS, item, messages
from workspace import ROOT

_PROVIDERS = ("openai", "anthropic")


def transcripts() -> list[str]:
    """Conversations with tools as two providers have them, long and short, and one as the requests that were sent."""
    agents = [json.loads((ROOT / f"examples/data/library-agent.{name}.json").read_text()) for name in _PROVIDERS]
    openai = agents[0]
    parts = [{**openai, "messages": openai["messages"][:count]} for count in (7, 20, 33, 48)]
    requests = "\n".join(json.dumps({**openai, "messages": openai["messages"][:count]}) for count in (2, 9, 15))
    return [*map(json.dumps, [*agents, *parts, messages(1), messages(2)]), requests]


def replayed(transcript: str, budget: int, strategies: list[str]) -> dict[str, Any]:
    """What `cupel replay` says, in the shape of answers."""
    flags = [flag for strategy in strategies for flag in ("--strategy", strategy)]
    told = command("replay", "--json", "--quiet", "--budget", str(budget), *flags, given=transcript)
    names = {"times_cheaper": "timesCheaper", "share_read": "shareRead", "evidence_kept": "evidenceKept"}
    kept = ["strategy", "cost", "times_cheaper", "share_read", "cuts", "evidence_kept", "stopped"]
    each = [{name: it[names.get(name, name)] for name in kept} for it in told["strategies"]]
    return {"strategies": each, "turns": told["turns"], "model": told["model"]}


def command(*arguments: str, given: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "cupel_context", *arguments], input=given, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def compared(items: Any, budget: int, policies: list[str]) -> dict[str, Any]:
    """What `cupel compare` says, in the shape of answers."""
    flags = [flag for policy in policies for flag in ("--policy", policy)]
    told = command("compare", "--json", "--quiet", "--budget", str(budget), *flags, given=json.dumps(items))
    variants = [
        {
            "policy": it["policy"],
            "items": it.get("items", it.get("messages")),
            "total_tokens": it["totalTokens"],
            "utilization": it["utilization"],
        }
        for it in told["variants"]
    ]
    diffs = [
        {
            "items": it.get("items", [it.get("message")]),
            "statuses": [{"form": None, **status} for status in it["statuses"]],
        }
        for it in told["diffs"]
    ]
    return {"variants": variants, "diffs": diffs, "error": None}


def question(number: int) -> dict[str, Any]:
    """A question whose evidence shares words with it, mostly."""
    own = random.Random(f"question {number}")
    items = [item(own, at) for at in range(own.randint(6, 20))]
    gold = own.sample([it["id"] for it in items], own.randint(1, 3))
    asked = own.choices(WORDS, k=3)
    for it in items:
        if it["id"] in gold and own.random() < 0.8:
            it["content"] += " " + " ".join(asked)
    return {"question": " ".join(asked), "items": items, "gold": gold}


def evaluated(questions: list[dict[str, Any]], policies: list[str], budgets: list[str]) -> dict[str, Any]:
    """What `cupel eval` says of one set of them."""
    lines = []
    for number, it in enumerate(questions):
        lines.append(json.dumps({"pool": f"p{number}", "items": it["items"]}))
        asked = {"question": it["question"], "pool": f"p{number}", "gold": it["gold"], "id": str(number)}
        lines.append(json.dumps(asked))
    flags = [flag for policy in policies for flag in ("--policy", policy)]
    return command("eval", "--json", "--quiet", "--budgets", ",".join(budgets), *flags, given="\n".join(lines))
