"""Memory is flat over very many calls, and nothing keeps what it was given."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from typing import Any, Callable

import pytest

import cupel_context as cupel

CALLS = int(os.environ.get("CUPEL_CALLS", "5000"))
MESSAGES = [{"role": "user", "content": f"word {n} " * 5} for n in range(8)]
ITEMS = [{"id": n, "content": f"word {n} " * 5} for n in range(8)]
POLICY = cupel.Policy(
    {"scorers": [{"type": "mine", "weight": 1}]}, scorers={"mine": lambda items, run: [1.0 for _ in items]}
)


def refuse() -> None:
    try:
        cupel.fit(MESSAGES, 1)
    except cupel.CupelError:
        pass


def raising() -> None:
    def broken(items: Any, run: Any) -> Any:
        raise KeyError

    policy = cupel.Policy({"scorers": [{"type": "mine", "weight": 1}]}, scorers={"mine": broken})
    try:
        cupel.select(ITEMS, 20, policy)
    except KeyError:
        pass


def turns() -> None:
    session = cupel.Session(60, breakpoints=True)
    session.next({"model": "gpt-5", "messages": MESSAGES[:1]})
    session.next({"model": "gpt-5", "messages": MESSAGES}).report.rows()
    cupel.Session.resume(60, session.state)


WORK: dict[str, Callable[[], Any]] = {
    "fit": lambda: cupel.fit(MESSAGES, 60),
    "request": lambda: cupel.fit({"model": "gpt-5", "messages": MESSAGES}, 60).report.rows(),
    "select": lambda: cupel.select(ITEMS, 20).report.rows(),
    "strategy": lambda: cupel.select(ITEMS, 20, POLICY),
    "respond": lambda: cupel.respond({"items": ITEMS, "budget": {"maxTokens": 9}, "policy": "chat", "count": "gpt-5"}),
    "refused": refuse,
    "raising": raising,
    "item": lambda: cupel.Item("word", 1, tags=["a"]).to_dict(),
    "turns": turns,
    "validate": lambda: cupel.validate(MESSAGES),
}


def resident() -> int:
    """Pages that are really there."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(name: str) -> int:
    """How much more memory there is after very many calls."""
    work = WORK[name]
    for _ in range(CALLS // 4):
        work()
    gc.collect()
    before = resident()
    for _ in range(CALLS):
        work()
    gc.collect()
    return resident() - before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("name", list(WORK))
def test_memory_is_flat(name: str) -> None:
    # In a process of its own: what other tests left behind comes and goes in pages, too.
    alone = subprocess.run([sys.executable, __file__, name], check=True, stdout=subprocess.PIPE, text=True)
    # Less than a small object a call: a leak of one would be 50 bytes and more.
    assert int(alone.stdout) < max(100_000, 24 * CALLS)


@pytest.mark.parametrize("name", list(WORK))
def test_references_are_given_back(name: str) -> None:
    watched = [MESSAGES, MESSAGES[0], ITEMS, ITEMS[0], ITEMS[0]["content"], POLICY]
    WORK[name]()
    before = [sys.getrefcount(each) for each in watched]
    for _ in range(200):
        WORK[name]()
    gc.collect()
    assert [sys.getrefcount(each) for each in watched] == before


def test_a_result_keeps_only_what_it_shows() -> None:
    class Own(dict):  # type: ignore[type-arg]
        pass

    import weakref

    kept, dropped = Own(role="user", content="now"), Own(role="user", content="word " * 200)
    fitted = cupel.fit([dropped, Own(role="assistant", content="ok"), kept], 40)
    seen = weakref.ref(dropped)
    del dropped
    gc.collect()
    assert seen() is None and fitted.messages[-1] is kept


if __name__ == "__main__":
    print(growth(sys.argv[1]))
