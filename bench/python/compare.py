#!/usr/bin/env python3
"""Times `cupel_context` beside what people use in Python now, on one conversation, and what the border costs.

    bench/python/compare.py            # everything
    bench/python/compare.py peers      # beside LangChain, LlamaIndex and contextweaver
    bench/python/compare.py cold       # the same, each with its memory taken by the contender before it
    bench/python/compare.py border     # what of `fit` is the border
    bench/python/compare.py threads    # eight threads on one policy

Every contender gets the conversation as the objects it takes, made before the clock starts, and counts with the same
vocabulary, which is within the clock. Contenders take turns, each warmed by a run of its own; the numbers are the
least processor time each needed.

Installs the package, built for release, and its peers into a virtual environment under bench/target/ when it runs first.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

BENCH = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BENCH))
VENV = BENCH / "target" / "python"
CACHE = VENV / "vocabularies"
PACKAGES = ["langchain-core==1.7.2", "langchain==1.4.7", "llama-index-core==0.14.25", "contextweaver==0.18.2", "tiktoken==0.14.0"]
TURNS = 25
VOCABULARY = "o200k_base"
Work = Callable[[], Any]


def main() -> None:
    if Path(sys.prefix) != VENV:
        prepare()
        os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), __file__, *sys.argv[1:]])
    os.environ["TIKTOKEN_CACHE_DIR"] = str(CACHE)
    parts = {"peers": peers, "cold": lambda: peers(warmed=False), "border": border, "threads": threads}
    for name in sys.argv[1:] or parts:
        parts[name]()


def prepare() -> None:
    import hashlib
    import shutil

    import trim_messages

    if not (VENV / "ready").exists():
        print(f"installing {', '.join(PACKAGES)} into {VENV}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(pip, check=True, stdout=sys.stderr)
        CACHE.mkdir(exist_ok=True)
        shutil.copyfile(trim_messages.vocabulary(), CACHE / hashlib.sha1(trim_messages.ADDRESS.encode()).hexdigest())
        (VENV / "ready").touch()
    root = BENCH.parent
    environment = {"CARGO_TARGET_DIR": str(root / "target")} | os.environ
    pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, root / "bindings/python"], check=True, stdout=sys.stderr, env=environment)


WORDS = "the reminder went out at night and the clock was set back so patrons got two mails on Sunday morning".split()


def conversation(messages: int) -> list[dict[str, Any]]:
    """An agent at work, as OpenAI's dicts: a question, a call, what it returned, an answer."""
    dice = random.Random(messages)

    def words(least: int, most: int) -> str:
        return " ".join(dice.choice(WORDS) + dice.choice(["", "", ",", str(dice.randrange(99))]) for _ in range(dice.randint(least, most)))

    said: list[dict[str, Any]] = [{"role": "system", "content": "You are the operations assistant of a library."}]
    while len(said) < messages - 1:
        number = f"call_{len(said)}"
        call = {"id": number, "type": "function", "function": {"name": "run", "arguments": json.dumps({"command": words(3, 9)})}}
        said += [
            {"role": "user", "content": words(10, 60)},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": number, "content": words(40, 200)},
            {"role": "assistant", "content": words(20, 120)},
        ]
    # The last question, and before it nothing that waits for an answer.
    said = said[: messages - 1]
    if said[-1].get("tool_calls"):
        said[-1] = {"role": "assistant", "content": words(5, 9)}
    return [*said, {"role": "user", "content": words(10, 20)}]


