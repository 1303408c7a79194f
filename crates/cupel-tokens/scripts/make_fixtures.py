#!/usr/bin/env python3
"""Counts texts with OpenAI's own `tiktoken` and writes what `tests/reference.rs` compares with.

    pip install tiktoken
    python3 make_fixtures.py > ../tests/fixtures/counts.json

`tiktoken` downloads its vocabularies. Where it cannot, give it a folder that has them, by a name that is the
SHA-1 of their address (`TIKTOKEN_CACHE_DIR`); it checks them against the digests it knows, so it does not matter
where they come from:

    python3 make_fixtures.py --fill-cache FOLDER_WITH_VOCABULARIES CACHE
"""

import hashlib
import json
import pathlib
import random
import shutil
import sys

VOCABULARIES = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "p50k_edit", "r50k_base"]
ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"

TEXTS = {
    "nothing": "",
    "one letter": "a",
    "english": "The window is finite, so something has to stay outside. It's the selector's job to say what, and why.",
    "contractions": "I'm sure they'll say we've done it, but it'd be HE'LL and YOU'RE and DON'T who'S to blame.",
    "camel case": "parseHTTPRequest getURLForUser XMLHttpRequest iOSApp McDonald ΑλφαΒήτα",
    "rust": "fn main() {\n    let total: i64 = items.iter().map(|item| item.tokens()).sum();\n\n    println!(\"{total}\");\n}\n",
    "python": "def fit(messages, budget):\n\treturn [m for m in messages if count(m) <= budget]  # greedy\n",
    "json": "{\"role\":\"tool\",\"tool_call_id\":\"call_9fA\",\"content\":\"{\\\"ok\\\":true,\\\"rows\\\":[1,22,333,4444]}\"}",
    "numbers": "1 12 123 1234 12345 3.14159265358979 1e-9 0xDEADBEEF 2026-11-18T03:39:12Z 192.168.100.200",
    "punctuation": "!!! ?!?! ... --- === *** ((([[[{{{ }}}]]])))) ;;; #### @@@ ~~~ `code` \\\\ // ./ .\n/ ;\n\n/usr",
    "spaces": "  two   three    four     five \t tab\t\ttabs  \n \n  end  ",
    "trailing spaces": "x    ",
    "line breaks": "a\nb\n\nc\r\nd\r\n\r\ne\n\n\n\n    f\n \n g\r",
    "slash after a line break": "done.\n/next !\n//two",
    "address": "https://example.org/a/b?c=d&e=%20f#g-h_i~j",
    "base64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "chinese": "上下文窗口是有限的，因此必须决定哪些内容可以放进去。每次选择都要说明理由。",
    "japanese": "コンテキストの窓には限りがあるので、何を入れるかを決めなければなりません。",
    "korean": "컨텍스트 창에는 한계가 있으므로 무엇을 넣을지 결정해야 합니다.",
    "russian": "Окно контекста ограничено, поэтому нужно решать, что в него попадёт.",
    "greek": "Το παράθυρο είναι πεπερασμένο, άρα κάτι πρέπει να μείνει έξω.",
    "arabic": "نافذة السياق محدودة، لذلك يجب أن نقرر ما يدخل إليها.",
    "hindi": "संदर्भ की खिड़की सीमित है, इसलिए तय करना पड़ता है कि क्या अंदर जाए।",
    "thai": "หน้าต่างบริบทมีขนาดจำกัด จึงต้องเลือกว่าจะใส่อะไร",
    "german": "Das Kontextfenster ist begrenzt; Donaudampfschifffahrtsgesellschaftskapitänsmütze passt selten hinein.",
    "emoji": "😀🎉 👍🏽 🇩🇪🇯🇵 ❤️‍🔥 ☃︎",
    "emoji joined": "👨‍👩‍👧‍👦👩🏽‍🚀🏳️‍🌈🧑🏿‍🤝‍🧑🏻",
    "combining": "e\u0301a\u0308o\u0302\u0323 Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324 n\u0303",
    "invisible": "a\u200bb\u200dc\ufeffd\u00ade\u202ef\u2060g",
    "odd white space": "a\u00a0b\u2003c\u3000d\u2028e\u2029f\u0085g\x0bh\x0ci\u1680j",
    "control characters": "a\x00b\x01c\x1bd\x7fe",
    "special tokens": "<|endoftext|> <|fim_prefix|> <|start|>user<|message|>hi<|end|>",
    "replacement": "\ufffd\ufffd\ufffdx\ufffd",
    "mathematics": "∀ε>0 ∃δ: |x−a|<δ ⇒ |f(x)−L|<ε; 𝔸𝕓𝒸 ½ ² Ⅷ ٣",
    "wide letters": "ＡＢＣ ａｂｃ １２３ ﬁ ß İı ǅ",
}

REPEATED = {
    "20,000 letters": ("a", 20_000),
    "2 MB of one letter": ("a", 2_000_000),
    "2 MB of capitals": ("A", 2_000_000),
    "2 MB of line breaks": ("\n", 2_000_000),
    "2 MB of one sign": ("=", 2_000_000),
    "2 MB of one digit": ("7", 2_000_000),
    "long chinese": ("上下文窗口是有限的", 50_000),
    "long japanese": ("限りがあるので", 50_000),
    "long emoji": ("👨‍👩‍👧‍👦", 50_000),
    "long prose": ("The window is finite, so something has to stay outside.\n", 20_000),
    "200 spaces": (" ", 200),
    "1,000 tabs": ("\t", 1_000),
}


def noise():
    """Bytes from a fixed sequence, as text: what a careless tool puts into a conversation."""
    return random.Random(28).randbytes(20_000).decode("utf-8", errors="replace")


def fill_cache(source, cache):
    cache.mkdir(parents=True, exist_ok=True)
    for name in ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"]:
        digest = hashlib.sha1(ADDRESS.format(name).encode()).hexdigest()
        shutil.copyfile(source / f"{name}.tiktoken", cache / digest)


def main():
    if sys.argv[1:2] == ["--fill-cache"]:
        fill_cache(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
        return

    import tiktoken

    cases = [{"name": name, "unit": text, "times": 1} for name, text in TEXTS.items()]
    cases += [{"name": name, "unit": unit, "times": times} for name, (unit, times) in REPEATED.items()]
    cases.append({"name": "noise", "unit": noise(), "times": 1})
    encodings = {name: tiktoken.get_encoding(name) for name in VOCABULARIES}
    for case in cases:
        text = case["unit"] * case["times"]
        case["counts"] = {
            name: len(encoding.encode_ordinary(text)) for name, encoding in encodings.items()
        }
    json.dump({"tiktoken": tiktoken.__version__, "cases": cases}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
