#!/usr/bin/env python3
"""Searches passages with bm25s and rank_bm25 and says how long it took; `cargo run --bin relevance` asks it.

A line of standard input is a list of passages, or a list of questions about the last ones; a line of standard output the
seconds that the process was on a processor: cold, for all work from the texts to the best passages for the first question, and
kept, for one question when everything is indexed.

Installs both into a virtual environment under bench/target/ when it runs first.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
VENV = BENCH / "target" / "relevance"
PACKAGES = ["bm25s==0.3.16", "rank_bm25==0.2.2"]
TOP = 100


def main():
    if Path(sys.prefix) != VENV:
        prepare()
        os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), __file__])
    contenders = {"bm25s": bm25s_searcher(), "rank_bm25": rank_bm25_searcher()}
    passages, indexes = [], {}
    for line in sys.stdin:
        asked = json.loads(line)
        if "passages" in asked:
            passages = asked["passages"]
            indexes = {name: index(passages) for name, (index, _) in contenders.items()}
            answer = {"passages": len(passages)}
        else:
            questions = asked["questions"]
            answer = {
                name: turn(*contender, passages, indexes[name], questions)
                for name, contender in contenders.items()
            }
        print(json.dumps(answer), flush=True)


def prepare():
    if (VENV / "ready").exists():
        return
    print(f"installing {', '.join(PACKAGES)} into {VENV}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", *PACKAGES]
    subprocess.run(pip, check=True, stdout=sys.stderr)
    (VENV / "ready").touch()


def turn(index, best, passages, kept, questions):
    # Untimed first, so that memory and caches are the same for all questions.
    top = best(kept, questions[0])
    return {
        "cold": seconds(lambda: best(index(passages), questions[0])),
        "kept": seconds(lambda: [best(kept, question) for question in questions]) / len(questions),
        "top": [int(at) for at in top],
    }


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def bm25s_searcher():
    import bm25s

    def index(passages):
        found = bm25s.BM25()
        found.index(bm25s.tokenize(passages, show_progress=False), show_progress=False)
        return found

    def best(kept, question):
        words = bm25s.tokenize(question, show_progress=False)
        documents, _ = kept.retrieve(words, k=TOP, show_progress=False)
        return documents[0]

    return index, best


def rank_bm25_searcher():
    import numpy
    from rank_bm25 import BM25Okapi

    # It has no tokenizer; this is the cheapest that finds words again.
    words = lambda text: text.lower().split()

    def index(passages):
        return BM25Okapi([words(passage) for passage in passages])

    def best(kept, question):
        return numpy.argsort(-kept.get_scores(words(question)))[:TOP]

    return index, best


if __name__ == "__main__":
    main()