def seconds(work: Work) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def in_turns(contenders: dict[str, Work], warmed: bool = True) -> dict[str, float]:
    """The quickest of each, taking turns so that all meet the same weather: what disturbs only ever adds."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for work in contenders.values():
        work()
    for turn in range(TURNS):
        for name, work in contenders.items():
            # What takes a second takes fewer turns.
            if turn < 5 or times[name][0] < 0.1:
                if warmed:
                    work()
                times[name].append(seconds(work))
    return {name: min(each) for name, each in times.items()}


def peers(warmed: bool = True) -> None:
    import logging

    import tiktoken
    from contextweaver.context.manager import ContextManager
    from contextweaver.protocols import TiktokenEstimator
    from contextweaver.types import ContextItem, ItemKind, Phase
    from langchain_core.messages import BaseMessage, convert_to_messages, trim_messages
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import ChatMemoryBuffer

    from cupel_context import count_tokens, fit
    from cupel_context.adapters import langchain as ours

    logging.disable(logging.WARNING)
    encoding = tiktoken.get_encoding(VOCABULARY)
    print("| messages | budget | contender | ms | times ours |\n|---|---|---|---|---|")
    for messages in (100, 1_000):
        said = conversation(messages)
        assert len(said) == messages
        budget = count_tokens(said, model=VOCABULARY) // 4
        langchain = convert_to_messages(said)
        llama = [ChatMessage(role=it["role"], content=it["content"], additional_kwargs=extra(it)) for it in said]
        kinds = {"user": ItemKind.user_turn, "assistant": ItemKind.agent_msg, "tool": ItemKind.tool_result, "system": ItemKind.policy}
        items = [ContextItem(id=f"m{at}", kind=kinds[it["role"]], text=it["content"] or json.dumps(it["tool_calls"])) for at, it in enumerate(said)]

        # LangChain looks at the annotation to see whether it counts one message or a list.
        def count(message: BaseMessage) -> int:
            calls = getattr(message, "tool_calls", [])
            texts = [text for call in calls for text in (call["name"], json.dumps(call["args"]))]
            return 3 + sum(len(encoding.encode_ordinary(text)) for text in [str(message.content), *texts])

        def trim(counter: Callable[[BaseMessage], int]) -> Any:
            return trim_messages(langchain, max_tokens=budget, token_counter=counter, strategy="last", include_system=True, start_on="human")

        def remembering() -> Callable[[BaseMessage], int]:
            known: dict[int, int] = {}

            def counted(message: BaseMessage) -> int:
                if id(message) not in known:
                    known[id(message)] = count(message)
                return known[id(message)]

            return counted

        def weave() -> Any:
            manager = ContextManager(estimator=TiktokenEstimator(VOCABULARY))
            for item in items:
                manager.ingest_sync(item)
            return manager.build_sync(phase=Phase.answer, query=said[-1]["content"], budget_tokens=budget)

        def buffer() -> Any:
            memory = ChatMemoryBuffer.from_defaults(chat_history=list(llama), token_limit=budget, tokenizer_fn=encoding.encode_ordinary)
            return memory.get()

        assert fit(said, budget, model=VOCABULARY).tokens <= budget
        times = in_turns(
            {
                "`fit`, dicts": lambda: fit(said, budget, model=VOCABULARY),
                "`fit`, LangChain's objects": lambda: ours.trim_messages(langchain, max_tokens=budget, model=VOCABULARY),
                "LangChain `trim_messages`": lambda: trim(count),
                "LangChain, counts remembered": lambda: trim(remembering()),
                "LlamaIndex `ChatMemoryBuffer`": buffer,
                "contextweaver": weave,
            },
            warmed,
        )
        own = times["`fit`, dicts"]
        for name, each in times.items():
            print(f"| {messages:,} | {budget:,} | {name} | {each * 1e3:,.2f} | {each / own:,.1f} |")
    print()


def extra(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key not in ("role", "content")}


def border() -> None:
    """Where the time of a call goes: engine and counting, which Rust has too, and the way in and out."""
    from cupel_context import _native, fit, respond

    print("| messages | what | ms | of `fit` |\n|---|---|---|---|")
    for messages in (100, 1_000):
        said = conversation(messages)
        budget = _native.count_tokens(said, model=VOCABULARY) // 4
        text = json.dumps(said, ensure_ascii=False)
        line = f'{{"messages":{text},"budget":{{"maxTokens":{budget}}},"count":"{VOCABULARY}"}}'
        times = in_turns(
            {
                "`fit`, all of it": lambda: fit(said, budget, model=VOCABULARY),
                "dicts to JSON text": lambda: _native._to_json(said),
                "`json.dumps` and `encode`, for comparison": lambda: json.dumps(said, ensure_ascii=False).encode(),
                "all but choosing and cutting": lambda: fit(said, 10**9, model=VOCABULARY),
                "`respond` to the same as text": lambda: respond(line),
                "reading the answer of `respond`, as text, into dicts": lambda answer=respond(line): json.loads(answer),
            }
        )
        whole = times["`fit`, all of it"]
        for name, each in times.items():
            print(f"| {messages:,} | {name} | {each * 1e3:,.2f} | {each / whole:.1%} |")
    print()


def threads() -> None:
    """Wall time of the same work by one thread and by eight, on one policy."""
    from cupel_context import Item, Policy, select

    policy = Policy("answer")
    dice = random.Random(1)
    items = [Item(" ".join(dice.choices(WORDS, k=80))) for _ in range(2_000)]

    def work(times: int) -> None:
        for _ in range(times):
            select(items, 4_000, policy, query="when did the clock go back?")

    def wall(count: int, each: int) -> float:
        own = [threading.Thread(target=work, args=(each,)) for _ in range(count)]
        start = time.perf_counter()
        for thread in own:
            thread.start()
        for thread in own:
            thread.join()
        return time.perf_counter() - start

    wall(2, 4)
    ratios, alone, busy = [], [], []
    for _ in range(TURNS):
        # Long enough that the ends, where not all of them have something to do, hardly count.
        one = wall(1, 64)
        used = time.process_time()
        eight = wall(8, 8)
        busy.append((time.process_time() - used) / eight)
        ratios.append(one / eight)
        alone.append(one / 64)
    print(f"select from {len(items):,} items, {os.cpu_count()} cores: {statistics.median(alone) * 1e3:.1f} ms each;")
    print(f"eight threads do in a given time {statistics.median(ratios):.2f} times what one does ({min(ratios):.2f} to {max(ratios):.2f}),")
    print(f"on {statistics.median(busy):.2f} cores at once ({min(busy):.2f} to {max(busy):.2f})\n")


if __name__ == "__main__":
    main()
