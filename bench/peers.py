#!/usr/bin/env python3
"""Times what Python programs use instead, on the same candidates.

    $ bench/peers.py [--sizes 10,100,1000,10000]

Optional: needs Python 3 with venv, and the network on its first run, when it installs
langchain-core and llama-index-core into a virtual environment under bench/target/.

Each of them does less than a run of Cupel: `trim_messages` and `ChatMemoryBuffer` keep the last
messages that fit, `LongContextReorder` only reorders. All count a token for every four characters,
which costs next to nothing. Ours is timed by the side-by-side tool on the same machine right
before; a ratio is the peer's time over ours.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
VENV = BENCH / "target" / "peers"
PACKAGES = ["langchain-core==1.7.2", "llama-index-core==0.14.25"]
# ChatMemoryBuffer counts all that is left again for every message that it drops.
QUADRATIC_UP_TO = 1_000
PATIENCE_SECONDS = 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10,100,1000,10000", help="numbers of candidates")
    sizes = parser.parse_args().sizes
    if Path(sys.prefix) != VENV:
        os.execv(prepared_python(), [str(VENV / "bin" / "python"), __file__, "--sizes", sizes])

    ours = our_times(sizes)
    print(f"{'':<32}{'items':>8}{'its own':>12}{'ours':>12}{'ratio':>9}")
    for size in map(int, sizes.split(",")):
        for name, pipeline, work in peers(json.loads(tool("--export", str(size)))):
            theirs = median_seconds(work)
            mine = ours[pipeline, size]
            print(
                f"{name:<32}{size:>8}{theirs * 1e6:>9.1f} µs{mine * 1e6:>9.1f} µs"
                f"{theirs / mine:>8.1f}x"
            )


def prepared_python():
    python = VENV / "bin" / "python"
    if not (VENV / "ready").exists():
        print(f"installing {', '.join(PACKAGES)} into {VENV}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        (VENV / "ready").touch()
    return python


def tool(*arguments):
    manifest = BENCH / "Cargo.toml"
    command = ["cargo", "run", "--quiet", "--release", "--locked", "--manifest-path", manifest, "--"]
    return subprocess.run([*command, *arguments], check=True, stdout=subprocess.PIPE).stdout


def our_times(sizes):
    """Seconds of a run, by pipeline and number of candidates."""
    report = json.loads(tool("--json", "--quick", "--only", "a,b", "--sizes", sizes))
    runs = (cell for cell in report["cells"] if cell["operation"] == "run")
    return {(cell["pipeline"], cell["items"]): cell["ours_ns"] / 1e9 for cell in runs}


def peers(data):
    """Name, the pipeline of ours that comes closest, and what to time."""
    from langchain_core.messages import BaseMessage, HumanMessage, trim_messages
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.postprocessor import LongContextReorder
    from llama_index.core.schema import NodeWithScore, TextNode

    limit, items = data["target_tokens"], data["items"]

    def tokens(message: BaseMessage) -> int:
        return len(message.content) // 4

    messages = [HumanMessage(item["content"]) for item in items]
    yield "LangChain trim_messages", "a", lambda: trim_messages(
        messages, max_tokens=limit, token_counter=tokens, strategy="last"
    )
    nodes = [
        NodeWithScore(node=TextNode(text=item["content"]), score=item["hint"]) for item in items
    ]
    reorder = LongContextReorder()
    yield "LlamaIndex LongContextReorder", "b", lambda: reorder.postprocess_nodes(nodes)
    if len(items) <= QUADRATIC_UP_TO:
        memory = ChatMemoryBuffer.from_defaults(
            chat_history=[ChatMessage(role="user", content=item["content"]) for item in items],
            token_limit=limit,
            tokenizer_fn=lambda text: range(len(text) // 4),
        )
        yield "LlamaIndex ChatMemoryBuffer", "a", memory.get


def median_seconds(work):
    work()
    times, start = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < PATIENCE_SECONDS:
        before = time.perf_counter()
        work()
        times.append(time.perf_counter() - before)
    return sorted(times)[len(times) // 2]


if __name__ == "__main__":
    main()
