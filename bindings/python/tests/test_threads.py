"""Other threads run while the engine works, whatever else the machine does."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, Callable

import pytest

from cupel_context import Policy, Session, count_tokens, fit, respond, select, validate

MESSAGES = [{"role": ["user", "assistant"][at % 2], "content": f"word {at} " * 50} for at in range(101)]
ITEMS = [f"word {at} " * 20 for at in range(200)]
LINE = '{"items": [{"content": "a b c d e f g"}], "budget": {"maxTokens": 3}, "policy": "chat", "count": "gpt-5"}'

WORK: dict[str, Callable[[], Any]] = {
    "fit": lambda: fit(MESSAGES, 2_000),
    "select": lambda: select(ITEMS, 500),
    "session": lambda: Session(2_000).next(MESSAGES),
    "respond": lambda: respond(LINE),
    "count_tokens": lambda: count_tokens(MESSAGES),
    "validate": lambda: validate(MESSAGES),
}


def another_runs_beside(work: Callable[[], Any], seconds: float) -> bool:
    """Whether another thread gets the interpreter while this one works: nobody takes its lock away, so it must be given up."""
    gate, ran = threading.Lock(), threading.Event()

    def other() -> None:
        with gate:
            ran.set()

    usual = sys.getswitchinterval()
    sys.setswitchinterval(10_000)
    try:
        gate.acquire()
        thread = threading.Thread(target=other)
        thread.start()
        gate.release()  # From now on it wants the interpreter, which is busy here.
        until = time.monotonic() + seconds
        while not ran.is_set() and time.monotonic() < until:
            work()
        did_run = ran.is_set()
    finally:
        sys.setswitchinterval(usual)
    thread.join()
    return did_run


@pytest.mark.parametrize("name", WORK)
def test_the_interpreters_lock_is_released_while_the_engine_works(name: str) -> None:
    assert another_runs_beside(WORK[name], seconds=60)


def test_that_test_can_fail() -> None:
    """Python code alone does not give the lock up, or the test above would show nothing."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        pytest.skip("this interpreter has no such lock")
    assert not another_runs_beside(lambda: sum(range(1_000)), seconds=0.5)


def test_two_threads_are_in_one_policy_at_once() -> None:
    """Each waits in the scorer for the other: a lock around the policy would let neither go on."""
    together = threading.Barrier(2, timeout=60)

    def meeting(items: list[Any], run: Any) -> list[float]:
        together.wait()
        return [1.0 for _ in items]

    policy = Policy({"scorers": [{"type": "meeting", "weight": 1}]}, scorers={"meeting": meeting})
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(select(ITEMS, 500, policy).positions)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2 and results[0] == results[1]
