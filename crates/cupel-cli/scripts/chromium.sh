#!/usr/bin/env bash
# Prints the path of a chromium, installing Debian's if there is none and we may.
set -euo pipefail

find_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}

if find_browser; then
    exit 0
fi
if ! command -v apt-get > /dev/null; then
    echo "there is no chromium, and no apt-get to install it with" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "there is no chromium; install it with: sudo apt-get install chromium" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq chromium; } > /dev/null 2>&1; then
    echo "there is no chromium, and apt-get could not install it" >&2
    exit 1
fi
find_browser
