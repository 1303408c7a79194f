#!/usr/bin/env bash
# Shows that the memory of `cupel batch` does not grow with its input: it answers a stream of
# generated requests and notes its resident memory every second.
# Usage: crates/cupel-cli/scripts/batch-memory.sh [MEGABYTES]
set -euo pipefail
cd "$(dirname "$0")/../../.."
megabytes=${1:-1024}

cargo build --quiet --release --package cupel-cli
notes=$(mktemp)
trap 'rm -f "$notes"' EXIT

# Requests of about 20 kB: 100 items each, of which some fit.
generate() {
    awk -v bytes=$((megabytes * 1048576)) 'BEGIN {
        text = "The quick brown fox jumps over the lazy dog while the sleepy cat looks on and does not mind at all, "
        for (n = 1; written < bytes; n++) {
            line = "{\"items\":["
            for (i = 1; i <= 100; i++) {
                line = line (i > 1 ? "," : "") "{\"content\":\"" text n "/" i "\",\"tokens\":" (20 + (n * i) % 17) ",\"timestamp\":\"2026-01-01T00:" sprintf("%02d", i % 60) ":00Z\",\"priority\":" (i % 5) "}"
            }
            line = line "],\"budget\":{\"maxTokens\":1000,\"targetTokens\":1000},\"policy\":\"chat\"}"
            print line
            written += length(line) + 1
        }
    }'
}

# The process substitution keeps the id of cupel itself in $!.
target/release/cupel batch < <(generate) > >(wc -lc > "$notes.out") &
pid=$!
trap 'rm -f "$notes" "$notes.out"' EXIT
started=$SECONDS
while [ -d "/proc/$pid" ]; do
    rss=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2> /dev/null || true)
    if [ -n "$rss" ]; then echo "$((SECONDS - started)) $rss" >> "$notes"; fi
    sleep 1
done
wait "$pid"
sleep 0.2
elapsed=$((SECONDS - started))

awk -v megabytes="$megabytes" -v elapsed="$elapsed" '
    { rss[NR] = $2 }
    END {
        for (i = 1; i <= NR; i++) { half = (i <= NR / 2) ? 1 : 2; if (rss[i] > peak[half]) peak[half] = rss[i] }
        printf "%d MB of requests in %d s\n", megabytes, elapsed
        printf "resident memory: at most %d kB in the first half, %d kB in the second\n", peak[1], peak[2]
        if (peak[2] > peak[1] * 1.5) { print "memory grows with the input" > "/dev/stderr"; exit 1 }
    }' "$notes"
awk '{ printf "%d responses, %.1f GB\n", $1, $2 / 1e9 }' "$notes.out"
