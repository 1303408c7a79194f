#!/usr/bin/env bash
# How much longer `cupel` takes to start than a process that does nothing.
# Usage: crates/cupel-cli/scripts/startup.sh [RUNS]
set -euo pipefail
cd "$(dirname "$0")/../../.."
runs=${1:-200}

cargo build --quiet --release --package cupel-cli
cupel=target/release/cupel
bare=$(type -P true)

# Microseconds per run of a command, the best of five rounds: what is above it is other people's noise.
measure() {
    local best= start end each
    for _ in 1 2 3 4 5; do
        start=$(date +%s%N)
        for ((i = 0; i < runs; i++)); do "$@" > /dev/null; done
        end=$(date +%s%N)
        each=$(((end - start) / runs / 1000))
        if [ -z "$best" ] || [ "$each" -lt "$best" ]; then best=$each; fi
    done
    echo "$best"
}

nothing=$(measure "$bare")
version=$(measure "$cupel" --version)
selected=$(measure "$cupel" select examples/data/support-chat.jsonl --budget 1500)
printf 'bare process           %6d us\n' "$nothing"
printf 'cupel --version        %6d us, %d us over a bare process\n' "$version" $((version - nothing))
printf 'cupel select (62 items)%6d us, %d us over a bare process\n' "$selected" $((selected - nothing))
if [ $((version - nothing)) -ge 10000 ]; then
    echo "start-up takes 10 ms or more" >&2
    exit 1
fi
