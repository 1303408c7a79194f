//! The examples at the end of every help text.

macro_rules! examples {
    ($($name:ident = $($line:literal)+;)+) => {$(
        pub(super) const $name: &str = concat!("Examples:\n", $("  ", $line, "\n"),+);
    )+};
}

examples! {
    ALL =
        "cupel select request.json --budget 8000 -o smaller.json"
        "cupel explain request.json --budget 8000 --output-reserve 1000"
        "cupel explain chat.jsonl --budget 8000 --html window.html"
        "cupel compare chat.jsonl --budget 8000 --policy chat --policy toolUse"
        "cupel batch requests.jsonl -o responses.jsonl";
    SELECT =
        "cupel select request.json --budget 8000 --keep-first 1 --pin 'order 4711' -o smaller.json"
        "cupel select chat.jsonl --budget 8000"
        "cupel select - --max-tokens 128000 --output-reserve 4000 --policy rag < passages.json"
        "cupel select notes.jsonl --budget 2000 --tokenizer o200k_base --format markdown -o prompt.md";
    EXPLAIN =
        "cupel explain request.json --budget 8000"
        "cupel explain chat.jsonl --budget 8000 --html window.html"
        "cupel explain chat.jsonl --budget 8000 --json | jq '.items[] | select(.included | not)'";
    COMPARE =
        "cupel compare chat.jsonl --budget 8000 --policy chat --policy longRunning"
        "cupel compare passages.json --budget 4000 --policy rag --policy my-policy.json --json";
    EVAL =
        "cupel eval examples/eval/library.jsonl"
        "cupel eval set.jsonl -p answer -p my-policy.json --budgets 500,2k,25% --missed --html recall.html"
        "cupel eval --import locomo locomo10.json --limit 200"
        "cupel eval --import transcripts logs/ --save agents.jsonl";
    REPLAY =
        "cupel replay transcript.json --budget 100000"
        "cupel replay requests.jsonl --budget 32k -s sliding-window -s session -s session:0.9/0.3 --html replay.html"
        "cupel replay transcript.json --budget 32k --all-policies --prices 0.1/1.25 --json";
    MARGINAL =
        "cupel marginal chat.jsonl --budget 8000 --slack 500"
        "cupel marginal chat.jsonl --budget 8000 --slack 500 --format jsonl | jq .id";
    CHECK =
        "cupel check request.json"
        "cupel check messages.json --provider anthropic --json";
    MIN_BUDGET =
        "cupel min-budget chat.jsonl --item 17"
        "cupel min-budget chat.jsonl --match 'order 4711' --ceiling 16000";
    BATCH =
        "cupel batch requests.jsonl -o responses.jsonl"
        "produce-requests | cupel batch | jq -c 'select(.error)'";
    COUNT =
        "cupel count request.json"
        "cupel count notes.jsonl"
        "cupel count notes.jsonl --tokenizer cl100k_base --fill -o counted.jsonl"
        "cupel count --text README.md";
    PRESETS =
        "cupel presets"
        "cupel presets rag > my-policy.json";
    SCHEMA =
        "cupel schema"
        "cupel schema policy > policy.schema.json";
    CONFORMANCE =
        "cupel conformance"
        "cupel conformance my-vectors/ --json";
    COMPLETIONS =
        "cupel completions bash > ~/.local/share/bash-completion/completions/cupel"
        "cupel completions zsh > ~/.zfunc/_cupel";
}

/// What the exit codes mean, for the end of the main help.
pub(super) const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 the work failed, 2 wrong usage or bad input";
