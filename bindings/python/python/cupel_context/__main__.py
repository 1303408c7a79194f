"""The command `cupel`, as `python -m cupel_context`."""

from __future__ import annotations

import signal
import sys

from ._native import run_command


def main() -> int:
    """Does what the command line asks for."""
    # The command has a handler of its own, where it needs one; Python's would wait for the command to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["cupel", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
