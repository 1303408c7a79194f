#!/usr/bin/env python3
"""Trims requests with LangChain and says how long it took; `cargo run --bin requests` asks it.

A line of standard input is a request as text and a budget, a line of standard output the seconds on the processor.

Installs langchain-core and tiktoken into a virtual environment under bench/target/ when it runs first. tiktoken would
download its vocabulary from where not every machine can reach; the crate tiktoken-rs has the same file, and tiktoken
checks it against the digest that it knows.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
VENV = BENCH / "target" / "requests"
CACHE = VENV / "vocabularies"
PACKAGES = ["langchain-core==1.7.2", "tiktoken==0.14.0"]
VOCABULARY = "o200k_base"
ADDRESS = f"https://openaipublic.blob.core.windows.net/encodings/{VOCABULARY}.tiktoken"


def main():
    if Path(sys.prefix) != VENV:
        prepare()
        os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), __file__])
    os.environ["TIKTOKEN_CACHE_DIR"] = str(CACHE)
    trim = trimmer()
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(trim(asked["text"], asked["budget"])), flush=True)


def prepare():
    if (VENV / "ready").exists():
        return
    print(f"installing {', '.join(PACKAGES)} into {VENV}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", *PACKAGES]
    subprocess.run(pip, check=True, stdout=sys.stderr)
    CACHE.mkdir(exist_ok=True)
    shutil.copyfile(vocabulary(), CACHE / hashlib.sha1(ADDRESS.encode()).hexdigest())
    (VENV / "ready").touch()


def vocabulary():
    """The file among the sources of a crate, which Cargo fetches."""
    command = ["cargo", "metadata", "--locked", "--format-version=1", "--features=tokenizers"]
    metadata = subprocess.run(
        [*command, "--manifest-path", BENCH / "Cargo.toml"], check=True, stdout=subprocess.PIPE
    )
    packages = json.loads(metadata.stdout)["packages"]
    manifest = next(it["manifest_path"] for it in packages if it["name"] == "tiktoken-rs")
    return Path(manifest).parent / "assets" / f"{VOCABULARY}.tiktoken"


def trimmer():
    import tiktoken
    from langchain_core.messages import (
        BaseMessage,
        convert_to_messages,
        convert_to_openai_messages,
        trim_messages,
    )

    encoding = tiktoken.get_encoding(VOCABULARY)
    count = lambda text: len(encoding.encode_ordinary(text))

    def tokens_of(message: BaseMessage) -> int:
        calls = getattr(message, "tool_calls", [])
        texts = [text for call in calls for text in (call["name"], json.dumps(call["args"]))]
        return 3 + sum(map(count, [message.content, *texts]))

    def remembering():
        """What somebody writes who has noticed that messages are counted several times."""
        known = {}

        def tokens(message: BaseMessage) -> int:
            # The message is kept with its count, so that no other gets its id.
            if id(message) not in known:
                known[id(message)] = message, tokens_of(message)
            return known[id(message)][1]

        return tokens

    def trimmed(text, budget, counter):
        body = json.loads(text)
        kept = trim_messages(
            convert_to_messages(body["messages"]),
            max_tokens=budget,
            token_counter=counter,
            strategy="last",
            include_system=True,
            start_on="human",
        )
        return json.dumps(body | {"messages": convert_to_openai_messages(kept)})

    def seconds(work):
        start = time.thread_time()
        work()
        return time.thread_time() - start

    def turn(text, budget):
        body = json.loads(text)
        return {
            "plain": seconds(lambda: trimmed(text, budget, tokens_of)),
            "remembering": seconds(lambda: trimmed(text, budget, remembering())),
            "tokens": count(json.dumps(body["tools"], separators=(",", ":")))
            + sum(map(tokens_of, convert_to_messages(body["messages"]))),
        }

    return turn


if __name__ == "__main__":
    main()
