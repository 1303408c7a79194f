#!/usr/bin/env bash
# Shows that the memory of `cupel select` does not grow with its input under a policy that streams: it reads generated
# JSON Lines to their end and notes the most memory it had resident.
# Usage: crates/cupel-cli/scripts/select-memory.sh [MEGABYTES] [BATCH_SIZE] [GROUP_SIZE]
# With groups memory does grow, by a number for each: there it says by how much, and allows more.
set -euo pipefail
cd "$(dirname "$0")/../../.."
megabytes=${1:-1024}
batch_size=${2:-32}
group_size=${3:-0}
most_kilobytes=16384
if [ "$group_size" -gt 0 ]; then most_kilobytes=131072; fi

cargo build --quiet --release --package cupel-cli
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/policy.json" << POLICY
{ "scorers": [{ "type": "recency", "weight": 2 }, { "type": "priority", "weight": 1 }],
  "slicerType": "stream", "streamBatchSize": $batch_size }
POLICY

# Items of about 260 bytes with a key of the caller's own; one in a hundred thousand is pinned.
generate() {
    awk -v bytes=$((megabytes * 1048576)) -v group_size="$group_size" 'BEGIN {
        text = "The quick brown fox jumps over the lazy dog while the sleepy cat looks on and does not mind at all, "
        for (n = 1; written < bytes; n++) {
            line = "{\"id\":" n ",\"content\":\"" text n "\",\"tokens\":" (20 + (n * 7) % 17) ",\"timestamp\":\"2026-01-01T00:" sprintf("%02d", n % 60) ":00Z\",\"priority\":" (n % 5) ",\"source_file\":\"logs/part-" (n % 1000) ".log\"" (n % 100000 == 0 ? ",\"pinned\":true" : "") (group_size > 0 ? ",\"group\":\"call-" int(n / group_size) "\"" : "") "}"
            print line
            written += length(line) + 1
        }
    }'
}

# The process substitution keeps the id of cupel itself in $!.
target/release/cupel select --budget 8000 --to-end --quiet --policy "$folder/policy.json" < <(generate) > "$folder/window.jsonl" &
pid=$!
started=$SECONDS
peak=0
while [ -d "/proc/$pid" ]; do
    # The peak since it started, so that nothing is missed between two looks.
    now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2> /dev/null || true)
    if [ -n "$now" ]; then peak=$now; fi
    sleep 0.2
done
wait "$pid"

echo "$megabytes MB of JSON Lines in batches of $batch_size, in $((SECONDS - started)) s"
echo "a window of $(wc -l < "$folder/window.jsonl") items, $(grep -c '"pinned":true' "$folder/window.jsonl" || true) of them pinned"
echo "resident memory: at most $peak kB"
if [ "$peak" -gt "$most_kilobytes" ]; then
    echo "that is more than $most_kilobytes kB" >&2
    exit 1
fi
